//! Searches: for moves to play, pondering, and analysis.

use super::report::{Found, LastInfo, Reporter, lock};
use super::{Mode, XBoard};
use quintain_core::board::Move;
use quintain_core::search::{Limits, Score};
use quintain_engine::{self as engine, Session};
use quintain_study::book::Choice;
use quintain_xboard::text::Ply;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// What a search is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Our move.
    Move,
    /// The reply to this expected move, and the time expected on our clock then.
    Ponder(String, Duration),
    /// Analysis.
    Analysis,
}

pub(super) struct Search {
    number: u64,
    pub(super) purpose: Purpose,
    /// Our time used before it began.
    used: Duration,
    /// Its reports are still wanted.
    wanted: Arc<AtomicBool>,
}

/// A search that was interrupted by `pause`.
pub(super) struct Paused {
    pub(super) purpose: Purpose,
    used: Duration,
}

/// How long a hint may take.
const HINT_NODES: u64 = 50_000;

impl XBoard {
    /// Starts the search that the mode requires, if any.
    pub(super) fn start_search(&mut self) {
        if self.search.is_some() || self.mirror.pending() > 0 || self.invalid.is_some() {
            return;
        }
        match self.mode {
            Mode::Play(color) if color == self.engine.game().side() && !self.announce_result() => {
                let choice = self.openings.choose(&self.engine);
                match choice.filter(|choice| !self.excluded.contains(&choice.text)) {
                    Some(Choice { text, score }) => self.play_at_once(text, score),
                    None => self.think(Purpose::Move, Duration::ZERO),
                }
            }
            Mode::Analyze if self.engine.game().outcome().is_none() => {
                self.think(Purpose::Analysis, Duration::ZERO)
            }
            _ => {}
        }
    }

    /// Starts a search; `used` is our time used already.
    pub(super) fn think(&mut self, purpose: Purpose, used: Duration) {
        let plies = self.mirror.plies();
        let limits = match &purpose {
            Purpose::Move => Limits { search_moves: self.root_moves(), ..self.control.limits(plies, used) },
            Purpose::Ponder(..) => Limits { ponder: true, ..self.control.limits(plies + 1, Duration::ZERO) },
            Purpose::Analysis => {
                Limits { infinite: true, search_moves: self.root_moves(), ..Limits::default() }
            }
        };
        self.searches += 1;
        let number = self.searches;
        let wanted = Arc::new(AtomicBool::new(true));
        let reporter = Reporter {
            say: Arc::clone(&self.say),
            post: Arc::clone(&self.post),
            wanted: Arc::clone(&wanted),
            last: Arc::clone(&self.last_info),
            numbering: self.mirror.numbering(),
            number,
            events: self.events.clone(),
        };
        *lock(&self.last_info) = LastInfo::default();
        let report = move |game: &dyn Session, event: engine::Event| reporter.report(game, event);
        match &purpose {
            Purpose::Ponder(reply, _) => {
                if self.engine.go_after(reply, limits, report).is_err() {
                    return;
                }
            }
            Purpose::Move | Purpose::Analysis => self.engine.go(limits, report),
        }
        self.search = Some(Search { number, purpose, used, wanted });
    }

    /// Ends the running or paused search, if any; its result is dropped.
    pub(super) fn drop_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.wanted.store(false, Relaxed);
            self.engine.stop();
        }
        self.paused = None;
        self.catch_up();
    }

    pub(super) fn search_done(&mut self, number: u64, found: Found) {
        let Some(search) = self.search.take_if(|search| search.number == number) else { return };
        let used = search.used + self.engine.elapsed();
        self.engine.stop();
        if found.failed {
            self.say("# internal error in the search");
        }
        for problem in self.engine.tables().problems() {
            self.say(format!("# {problem}"));
        }
        if search.purpose == Purpose::Move {
            self.control.moved(used, self.mirror.plies() + 1);
            self.make_move(found);
            self.catch_up();
            self.start_pondering();
        }
    }

    /// Plays a move of the book.
    fn play_at_once(&mut self, text: String, score: Score) {
        self.control.moved(Duration::ZERO, self.mirror.plies() + 1);
        self.make_move(Found { pv: vec![text], score, failed: false });
        self.catch_up();
        self.start_pondering();
    }

    /// What the book has for this position. In one call: a line of the search before the empty line at the end would count
    /// as text of the book.
    pub(super) fn show_book(&self) {
        let table = self.openings.book(&self.engine).map(|book| book.table(self.engine.game()));
        let table = table.filter(|table| !table.is_empty());
        let lines = table.unwrap_or_else(|| "The opening book has no moves here.\n".into());
        self.say(lines.lines().map(|line| format!(" {line}\n")).collect::<String>());
    }

    /// Plays the move found. After a panic that is the best one reported before.
    pub(super) fn make_move(&mut self, found: Found) {
        let reported = lock(&self.last_info).pv.first().cloned().filter(|_| found.failed);
        let best = reported.or_else(|| found.pv.first().cloned());
        let Some(best) = best else {
            self.announce_result();
            return;
        };
        self.last_score = Some(found.score);
        if std::mem::take(&mut self.offered) && found.score <= 0 {
            self.say("offer draw");
        }
        let numbering = self.mirror.numbering();
        match self.mirror.show(self.engine.game(), &best) {
            Some(script) => {
                for line in script.iter().flat_map(|ply| numbering.commands(ply)) {
                    self.say(line);
                }
            }
            None => {
                self.say(format!("# XBoard's board cannot follow {best}"));
                self.say(format!("move {}", numbering.show(&best)));
                self.mirror.send(&Ply::Pass);
            }
        }
        if let Err(error) = self.engine.game_mut().play(&best) {
            return self.say(format!("# the engine refuses {error}"));
        }
        self.mirror.complete(self.engine.game());
        self.position_changed();
        self.expected = found.pv.into_iter().nth(1);
        self.announce_result();
    }

    pub(super) fn start_pondering(&mut self) {
        let ours = matches!(self.mode, Mode::Play(color) if color != self.engine.game().side());
        let busy = self.search.is_some() || self.paused.is_some() || !self.options.is_empty();
        if !self.ponder || !ours || busy || self.mirror.pending() > 0 {
            return;
        }
        if let Some(reply) = self.expected.clone()
            && self.engine.game().outcome().is_none()
        {
            self.think(Purpose::Ponder(reply, self.control.remaining()), Duration::ZERO);
        }
    }

    pub(super) fn hard(&mut self) {
        self.ponder = true;
        self.start_pondering();
    }

    pub(super) fn easy(&mut self) {
        self.ponder = false;
        self.drop_pondering();
    }

    pub(super) fn drop_pondering(&mut self) {
        if self.search.as_ref().is_some_and(|search| matches!(search.purpose, Purpose::Ponder(..))) {
            self.drop_search();
        }
    }

    pub(super) fn move_now(&mut self) {
        if let Some(search) = &self.search
            && search.purpose == Purpose::Move
        {
            self.engine.stopper().stop();
        }
    }

    /// Answered after our move, if we are thinking.
    pub(super) fn ping(&mut self, number: &str) {
        self.pings.push(number.to_owned());
        if self.search.as_ref().is_none_or(|search| search.purpose != Purpose::Move) {
            self.engine.prepare();
            self.catch_up();
        }
    }

    /// Does what had to wait for our move.
    pub(super) fn catch_up(&mut self) {
        while !self.options.is_empty() {
            let (argument, line) = self.options.remove(0);
            self.option(&argument, &line);
        }
        for ping in std::mem::take(&mut self.pings) {
            self.say(format!("pong {ping}"));
        }
    }

    pub(super) fn hint(&mut self) {
        let mut found = self.expected.clone();
        let idle = self.search.is_none() && self.invalid.is_none();
        if found.is_none() && idle && self.engine.game().outcome().is_none() {
            let limits = Limits { nodes: Some(HINT_NODES), ..Limits::default() };
            let info = catch_unwind(AssertUnwindSafe(|| self.engine.analyse(&limits, &|_| ())));
            found = info.ok().and_then(|info| self.engine.game().coordinates(&info.pv).into_iter().next());
        }
        if let Some(found) = found {
            self.say(format!("Hint: {}", self.mirror.word(self.engine.game(), &found)));
        }
    }

    pub(super) fn analyze(&mut self) {
        self.drop_search();
        self.mode = Mode::Analyze;
        self.start_search();
    }

    pub(super) fn status(&self) {
        if self.search.is_none() {
            return;
        }
        let LastInfo { info, pv, .. } = lock(&self.last_info).clone();
        let moves = self.engine.game().moves().len();
        let name = pv.first().map(|first| self.mirror.numbering().show(first)).unwrap_or_default();
        let centis = self.engine.searched().as_millis() / 10;
        self.say(format!("stat01: {centis} {} {} 0 {moves} {name}", info.nodes, info.depth).trim_end());
    }

    pub(super) fn pause(&mut self) {
        // Without a search there is nothing to pause.
        let Some(search) = &self.search else { return };
        let paused = Paused { purpose: search.purpose.clone(), used: search.used + self.engine.elapsed() };
        self.drop_search();
        self.paused = Some(paused);
    }

    pub(super) fn resume(&mut self) {
        if let Some(Paused { purpose, used }) = self.paused.take() {
            self.think(purpose, used);
        }
    }

    pub(super) fn exclude(&mut self, exclude: bool, argument: &str, line: &str) {
        let chosen = if argument == "all" {
            self.engine.game().moves()
        } else {
            match self.mirror.named(self.engine.game(), argument) {
                Some(text) => vec![text],
                None => return self.say(format!("Error (no such move): {line}")),
            }
        };
        self.excluded.retain(|text| !chosen.contains(text));
        if exclude {
            self.excluded.extend(chosen);
        }
        if self.mode == Mode::Analyze {
            self.drop_search();
            // If all moves are excluded, there is nothing to search.
            if self.excluded.is_empty() || !self.root_moves().is_empty() {
                self.start_search();
            }
        }
    }

    /// The root moves of the search; empty for all.
    pub(super) fn root_moves(&self) -> Vec<Move> {
        if self.excluded.is_empty() {
            return Vec::new();
        }
        let game = self.engine.game();
        let wanted = game.moves().into_iter().filter(|text| !self.excluded.contains(text));
        wanted.filter_map(|text| game.find(&text).ok()).collect()
    }
}
