//! Choice of the game, and of the opponent.

use super::console::{Console, Input};
use crate::engine::NAMES;
use crate::tools::{self, text};
use anyhow::{Result, bail};
use quintain_folder as folder;
use quintain_play::game::level;

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

/// The level that the person chose last; asks who has never chosen. `None` if the person leaves.
pub fn usual_level(console: &mut Console) -> Result<Option<u32>> {
    if let Some(level) = folder::preferences().level {
        return Ok(Some(level));
    }
    let mut list = "\nHow well should your opponent play?\n".to_owned();
    for ((level, name), suits) in level::NAMES.iter().zip(level::FOR) {
        list += &text::paragraph(&format!("  {level:>2}  {name:<10}"), suits, console.width());
    }
    console.say(&list)?;
    let usual = level::name(level::USUAL);
    loop {
        let names = level::NAMES.iter().map(|(_, name)| name.to_string()).collect();
        let prompt = format!("Which level? (name or number; Enter for {usual}) ");
        let Input::Line(line) = console.read(&prompt, names)? else { return Ok(None) };
        match line.trim() {
            "quit" => return Ok(None),
            wanted => match level::read(if wanted.is_empty() { usual } else { wanted }) {
                Ok(level) => {
                    folder::prefer(|kept| kept.level = Some(level));
                    return Ok(Some(level));
                }
                Err(reason) => {
                    let complaint = format!("{}: {reason}.", text::shown(wanted));
                    console.say(&text::paragraph("", &complaint, console.width()))?;
                }
            },
        }
    }
}
