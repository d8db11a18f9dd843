//! The memory of the transposition table.

pub use here::Clusters;
#[cfg(test)]
pub use here::available;

/// Pages of the system, which it gives and takes back quickly.
#[cfg(not(target_family = "wasm"))]
mod here {
    use super::super::Cluster;
    use memmap2::{MmapOptions, MmapRaw};

    /// The size of a huge page on x86-64. With small pages each probe of a large table is a TLB miss.
    const HUGE_PAGE: usize = 2 << 20;
    /// The largest table whose pages are mapped before a search begins, in bytes.
    #[cfg(target_os = "linux")]
    const MAPPED_AT_ONCE: usize = 256 << 20;

    /// Clusters that begin as zeros.
    pub struct Clusters {
        memory: MmapRaw,
        /// Bytes before the first cluster, so that clusters and huge pages begin together.
        offset: usize,
        count: usize,
    }

    /// Bytes available without swapping, less a sixteenth of the memory as a reserve for the system.
    pub fn available() -> u64 {
        let mut system = sysinfo::System::new();
        system.refresh_memory();
        // A container may have less. Its file cache counts as free.
        let limits = system.cgroup_limits();
        let limit = limits.map_or(u64::MAX, |limits| limits.total_memory.saturating_sub(limits.rss));
        system.available_memory().min(limit).saturating_sub(system.total_memory() / 16)
    }

    impl Clusters {
        /// `None` if there is not so much memory.
        pub fn try_new(count: usize) -> Option<Clusters> {
            let bytes = count.checked_mul(size_of::<Cluster>())?;
            // Linux overcommits, and kills processes that use what it does not have.
            if bytes as u64 > available() {
                return None;
            }
            let memory = MmapOptions::new().len(bytes + HUGE_PAGE).map_anon().ok()?;
            // Without huge pages the table is only slower.
            #[cfg(target_os = "linux")]
            let _ = memory.advise(memmap2::Advice::HugePage);
            let memory = MmapRaw::from(memory);
            let offset = memory.as_ptr().align_offset(HUGE_PAGE);
            Some(Clusters { memory, offset, count })
        }

        #[inline]
        #[allow(unsafe_code)]
        pub fn as_slice(&self) -> &[Cluster] {
            // SAFETY: the mapping lives as long as this, has room for so many clusters after the offset, which aligns
            // them, and began as zeros, which are entries. Nobody else knows of it.
            unsafe { std::slice::from_raw_parts(self.memory.as_ptr().add(self.offset).cast(), self.count) }
        }

        /// Maps the pages, so that a search need not wait for each. Those of a large table stay as they are, for that
        /// could take seconds.
        pub fn map_pages(&self) {
            #[cfg(target_os = "linux")]
            if self.count * size_of::<Cluster>() <= MAPPED_AT_ONCE {
                // Without it searches are only slower.
                let _ = self.memory.advise(memmap2::Advice::PopulateWrite);
            }
        }

        /// Makes all entries zeros by returning the pages to the system; false where the system does not then give
        /// zeros. To overwrite a large table would take seconds.
        #[allow(unsafe_code)]
        pub fn drop_pages(&self) -> bool {
            #[cfg(target_os = "linux")]
            // SAFETY: the mapping is private and anonymous, so that its pages read as zeros afterwards, which are entries.
            // Entries are atomic and only reached through the mapping.
            return unsafe { self.memory.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) }.is_ok();
            #[cfg(not(target_os = "linux"))]
            false
        }
    }
}

/// The memory of the module, which never shrinks.
#[cfg(target_family = "wasm")]
mod here {
    use super::super::Cluster;

    /// Clusters that begin as zeros.
    pub struct Clusters(Vec<Cluster>);

    impl Clusters {
        /// `None` if there is not so much memory.
        pub fn try_new(count: usize) -> Option<Clusters> {
            let mut clusters = Vec::new();
            clusters.try_reserve_exact(count).ok()?;
            clusters.resize_with(count, Cluster::default);
            Some(Clusters(clusters))
        }

        #[inline]
        pub fn as_slice(&self) -> &[Cluster] {
            &self.0
        }

        pub fn map_pages(&self) {}

        pub fn drop_pages(&self) -> bool {
            false
        }
    }
}
