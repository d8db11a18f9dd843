//! What the engine offers XBoard, and the options that it sets.

use super::think::Purpose;
use super::{NORMAL, XBoard};
use crate::set_option;
use quintain_engine::options::{self, Id, Kind, NO_FILE, TABLE};
use quintain_engine::{EngineError, NAMES};

/// What XBoard calls our format of endgame tables.
const EGT: &str = "quintain";

impl XBoard {
    pub(super) fn greet(&self) {
        let games: Vec<&str> =
            std::iter::once("normal").chain(NAMES.iter().copied().filter(|&name| name != NORMAL)).collect();
        self.say("feature done=0");
        self.say(format!("feature myname=\"Quintain {}\"", env!("CARGO_PKG_VERSION")));
        self.say(format!("feature variants=\"{}\"", games.join(",")));
        self.say(format!(
            "feature usermove=1 setboard=1 ping=1 playother=1 san=0 time=1 draw=1 sigint=0 sigterm=0 reuse=1 \
             analyze=1 colors=0 name=1 pause=1 nps=0 debug=1 memory=1 smp=1 exclude=1 highlight=1 egt=\"{EGT}\""
        ));
        // The game, the table, the threads and pondering have commands of their own in CECP.
        for option in TABLE.iter() {
            let kind = match (option.id, option.kind) {
                (Id::Variant | Id::Hash | Id::Threads | Id::Ponder | Id::AnalyseMode | Id::ShowWdl, _) => {
                    continue;
                }
                (_, Kind::Check { default }) => format!("-check {}", u8::from(default)),
                (_, Kind::Spin { default, min, max }) => format!("-spin {default} {min} {max}"),
                (_, Kind::Combo { default, choices }) => {
                    let mark =
                        |&choice: &&str| if choice == default { format!("*{choice}") } else { choice.into() };
                    format!("-combo {}", choices.iter().map(mark).collect::<Vec<_>>().join(" /// "))
                }
                (_, Kind::Button) => "-button".into(),
                (_, Kind::File) => format!("-file {NO_FILE}"),
                (_, Kind::Folder) => format!("-path {NO_FILE}"),
            };
            self.say(format!("feature option=\"{} {kind}\"", option.name));
        }
        self.say("feature done=1");
    }

    pub(super) fn set(&mut self, id: Id, value: &str, line: &str) {
        let Some(option) = TABLE.iter().find(|option| option.id == id) else { return };
        // The GUI does not know our bounds.
        let bounded = match (option.kind, value.parse::<i64>()) {
            (Kind::Spin { min, max, .. }, Ok(number)) => {
                let bounded = number.clamp(min, max);
                if bounded != number {
                    self.say(format!(
                        "# option {}: {bounded} instead of {number}, the limit here",
                        option.name
                    ));
                }
                bounded.to_string()
            }
            _ => value.to_owned(),
        };
        self.option(&format!("{}={bounded}", option.name), line);
    }

    /// `egtpath quintain FOLDER`: tables of other formats are not ours.
    pub(super) fn table_path(&mut self, arguments: &str, line: &str) {
        if let Some((EGT, folders)) = arguments.split_once(' ') {
            self.option(&format!("TablePath={folders}"), line);
        }
    }

    pub(super) fn option(&mut self, argument: &str, line: &str) {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value)),
            None => (argument, None),
        };
        let searches = |purpose| self.search.as_ref().is_some_and(|search| search.purpose == purpose);
        let analyses = searches(Purpose::Analysis);
        // These would end the search.
        let ends = |kind| matches!(kind, Kind::Button | Kind::File | Kind::Folder);
        if searches(Purpose::Move) && options::find(name).is_some_and(|option| ends(option.kind)) {
            self.options.push((argument.to_owned(), line.to_owned()));
            return;
        }
        if !analyses {
            self.drop_pondering();
        }
        match set_option(&mut self.engine, &mut self.openings, name, value) {
            // Analysis restarts, so that the option takes effect at once.
            Ok(_) if analyses => {
                self.drop_search();
                self.start_search();
            }
            Ok(_) => {}
            Err(error) if matches!(error.downcast_ref(), Some(EngineError::Resize { .. })) => {
                self.say(format!("# {error}"));
            }
            Err(error) => self.say(format!("Error ({error:#}): {line}")),
        }
        self.start_pondering();
    }
}
