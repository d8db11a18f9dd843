//! Which features of x86-64 this build uses, and whether the processor has them.
//!
//! A build for a newer processor would end with an illegal instruction at any time, so the program asks whether its
//! processor [`suffices`] before it does anything else. `is_x86_feature_detected!` is of no use here: it says yes to
//! whatever the compiler may use.
//!
//! What [`suffices`] calls is itself compiled for the newer processor. So it has only what every processor can do:
//! branches and calls, and no arithmetic or copies that the compiler could turn into newer instructions. The test in
//! `engine-tests/program.rs` runs the whole program on an emulated old processor.

#![allow(unsafe_code)]

use std::arch::x86_64::{__cpuid_count, _xgetbv};

/// A feature of x86-64 processors.
struct Feature {
    name: &'static str,
    /// The lowest level of x86-64 that has it; 0 if none has.
    level: u8,
    /// Where CPUID reports it: leaf, subleaf, register (from EAX to EDX) and bit.
    leaf: u32,
    subleaf: u32,
    register: Register,
    mask: u32,
    /// Registers that the system must save for it.
    saved: Saved,
    /// May this build use it?
    used: bool,
    #[cfg(test)]
    standard: fn() -> bool,
}

/// A register that CPUID fills.
#[derive(Clone, Copy)]
enum Register {
    Eax,
    Ebx,
    Ecx,
    Edx,
}

/// Registers that a system without support for a feature would not save when it switches between programs.
#[derive(Clone, Copy)]
enum Saved {
    General,
    Ymm,
    Zmm,
}

macro_rules! features {
    ($($name:tt $level:literal, $leaf:literal $subleaf:literal $register:ident $bit:literal $saved:ident;)*) => {
        &[$(Feature {
            name: $name,
            level: $level,
            leaf: $leaf,
            subleaf: $subleaf,
            register: Register::$register,
            mask: 1 << $bit,
            saved: Saved::$saved,
            used: cfg!(target_feature = $name),
            #[cfg(test)]
            standard: || std::arch::is_x86_feature_detected!($name),
        }),*]
    };
}

/// Features of x86-64 processors that compilers use without being asked to in the source.
#[rustfmt::skip]
static FEATURES: &[Feature] = features![
    "cmpxchg16b" 2, 1 0 Ecx 13 General;
    "popcnt"     2, 1 0 Ecx 23 General;
    "sse3"       2, 1 0 Ecx 0 General;
    "ssse3"      2, 1 0 Ecx 9 General;
    "sse4.1"     2, 1 0 Ecx 19 General;
    "sse4.2"     2, 1 0 Ecx 20 General;
    "avx"        3, 1 0 Ecx 28 Ymm;
    "avx2"       3, 7 0 Ebx 5 General;
    "bmi1"       3, 7 0 Ebx 3 General;
    "bmi2"       3, 7 0 Ebx 8 General;
    "f16c"       3, 1 0 Ecx 29 General;
    "fma"        3, 1 0 Ecx 12 General;
    "lzcnt"      3, 0x8000_0001 0 Ecx 5 General;
    "movbe"      3, 1 0 Ecx 22 General;
    "avx512f"    4, 7 0 Ebx 16 Zmm;
    "avx512bw"   4, 7 0 Ebx 30 General;
    "avx512cd"   4, 7 0 Ebx 28 General;
    "avx512dq"   4, 7 0 Ebx 17 General;
    "avx512vl"   4, 7 0 Ebx 31 General;
    "adx"        0, 7 0 Ebx 19 General;
    "aes"        0, 1 0 Ecx 25 General;
    "avx512bf16" 0, 7 1 Eax 5 General;
    "avx512bitalg" 0, 7 0 Ecx 12 General;
    "avx512fp16" 0, 7 0 Edx 23 General;
    "avx512ifma" 0, 7 0 Ebx 21 General;
    "avx512vbmi" 0, 7 0 Ecx 1 General;
    "avx512vbmi2" 0, 7 0 Ecx 6 General;
    "avx512vnni" 0, 7 0 Ecx 11 General;
    "avx512vp2intersect" 0, 7 0 Edx 8 General;
    "avx512vpopcntdq" 0, 7 0 Ecx 14 General;
    "avxifma"    0, 7 1 Eax 23 General;
    "avxneconvert" 0, 7 1 Edx 5 General;
    "avxvnni"    0, 7 1 Eax 4 General;
    "avxvnniint16" 0, 7 1 Edx 10 General;
    "avxvnniint8" 0, 7 1 Edx 4 General;
    "gfni"       0, 7 0 Ecx 8 General;
    "pclmulqdq"  0, 1 0 Ecx 1 General;
    "sha"        0, 7 0 Ebx 29 General;
    "sse4a"      0, 0x8000_0001 0 Ecx 6 General;
    "tbm"        0, 0x8000_0001 0 Ecx 21 General;
    "vaes"       0, 7 0 Ecx 9 General;
    "vpclmulqdq" 0, 7 0 Ecx 10 General;
];

/// The highest level of x86-64 all of whose features are there.
fn level(has: fn(&Feature) -> bool) -> &'static str {
    let complete = |level| FEATURES.iter().filter(|feature| (1..=level).contains(&feature.level)).all(has);
    match () {
        () if complete(4) => "x86-64-v4",
        () if complete(3) => "x86-64-v3",
        () if complete(2) => "x86-64-v2",
        () => "x86-64",
    }
}

/// The kind of processor that this build is for, as `x86-64-v3 with aes`.
pub fn built_for() -> String {
    let level = level(|feature| feature.used);
    let rank = level.strip_prefix("x86-64-v").map_or(1, |number| number.parse().unwrap_or(1));
    let more = FEATURES.iter().filter(|feature| feature.used && !(1..=rank).contains(&feature.level));
    let more: Vec<&str> = more.map(|feature| feature.name).collect();
    if more.is_empty() { level.into() } else { format!("{level} with {}", more.join(", ")) }
}

/// Can this build run on this processor? If not, `tell` gets the reason in parts.
#[inline(never)]
pub fn suffices(tell: &mut dyn FnMut(&str)) -> bool {
    compare(has, tell)
}

fn compare(has: fn(&Feature) -> bool, tell: &mut dyn FnMut(&str)) -> bool {
    let mut complete = true;
    for feature in FEATURES {
        if feature.used && !has(feature) {
            tell(if complete { "this build needs a processor with " } else { ", " });
            tell(feature.name);
            complete = false;
        }
    }
    if !complete {
        tell("; yours runs builds for ");
        tell(level(has));
    }
    complete
}

/// Does this processor have the feature, and does the system allow it?
#[inline(never)]
fn has(feature: &Feature) -> bool {
    cpuid(feature.leaf, feature.subleaf, feature.register) & feature.mask != 0 && saves(feature.saved)
}

/// A register of CPUID; zero for a leaf that it does not have.
fn cpuid(leaf: u32, subleaf: u32, register: Register) -> u32 {
    // SAFETY: all x86-64 processors have CPUID. Newer compilers know that.
    #[allow(unused_unsafe)]
    let read = |leaf, subleaf| unsafe { __cpuid_count(leaf, subleaf) };
    if leaf > read(leaf & 0x8000_0000, 0).eax {
        return 0;
    }
    let found = read(leaf, subleaf);
    match register {
        Register::Eax => found.eax,
        Register::Ebx => found.ebx,
        Register::Ecx => found.ecx,
        Register::Edx => found.edx,
    }
}

/// Does the system save these registers?
fn saves(saved: Saved) -> bool {
    const OSXSAVE: u32 = 1 << 27;
    const YMM: u64 = 0x06;
    const ZMM: u64 = 0xe6;
    let state = || match cpuid(1, 0, Register::Ecx) & OSXSAVE {
        0 => 0,
        // SAFETY: the bit says that the system allows XGETBV.
        _ => unsafe { _xgetbv(0) },
    };
    match saved {
        Saved::General => true,
        Saved::Ymm => state() & YMM == YMM,
        Saved::Zmm => state() & ZMM == ZMM,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_told_by_their_features() {
        assert_eq!(level(|_| false), "x86-64");
        assert_eq!(level(|feature| feature.level == 2), "x86-64-v2");
        assert_eq!(level(|feature| feature.level > 1 && feature.level < 4), "x86-64-v3");
        assert_eq!(level(|_| true), "x86-64-v4");
        assert_eq!(level(|feature| feature.name != "bmi2"), "x86-64-v2");
    }

    fn told(has: fn(&Feature) -> bool) -> (bool, String) {
        let mut text = String::new();
        let suffices = compare(has, &mut |part| text += part);
        (suffices, text)
    }

    #[test]
    fn what_is_missing_is_named() {
        let used: Vec<&str> =
            FEATURES.iter().filter(|feature| feature.used).map(|feature| feature.name).collect();
        let text =
            format!("this build needs a processor with {}; yours runs builds for x86-64", used.join(", "));
        let expected = if used.is_empty() { (true, String::new()) } else { (false, text) };
        assert_eq!(told(|_| false), expected);
        assert_eq!(told(|_| true), (true, String::new()));
    }

    #[test]
    fn the_processor_of_this_build_suffices() {
        assert_eq!(told(has), (true, String::new()));
    }

    /// In a build for any processor this compares with what the standard library asks CPUID.
    #[test]
    fn features_are_read_as_the_standard_library_reads_them() {
        for feature in FEATURES {
            assert_eq!(has(feature), (feature.standard)(), "{}", feature.name);
        }
    }

    /// Only features of all x86-64 processors, and those that compilers use for special functions only, are left out.
    #[test]
    fn every_feature_is_known() {
        let special = ["crt-static", "fsgsbase", "fxsr", "rdrand", "rdseed", "sse", "sse2", "x87"];
        for name in env!("QUINTAIN_TARGET_FEATURES").split(',') {
            let known = FEATURES.iter().any(|feature| feature.name == name);
            assert!(known || special.contains(&name) || name.starts_with("xsave"), "{name}");
        }
    }
}
