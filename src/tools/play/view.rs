//! What the game in the terminal shows: greeting, board, status, scores.

use super::game::Played;
use super::{Analysis, TerminalGame, words};
use crate::board::Color;
use crate::engine::FileRank;
use crate::notation::draw;
use crate::tools::text;
use anyhow::Result;
use quintain_drawings::picture;
use std::ops::ControlFlow;

/// The commands that a beginner needs.
const FIRST_COMMANDS: [(&str, &str); 9] = [
    ("moves", "what is possible"),
    ("hint", "a good move"),
    ("undo", "take back a move"),
    ("rules", "how it is played"),
    ("pieces", "how they move"),
    ("level", "easier or harder"),
    ("new", "a new game"),
    ("help", "all commands"),
    ("quit", "leave"),
];

impl TerminalGame {
    pub(super) fn greet(&self) -> Result<()> {
        if !self.console.watched {
            return Ok(());
        }
        let (width, info) = (self.console.width(), &self.game.info);
        let mut text = format!("\n{}\n", self.console.bold(info.title));
        let (first, rest) = info.summary.split_at(1);
        text += &text::paragraph("", &format!("{}{rest}.", first.to_uppercase()), width);
        text += "\n";
        text += &words::pieces(info, width, self.figurines());
        text += "\n";
        let [white, black] = match (self.figurines(), self.console.color) {
            (false, _) => ["White (capital letters)", "Black (small letters)"],
            (true, false) => ["White (outlined, capital letters)", "Black (filled, small letters)"],
            (true, true) => ["White", "Black"],
        };
        text += &text::paragraph("", &self.players([white, black]), width);
        if self.game.live.settings.engine != [false, false] {
            text += &format!("{}\n", self.skill());
        }
        if self.game.live.settings.engine == [true, true] {
            text += "Ctrl-C stops it.\n";
        } else {
            let moves = self.game.live.session().moves_in_full();
            let example = moves.iter().filter(|mv| mv.san != mv.text).min_by_key(|mv| mv.san.len());
            let example = example.map_or(String::new(), |mv| format!(", like {} or {}", mv.san, mv.text));
            text += &text::paragraph("", &format!("Type your move{example}. You can also type"), width);
            let entry = |(name, what): (&str, &str)| {
                let padding = " ".repeat(6 - name.len());
                format!("  {}{padding} {what:<18}", self.console.bold(name))
            };
            const ENTRY: usize = 26;
            for row in FIRST_COMMANDS.chunks((width / ENTRY).max(1)) {
                text += row.iter().copied().map(entry).collect::<String>().trim_end();
                text += "\n";
            }
        }
        self.console.say(&text)
    }

    /// Who plays, as a sentence. The sides have these names where people play them.
    pub(super) fn players(&self, [white, black]: [&str; 2]) -> String {
        match (self.game.live.person(), self.game.live.settings.engine[0]) {
            (Some(Color::White), _) => format!("You are {white}; the engine is Black."),
            (Some(Color::Black), _) => format!("You are {black}; the engine is White."),
            (None, false) => format!("Two people play: {white} and {black}."),
            (None, true) => format!("The engine plays {white} and {black}."),
        }
    }

    /// The board, if it is drawn after each move, and the status.
    pub(super) fn show(&self) -> Result<()> {
        if self.console.watched {
            self.draw()?;
        }
        self.status()
    }

    pub(super) fn draw(&self) -> Result<()> {
        let mut marked: Vec<FileRank> = Vec::new();
        if let Some(Played { info, .. }) = self.game.played.last() {
            marked.extend([info.from, info.to]);
            marked.extend(&info.taken);
            marked.extend(info.partners.iter().flat_map(|&(from, to)| [from, to]));
        }
        let style = draw::Style {
            flipped: self.flipped,
            color: self.console.color,
            figurines: self.figurines(),
            narrow: draw::width(self.game.info.files) > self.console.width(),
            marked: &marked,
        };
        self.console.say(&format!("\n{}\n", self.game.live.session().draw(style)))
    }

    /// The side to move, check, captured pieces; or how the game ended.
    pub(super) fn status(&self) -> Result<()> {
        let mut text = String::new();
        if self.console.watched {
            for side in Color::BOTH {
                let mut taken: Vec<char> = self.game.played.iter().flat_map(|mv| mv.taken.clone()).collect();
                taken.retain(|piece| piece.is_ascii_uppercase() == (side == Color::White));
                if !taken.is_empty() {
                    let rank = |piece: &char| {
                        let letter = piece.to_ascii_lowercase() as u8;
                        self.game.info.pieces.iter().position(|def| def.letter == letter)
                    };
                    taken.sort_by_key(|piece| std::cmp::Reverse(rank(piece)));
                    let pieces: Vec<String> =
                        taken.iter().map(|&piece| self.symbol(piece).to_string()).collect();
                    text += &format!("{side} has lost {}\n", pieces.join(" "));
                }
            }
        }
        if let Some(end) = self.game.live.outcome() {
            let you = match self.game.live.person() {
                Some(person) if end.is_won_by(person) => " You have won!",
                Some(person) if end.is_won_by(!person) => " You have lost.",
                _ => "",
            };
            text += &self.console.bold(&format!("Game over: {}, {}.{you}", end.text, end.score));
            text += "\n";
            if self.console.prompts && !self.leaves_at_end {
                text += "You can type analyse, new, undo, list, save FILE, or quit.\n";
            }
        } else if self.console.watched {
            let side = self.game.live.session().side();
            let you = if self.game.live.person() == Some(side) { " (you)" } else { "" };
            let number = self.game.live.session().fullmove();
            let mut line = format!("Move {number}: {side}{you} to move.");
            let checkers = self.game.live.session().checkers();
            if !checkers.is_empty() {
                let pieces: Vec<String> = checkers.iter().map(|square| self.piece_on(square)).collect();
                line += &format!(" Check by the {}!", pieces.join(" and the "));
            }
            text += &self.console.bold(&line);
            text += "\n";
            let session = self.game.live.session();
            if let Some(remark) = session.comes_first().or_else(|| session.remark()) {
                text += &text::paragraph("", &format!("{remark}."), self.console.width());
            }
            let later = self.game.later();
            if later > 0 {
                text += &format!("This is an earlier position. next {later} leads back to the last one.\n");
            }
        }
        self.console.say(&text)
    }

    /// Are pieces shown as symbols? If not even the king has one, a few symbols among many letters would
    /// confuse.
    pub(super) fn figurines(&self) -> bool {
        let royal = self.game.info.pieces[self.game.info.royal].name;
        self.console.figurines && draw::figurine(royal, Color::White, false).is_some()
    }

    /// A piece as the board shows it, given its letter.
    fn symbol(&self, piece: char) -> char {
        let side = if piece.is_ascii_uppercase() { Color::White } else { Color::Black };
        let figurine = draw::figurine(words::name_of(&self.game.info, piece), side, self.console.color);
        figurine.filter(|_| self.figurines()).unwrap_or(piece)
    }

    /// A piece in words, "rook on e2".
    fn piece_on(&self, square: &str) -> String {
        let letter = picture::place(square).and_then(|place| self.game.live.session().piece(place));
        format!("{} on {square}", letter.map_or("piece", |letter| words::name_of(&self.game.info, letter)))
    }

    pub(super) fn complain(&self, what: &str) -> Result<ControlFlow<()>> {
        self.console.say(&text::paragraph("", what, self.console.width()))?;
        Ok(ControlFlow::Continue(()))
    }

    /// The score of an analysis of a position where `side` was to move, and the line without its first `skip` moves.
    pub(super) fn opinion(&self, analysis: &Analysis, side: Color, skip: usize) -> String {
        const SHOWN: usize = 8;
        let width = self.console.width();
        let score = words::score(self.game.live.session().shown(analysis.score), side);
        let effort = format!("depth {}, {:.1} s", analysis.depth, analysis.took.as_secs_f64());
        let mut text = format!("  {score} {}\n", self.console.faint(&format!("- {effort}")));
        let line: Vec<&str> = analysis.line.iter().skip(skip).take(SHOWN).map(String::as_str).collect();
        if !line.is_empty() {
            text += &text::hanging("  expects ", &line, width);
        }
        text
    }
}
