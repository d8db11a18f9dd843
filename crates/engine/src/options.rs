//! The options. One table has the name and type of each; the protocols print it, and [`Options::set`] uses it.

use super::registry::NAMES;
use super::skill::{FULL, HIGHEST_ELO, LOWEST_ELO, Strength};
use quintain_core::host;
use quintain_core::rules::setup::quoted;
use quintain_core::search::Settings;
use quintain_core::search::tables::MOST_PIECES;
use std::sync::LazyLock;
use std::time::Duration;
use thiserror::Error;

/// Which option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    /// The game.
    Variant,
    /// The size of the table.
    Hash,
    /// Searching threads.
    Threads,
    /// How many best lines are shown.
    MultiPv,
    /// The GUI may let the engine think on the opponent's time.
    Ponder,
    /// Clears what was learnt from earlier searches.
    ClearHash,
    /// Time that a move costs beyond thinking.
    MoveOverhead,
    /// The GUI analyses and does not play.
    AnalyseMode,
    /// Lines come with chances of win, draw and loss.
    ShowWdl,
    /// How strong to play.
    SkillLevel,
    /// The rating decides how strong to play, not the level.
    LimitStrength,
    /// The rating.
    Elo,
    /// The file of a network.
    EvalFile,
    /// Play moves of an opening book.
    OwnBook,
    /// The file of an opening book.
    BookFile,
    /// How many plies of a game may come from the book.
    BookDepth,
    /// The folders of endgame tables.
    TablePath,
    /// The least depth left at which positions are looked up in them.
    TableProbeDepth,
    /// The most pieces of a position that is looked up.
    TableLimit,
}

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// True or false.
    Check {
        /// The default.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of a list of words.
    Combo {
        /// The default.
        default: &'static str,
        /// The words.
        choices: &'static [&'static str],
    },
    /// No value: setting it triggers an action.
    Button,
    /// The path of a file, or [`NO_FILE`]. The caller reads it, for the engine reads no files.
    File,
    /// The path of a folder, or of several as in `PATH`, or [`NO_FILE`].
    Folder,
}

/// The description of an option.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// Which one.
    pub id: Id,
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
}

/// How many plies of a game come from an opening book, if nothing else is wanted.
pub const BOOK_PLIES: u32 = 20;

/// The value of a file option that stands for no file, as in other engines.
pub const NO_FILE: &str = "<empty>";

/// The most threads that are used for one thing: four for each processor that this process may use, but at least eight.
/// More would cost memory and gain nothing.
pub fn most_threads() -> usize {
    (4 * host::threads()).max(8)
}

/// Reads the number of threads of a command.
pub fn threads(text: &str) -> Result<usize, String> {
    let most = most_threads();
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("on this machine it must be 1 to {most}"))
}

/// All options, in the order in which they are listed.
pub static TABLE: LazyLock<[Descriptor; 19]> = LazyLock::new(|| {
    [
        // A GUI that knows no other game must find an engine that plays chess.
        Descriptor {
            id: Id::Variant,
            name: "UCI_Variant",
            kind: Kind::Combo { default: "chess", choices: NAMES },
        },
        Descriptor { id: Id::Hash, name: "Hash", kind: Kind::Spin { default: 64, min: 1, max: 65_536 } },
        Descriptor {
            id: Id::Threads,
            name: "Threads",
            kind: Kind::Spin { default: 1, min: 1, max: most_threads() as i64 },
        },
        Descriptor { id: Id::MultiPv, name: "MultiPV", kind: Kind::Spin { default: 1, min: 1, max: 500 } },
        Descriptor { id: Id::Ponder, name: "Ponder", kind: Kind::Check { default: false } },
        Descriptor { id: Id::ClearHash, name: "Clear Hash", kind: Kind::Button },
        Descriptor {
            id: Id::MoveOverhead,
            name: "Move Overhead",
            kind: Kind::Spin { default: 10, min: 0, max: 5000 },
        },
        Descriptor { id: Id::AnalyseMode, name: "UCI_AnalyseMode", kind: Kind::Check { default: false } },
        Descriptor { id: Id::ShowWdl, name: "UCI_ShowWDL", kind: Kind::Check { default: false } },
        Descriptor {
            id: Id::SkillLevel,
            name: "Skill Level",
            kind: Kind::Spin { default: FULL as i64, min: 0, max: FULL as i64 },
        },
        Descriptor { id: Id::LimitStrength, name: "UCI_LimitStrength", kind: Kind::Check { default: false } },
        Descriptor {
            id: Id::Elo,
            name: "UCI_Elo",
            kind: Kind::Spin { default: HIGHEST_ELO as i64, min: LOWEST_ELO as i64, max: HIGHEST_ELO as i64 },
        },
        Descriptor { id: Id::EvalFile, name: "EvalFile", kind: Kind::File },
        // Matches have openings of their own.
        Descriptor { id: Id::OwnBook, name: "OwnBook", kind: Kind::Check { default: false } },
        Descriptor { id: Id::BookFile, name: "BookFile", kind: Kind::File },
        Descriptor {
            id: Id::BookDepth,
            name: "BookDepth",
            kind: Kind::Spin { default: i64::from(BOOK_PLIES), min: 1, max: 100 },
        },
        Descriptor { id: Id::TablePath, name: "TablePath", kind: Kind::Folder },
        Descriptor {
            id: Id::TableProbeDepth,
            name: "TableProbeDepth",
            kind: Kind::Spin { default: 1, min: 0, max: 100 },
        },
        Descriptor {
            id: Id::TableLimit,
            name: "TableLimit",
            kind: Kind::Spin { default: MOST_PIECES as i64, min: 0, max: MOST_PIECES as i64 },
        },
    ]
});

/// The option with this name, in any letter case.
pub fn find(name: &str) -> Option<&'static Descriptor> {
    TABLE.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option is called {}", quoted(.0))]
    Unknown(String),
    /// The option does not take this value.
    #[error("option {name}: {} is not {wanted}", quoted(.value))]
    Illegal {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
        wanted: String,
    },
    /// The option takes a value, and none was given.
    #[error("option {name}: the value is missing, it must be {wanted}")]
    Missing {
        /// The option.
        name: &'static str,
        /// What it takes.
        wanted: String,
    },
}

/// The values of the options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The name of the game, one of [`NAMES`].
    pub variant: &'static str,
    /// The size of the table in mebibytes.
    pub hash: usize,
    /// Searching threads.
    pub threads: usize,
    /// How many best lines to show.
    pub multi_pv: usize,
    /// The GUI may let us ponder. It has no effect: we ponder on command.
    pub ponder: bool,
    /// Time that a move costs beyond thinking.
    pub move_overhead: Duration,
    /// The GUI analyses. It has no effect: the search is the same in games and analysis.
    pub analyse_mode: bool,
    /// Lines are shown with chances of win, draw and loss.
    pub show_wdl: bool,
    /// How strong to play, from 0 to [`FULL`].
    pub skill_level: u32,
    /// Play by [`Options::elo`] instead.
    pub limit_strength: bool,
    /// The rating to play at.
    pub elo: u32,
    /// Moves come from an opening book. The caller has the book, and asks it before a search.
    pub own_book: bool,
    /// How many plies of a game may come from it.
    pub book_plies: u32,
    /// The most pieces of a position that is looked up in endgame tables, 0 for none.
    pub table_limit: u32,
    /// The least depth left at which it is.
    pub table_depth: i32,
}

/// A value that fits its option.
#[derive(Clone, Copy)]
enum Value {
    Check(bool),
    Spin(i64),
    Combo(&'static str),
    Press,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Options {
            variant: "",
            hash: 0,
            threads: 0,
            multi_pv: 0,
            ponder: false,
            move_overhead: Duration::ZERO,
            analyse_mode: false,
            show_wdl: false,
            skill_level: 0,
            limit_strength: false,
            elo: 0,
            own_book: false,
            book_plies: 0,
            table_limit: 0,
            table_depth: 0,
        };
        for option in TABLE.iter() {
            options.put(
                option.id,
                match option.kind {
                    Kind::Check { default } => Value::Check(default),
                    Kind::Spin { default, .. } => Value::Spin(default),
                    Kind::Combo { default, .. } => Value::Combo(default),
                    Kind::Button | Kind::File | Kind::Folder => Value::Press,
                },
            );
        }
        options
    }
}

impl Options {
    /// Sets an option from text, and returns which one it was, so that the caller can act on it: open another game,
    /// resize or clear the table. Letter case does not matter. More threads than [`most_threads`] become so many. An error
    /// changes nothing.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Id, OptionError> {
        let option = find(name).ok_or_else(|| OptionError::Unknown(name.into()))?;
        self.put(option.id, option.read(value)?);
        Ok(option.id)
    }

    /// The settings of the search.
    pub fn settings(&self) -> Settings {
        Settings {
            threads: self.threads,
            multi_pv: self.multi_pv,
            overhead: self.move_overhead,
            table_limit: self.table_limit,
            table_depth: self.table_depth,
            ..Settings::default()
        }
    }

    /// How strong to play, in a game for which `seed` was drawn.
    pub fn strength(&self, seed: u64) -> Strength {
        let level = if self.limit_strength { Strength::of_elo(self.elo) } else { self.skill_level.into() };
        Strength { level, seed }
    }

    fn put(&mut self, id: Id, value: Value) {
        match (id, value) {
            (Id::Variant, Value::Combo(name)) => self.variant = name,
            (Id::Hash, Value::Spin(mib)) => self.hash = mib as usize,
            (Id::Threads, Value::Spin(number)) => self.threads = number as usize,
            (Id::MultiPv, Value::Spin(number)) => self.multi_pv = number as usize,
            (Id::Ponder, Value::Check(on)) => self.ponder = on,
            (Id::MoveOverhead, Value::Spin(millis)) => {
                self.move_overhead = Duration::from_millis(millis as u64);
            }
            (Id::AnalyseMode, Value::Check(on)) => self.analyse_mode = on,
            (Id::ShowWdl, Value::Check(on)) => self.show_wdl = on,
            (Id::SkillLevel, Value::Spin(level)) => self.skill_level = level as u32,
            (Id::LimitStrength, Value::Check(on)) => self.limit_strength = on,
            (Id::Elo, Value::Spin(elo)) => self.elo = elo as u32,
            (Id::OwnBook, Value::Check(on)) => self.own_book = on,
            (Id::BookDepth, Value::Spin(plies)) => self.book_plies = plies as u32,
            (Id::TableLimit, Value::Spin(pieces)) => self.table_limit = pieces as u32,
            (Id::TableProbeDepth, Value::Spin(plies)) => self.table_depth = plies as i32,
            _ => {}
        }
    }
}

impl Descriptor {
    /// Reads a value. CECP writes 0 and 1 for false and true.
    fn read(&self, value: Option<&str>) -> Result<Value, OptionError> {
        if matches!(self.kind, Kind::Button | Kind::File | Kind::Folder) {
            return Ok(Value::Press);
        }
        let text = value.map(str::trim).filter(|text| !text.is_empty());
        let text = text.ok_or_else(|| OptionError::Missing { name: self.name, wanted: self.wanted() })?;
        let value = match self.kind {
            Kind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" | "1" => Some(Value::Check(true)),
                "false" | "0" => Some(Value::Check(false)),
                _ => None,
            },
            Kind::Spin { min, max, .. } => {
                // GUIs keep the number of threads of another machine.
                let lower = |number: i64| if self.id == Id::Threads { number.min(max) } else { number };
                let number = text.parse().ok().map(lower);
                number.filter(|number| (min..=max).contains(number)).map(Value::Spin)
            }
            Kind::Combo { choices, .. } => {
                choices.iter().find(|word| word.eq_ignore_ascii_case(text)).map(|word| Value::Combo(word))
            }
            Kind::Button | Kind::File | Kind::Folder => Some(Value::Press),
        };
        value.ok_or_else(|| OptionError::Illegal {
            name: self.name,
            value: text.into(),
            wanted: self.wanted(),
        })
    }

    fn wanted(&self) -> String {
        match self.kind {
            Kind::Check { .. } => "true or false".into(),
            Kind::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            Kind::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            Kind::Button => "nothing".into(),
            Kind::File => "the path of a file".into(),
            Kind::Folder => "the path of a folder".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_come_from_the_table() {
        let options = Options::default();
        assert_eq!((options.variant, options.hash, options.threads, options.multi_pv), ("chess", 64, 1, 1));
        assert_eq!(options.settings(), Settings::default());
        assert!(TABLE.iter().all(|option| match option.kind {
            Kind::Combo { default, choices } => choices.contains(&default),
            Kind::Spin { default, min, max } => (min..=max).contains(&default),
            Kind::Check { .. } | Kind::Button | Kind::File | Kind::Folder => true,
        }));
    }

    #[test]
    fn every_option_is_stored() {
        let set = |name, value| {
            let mut options = Options::default();
            options.set(name, Some(value)).map(|id| (id, options))
        };
        let default = Options::default();
        let variant = Options { variant: "gast14", ..default.clone() };
        assert_eq!(set("uci_variant", "Gast14"), Ok((Id::Variant, variant)));
        assert_eq!(set("HASH", " 65536 "), Ok((Id::Hash, Options { hash: 65_536, ..default.clone() })));
        let threads = |threads| Ok((Id::Threads, Options { threads, ..default.clone() }));
        assert_eq!(set("threads", "8"), threads(8));
        assert_eq!([set("threads", "256000"), set("threads", "3")], [threads(most_threads()), threads(3)]);
        assert_eq!(set("multipv", "500"), Ok((Id::MultiPv, Options { multi_pv: 500, ..default.clone() })));
        assert_eq!(set("Ponder", "True"), Ok((Id::Ponder, Options { ponder: true, ..default.clone() })));
        let overhead = Options { move_overhead: Duration::ZERO, ..default.clone() };
        assert_eq!(set("Move Overhead", "0"), Ok((Id::MoveOverhead, overhead)));
        let analyse = Options { analyse_mode: true, ..default.clone() };
        assert_eq!(set("UCI_AnalyseMode", "1"), Ok((Id::AnalyseMode, analyse)));
        let wdl = Options { show_wdl: true, ..default.clone() };
        assert_eq!(set("UCI_ShowWDL", "true"), Ok((Id::ShowWdl, wdl)));
        assert_eq!(set("clear hash", ""), Ok((Id::ClearHash, default.clone())));
        let level = Options { skill_level: 3, ..default.clone() };
        assert_eq!((level.strength(7).level, set("skill level", "3")), (3.0, Ok((Id::SkillLevel, level))));
        let limit = Options { table_limit: 3, ..default.clone() };
        assert_eq!((limit.settings().table_limit, set("tablelimit", "3")), (3, Ok((Id::TableLimit, limit))));
        let depth = Options { table_depth: 7, ..default.clone() };
        let set_depth = set("TableProbeDepth", "7");
        assert_eq!((depth.settings().table_depth, set_depth), (7, Ok((Id::TableProbeDepth, depth))));
        let (elo, text) = (Options { elo: LOWEST_ELO, ..default.clone() }, LOWEST_ELO.to_string());
        assert_eq!(set("UCI_Elo", &text), Ok((Id::Elo, elo.clone())));
        let book = Options { own_book: true, ..default.clone() };
        assert_eq!(set("ownbook", "true"), Ok((Id::OwnBook, book)));
        let depth = Options { book_plies: 7, ..default.clone() };
        assert_eq!(set("BookDepth", "7"), Ok((Id::BookDepth, depth)));
        assert_eq!((default.own_book, default.book_plies), (false, BOOK_PLIES));
        let limit = Options { limit_strength: true, ..default };
        assert_eq!(set("UCI_LimitStrength", "true"), Ok((Id::LimitStrength, limit)));
        assert!(elo.strength(0).is_full());
        assert_eq!(Options { limit_strength: true, ..elo }.strength(0).level, 0.0);
    }

    #[test]
    fn errors_name_the_option_and_change_nothing() {
        let mut options = Options::default();
        let threads = format!("a number from 1 to {}", most_threads());
        for (name, value, error) in [
            ("Hash", Some("0"), "option Hash: '0' is not a number from 1 to 65536"),
            ("hash", Some("1e3"), "option Hash: '1e3' is not a number from 1 to 65536"),
            (
                "Hash",
                Some("99999999999999999999"),
                "option Hash: '99999999999999999999' is not a number from 1 to 65536",
            ),
            ("Threads", Some("0"), &format!("option Threads: '0' is not {threads}")),
            ("Threads", None, &format!("option Threads: the value is missing, it must be {threads}")),
            ("Ponder", Some("maybe"), "option Ponder: 'maybe' is not true or false"),
            ("Hush", Some("1"), "no option is called 'Hush'"),
        ] {
            assert_eq!(options.set(name, value).unwrap_err().to_string(), error);
        }
        let error = options.set("UCI_Variant", Some("checkers")).unwrap_err().to_string();
        assert!(error.starts_with("option UCI_Variant: 'checkers' is not one of canyon, diamond"), "{error}");
        assert_eq!(options, Options::default());
    }
}
