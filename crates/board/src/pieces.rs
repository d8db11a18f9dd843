//! The drawings of pieces as one file of symbols, which take their colours from the page.

use quintain_drawings::DRAWINGS;

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
