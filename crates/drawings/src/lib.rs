//! The drawings of pieces, by the names that `quintain_core::rules::PieceDef::drawing` has.
//!
//! They are drawn in black and white, as White's pieces; Black's are the same with the colours exchanged. Pieces with
//! facings have a drawing for each. [`diagram`] draws whole positions, and [`picture`] reads what is asked for.

pub mod diagram;
pub mod picture;

pub use diagram::Diagram;
pub use picture::Picture;

macro_rules! drawings {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../pieces/", $name, ".svg")))),*]
    };
}

/// Names, and files of SVG.
pub const DRAWINGS: &[(&str, &str)] = drawings![
    "archbishop",
    "archer",
    "bishop",
    "cannon",
    "cavalier",
    "crowned-bishop",
    "crowned-rook",
    "cyclops-e",
    "cyclops-n",
    "cyclops-ne",
    "cyclops-nw",
    "cyclops-s",
    "cyclops-se",
    "cyclops-sw",
    "cyclops-w",
    "eques-rex",
    "king",
    "knight",
    "marshal",
    "nightrider",
    "pawn",
    "pope",
    "queen",
    "rook",
    "super-pawn",
];

/// The drawing of this name.
pub fn svg(name: &str) -> Option<&'static str> {
    DRAWINGS.iter().find(|drawing| drawing.0 == name).map(|drawing| drawing.1)
}

/// A drawing as a symbol of an SVG, which takes its colours from where it is used.
pub fn symbol(&(name, svg): &(&str, &str)) -> String {
    let inner = svg.split_once('>').map_or("", |(_, rest)| rest).trim_end().trim_end_matches("</svg>");
    let inner = inner
        .replace(" fill=\"#ffffff\" stroke=\"#000000\" stroke-width=\"1.6\"", "")
        .replace("#000000", "currentColor");
    format!("<symbol id=\"{name}\" viewBox=\"0 0 45 45\">{inner}</symbol>\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine::{self as engine, NAMES};

    #[test]
    fn every_piece_has_a_drawing_and_every_drawing_a_piece() {
        let games = NAMES.iter().map(|name| engine::info(name).unwrap());
        let used: Vec<&str> = games.flat_map(|info| info.pieces.iter().map(|def| def.drawing)).collect();
        for name in &used {
            assert!(svg(name).is_some(), "{name}");
        }
        for (name, svg) in DRAWINGS {
            assert!(used.contains(name) && svg.contains("viewBox"), "{name}");
        }
    }
}
