//! Bounds of sessions that are fuzzed.

/// The most lines of a session.
pub const MOST_LINES: usize = 60;

/// Does this line ask for much memory, many threads, or a file? Then it is left out.
pub fn is_dear(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let numbers = line.split(|c: char| !c.is_ascii_digit());
    let large = numbers.filter_map(|number| number.parse::<u64>().ok()).any(|number| number > 2);
    let costs = ["hash", "threads", "memory", "cores"].iter().any(|word| line.contains(word));
    line.contains("evalfile") || (costs && large)
}
