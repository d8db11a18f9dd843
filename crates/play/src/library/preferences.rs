//! What a person prefers, on the board and in the terminal: kept from one start of the program to the next.

use super::Library;
use quintain_engine::skill::FULL;
use quintain_study::puzzle::{RATINGS, Record};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;

/// Seconds that a move of a game of the engine with itself may take at least.
pub const PACES: RangeInclusive<f64> = 0.0..=60.0;
/// Slow enough to follow.
const PACE: f64 = 1.0;

/// What a person prefers.
#[derive(Clone, PartialEq, Debug)]
pub struct Preferences {
    /// The level of the opponent; nothing until the person has chosen one.
    pub level: Option<u32>,
    /// How many seconds a move takes at least when the engine plays both sides.
    pub pace: f64,
    /// How the person does at puzzles.
    pub puzzles: Record,
}

impl Default for Preferences {
    fn default() -> Preferences {
        Preferences { level: None, pace: PACE, puzzles: Record::default() }
    }
}

impl Preferences {
    fn of(fields: &Map<String, Value>) -> Preferences {
        let level = fields.get("level").and_then(Value::as_u64).and_then(|level| u32::try_from(level).ok());
        let pace = fields.get("pace").and_then(Value::as_f64).filter(|pace| PACES.contains(pace));
        let number = |name: &str| {
            let number = fields.get("puzzles")?.get(name)?.as_u64();
            number.and_then(|number| u32::try_from(number).ok())
        };
        let new = Record::default();
        let puzzles = Record {
            rating: number("rating").filter(|rating| RATINGS.contains(rating)).unwrap_or(new.rating),
            streak: number("streak").unwrap_or(new.streak),
            best: number("best").unwrap_or(new.best),
        };
        Preferences { level: level.filter(|level| *level <= FULL), pace: pace.unwrap_or(PACE), puzzles }
    }
}

impl Library {
    /// What the person prefers; what is missing or out of bounds is as for a new person.
    pub fn preferences(&self) -> Preferences {
        Preferences::of(&self.fields())
    }

    /// Changes what is kept; what another program has kept meanwhile stays. Where nothing can be written, the next start
    /// knows nothing of it.
    pub fn prefer(&self, change: impl FnOnce(&mut Preferences)) {
        let mut fields = self.fields();
        let before = Preferences::of(&fields);
        let mut after = before.clone();
        change(&mut after);
        if after != before {
            // Other versions may know more fields.
            fields.insert("level".into(), json!(after.level));
            fields.insert("pace".into(), json!(after.pace));
            let Record { rating, streak, best } = after.puzzles;
            fields.insert("puzzles".into(), json!({ "rating": rating, "streak": streak, "best": best }));
            let _ = self.0.keep_preferences(&format!("{:#}\n", Value::Object(fields)));
        }
    }

    /// What is kept; nothing if it cannot be read.
    fn fields(&self) -> Map<String, Value> {
        match self.0.preferences().map(|text| serde_json::from_str(&text)) {
            Ok(Ok(Value::Object(fields))) => fields,
            _ => Map::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Store;
    use crate::library::memory::Memory;

    #[test]
    fn preferences_are_kept_and_bad_ones_do_no_harm() {
        let store = Memory::default();
        let library = Library::new(store.clone());
        assert_eq!(library.preferences(), Preferences::default());
        let puzzles = Record { rating: 1510, streak: 3, best: 7 };
        let chosen = Preferences { level: Some(4), pace: 2.5, puzzles };
        library.prefer(|kept| *kept = chosen.clone());
        assert_eq!(library.preferences(), chosen);
        for bad in [
            "",
            "{",
            "[]",
            "null",
            "7",
            "{\"level\": 21, \"pace\": -1}",
            "{\"level\": 3.5, \"pace\": \"a\"}",
            "{\"puzzles\": {\"rating\": 1}}",
        ] {
            store.keep_preferences(bad).unwrap();
            assert_eq!(library.preferences(), Preferences::default(), "{bad}");
        }
        // What another version wrote stays.
        store.keep_preferences("{\"level\": 8, \"pieces\": \"wood\"}").unwrap();
        assert_eq!(library.preferences(), Preferences { level: Some(8), ..Preferences::default() });
        library.prefer(|kept| *kept = chosen.clone());
        assert_eq!(library.preferences(), chosen);
        assert!(store.preferences().unwrap().contains("\"pieces\": \"wood\""));
    }
}
