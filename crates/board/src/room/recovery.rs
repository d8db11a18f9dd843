//! What happens after a panic: the room goes on with the game as it was last saved.

use super::{Order, Room, Settings, new_engine};
use anyhow::{Context, Result, bail};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// So many panics without a command that was obeyed in between end the room.
const MOST_FAILURES: usize = 3;

impl Room {
    /// Starts again, unless that is in vain.
    pub(super) fn recover(&mut self) -> Result<()> {
        self.failures += 1;
        if self.failures <= MOST_FAILURES
            && let Ok(started) = catch_unwind(AssertUnwindSafe(|| self.start_again()))
        {
            return started;
        }
        bail!("it has failed several times in a row")
    }

    fn start_again(&mut self) -> Result<()> {
        if self.search.take().is_some() {
            self.order(Order::Stop);
        }
        self.analysis = None;
        self.stop_annotation();
        let position = self.game.session().copy();
        let game = self.game.settings.game.clone();
        self.game.engine = new_engine(self.engine_settings, &game, self.orders.is_some())?;
        self.game.engine.set_tables(self.find_tables.clone());
        self.game.engine.set_game(position);
        // Nothing of what is in memory can be relied on.
        let place = self.place.take();
        let resumed = match &place {
            // It may be this game that fails.
            Some(place) if self.failures == 1 => self.resume_saved(place.id()),
            _ => Err(anyhow::anyhow!("there is no saved game")),
        };
        match resumed {
            Ok(()) => {
                self.place = place;
                self.paused = self.game.engine_is_to_move();
                self.send_game();
                self.notice =
                    Some("Something went wrong in the program. The game stands as it was last saved.".into());
            }
            Err(_) => {
                self.begin(Settings { level: self.game.settings.level, ..Settings::of(&game) })?;
                self.notice = Some("Something went wrong in the program. This is a new game.".into());
            }
        }
        self.send_status();
        Ok(())
    }

    fn resume_saved(&mut self, id: &str) -> Result<()> {
        let library = self.library.clone().context("there is no library")?;
        self.resume(library.read(id)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{Command, Message, Role, answer};
    use quintain_play::library::Library;
    use quintain_play::library::memory::Memory;
    use serde_json::Value;
    use std::sync::mpsc::Sender;
    use std::thread;

    /// Sends a command, and returns the answer; `None` if the room fails or has ended.
    fn ask(room: &Sender<Message>, command: Value) -> Option<Result<Value, String>> {
        let (reply, answer) = answer();
        let command: Command = serde_json::from_value(command).unwrap();
        room.send(Message::Command(Role::Owner, command, reply)).ok()?;
        answer.recv().ok()
    }

    #[test]
    fn after_a_panic_the_game_goes_on_as_it_was_saved() {
        let mut room = Room::new(Some("chess"), Some(Library::new(Memory::default()))).unwrap();
        room.game.settings.engine = [false, false];
        room.play("e2e4").unwrap();
        let sender = room.sender();
        let thread = thread::spawn(|| room.run());
        let pgn = || ask(&sender, serde_json::json!({ "command": "pgn" })).unwrap().unwrap().to_string();
        for _ in 0..2 * MOST_FAILURES {
            sender.send(Message::Panic).unwrap();
            // The time of the move may stand behind it.
            assert!(pgn().contains("1. e4 "));
        }
        // The second panic without a command in between may be the fault of the game.
        sender.send(Message::Panic).unwrap();
        sender.send(Message::Panic).unwrap();
        assert!(!pgn().contains("1. e4"));
        // At last the room ends.
        for _ in 0..=MOST_FAILURES {
            sender.send(Message::Panic).unwrap();
        }
        assert!(thread.join().unwrap().is_err());
        assert!(ask(&sender, serde_json::json!({ "command": "pgn" })).is_none());
    }
}
