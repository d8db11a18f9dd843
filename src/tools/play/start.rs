//! Choice of the game.

use super::console::{Console, Input};
use crate::engine::NAMES;
use crate::tools::{self, text};
use anyhow::{Result, bail};

/// Shows the games and asks which one is wanted; `None` if the person leaves.
pub fn ask_for_game(console: &mut Console) -> Result<Option<String>> {
    if !console.prompts {
        bail!("which game? The games are {}", NAMES.join(", "));
    }
    console.say(&tools::variants::numbered_table(console.width()))?;
    loop {
        let names = NAMES.iter().map(|name| name.to_string()).collect();
        let Input::Line(line) = console.read("Which game? (name or number) ", names)? else {
            return Ok(None);
        };
        let wanted = line.trim().to_lowercase();
        let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match NAMES.iter().find(|&&name| name == wanted).or_else(|| NAMES.get(number?)) {
            Some(name) => return Ok(Some(name.to_string())),
            None if wanted == "quit" => return Ok(None),
            None if wanted.is_empty() => {}
            None if number.is_some() => console.say(&format!("The numbers are 1 to {}.\n", NAMES.len()))?,
            None => console.say(&format!("There is no game called {}.\n", text::shown(&wanted)))?,
        }
    }
}
