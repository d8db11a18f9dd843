//! The drawings of pieces as one file of symbols, which take their colours from the page.

macro_rules! drawings {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../assets/pieces/", $name, ".svg")))),*]
    };
}

/// A cyclops is drawn once; the page turns it.
const DRAWINGS: &[(&str, &str)] = drawings![
    "archbishop",
    "archer",
    "bishop",
    "cannon",
    "cavalier",
    "crowned-bishop",
    "crowned-rook",
    "cyclops-n",
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

/// A symbol for each drawing.
pub fn symbols() -> String {
    let symbol = |&(name, svg): &(&str, &str)| {
        let inner = svg.split_once('>').map_or("", |(_, rest)| rest).trim_end().trim_end_matches("</svg>");
        let inner = inner
            .replace(" fill=\"#ffffff\" stroke=\"#000000\" stroke-width=\"1.6\"", "")
            .replace("#000000", "currentColor");
        format!("<symbol id=\"{name}\" viewBox=\"0 0 45 45\">{inner}</symbol>\n")
    };
    let symbols: String = DRAWINGS.iter().map(symbol).collect();
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\">\n{symbols}</svg>\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{self, NAMES};

    #[test]
    fn every_piece_has_a_drawing() {
        for name in NAMES {
            for piece in super::super::view::GameView::of(&*engine::open(name).unwrap()).pieces {
                assert!(DRAWINGS.iter().any(|known| known.0 == piece.drawing), "{name}: {}", piece.drawing);
            }
        }
    }
}
