//! The engine, and the lines that it finds.

use crate::position::Position;
use crate::{interrupt, value_error, whole};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use quintain::engine::options::most_threads;
use quintain::engine::{self, Options, Session, Stopper};
use quintain::search::score::{UciScore, win_draw_loss};
use quintain::search::{self, Clock, Info, Limits};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// A line of play that a search found, with its score for the side to move.
#[pyclass(frozen, eq, get_all, module = "quintain")]
#[derive(PartialEq)]
pub struct Line {
    /// The best move; None if there is no legal move.
    #[pyo3(name = "move")]
    best: Option<String>,
    /// Centipawns: a pawn is worth 100 while the board is full. Mates are beyond all evaluations: 32000 less the plies to
    /// the mate.
    score: i32,
    /// Moves to the mate, negative if the side to move is mated; None if the score is no mate.
    mate: Option<i32>,
    /// Chances of win, draw and loss in permille. An estimate from the score.
    wdl: (u32, u32, u32),
    /// Whether the score is exact or only a bound.
    bound: &'static str,
    /// The moves of the line.
    pv: Vec<String>,
    /// The number of the line among those that are searched, from 1 for the best.
    multipv: usize,
    /// Plies searched in full.
    depth: u32,
    /// Plies of the longest line searched.
    seldepth: u32,
    /// Nodes searched so far.
    nodes: u64,
    /// Seconds searched so far.
    time: f64,
}

#[pymethods]
impl Line {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the fields")]
    fn of_fields(
        r#move: Option<String>,
        score: i32,
        mate: Option<i32>,
        wdl: (u32, u32, u32),
        bound: &str,
        pv: Vec<String>,
        multipv: usize,
        depth: u32,
        seldepth: u32,
        nodes: u64,
        time: f64,
    ) -> PyResult<Line> {
        let known = ["exact", "lower", "upper"].into_iter().find(|&known| known == bound);
        let bound = known.ok_or_else(|| value_error(format!("bound: there is no '{bound}'")))?;
        Ok(Line { best: r#move, score, mate, wdl, bound, pv, multipv, depth, seldepth, nodes, time })
    }

    /// Pickles the fields.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let Line { best, score, mate, wdl, bound, pv, multipv, depth, seldepth, nodes, time } = slf.get();
        let arguments = (best, score, mate, wdl, bound, pv, multipv, depth, seldepth, nodes, time);
        Ok((slf.get_type(), arguments.into_pyobject(slf.py())?))
    }

    fn __repr__(&self) -> String {
        let score = match self.mate {
            Some(moves) => format!("mate {moves}"),
            None => format!("{:+.2}", f64::from(self.score) / 100.0),
        };
        format!("<Line {score}, depth {}: {}>", self.depth, self.pv.join(" "))
    }
}

impl Line {
    fn new(game: &dyn Session, info: &Info) -> Line {
        let pv = game.coordinates(&info.pv);
        let [win, draw, loss] = win_draw_loss(info.score);
        let score = game.shown(info.score);
        Line {
            best: pv.first().cloned(),
            score: score.score(),
            mate: match score {
                UciScore::Mate(moves) => Some(moves),
                UciScore::Centipawns(_) => None,
            },
            wdl: (win, draw, loss),
            bound: match info.bound {
                search::Bound::Exact => "exact",
                search::Bound::Lower => "lower",
                search::Bound::Upper => "upper",
            },
            pv,
            multipv: info.multi_pv,
            depth: info.depth,
            seldepth: info.selective_depth,
            nodes: info.nodes,
            time: info.millis as f64 / 1000.0,
        }
    }
}

/// A searcher with a table of `hash` MiB and so many threads.
///
/// Other Python threads go on while it searches. It does one search at a time and raises RuntimeError if it is asked
/// for another; several engines search side by side.
#[pyclass(frozen, module = "quintain")]
pub struct Engine {
    engine: Mutex<engine::Engine>,
    stopper: Stopper,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, hash=16, threads=1))]
    fn new(hash: i64, threads: i64) -> PyResult<Engine> {
        // The option of this name takes more than there are, as GUIs expect.
        let threads = whole("threads", threads, 1..=most_threads() as i64)? as usize;
        let mut options = Options { threads, ..Options::default() };
        options.set("Hash", Some(&hash.to_string())).map_err(value_error)?;
        let engine = engine::Engine::new(options).map_err(value_error)?;
        Ok(Engine { stopper: engine.stopper(), engine: Mutex::new(engine) })
    }

    /// Search for the best move.
    ///
    /// At least one limit is needed: plies, nodes, seconds, moves to a mate, or the seconds on the clock, of which
    /// the engine uses a part. `root_moves` are the moves to choose from. A `level` below 20 plays weaker, 0 weakest.
    /// `on_line` gets each line that is found, in the calling thread; an exception that it raises ends the search.
    #[pyo3(signature = (position, *, depth=None, nodes=None, time=None, mate=None, clock=None, increment=0.0,
        moves_to_go=0, root_moves=None, level=20, on_line=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn search(
        &self,
        py: Python<'_>,
        position: &Bound<'_, Position>,
        depth: Option<i64>,
        nodes: Option<i64>,
        time: Option<f64>,
        mate: Option<i64>,
        clock: Option<f64>,
        increment: f64,
        moves_to_go: i64,
        root_moves: Option<Vec<String>>,
        level: i64,
        on_line: Option<Py<PyAny>>,
    ) -> PyResult<Line> {
        let game = position.borrow().game();
        let clock = clock.map(|left| (left, increment, moves_to_go));
        let limits = limits(&*game, depth, nodes, time, mate, clock, root_moves)?;
        let options = [("MultiPV", 1), ("Skill Level", level)];
        self.run(py, game, options, on_line, |engine, on_info| {
            vec![engine.think(&limits, &search::each_line(on_info))]
        })
        .map(|mut lines| lines.remove(0))
    }

    /// Search for the best `lines` lines, and return them, best first: fewer if there are not so many legal moves.
    ///
    /// Limits and `on_line` are those of `search`.
    #[pyo3(signature = (position, *, lines=1, depth=None, nodes=None, time=None, mate=None, root_moves=None,
        on_line=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn analyse(
        &self,
        py: Python<'_>,
        position: &Bound<'_, Position>,
        lines: i64,
        depth: Option<i64>,
        nodes: Option<i64>,
        time: Option<f64>,
        mate: Option<i64>,
        root_moves: Option<Vec<String>>,
        on_line: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Line>> {
        let game = position.borrow().game();
        let limits = limits(&*game, depth, nodes, time, mate, None, root_moves)?;
        self.run(py, game, [("MultiPV", lines)], on_line, |engine, on_info| engine.lines(&limits, on_info))
    }

    /// End the search that runs in another thread. It returns what it found.
    fn stop(&self) {
        self.stopper.stop();
    }

    /// Forget what was learnt from earlier games. Levels below 20 play other moves than before.
    fn new_game(&self) -> PyResult<()> {
        self.lock()?.new_game();
        Ok(())
    }
}

impl Engine {
    /// The engine, if it does not search.
    fn lock(&self) -> PyResult<MutexGuard<'_, engine::Engine>> {
        match self.engine.try_lock() {
            Ok(engine) => Ok(engine),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the engine is searching; use another one, or stop it first"))
            }
        }
    }

    /// Searches `game` by `think` with these options, and passes each line to `on_line`.
    fn run<const N: usize>(
        &self,
        py: Python<'_>,
        game: Box<dyn Session>,
        options: [(&str, i64); N],
        on_line: Option<Py<PyAny>>,
        think: impl FnOnce(&mut engine::Engine, &(dyn Fn(&Info) + Sync)) -> Vec<Info> + Send,
    ) -> PyResult<Vec<Line>> {
        let mut engine = self.lock()?;
        for (name, value) in options {
            engine.set_option(name, Some(&value.to_string())).map_err(value_error)?;
        }
        let engine = &mut *engine;
        engine.set_game(game.copy());
        let listening = on_line.is_some();
        let found = interrupt::run(
            py,
            |send| {
                think(engine, &|info| {
                    if listening {
                        send(Line::new(&*game, info));
                    }
                })
            },
            || self.stopper.stop(),
            |py, line| on_line.as_ref().map_or(Ok(()), |on_line| on_line.call1(py, (line,)).map(drop)),
        )?;
        Ok(found.iter().map(|info| Line::new(&*game, info)).collect())
    }
}

/// Limits from keyword arguments. `clock` has the seconds left, the increment, and the moves to go.
fn limits(
    game: &dyn Session,
    depth: Option<i64>,
    nodes: Option<i64>,
    time: Option<f64>,
    mate: Option<i64>,
    clock: Option<(f64, f64, i64)>,
    root_moves: Option<Vec<String>>,
) -> PyResult<Limits> {
    let few = |name, value: Option<i64>| {
        value.map(|value| whole(name, value, 1..=1000).map(|value| value as u32)).transpose()
    };
    let seconds = |name: &str, value: f64| {
        Duration::try_from_secs_f64(value).map_err(|error| value_error(format!("{name}: {value}: {error}")))
    };
    let mut limits = Limits {
        depth: few("depth", depth)?,
        nodes: nodes.map(|nodes| whole("nodes", nodes, 1..=i64::MAX)).transpose()?,
        move_time: time.map(|time| seconds("time", time)).transpose()?,
        mate: few("mate", mate)?,
        clock: match clock {
            None => None,
            Some((left, increment, moves_to_go)) => Some(Clock {
                left: seconds("clock", left)?,
                increment: seconds("increment", increment)?,
                moves_to_go: whole("moves_to_go", moves_to_go, 0..=1000)? as u32,
            }),
        },
        ..Limits::default()
    };
    if limits == Limits::default() {
        return Err(value_error("the search needs a limit: depth, nodes, time, mate or clock"));
    }
    if let Some(texts) = root_moves {
        if texts.is_empty() {
            return Err(value_error("root_moves: there is no move in it"));
        }
        let moves = texts.iter().map(|text| game.find(text));
        limits.search_moves = moves.collect::<Result<_, _>>().map_err(value_error)?;
    }
    Ok(limits)
}
