//! Games that come and go as links: to be shown, or to be played by sending links to and fro.

use super::Room;
use super::files::Opened;
use crate::link::Link;
use crate::view::NodeId;
use anyhow::{Result, ensure};
use quintain_play::game::{Settings, time};
use quintain_play::library::SavedGame;

/// So many games of the library may be the one that goes on.
const MOST_READ: usize = 100;

impl Room {
    /// The link of the game up to a position, or of the position alone.
    pub(super) fn link(&self, node: NodeId, position: bool) -> Result<String> {
        ensure!(self.tree.get(node).is_some(), "there is no such position");
        let game = self.game.settings.game.clone();
        let link = if position {
            Link { game, fen: Some(self.tree.view(node).position.fen.clone()), moves: Vec::new() }
        } else {
            let moves = self.tree.moves(node).into_iter().map(str::to_owned).collect();
            Link { game, fen: self.game.settings.fen.clone(), moves }
        };
        Ok(link.text())
    }

    /// Goes on with the game of a link: with the one on the board or one of the library, if people play it and it has fewer
    /// moves, and otherwise with a new one.
    pub(super) fn follow(&mut self, link: &str) -> Result<()> {
        let (link, session) = Link::read(link)?;
        if !self.is_part_of(&link)
            && let Some(id) = self.earlier(&link)
        {
            self.open(&id)?;
        }
        if self.is_part_of(&link) {
            for text in link.moves.iter().skip(self.plies()) {
                self.play(text)?;
            }
        } else {
            let Link { game, fen, moves } = link;
            let settings = Settings { fen, engine: [false; 2], ..Settings::of(&game) };
            let mut saved = SavedGame::new(settings, time::date());
            saved.set_line(moves.iter().map(String::as_str));
            self.show(Opened::of_saved(saved, Vec::new())?)?;
        }
        let side = self.game.side();
        let answer =
            || format!("{side} is to move. To answer, play a move and send the link from Load, save.");
        self.notice = session.outcome().is_none().then(answer);
        Ok(())
    }

    /// Do the people at the board play the game of a link, no further than that?
    fn is_part_of(&self, link: &Link) -> bool {
        let Settings { game, fen, engine, .. } = &self.game.settings;
        let is_same = *game == link.game && *fen == link.fen && *engine == [false; 2];
        is_same && self.game.end.is_none() && starts(link, &self.tree.moves(self.live))
    }

    /// The game of the library that goes on with a link.
    fn earlier(&self, link: &Link) -> Option<String> {
        let library = self.library.as_ref()?;
        let games = library.list().ok()?.games;
        let fits = |id: &str| {
            library.read(id).is_ok_and(|saved| {
                let moves: Vec<&str> = saved.line().iter().map(|&at| saved.nodes[at].text.as_str()).collect();
                let Settings { fen, engine, .. } = &saved.settings;
                *fen == link.fen && *engine == [false; 2] && !moves.is_empty() && starts(link, &moves)
            })
        };
        let open = |game: &&quintain_play::library::Entry| {
            let heading = &game.heading;
            heading.game == link.game && heading.result == "*" && heading.plies <= link.moves.len()
        };
        games.iter().filter(open).take(MOST_READ).find(|game| fits(&game.id)).map(|game| game.id.clone())
    }
}

/// Are these the first moves of a link?
fn starts(link: &Link, moves: &[&str]) -> bool {
    moves.len() <= link.moves.len() && moves.iter().zip(&link.moves).all(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_play::library::Library;
    use quintain_play::library::memory::Memory;

    fn room() -> Room {
        Room::new(Some("chess"), Some(Library::new(Memory::default()))).unwrap()
    }

    fn games(room: &Room) -> usize {
        room.library.as_ref().unwrap().list().unwrap().games.len()
    }

    #[test]
    fn two_people_play_by_links() {
        let (mut anna, mut bea) = (room(), room());
        let fen = "k*******/8/8/8/8/8/8/8 w - - 0 1";
        assert!(anna.follow(&format!("canyon//{}", fen.replace(' ', "_"))).is_err());
        anna.follow("canyon/").unwrap();
        anna.play("d3d4").unwrap();
        for (text, number) in [("b6b5", 1), ("e3e4", 2), ("d6d5", 3)] {
            let (from, to) = if number % 2 == 1 { (&anna, &mut bea) } else { (&bea, &mut anna) };
            to.follow(&from.link(from.live, false).unwrap()).unwrap();
            assert_eq!(to.tree.moves(to.live).len(), number);
            let side = if number % 2 == 1 { "Black" } else { "White" };
            assert!(to.notice.as_ref().unwrap().starts_with(&format!("{side} is to move.")));
            to.play(text).unwrap();
        }
        assert_eq!(bea.tree.moves(bea.live), ["d3d4", "b6b5", "e3e4", "d6d5"]);
        // It is one game all the time, also after another one.
        let before = (games(&anna), games(&bea));
        anna.begin(Settings::of("chess")).unwrap();
        anna.follow(&bea.link(bea.live, false).unwrap()).unwrap();
        let listed = anna.library.as_ref().unwrap().list().unwrap().games;
        assert_eq!((anna.tree.moves(anna.live).len(), games(&anna)), (4, before.0), "{listed:?}");
        // A link with other moves is another game, and one with fewer too.
        anna.follow("canyon/d3d4.b6b5.e2g2").unwrap();
        assert_eq!((anna.tree.moves(anna.live).len(), games(&anna)), (3, before.0 + 1));
    }

    #[test]
    fn a_position_is_sent_alone() {
        let mut one = room();
        one.play("e2e4").unwrap();
        let link = one.link(one.live, true).unwrap();
        let mut two = room();
        two.follow(&link).unwrap();
        assert_eq!((two.tree.len(), two.game.session().fen()), (1, one.game.session().fen()));
        assert!(one.link(999, true).is_err());
        // A game that is over needs no answer.
        two.follow("chess/f2f3.e7e5.g2g4.d8h4").unwrap();
        assert!(two.notice.is_none() && two.game.outcome().is_some());
    }
}
