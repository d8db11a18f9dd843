//! `quintain match --board`: a match in the browser while it runs.

use super::access::{Hosts, Tokens};
use super::http::{self, Server};
use super::links;
use anyhow::{Context, Result};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Json, Router};
use quintain_board::view::{GameView, MoveView, PositionView, ScoreView};
use quintain_core::board::Color;
use quintain_engine::{self as engine, MoveInfo, Session};
use quintain_io as output;
use quintain_tournament::comment::EngineComment;
use quintain_tournament::player::EngineInfo;
use quintain_tournament::record::{GameRecord, MoveRecord};
use quintain_tournament::report;
use quintain_tournament::schedule::Task;
use quintain_tournament::settings::Settings;
use quintain_tournament::standings::Standings;
use quintain_tournament::watch::Watcher;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;

/// Finished games that can still be looked at.
const RECENT: usize = 200;
/// How often pages are told what is new.
const EVERY: Duration = Duration::from_millis(200);
/// How long the end of the match waits until all pages know of it.
const FAREWELL: Duration = Duration::from_secs(2);

/// A match that is shown.
struct Watch {
    shared: Arc<Shared>,
    /// Tells pages that something changed, until the match is over.
    changed: Option<watch::Sender<()>>,
    end: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<Result<()>>>,
}

struct Shared {
    game: GameView,
    names: Vec<String>,
    total: u64,
    settings: Settings,
    live: Mutex<Live>,
    changed: watch::Receiver<()>,
    /// Each open page holds a copy.
    viewers: Arc<()>,
}

/// What changes in the course of a match.
#[derive(Default)]
struct Live {
    /// The last game of each worker.
    boards: BTreeMap<usize, BoardView>,
    recent: VecDeque<GameRecord>,
    table: TableView,
    /// The results of two engines in words.
    text: String,
    played: u64,
    over: bool,
}

/// A game in progress.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct BoardView {
    number: u64,
    round: u64,
    /// The places of the engines in the list of names.
    white: usize,
    black: usize,
    position: PositionView,
    #[serde(rename = "move")]
    mv: Option<MoveView>,
    /// What the engines said of their moves.
    scores: Vec<Option<ScoreView>>,
    /// The result and its reason, when it is over.
    end: Option<String>,
}

#[derive(Clone, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct TableView {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A finished game in the list of them.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ResultView {
    number: u64,
    white: usize,
    black: usize,
    result: &'static str,
    reason: String,
}

/// Everything that the page shows.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct MatchView<'a> {
    game: &'a GameView,
    names: &'a [String],
    total: u64,
    played: u64,
    table: &'a TableView,
    text: &'a str,
    boards: Vec<&'a BoardView>,
    /// The last one first.
    recent: Vec<ResultView>,
    over: bool,
}

/// A finished game, to step through.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct GameToReplay {
    fen: Option<String>,
    /// All moves as coordinates.
    moves: Vec<String>,
    /// What is known of each move.
    remarks: Vec<String>,
    scores: Vec<Option<ScoreView>>,
}

/// Shows a match at an address that is printed.
pub fn open(settings: &Settings, names: &[String]) -> Result<Box<dyn Watcher>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("--board: cannot listen")?;
    let (address, tokens) = (listener.local_addr()?, Tokens::for_owner()?);
    let (changed, receiver) = watch::channel(());
    let session = engine::open(settings.variant)?;
    let total = settings.plan().tasks(settings.shard).count() as u64;
    let shared = Arc::new(Shared {
        game: GameView::of(&*session),
        names: names.to_vec(),
        total,
        settings: settings.clone(),
        live: Mutex::default(),
        changed: receiver,
        viewers: Arc::default(),
    });
    let (end, ended) = oneshot::channel();
    let link = links::link(&links::here(address), &tokens.owner);
    let door = http::Shared { hosts: Hosts { address, names: Vec::new() }, tokens, home: "watch.html" };
    let routes = routes(Arc::clone(&shared));
    let serve = move || http::serve(listener, door, routes, async { drop(ended.await) });
    let server = thread::Builder::new().name("board".into()).spawn(serve).context("cannot start a thread")?;
    output::note!("The match can be watched at {link}");
    Ok(Box::new(Watch { shared, changed: Some(changed), end: Some(end), server: Some(server) }))
}

fn routes(shared: Arc<Shared>) -> Router<Server> {
    Router::new().route("/events", get(events)).route("/game/{number}", get(game)).layer(Extension(shared))
}

/// How the match stands, now and after each change; ends with the match.
async fn events(Extension(shared): Extension<Arc<Shared>>) -> impl IntoResponse {
    let changes = WatchStream::new(shared.changed.clone()).throttle(EVERY);
    let viewer = Arc::clone(&shared.viewers);
    let events = changes.map(move |()| {
        let _open = &viewer;
        let live = shared.live();
        Event::default().json_data(shared.view(&live)).map(Ok::<_, Infallible>)
    });
    Sse::new(events.filter_map(Result::ok)).keep_alive(KeepAlive::default())
}

async fn game(Extension(shared): Extension<Arc<Shared>>, Path(number): Path<u64>) -> Response {
    let live = shared.live();
    match live.recent.iter().find(|game| game.game == number) {
        Some(game) => Json(GameToReplay::of(game)).into_response(),
        None => (StatusCode::NOT_FOUND, format!("game {number} is not kept")).into_response(),
    }
}

impl Shared {
    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn view<'a>(&'a self, live: &'a Live) -> MatchView<'a> {
        let result = |game: &GameRecord| ResultView {
            number: game.game,
            white: game.white,
            black: game.black,
            result: game.result.as_str(),
            reason: game.reason.clone(),
        };
        MatchView {
            game: &self.game,
            names: &self.names,
            total: self.total,
            played: live.played,
            table: &live.table,
            text: &live.text,
            boards: live.boards.values().collect(),
            recent: live.recent.iter().rev().map(result).collect(),
            over: live.over,
        }
    }
}

impl GameToReplay {
    fn of(game: &GameRecord) -> GameToReplay {
        let remark = |record: &MoveRecord| {
            let MoveRecord { score, depth, nodes, micros, .. } = *record;
            let seconds = Some(micros as f64 / 1e6);
            EngineComment { info: EngineInfo { score, depth, nodes }, seconds }.to_string()
        };
        let book = game.book.iter();
        let score = |(index, record): (usize, &MoveRecord)| score(record, game.mover(index));
        GameToReplay {
            fen: game.fen.clone(),
            moves: book.clone().chain(game.moves.iter().map(|record| &record.text)).cloned().collect(),
            remarks: book.clone().map(|_| "book".into()).chain(game.moves.iter().map(remark)).collect(),
            scores: book.map(|_| None).chain(game.moves.iter().enumerate().map(score)).collect(),
        }
    }
}

/// What an engine said of its move, as White sees it.
fn score(record: &MoveRecord, mover: Color) -> Option<ScoreView> {
    // Engines report centipawns already.
    Some(ScoreView::new(record.score?.score(), 100, mover))
}

impl Watch {
    fn change(&self, change: impl FnOnce(&mut Live)) {
        change(&mut self.shared.live());
        if let Some(changed) = &self.changed {
            changed.send_replace(());
        }
    }
}

impl Watcher for Watch {
    fn began(&self, worker: usize, task: &Task, position: &dyn Session) {
        let board = BoardView {
            number: task.game,
            round: task.round,
            white: task.white,
            black: task.black,
            position: PositionView::from(position),
            mv: None,
            scores: Vec::new(),
            end: None,
        };
        self.change(|live| drop(live.boards.insert(worker, board)));
    }

    fn moved(&self, worker: usize, position: &dyn Session, mv: &MoveInfo, record: &MoveRecord) {
        let (view, mv) = (PositionView::from(position), MoveView::from(mv));
        let score = score(record, !position.side());
        self.change(|live| {
            if let Some(board) = live.boards.get_mut(&worker) {
                board.position = view;
                board.mv = Some(mv);
                board.scores.push(score);
            }
        });
    }

    fn finished(&self, game: &GameRecord) {
        self.change(|live| {
            if let Some(board) = live.boards.values_mut().find(|board| board.number == game.game) {
                board.end = Some(format!("{} {}", game.result.as_str(), game.reason));
            }
            live.recent.push_back(game.clone());
            if live.recent.len() > RECENT {
                live.recent.pop_front();
            }
        });
    }

    fn counted(&self, standings: &Standings) {
        let Shared { settings, names, .. } = &*self.shared;
        let (header, rows) = report::crosstable_cells(names, standings);
        let duel = names.len() == 2 && standings.games() > 0;
        let text = if duel { report::duel(&standings.duel(), settings.sprt.as_ref()) } else { String::new() };
        self.change(|live| {
            live.table = TableView { header, rows };
            live.text = text;
            live.played = standings.games();
        });
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.change(|live| live.over = true);
        // The streams of the pages end with this.
        self.changed = None;
        let late = Instant::now() + FAREWELL;
        while Arc::strong_count(&self.shared.viewers) > 1 && Instant::now() < late {
            thread::sleep(Duration::from_millis(10));
        }
        if let Some(end) = self.end.take() {
            // A server that failed has said so.
            let _ = end.send(());
        }
        if let Some(Ok(Err(error))) = self.server.take().map(JoinHandle::join) {
            output::note!("The board could not be served: {error:#}.");
        }
    }
}
