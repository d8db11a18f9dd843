//! Levels of strength for people: numbers, some of which have names.

use quintain_engine::skill::{ELO_A_LEVEL, FULL, LOWEST_ELO};

/// The name of the engine as a player.
pub const ENGINE: &str = "Quintain";

/// The names of some levels. A level is worth about 100 points of Elo, and level 0 about 600: a club player has
/// 1800.
pub const NAMES: [(u32, &str); 6] =
    [(0, "beginner"), (4, "novice"), (8, "casual"), (12, "club"), (16, "expert"), (FULL, "master")];

/// The level of an opponent for somebody who does not choose one.
pub const USUAL: u32 = 8;

/// Whom the levels with names suit, in the same order.
pub const FOR: [&str; 6] = [
    "I am learning how the pieces move",
    "I know the rules and play a little",
    "I play now and then with friends",
    "I play in a club",
    "I play in tournaments, and win",
    "The engine at full strength",
];

/// About what a level is worth in points of Elo; full strength has no such number.
pub fn rating(level: u32) -> Option<u32> {
    (level < FULL).then_some(LOWEST_ELO + level * ELO_A_LEVEL)
}

/// Reads a number or a name.
pub fn read(text: &str) -> Result<u32, String> {
    let wanted = text.trim().to_lowercase();
    let named = NAMES.iter().find(|(_, name)| *name == wanted).map(|&(level, _)| level);
    let level = named.or_else(|| wanted.parse().ok()).filter(|level| *level <= FULL);
    level.ok_or_else(|| format!("a level is a number from 0 to {FULL}, or one of {}", names()))
}

/// The name of a level that has one, or of the next below it.
pub fn name(level: u32) -> &'static str {
    let below = NAMES.iter().rev().find(|(at, _)| *at <= level);
    below.map_or(NAMES[0].1, |(_, name)| name)
}

/// The level with its name, or the names above and below it.
pub fn described(level: u32) -> String {
    let above = NAMES.iter().position(|&(at, _)| at >= level).unwrap_or(NAMES.len() - 1);
    let (at, name) = NAMES[above];
    if at == level {
        format!("{level} ({name})")
    } else {
        format!("{level} ({} to {name})", NAMES[above - 1].1)
    }
}

/// The engine as a player of this level: `Quintain (level 4, novice)`.
pub fn player(level: u32) -> String {
    let words = described(level);
    let name = words.split_once('(').map_or("", |(_, name)| name.trim_end_matches(')'));
    format!("{ENGINE} (level {level}, {name})")
}

/// The names, weakest first, with their numbers.
pub fn names() -> String {
    NAMES.map(|(level, name)| format!("{name} ({level})")).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_have_levels() {
        assert_eq!(player(4), "Quintain (level 4, novice)");
        assert_eq!(player(19), "Quintain (level 19, expert to master)");
    }

    #[test]
    fn levels_have_numbers_and_names() {
        assert_eq!((read("3"), read(" Club "), read("master")), (Ok(3), Ok(12), Ok(FULL)));
        for wrong in ["", "21", "-1", "x", "3.5"] {
            assert!(read(wrong).unwrap_err().contains("from 0 to 20"), "{wrong}");
        }
        assert_eq!(
            [0, 3, 4, 19].map(described),
            ["0 (beginner)", "3 (beginner to novice)", "4 (novice)", "19 (expert to master)"]
        );
    }
}
