//! Positions as pictures: SVG that stands alone, with the pieces in it.

use super::{DRAWINGS, symbol};
use quintain_core::board::Color;
use quintain_engine::{FileRank, Session};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Units of the drawing for a square.
const SIZE: i32 = 100;
/// The height of the board's edge below its last rank.
const EDGE: i32 = 14;

/// Colours of the picture around the pieces.
struct Theme {
    page: &'static str,
    text: &'static str,
    light: &'static str,
    dark: &'static str,
    edge: &'static str,
    rock: &'static str,
    rock_line: &'static str,
    water: &'static str,
    wave: &'static str,
}

// Those of the board in the browser.
const LIGHT: Theme = Theme {
    page: "#ffffff",
    text: "#5d6166",
    light: "#efdcb9",
    dark: "#b98a5d",
    edge: "#7d5734",
    rock: "#8d6b4f",
    rock_line: "#6d5039",
    water: "#6fa8c7",
    wave: "#d5eaf5",
};
const DARK: Theme = Theme {
    page: "#25282b",
    text: "#a0a5aa",
    light: "#cdb693",
    dark: "#94704c",
    edge: "#5a4029",
    rock: "#4a3a2e",
    rock_line: "#33281f",
    water: "#2f6484",
    wave: "#7fb4d0",
};

/// How to draw a position, and what to draw on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagram {
    /// From Black's side.
    pub flipped: bool,
    /// For a dark page.
    pub dark: bool,
    /// Without the names of files and ranks.
    pub bare: bool,
    /// Squares that are marked.
    pub marks: Vec<FileRank>,
    /// The squares of the last move.
    pub last: Vec<FileRank>,
    /// Arrows: from, to.
    pub arrows: Vec<(FileRank, FileRank)>,
}

/// Where a piece faces as White sees the board: 0 to 7, clockwise from north.
pub fn seen_by_white(facing: usize, owner: Color) -> usize {
    match owner {
        Color::White => facing,
        Color::Black => (facing + 4) % 8,
    }
}

impl Diagram {
    /// Draws a position. `square` is the width of a square in pixels where nothing else says how large the picture
    /// is.
    pub fn draw(&self, session: &dyn Session, square: u32) -> String {
        let (info, theme) = (session.info(), if self.dark { &DARK } else { &LIGHT });
        let (files, ranks) = (i32::from(info.files), i32::from(info.ranks));
        // A part of the longer side, so that the names can be read at any size.
        let margin = if self.bare { 0 } else { 38 * files.max(ranks) / 10 };
        let (width, height) = (files * SIZE + margin, ranks * SIZE + EDGE + margin);
        let pixels = |units: i32| units as u32 * square / SIZE as u32;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"{} 0 {width} {height}\">\n\
             <title>{}, {} to move</title>\n",
            pixels(width),
            pixels(height),
            -margin,
            escaped(info.title),
            session.side()
        );
        let pieces: Vec<(FileRank, char)> =
            session.squares().into_iter().filter_map(|place| Some((place, session.piece(place)?))).collect();
        let drawing = |letter: char| {
            let def = info.pieces.iter().find(|def| def.letter as char == letter.to_ascii_lowercase());
            def.map_or("", |def| def.drawing)
        };
        let used: BTreeSet<&str> = pieces.iter().map(|&(_, letter)| drawing(letter)).collect();
        let used = DRAWINGS.iter().filter(|(name, _)| used.contains(name));
        let _ = writeln!(svg, "<defs>\n{}</defs>", used.map(symbol).collect::<String>());
        let rect = |x: i32, y: i32, width: i32, height: i32, fill: &str| {
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>\n")
        };
        svg += &rect(-margin, 0, width, height, theme.page);
        svg += "<g shape-rendering=\"crispEdges\">\n";
        let is = |file: i32, rank: i32| {
            (0..files).contains(&file)
                && (0..ranks).contains(&rank)
                && session.has_square((file as u8, rank as u8))
        };
        let below = if self.flipped { 1 } else { -1 };
        let mut holes = String::new();
        for (file, rank) in (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank))) {
            let (x, y) = self.corner(session, (file as u8, rank as u8));
            if !is(file, rank) {
                holes += &hole(file, rank, [files, ranks], (x, y), &is, theme);
                continue;
            }
            if !is(file, rank + below) {
                svg += &rect(x, y + SIZE, SIZE, EDGE, theme.edge);
            }
            svg += &rect(x, y, SIZE, SIZE, if (file + rank) % 2 == 0 { theme.dark } else { theme.light });
        }
        svg += &format!("</g>\n{holes}");
        if !self.bare {
            svg += &self.names(session, margin, theme);
        }
        for (squares, fill, opacity) in [(&self.last, "#f2c200", 0.42), (&self.marks, "#15803d", 0.5)] {
            for &place in squares {
                let (x, y) = self.corner(session, place);
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"{fill}\" opacity=\"{opacity}\"/>"
                );
            }
        }
        for &(place, letter) in &pieces {
            svg += &self.piece(session, place, letter, drawing(letter));
        }
        self.arrows.iter().for_each(|&arrow| svg += &self.arrow(session, arrow));
        svg + "</svg>\n"
    }

    /// The upper left corner of a square.
    fn corner(&self, session: &dyn Session, (file, rank): FileRank) -> (i32, i32) {
        let info = session.info();
        let (x, y) = match self.flipped {
            true => (info.files - 1 - file, rank),
            false => (file, info.ranks - 1 - rank),
        };
        (i32::from(x) * SIZE, i32::from(y) * SIZE)
    }

    /// The names of files and ranks.
    fn names(&self, session: &dyn Session, margin: i32, theme: &Theme) -> String {
        let (info, size) = (session.info(), 72 * margin / 100);
        let mut svg = format!(
            "<g font-family=\"sans-serif\" font-weight=\"600\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"{}\">\n",
            theme.text
        );
        let mut name = |x: i32, y: i32, text: String| {
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\">{text}</text>", y + 36 * size / 100);
        };
        for file in 0..info.files {
            let (x, _) = self.corner(session, (file, 0));
            let below = i32::from(info.ranks) * SIZE + EDGE + margin / 2;
            name(x + SIZE / 2, below, char::from(b'a' + file).to_string());
        }
        for rank in 0..info.ranks {
            let (_, y) = self.corner(session, (0, rank));
            name(-margin / 2, y + SIZE / 2, (rank + 1).to_string());
        }
        svg + "</g>\n"
    }

    fn piece(&self, session: &dyn Session, place: FileRank, letter: char, drawing: &str) -> String {
        let (x, y) = self.corner(session, place);
        let owner = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        // The drawing is that of a piece which faces north.
        let facing = session.facing(place).map(|facing| seen_by_white(facing, owner));
        let turn = facing.map_or(0, |facing| (45 * facing as i32 + if self.flipped { 180 } else { 0 }) % 360);
        let half = SIZE / 2;
        let turn = if turn == 0 { String::new() } else { format!(" rotate({turn} {half} {half})") };
        let uses = |color: &str| {
            let size = SIZE - 8;
            format!("<use href=\"#{drawing}\" x=\"4\" y=\"4\" width=\"{size}\" height=\"{size}\" {color}/>")
        };
        let layers = match owner {
            Color::White => {
                uses("fill=\"#fffdf8\" stroke=\"#1c1c1c\" color=\"#1c1c1c\" stroke-width=\"1.6\"")
            }
            Color::Black => {
                uses("fill=\"#17181a\" stroke=\"#17181a\" color=\"#17181a\" stroke-width=\"3.4\"")
                    + &uses("fill=\"#36383b\" stroke=\"#e9e6df\" color=\"#e9e6df\" stroke-width=\"1.1\"")
            }
        };
        format!("<g transform=\"translate({x} {y}){turn}\">{layers}</g>\n")
    }

    fn arrow(&self, session: &dyn Session, (from, to): (FileRank, FileRank)) -> String {
        const COLOR: &str = "#15803d";
        let center = |place| {
            let (x, y) = self.corner(session, place);
            (f64::from(x + SIZE / 2), f64::from(y + SIZE / 2))
        };
        let ((x, y), (u, v)) = (center(from), center(to));
        if from == to {
            return format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"44\" fill=\"none\" stroke=\"{COLOR}\" stroke-width=\"8\"/>\n"
            );
        }
        let (sine, cosine) = (v - y).atan2(u - x).sin_cos();
        let length = (u - x).hypot(v - y) - 12.0;
        let (start, neck) = (26f64.min(length / 3.0), length - 40.0);
        let outline = [
            (start, 9.0),
            (neck, 9.0),
            (neck, 26.0),
            (length, 0.0),
            (neck, -26.0),
            (neck, -9.0),
            (start, -9.0),
        ];
        let point = |(along, aside): (f64, f64)| {
            format!("{:.1} {:.1}", x + along * cosine - aside * sine, y + along * sine + aside * cosine)
        };
        let path = outline.map(point).join(" L");
        format!("<path d=\"M{path} Z\" fill=\"{COLOR}\" opacity=\"0.75\"/>\n")
    }
}

/// What is not a square: water if squares are all round, rock if it lies between squares, and else nothing.
fn hole(
    file: i32,
    rank: i32,
    [files, ranks]: [i32; 2],
    (x, y): (i32, i32),
    is: &dyn Fn(i32, i32) -> bool,
    theme: &Theme,
) -> String {
    let beyond =
        |df: i32, dr: i32| (1..files.max(ranks)).any(|steps| is(file + df * steps, rank + dr * steps));
    let (across, along) = (beyond(-1, 0) && beyond(1, 0), beyond(0, -1) && beyond(0, 1));
    if !across && !along {
        return String::new();
    }
    let lake =
        across && along && [(1, 0), (-1, 0), (0, 1), (0, -1)].iter().all(|(f, r)| is(file + f, rank + r));
    let height = SIZE + if y == (ranks - 1) * SIZE { EDGE } else { 0 };
    let fill = if lake { theme.water } else { theme.rock };
    let crisp = "shape-rendering=\"crispEdges\"";
    let ground =
        format!("<rect x=\"{x}\" y=\"{y}\" width=\"{SIZE}\" height=\"{height}\" fill=\"{fill}\" {crisp}/>\n");
    let (path, stroke, width) = match lake {
        true => {
            let wave = |dy: i32| format!("M{} {} q19 -13 38 0 t38 0", x + 12, y + dy);
            ([42, 62, 82].map(wave).join(" "), theme.wave, 5)
        }
        false => {
            let strata = format!(
                "M{x} {} l28 7 l30 -8 l42 6 M{x} {} l40 -6 l22 9 l38 -7 M{x} {} l22 6 l46 -9 l32 5",
                y + 38,
                y + 62,
                y + 84
            );
            (strata, theme.rock_line, 4)
        }
    };
    format!("{ground}<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine as engine;

    fn count(svg: &str, what: &str) -> usize {
        svg.matches(what).count()
    }

    #[test]
    fn every_square_and_every_piece_is_drawn_once() {
        for name in engine::NAMES {
            let session = engine::open(name).unwrap();
            let svg = Diagram { bare: true, ..Diagram::default() }.draw(&*session, 50);
            let (squares, pieces) = (session.squares(), |place: &&FileRank| session.piece(**place).is_some());
            let drawn = count(&svg, LIGHT.light) + count(&svg, LIGHT.dark);
            assert_eq!(drawn, squares.len(), "{name}");
            assert_eq!(count(&svg, "<g transform"), squares.iter().filter(pieces).count(), "{name}");
            // Each drawing that is used is there, and no other.
            let symbols = count(&svg, "<symbol");
            let used: BTreeSet<&str> =
                svg.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
            assert_eq!(symbols, used.len(), "{name}");
            assert!(used.iter().all(|name| svg.contains(&format!("<symbol id=\"{name}\""))), "{name}");
        }
    }

    #[test]
    fn holes_are_rock_or_water() {
        let draw = |name| Diagram::default().draw(&*engine::open(name).unwrap(), 50);
        assert!(count(&draw("canyon"), LIGHT.rock) > 0 && count(&draw("chess"), LIGHT.rock) == 0);
    }

    #[test]
    fn marks_arrows_and_names_are_drawn_where_they_belong() {
        let session = engine::open("chess").unwrap();
        let diagram = Diagram {
            marks: vec![(4, 3)],
            arrows: vec![((4, 1), (4, 3)), ((0, 0), (0, 0))],
            dark: true,
            ..Diagram::default()
        };
        let svg = diagram.draw(&*session, 45);
        assert!(
            svg.contains("<rect x=\"400\" y=\"400\" width=\"100\" height=\"100\" fill=\"#15803d\""),
            "{svg}"
        );
        // From e2 to e4, and a ring on a1.
        assert!(svg.contains("<path d=\"M459.0 624.0 L459.0 502.0 "), "{svg}");
        assert!(svg.contains("<circle cx=\"50\" cy=\"750\""), "{svg}");
        assert!(svg.contains(">h</text>") && svg.contains(">8</text>") && svg.contains(DARK.page));
        let flipped = Diagram { flipped: true, ..diagram }.draw(&*session, 45);
        assert!(flipped.contains("<circle cx=\"750\" cy=\"50\""), "{flipped}");
    }

    #[test]
    fn pieces_with_facings_are_turned() {
        let mut session = engine::open("superchess").unwrap();
        let fen = "4k5/2c7/10/10/10/10/10/2C3C3/10/4K5 w - - 0 1 ne,ne,w";
        session.set_position(Some(fen), &[]).unwrap();
        let svg = Diagram::default().draw(&*session, 45);
        // White's face north-east and west; Black's north-east is White's south-west.
        let mut turns: Vec<&str> =
            svg.split("rotate(").skip(1).map(|rest| rest.split(' ').next().unwrap()).collect();
        turns.sort_unstable();
        assert_eq!(turns, ["225", "270", "45"]);
        let flipped = Diagram { flipped: true, ..Diagram::default() }.draw(&*session, 45);
        assert!(flipped.contains("rotate(90 50 50)"), "{flipped}");
    }
}
