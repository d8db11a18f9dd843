//! An engine: a game in progress, options, memory, and a search in a thread of its own. Protocols and programs
//! translate to and from [`Engine`]. The type of a game is erased here, so that commands work for all games.

pub mod bench;
pub mod options;
pub mod registry;
pub mod skill;
pub mod variants;

pub use bench::Bench;
pub use options::{OptionError, Options};
pub use quintain_core::search::Event;
pub use quintain_core::session::{
    self, AnyGame, FileRank, GameInfo, MoveInfo, Playable, PositionError, Session,
};
#[cfg(target_family = "wasm")]
pub use registry::give_game;
pub use registry::{
    NAMES, UnknownGame, Visitor, endings, first, give_network, info, named, open, read_network, visit,
};
pub use skill::{Strength, any_seed};

use options::Id;
use quintain_core::eval::NetworkError;
use quintain_core::notation::MoveError;
use quintain_core::search::score::UciScore;
use quintain_core::search::{Bound, Control, Info, Limits, Listener, Memory, STACK, Search, each_line};
use quintain_tables::Set;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use thiserror::Error;

/// Why an engine did not do what it was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineError {
    /// An option was not set.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// There is not enough memory.
    #[error("option Hash: no memory for {0} MiB")]
    Memory(usize),
    /// There is not enough memory; the table keeps its old size.
    #[error("option Hash: no memory for {wanted} MiB, it stays {kept}")]
    Resize {
        /// The size that was asked for, in MiB.
        wanted: usize,
        /// The size now, in MiB.
        kept: usize,
    },
}

/// Adds the endgame tables of a game to a set.
pub type FindTables = Arc<dyn Fn(&mut Set) + Send + Sync>;

/// The tables that are part of the program, as `quintain tables bundle` writes them. A WebAssembly module, which would be
/// half tables, has those that it was given.
fn bundle() -> &'static [u8] {
    #[cfg(not(target_family = "wasm"))]
    return include_bytes!("tables.bundle");
    #[cfg(target_family = "wasm")]
    GIVEN.get().copied().unwrap_or_default()
}

#[cfg(target_family = "wasm")]
static GIVEN: std::sync::OnceLock<&[u8]> = std::sync::OnceLock::new();

/// Gives a WebAssembly module the file of tables.
#[cfg(target_family = "wasm")]
pub fn give_tables(file: Vec<u8>) {
    // It is the same file each time.
    let _ = GIVEN.set(file.leak());
}

/// The endgame tables of a game: those that `find` adds, and the program's.
pub fn tables_of(game: &str, find: Option<&FindTables>) -> Set {
    let mut set = Set::new(endings(game).expect("a game"));
    if let Some(find) = find {
        find(&mut set);
    }
    set.add_bundle(bundle());
    set
}

/// Stops the search of an engine from anywhere, without waiting for it.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Control>);

impl Stopper {
    /// Ends the search soon; it still reports what it found.
    pub fn stop(&self) {
        self.0.stop();
    }
}

/// A game in progress with everything needed to think about it.
///
/// A search works on copies of the position and the options, so both may change while it runs. Call
/// [`Engine::stop`] first where that is not wanted.
///
/// ```
/// use quintain::engine::{Engine, Event, Options};
/// use quintain::search::{Limits, score::moves_to_mate};
/// use std::sync::mpsc::channel;
///
/// let mut engine = Engine::new(Options { hash: 1, ..Options::default() })?;
/// engine.game_mut().set_position(Some("7k/8/8/8/8/8/R7/KR6 w - - 0 1"), &[])?;
///
/// // Searching waits for the result ...
/// let limits = Limits { mate: Some(2), ..Limits::default() };
/// assert_eq!(moves_to_mate(engine.think(&limits, &|_| ()).score), Some(2));
///
/// // ... or goes on in the background.
/// let (sender, receiver) = channel();
/// engine.go(Limits { infinite: true, ..Limits::default() }, move |position, event| {
///     if let Event::Done(found) = event {
///         sender.send(position.san(&found.pv)).unwrap();
///     }
/// });
/// engine.stop();
/// assert!(!receiver.recv()?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    options: Options,
    game: Box<dyn Session>,
    memory: Arc<Memory>,
    control: Arc<Control>,
    search: Option<JoinHandle<()>>,
    tables: Arc<Set>,
    find_tables: Option<FindTables>,
    /// Random for each game, so that a weak opponent does not always play the same.
    seed: u64,
}

impl Engine {
    /// An engine for the game that `options` name, at its start. Fails if there is not as much memory as they ask
    /// for.
    pub fn new(options: Options) -> Result<Engine, EngineError> {
        let memory = Memory::try_new(options.hash).ok_or(EngineError::Memory(options.hash))?;
        let tables = Arc::new(tables_of(options.variant, None));
        memory.set_endgames(Some(Arc::clone(&tables) as _));
        Ok(Engine {
            game: open(options.variant).expect("options name a game that there is"),
            options,
            memory: Arc::new(memory),
            control: Arc::default(),
            search: None,
            tables,
            find_tables: None,
            seed: any_seed(),
        })
    }

    /// The values of the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The game in progress.
    pub fn game(&self) -> &dyn Session {
        &*self.game
    }

    /// The game in progress, to play moves. A search goes on with its own copy.
    pub fn game_mut(&mut self) -> &mut dyn Session {
        &mut *self.game
    }

    /// Sets an option from text, and returns which it was. An error changes nothing. A running search keeps its old
    /// options, but changing the game and clearing the table end it.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Id, EngineError> {
        let mut options = self.options.clone();
        let id = options.set(name, value)?;
        match id {
            Id::Variant => {
                self.stop();
                self.game = open(options.variant).expect("the option takes no other game");
                // Positions of two games may have the same key.
                self.memory.clear();
                self.open_tables(options.variant);
            }
            Id::Hash if options.hash != self.options.hash => self.resize(options.hash)?,
            Id::ClearHash => {
                self.stop();
                self.memory.clear();
            }
            _ => {}
        }
        self.options = options;
        Ok(id)
    }

    /// Uses the network of this file (see [`quintain_core::eval::network`]) in its game, instead of the program's; `None` goes
    /// back to that. An error changes nothing. A running search is ended.
    pub fn set_network(&mut self, file: Option<&[u8]>) -> Result<(), NetworkError> {
        let network = file.map(read_network).transpose()?;
        self.stop();
        self.memory.set_network(network);
        // Evaluations in the table are those of the old network.
        self.memory.clear();
        Ok(())
    }

    /// Looks for endgame tables where `find` adds them, before the program's own. A running search is ended.
    pub fn set_tables(&mut self, find: Option<FindTables>) {
        self.stop();
        self.find_tables = find;
        self.open_tables(self.options.variant);
        // Scores of positions that were not known are.
        self.memory.clear();
    }

    fn open_tables(&mut self, game: &str) {
        self.tables = Arc::new(tables_of(game, self.find_tables.as_ref()));
        self.memory.set_endgames(Some(Arc::clone(&self.tables) as _));
    }

    /// The endgame tables of the game in progress.
    pub fn tables(&self) -> &Arc<Set> {
        &self.tables
    }

    /// The static evaluation of the position for the side to move.
    pub fn evaluate(&self) -> UciScore {
        self.game.shown(self.game.evaluate(self.memory.own_network().as_ref()))
    }

    /// Allocates a new table. The old one is freed first, unless a search uses it, for there may not be room for
    /// both.
    fn resize(&mut self, hash: usize) -> Result<(), EngineError> {
        let network = self.memory.own_network();
        self.memory = Arc::new(Memory::new(1));
        let memory = Memory::try_new(hash);
        let result = match memory {
            Some(_) => Ok(()),
            None => Err(EngineError::Resize { wanted: hash, kept: self.options.hash }),
        };
        self.memory = Arc::new(memory.unwrap_or_else(|| Memory::new(self.options.hash)));
        self.memory.set_network(network);
        self.memory.set_endgames(Some(Arc::clone(&self.tables) as _));
        result
    }

    /// Opens the game called `name` at its start; false if there is none.
    pub fn open(&mut self, name: &str) -> bool {
        self.set_option("UCI_Variant", Some(name)).is_ok()
    }

    /// Goes on with `game`, whichever game it is. What was learnt stays if it is the same game as before.
    pub fn set_game(&mut self, game: Box<dyn Session>) {
        let variant = game.info().name;
        if variant != self.options.variant {
            self.open(variant);
        }
        self.game = game;
    }

    /// Ends the search and clears what was learnt from earlier games. The position stays.
    pub fn new_game(&mut self) {
        self.stop();
        self.memory.clear();
        self.seed = any_seed();
    }

    /// Allocates what the next search needs, so that this does not take from its time. Does nothing during a search.
    pub fn prepare(&self) {
        if self.search.as_ref().is_none_or(JoinHandle::is_finished) {
            self.game.prepare(&self.memory, self.options.settings().threads);
        }
    }

    /// Thinks about the position in the background. `on_event` is called from that thread, last with [`Event::Done`]
    /// or [`Event::Failed`]; it also gets the position, to write moves. A search that still runs is ended first.
    ///
    /// On WebAssembly there are no threads, and the search is over when this returns.
    pub fn go(&mut self, limits: Limits, on_event: impl Fn(&dyn Session, Event) + Send + Sync + 'static) {
        self.go_from(self.game.copy(), limits, on_event);
    }

    /// Thinks about the position after `reply`, a legal move, as [`Engine::go`] does. With [`Limits::ponder`] that is
    /// pondering. The position of this engine does not change.
    pub fn go_after(
        &mut self,
        reply: &str,
        limits: Limits,
        on_event: impl Fn(&dyn Session, Event) + Send + Sync + 'static,
    ) -> Result<(), MoveError> {
        let mut position = self.game.copy();
        position.play(reply)?;
        self.go_from(position, limits, on_event);
        Ok(())
    }

    /// Thinks about another position of the same game, as [`Engine::go`] does.
    pub fn go_from(
        &mut self,
        position: Box<dyn Session>,
        limits: Limits,
        on_event: impl Fn(&dyn Session, Event) + Send + Sync + 'static,
    ) {
        self.stop();
        self.control.start(&limits);
        let (settings, strength) = (self.options.settings(), self.options.strength(self.seed));
        let (memory, control) = (Arc::clone(&self.memory), Arc::clone(&self.control));
        let shared = Arc::new((position, on_event));
        let ours = Arc::clone(&shared);
        let work = move || {
            let (position, on_event) = (&*ours.0, &ours.1);
            let told = |event: Event| on_event(position, event);
            let search =
                Search { limits: &limits, settings, memory: &memory, control: &control, listener: &told };
            let search = || skill::search_at_level(position, strength, &search);
            match catch_unwind(AssertUnwindSafe(search)) {
                Ok(info) => on_event(position, Event::Done(&info)),
                Err(_) => on_event(position, Event::Failed(&any_move(position))),
            }
        };
        if cfg!(target_family = "wasm") {
            return work();
        }
        match thread::Builder::new().name("search".into()).stack_size(STACK).spawn(work) {
            Ok(thread) => self.search = Some(thread),
            Err(_) => {
                let (position, on_event) = (&*shared.0, &shared.1);
                on_event(position, Event::Failed(&any_move(position)));
            }
        }
    }

    /// Thinks about the position as strong as the options say, and waits for the end. A search in the background is
    /// ended first; a [`Stopper`] ends this one.
    pub fn think(&mut self, limits: &Limits, listener: &Listener) -> Info {
        let strength = self.options.strength(self.seed);
        self.think_as(strength, limits, listener)
    }

    /// [`Engine::think`] at full strength.
    pub fn analyse(&mut self, limits: &Limits, listener: &Listener) -> Info {
        self.think_as(Strength::default(), limits, listener)
    }

    /// [`Engine::analyse`] that returns the last exact result of each line (MultiPV), best first. Lines that a search has
    /// not reached in its last iteration stand behind the others, with their scores of the iteration before.
    pub fn lines(&mut self, limits: &Limits, on_info: impl Fn(&Info) + Sync) -> Vec<Info> {
        let lines: Mutex<BTreeMap<usize, Info>> = Mutex::default();
        let keep = |info: &Info| {
            if info.bound == Bound::Exact {
                lines.lock().unwrap_or_else(PoisonError::into_inner).insert(info.multi_pv, info.clone());
            }
            on_info(info);
        };
        self.analyse(limits, &each_line(keep));
        lines.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
    }

    fn think_as(&mut self, strength: Strength, limits: &Limits, listener: &Listener) -> Info {
        self.stop();
        self.control.start(limits);
        let (settings, game) = (self.options.settings(), &*self.game);
        let search = Search { limits, settings, memory: &self.memory, control: &self.control, listener };
        let search = || skill::search_at_level(game, strength, &search);
        thread::scope(|scope| match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => search(),
        })
    }

    /// The opponent made the expected move: from now on the search runs on our own time.
    pub fn ponder_hit(&self) {
        if self.control.pondering() {
            self.control.ponder_hit();
        }
    }

    /// The time that the search has used, since its start or since the ponder hit.
    pub fn elapsed(&self) -> Duration {
        self.control.elapsed()
    }

    /// The time since the search began, with what it had to ponder.
    pub fn searched(&self) -> Duration {
        self.control.searched()
    }

    /// Ends the search, if there is one, and waits until it has reported what it found.
    pub fn stop(&mut self) {
        if let Some(search) = self.search.take() {
            self.control.stop();
            // A search that failed has reported that itself.
            drop(search.join());
        }
    }

    /// A handle that stops the search from other threads.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.control))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// An answer when there was no search.
fn any_move(position: &dyn Session) -> Info {
    let pv = position.moves().first().and_then(|text| position.find(text).ok());
    Info { pv: pv.into_iter().collect(), ..Info::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_search_that_panics_still_answers() {
        let mut engine = Engine::new(Options { variant: "canyon", ..Options::default() }).unwrap();
        let (sender, receiver) = channel();
        engine.go(Limits { depth: Some(3), ..Limits::default() }, move |position, event| match event {
            Event::Info(_) => panic!("on purpose"),
            Event::CurrentMove { .. } => {}
            Event::Done(info) | Event::Failed(info) => {
                let failed = matches!(event, Event::Failed(_));
                sender.send((failed, position.coordinates(&info.pv))).unwrap();
            }
        });
        let (failed, answer) = receiver.recv().unwrap();
        assert!(failed && engine.game().moves().contains(&answer[0]));
    }

    #[test]
    fn preparing_changes_no_search() {
        let searched = |prepare: &dyn Fn(&Engine)| {
            let options = Options { variant: "grand", hash: 1, ..Options::default() };
            let mut engine = Engine::new(options).unwrap();
            ["e3e4", "e8e7", "d3d4"].map(|mv| {
                prepare(&engine);
                let (sender, receiver) = channel();
                engine.go(Limits { depth: Some(6), ..Limits::default() }, move |_, event| {
                    if let Event::Done(info) = event {
                        sender.send(info.nodes).unwrap();
                    }
                });
                // During the search it does nothing.
                prepare(&engine);
                let nodes = receiver.recv().unwrap();
                engine.game_mut().play(mv).unwrap();
                nodes
            })
        };
        assert_eq!(searched(&Engine::prepare), searched(&|_| ()));
    }

    #[test]
    fn lines_are_given_best_first() {
        let mut engine = Engine::new(Options { hash: 1, multi_pv: 3, ..Options::default() }).unwrap();
        engine.game_mut().set_position(Some("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"), &[]).unwrap();
        let lines = engine.lines(&Limits { depth: Some(4), ..Limits::default() }, |_| ());
        let first = engine.game().san(&lines[0].pv);
        assert_eq!((lines.len(), first[0].as_str()), (3, "Rd8#"));
        assert!(lines.is_sorted_by(|a, b| a.score >= b.score && a.multi_pv < b.multi_pv));
    }

    #[test]
    fn a_game_of_another_kind_can_follow() {
        let mut engine = Engine::new(Options { hash: 1, ..Options::default() }).unwrap();
        let mut diamond = open("diamond").unwrap();
        let first = diamond.moves().remove(0);
        diamond.play(&first).unwrap();
        let fen = diamond.fen();
        engine.set_game(diamond);
        assert_eq!((engine.options().variant, engine.game().fen()), ("diamond", fen));
        assert!(engine.game_mut().undo());
    }

    #[test]
    fn moves_belong_to_a_copy_and_not_to_a_snapshot() {
        let mut session = open("canyon").unwrap();
        session.play("d2b2").unwrap();
        let (mut copy, mut snapshot) = (session.copy(), session.snapshot());
        assert_eq!((copy.played(), copy.fen()), (session.played(), session.fen()));
        assert!(copy.undo() && !copy.undo());
        assert_eq!((snapshot.played(), snapshot.fen()), (Vec::new(), session.fen()));
        assert!(!snapshot.undo());
    }

    #[test]
    fn an_option_that_fails_changes_nothing() {
        let mut engine = Engine::new(Options::default()).unwrap();
        let before = engine.options().clone();
        for (name, value) in [("Hash", "x"), ("UCI_Variant", "checkers"), ("Nothing", "1")] {
            assert!(matches!(engine.set_option(name, Some(value)), Err(EngineError::Option(_))));
        }
        assert_eq!(*engine.options(), before);
        assert!(engine.open("gast"));
        assert_eq!((engine.game().info().name, engine.options().variant), ("gast", "gast"));
    }
}
