//! The drawings of pieces as one file of symbols, which take their colours from the page.

use quintain_drawings::{DRAWINGS, symbol};

/// A symbol for each drawing.
pub fn symbols() -> String {
    let symbols: String = DRAWINGS.iter().map(symbol).collect();
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\">\n{symbols}</svg>\n")
}
