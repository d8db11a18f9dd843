//! Pictures that are asked for in words, as `quintain diagram` is on the command line and in the handbook.

use super::Diagram;
use anyhow::{Context, Result, anyhow, bail};
use quintain_core::rules::setup::escaped;
use quintain_engine::{self as engine, FileRank, MoveInfo, Session};

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The name of the game.
    pub game: String,
    /// The position; the start position if left out.
    pub fen: Option<String>,
    /// Moves from there, as people or engines write them.
    pub moves: Option<String>,
    /// Arrows, as the squares where they begin and end: `e2e4,g1f3`.
    pub arrows: Option<String>,
    /// Squares to mark: `e4,d5`.
    pub marks: Option<String>,
    /// From Black's side.
    pub flipped: bool,
    /// For a dark page.
    pub dark: bool,
    /// Without the names of files and ranks.
    pub bare: bool,
    /// The width of a square in pixels.
    pub size: u32,
}

/// The position of a picture, and what is drawn on it.
pub struct Shown {
    /// The position, and the moves that led to it.
    pub session: Box<dyn Session>,
    /// The last of them.
    pub last: Option<MoveInfo>,
    /// How it is drawn.
    pub diagram: Diagram,
}

impl Picture {
    /// The width of a square where none is given.
    pub const SIZE: u32 = 45;

    /// Reads the words of a command: the game and options. What `--output` names is returned beside the picture.
    pub fn parse(words: &[String]) -> Result<(Picture, String)> {
        let mut words = words.iter();
        let game = words.next().context("a game is missing")?.clone();
        let mut picture = Picture {
            game,
            fen: None,
            moves: None,
            arrows: None,
            marks: None,
            flipped: false,
            dark: false,
            bare: false,
            size: Picture::SIZE,
        };
        let mut output = None;
        while let Some(option) = words.next() {
            let mut value = || words.next().cloned().with_context(|| format!("{option}: a value is missing"));
            match option.as_str() {
                "--fen" => picture.fen = Some(value()?),
                "--moves" => picture.moves = Some(value()?),
                "--arrows" => picture.arrows = Some(value()?),
                "--marks" => picture.marks = Some(value()?),
                "--size" => picture.size = value()?.parse().context("--size")?,
                "--output" => output = Some(value()?),
                "--flip" => picture.flipped = true,
                "--dark" => picture.dark = true,
                "--bare" => picture.bare = true,
                _ => bail!("'{}' is not an option", escaped(option)),
            }
        }
        Ok((picture, output.context("--output is missing")?))
    }

    /// Sets the position up, and reads what is drawn on it.
    pub fn set_up(&self) -> Result<Shown> {
        let mut session = engine::open(&self.game)?;
        session.set_position(self.fen.as_deref(), &[]).context("--fen")?;
        let mut last = None;
        for text in
            self.moves.iter().flat_map(|moves| moves.split_whitespace()).filter(|word| !is_number(word))
        {
            last = Some(session.play_any(text).context("--moves")?);
        }
        let squares = |text: &Option<String>, option: &str| -> Result<Vec<Vec<FileRank>>> {
            let words = text.iter().flat_map(|text| text.split([',', ' '])).filter(|word| !word.is_empty());
            words.map(|word| squares(&*session, word).with_context(|| option.to_owned())).collect()
        };
        let mut arrows = Vec::new();
        for arrow in squares(&self.arrows, "--arrows")? {
            let [from, to] = arrow[..] else { bail!("--arrows: an arrow has two squares, like e2e4") };
            arrows.push((from, to));
        }
        let marks = squares(&self.marks, "--marks")?.concat();
        let mut coloured = last.iter().flat_map(|info| [info.from, info.to]).collect::<Vec<_>>();
        // A piece may turn on its square.
        coloured.dedup();
        let &Picture { flipped, dark, bare, .. } = self;
        let diagram = Diagram { flipped, dark, bare, marks, last: coloured, arrows };
        Ok(Shown { session, last, diagram })
    }

    /// Draws it as SVG.
    pub fn svg(&self) -> Result<String> {
        let Shown { session, diagram, .. } = self.set_up()?;
        Ok(diagram.draw(&*session, self.size))
    }
}

/// Is it the number of a move: `12.`, `12...`?
pub fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches(['.', '…']);
    digits.len() < word.len() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The file and rank of a square's name, on any board.
pub fn place(name: &str) -> Option<FileRank> {
    let file = *name.as_bytes().first().filter(|byte| byte.is_ascii_lowercase())?;
    let rank: u8 = name[1..].parse().ok()?;
    Some((file - b'a', rank.checked_sub(1)?))
}

/// The squares of a word: e2, or e2e4.
fn squares(session: &dyn Session, word: &str) -> Result<Vec<FileRank>> {
    let wrong = || anyhow!("'{}' is not a square, or several, of this board", escaped(word));
    let mut places = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let digits = rest[first..].bytes().take_while(u8::is_ascii_digit).count();
        let (name, more) = rest.split_at(first + digits);
        let place = place(name).filter(|&place| session.has_square(place)).ok_or_else(wrong)?;
        places.push(place);
        rest = more;
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_core::board::square_name;

    #[test]
    fn squares_are_read_and_wrong_ones_refused() {
        assert_eq!((place("n12"), square_name((13, 11))), (Some((13, 11)), "n12".into()));
        assert_eq!(["", "a", "a0", "4", "A1", "é1"].map(place), [None; 6]);
        let session = engine::open("gast").unwrap();
        let read = |word| squares(&*session, word).map_err(|error| error.to_string());
        assert_eq!(read("e2e12"), Ok(vec![(4, 1), (4, 11)]));
        assert_eq!(read("l12"), Ok(vec![(11, 11)]));
        for word in ["e", "e13", "22", "é2", "e2x"] {
            assert!(read(word).unwrap_err().starts_with(&format!("'{word}' is not a square")), "{word}");
        }
        let canyon = engine::open("canyon").unwrap();
        assert!(squares(&*canyon, "c3").is_ok() && squares(&*canyon, "b1").is_err());
    }

    #[test]
    fn commands_are_read_and_wrong_ones_refused() {
        let read = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            Picture::parse(&words).and_then(|(picture, output)| Ok((picture.set_up()?, output)))
        };
        let (shown, output) =
            read("canyon --moves d4 --arrows d6d5 --marks a3,h3 --flip --output d4.svg").unwrap();
        assert_eq!((output.as_str(), shown.last.unwrap().san.as_str()), ("d4.svg", "d4"));
        let expected = Diagram {
            flipped: true,
            last: vec![(3, 2), (3, 3)],
            marks: vec![(0, 2), (7, 2)],
            arrows: vec![((3, 5), (3, 4))],
            ..Diagram::default()
        };
        assert_eq!(shown.diagram, expected);
        let error = |text| format!("{:#}", read(text).err().unwrap());
        assert_eq!(error("canyon"), "--output is missing");
        assert_eq!(error("canyon --moves"), "--moves: a value is missing");
        assert_eq!(error("canyon --wide"), "'--wide' is not an option");
        assert_eq!(error("ludo --output a"), engine::UnknownGame("ludo".into()).to_string());
        assert_eq!(error("canyon --arrows d6 --output a"), "--arrows: an arrow has two squares, like e2e4");
    }

    #[test]
    fn numbers_of_moves_are_no_moves() {
        assert!(["1.", "12...", "3…"].iter().all(|word| is_number(word)));
        assert!(!["1", "e4", "...", "3.5", "1-0"].iter().any(|word| is_number(word)));
    }
}
