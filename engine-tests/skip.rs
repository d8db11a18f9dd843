//! What tests do without a program that they need.

/// Says that a test is skipped because something is missing.
///
/// # Panics
/// In CI, where nothing may be missing.
pub fn skip(missing: &str) {
    assert!(std::env::var_os("CI").is_none(), "{missing}");
    eprintln!("skipped: {missing}");
}
