//! Our own drawings of pieces, for XBoard.
//!
//! They are drawn in black and white, as White's pieces; Black's are the same with the colours exchanged. XBoard
//! finds a drawing by the file name of its place in the list of pictures, and uses its own drawings for the others.

use crate::engine::GameInfo;
use crate::files;
use crate::protocol::xboard::games;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// A drawing, and the name of that for a turned board, for pieces with facings another one.
struct Drawing {
    name: &'static str,
    turned: &'static str,
    svg: &'static str,
}

macro_rules! drawings {
    ($($name:literal $turned:literal),* $(,)?) => {
        &[$(Drawing {
            name: $name,
            turned: $turned,
            svg: include_str!(concat!("../../../assets/pieces/", $name, ".svg")),
        }),*]
    };
}

const DRAWINGS: &[Drawing] = drawings![
    "archbishop" "archbishop",
    "archer" "archer",
    "cavalier" "cavalier",
    "crowned-bishop" "crowned-bishop",
    "crowned-rook" "crowned-rook",
    "marshal" "marshal",
    "pope" "pope",
    "super-pawn" "super-pawn",
    "cyclops-n" "cyclops-s",
    "cyclops-ne" "cyclops-sw",
    "cyclops-e" "cyclops-w",
    "cyclops-se" "cyclops-nw",
    "cyclops-s" "cyclops-n",
    "cyclops-sw" "cyclops-ne",
    "cyclops-w" "cyclops-e",
    "cyclops-nw" "cyclops-se",
];

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

fn drawing(name: &str) -> Option<&'static Drawing> {
    DRAWINGS.iter().find(|drawing| drawing.name == name)
}

/// The names of the files that a game needs, with what is in them. `turned`: for a board seen from Black's side.
pub fn files(game: &GameInfo, turned: bool) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for &(letter, name) in games::def(game).drawings {
        let place = games::def(game).pictures.find(letter).and_then(|place| FILES.get(place));
        let found = drawing(name)
            .and_then(|drawing| if turned { self::drawing(drawing.turned) } else { Some(drawing) });
        if let (Some(file), Some(drawing)) = (place, found) {
            files.push((format!("White{file}.svg"), drawing.svg.to_owned()));
            files.push((format!("Black{file}.svg"), inverted(drawing.svg)));
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
                assert_eq!(files.len(), 2 * games::def(&game).drawings.len(), "{name}");
                let unique: std::collections::BTreeSet<&String> =
                    files.iter().map(|(file, _)| file).collect();
                assert_eq!(unique.len(), files.len(), "{name}");
                assert!(files.iter().all(|(_, svg)| svg.contains("viewBox") && !svg.contains("#grey")));
            }
        }
        // Each drawing is used, and turning twice changes nothing.
        for drawing in DRAWINGS {
            let uses = |name: &&str| {
                games::def(&engine::info(name).unwrap())
                    .drawings
                    .iter()
                    .any(|(_, used)| *used == drawing.name)
            };
            assert!(NAMES.iter().any(uses), "{}", drawing.name);
            assert_eq!(
                self::drawing(self::drawing(drawing.turned).unwrap().turned).unwrap().name,
                drawing.name
            );
        }
    }
}
