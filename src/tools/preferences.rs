//! What a person prefers, on the board and in the terminal: kept from one start of the program to the next.

use crate::engine::skill::FULL;
use crate::files::{self, MB};
use serde_json::{Map, Value, json};
use std::fs;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

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
}

impl Default for Preferences {
    fn default() -> Preferences {
        Preferences { level: None, pace: PACE }
    }
}

impl Preferences {
    /// Those that were kept; what is missing or out of bounds is as for a new person.
    pub fn read() -> Preferences {
        file().map(|path| Preferences::of(&fields(&path))).unwrap_or_default()
    }

    fn of(fields: &Map<String, Value>) -> Preferences {
        let level = fields.get("level").and_then(Value::as_u64).and_then(|level| u32::try_from(level).ok());
        let pace = fields.get("pace").and_then(Value::as_f64).filter(|pace| PACES.contains(pace));
        Preferences { level: level.filter(|level| *level <= FULL), pace: pace.unwrap_or(PACE) }
    }

    /// Changes those that are kept; what another program has kept meanwhile stays. Where files cannot be written, the next
    /// start knows nothing of it.
    pub fn change(change: impl FnOnce(&mut Preferences)) {
        let Some(path) = file() else { return };
        let before = Preferences::of(&fields(&path));
        let mut after = before.clone();
        change(&mut after);
        if after != before {
            let _ = after.write(&path);
        }
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        // Other versions may know more fields.
        let mut fields = fields(path);
        fields.insert("level".into(), json!(self.level));
        fields.insert("pace".into(), json!(self.pace));
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        files::write(path, format!("{:#}\n", Value::Object(fields)).as_bytes())
    }
}

/// The file, which all games share.
fn file() -> Option<PathBuf> {
    Some(files::state_folder()?.join("preferences.json"))
}

/// What is in the file; nothing if it cannot be read.
fn fields(path: &Path) -> Map<String, Value> {
    match serde_json::from_slice(&files::read(path, MB).unwrap_or_default()) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_are_kept_and_bad_files_do_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("quintain/preferences.json");
        let read = || Preferences::of(&fields(&path));
        assert_eq!(read(), Preferences::default());
        let chosen = Preferences { level: Some(4), pace: 2.5 };
        chosen.write(&path).unwrap();
        assert_eq!(read(), chosen);
        for bad in
            ["", "{", "[]", "null", "7", "{\"level\": 21, \"pace\": -1}", "{\"level\": 3.5, \"pace\": \"a\"}"]
        {
            fs::write(&path, bad).unwrap();
            assert_eq!(read(), Preferences::default(), "{bad}");
        }
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert_eq!(read(), Preferences::default());
        // What another version wrote stays.
        fs::write(&path, "{\"level\": 8, \"pieces\": \"wood\"}").unwrap();
        assert_eq!(read(), Preferences { level: Some(8), pace: PACE });
        chosen.write(&path).unwrap();
        assert_eq!(read(), chosen);
        assert_eq!(fields(&path).get("pieces"), Some(&json!("wood")));
        // A folder in its place.
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert_eq!(read(), Preferences::default());
    }
}
