//! Our own drawings of pieces, for XBoard.
//!
//! XBoard finds a drawing by the file name of its place in the list of pictures, and uses its own drawings for the
//! others.

use crate::engine::GameInfo;
use anyhow::{Context, Result};
use quintain_drawings as drawings;
use quintain_io::files;
use quintain_xboard::games;
use std::fs;
use std::path::{Path, PathBuf};

/// The names of the files in which XBoard looks for its pictures, in the order of the list of pictures; the king's
/// comes after all of them.
const FILES: [&str; 22] = [
    "Pawn",
    "Knight",
    "Bishop",
    "Rook",
    "Queen",
    "Advisor",
    "Elephant",
    "Archbishop",
    "Marshall",
    "Gold",
    "Commoner",
    "Canon",
    "Nightrider",
    "CrownedBishop",
    "CrownedRook",
    "Crown",
    "Chancellor",
    "Hawk",
    "Lance",
    "Cobra",
    "Unicorn",
    "Lion",
];

/// The names of the files that a game needs, with what is in them. `turned`: for a board seen from Black's side.
pub fn files(game: &GameInfo, turned: bool) -> Vec<(String, String)> {
    let def = games::def(game);
    // What faces one way faces the other way on a turned board.
    let seen = |letter: char| match def.facings {
        Some((_, letters)) if turned => {
            let facing = letters.iter().position(|&other| other == letter);
            facing.map_or(letter, |facing| letters[(facing + 4) % 8])
        }
        _ => letter,
    };
    let mut files = Vec::new();
    for letter in def.drawn.chars() {
        let place = def.pictures.find(letter).and_then(|place| FILES.get(place));
        let drawing = def.piece(game, seen(letter)).and_then(|piece| drawings::svg(piece.drawing));
        if let (Some(file), Some(svg)) = (place, drawing) {
            files.push((format!("White{file}.svg"), svg.to_owned()));
            files.push((format!("Black{file}.svg"), inverted(svg)));
        }
    }
    files
}

fn inverted(svg: &str) -> String {
    svg.replace("#ffffff", "#grey").replace("#000000", "#ffffff").replace("#grey", "#000000")
}

/// Writes the drawings of a game to a folder of their own below `base`, and returns it; `None` if there are none.
pub fn write(base: &Path, game: &GameInfo, turned: bool) -> Result<Option<PathBuf>> {
    let files = files(game, turned);
    if files.is_empty() {
        return Ok(None);
    }
    let folder = base.join(if turned { format!("{}-turned", game.name) } else { game.name.to_owned() });
    fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (name, svg) in files {
        let file = folder.join(name);
        files::write(&file, svg.as_bytes())?;
    }
    Ok(Some(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{self, NAMES};

    #[test]
    fn every_drawing_has_a_place() {
        for name in NAMES {
            let game = engine::info(name).unwrap();
            for turned in [false, true] {
                let files = files(&game, turned);
                assert_eq!(files.len(), 2 * games::def(&game).drawn.len(), "{name}");
                let unique: std::collections::BTreeSet<&String> =
                    files.iter().map(|(file, _)| file).collect();
                assert_eq!(unique.len(), files.len(), "{name}");
                assert!(files.iter().all(|(_, svg)| svg.contains("viewBox") && !svg.contains("#grey")));
            }
        }
        let files = |turned| files(&engine::info("superchess").unwrap(), turned);
        let cyclops =
            |turned, file: &str| files(turned).into_iter().find(|(name, _)| name == file).unwrap().1;
        assert_eq!(cyclops(false, "WhiteCommoner.svg"), drawings::svg("cyclops-n").unwrap());
        assert_eq!(cyclops(true, "WhiteCommoner.svg"), drawings::svg("cyclops-s").unwrap());
    }
}
