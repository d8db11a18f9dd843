//! Positions in XBoard's form: the start that we describe to it, and the FEN that it sends.
//!
//! XBoard's FEN differs from ours: the facing of a piece is in its letter, castling is KQkq for all games, castling
//! and en passant are left out where XBoard knows of none, and captured pieces are in brackets. Of several readings,
//! the first that is a legal position is taken.

use super::board::{self, Board, Quirks};
use super::games;
use super::mirror::Mirror;
use quintain_core::board::Color;
use quintain_engine::{FileRank, Session};

/// The answer to `variant`: the description of a game that XBoard does not know.
pub fn description(session: &dyn Session) -> Vec<String> {
    let info = session.info();
    let (def, quirks) = (games::def(&info), Quirks::new(&info));
    if quirks.native() {
        return Vec::new();
    }
    let start = start(session);
    let castling = if start.castling().is_empty() { "-" } else { "KQkq" };
    let mut lines = vec![format!(
        "setup ({}{}) {}x{}+{}_{} {}",
        def.pictures,
        def.pictures.to_ascii_lowercase(),
        info.files,
        info.ranks,
        info.holdings,
        info.template,
        translated(&*start, &quirks, castling)
    )];
    lines.extend(def.moves(&info).iter().map(|(id, moves)| format!("piece {id} {moves}")));
    lines
}

/// A position during a game, as in the FEN tag of XBoard's files.
pub fn fen(session: &dyn Session) -> String {
    let quirks = Quirks::new(&session.info());
    let king = king_file(&*start(session), &quirks);
    let mut castling = String::new();
    for letter in session.castling() {
        let name = match letter.to_ascii_lowercase() > king {
            // In games without castling of its own, XBoard names the kings that have not moved.
            _ if quirks.never_castles() => king,
            true => 'k',
            false => 'q',
        };
        let name = if letter.is_ascii_uppercase() { name.to_ascii_uppercase() } else { name };
        if !castling.contains(name) {
            castling.push(name);
        }
    }
    translated(session, &quirks, if castling.is_empty() { "-" } else { &castling })
}

/// The FEN of a position in XBoard's form, with this castling field.
fn translated(session: &dyn Session, quirks: &Quirks, castling: &str) -> String {
    let placement = Board::of(session, quirks).placement();
    let in_hand = String::from_iter(session.in_hand());
    let pocket = if in_hand.is_empty() { in_hand } else { format!("[{in_hand}]") };
    let side = if session.side() == Color::White { 'w' } else { 'b' };
    let passing = session.en_passant().map_or("-".into(), |square| quirks.numbering().name(square));
    let (halfmove, fullmove) = (session.halfmove(), session.fullmove());
    format!("{placement}{pocket} {side} {castling} {passing} {halfmove} {fullmove}")
}

/// The commands that set up the pieces of `mirror` with `side` to move in an engine that has no `setboard`. They
/// cannot give rights to castle or to capture in passing.
pub fn edit(mirror: &Mirror, side: Color) -> Vec<String> {
    let pieces = |color| {
        let squares = mirror.quirks().squares().map(|square| (mirror.board().at(square), square));
        let own = squares.filter(move |&(piece, _)| board::owner(piece) == Some(color));
        own.map(|(piece, square)| {
            format!("{}{}", piece.to_ascii_uppercase(), mirror.numbering().name(square))
        })
    };
    let mut lines = vec!["edit".to_owned(), "#".to_owned()];
    lines.extend(pieces(Color::White));
    lines.push("c".to_owned());
    lines.extend(pieces(Color::Black));
    lines.push(".".to_owned());
    lines.push(side.to_string().to_ascii_lowercase());
    lines
}

/// A parsed FEN of XBoard.
pub struct Foreign<'a> {
    /// The pieces, in XBoard's letters.
    pub board: Board,
    /// The side to move, `w` or `b`.
    pub side: &'a str,
    pocket: Option<&'a str>,
    castling: Option<&'a str>,
    passing: Option<&'a str>,
    counters: Vec<&'a str>,
}

impl<'a> Foreign<'a> {
    /// Parses a FEN.
    pub fn read(fen: &'a str, quirks: &Quirks) -> Result<Foreign<'a>, String> {
        let mut fields = fen.split_whitespace();
        let placement = fields.next().ok_or("nothing given")?;
        let board = Board::read(placement, quirks).ok_or("the placement does not fit the board")?;
        let pocket = placement.split_once('[').map(|(_, pocket)| pocket.trim_end_matches(']'));
        let mut side = fields.next().ok_or("the side to move is missing")?;
        let mut pocket = pocket.filter(|&pocket| pocket != "-" && !pocket.is_empty());
        if side.starts_with('[') {
            pocket =
                Some(side.trim_matches(['[', ']'])).filter(|&pocket| pocket != "-" && !pocket.is_empty());
            side = fields.next().ok_or("the side to move is missing")?;
        }
        if !matches!(side, "w" | "b") {
            return Err(format!("side to move: '{side}' is neither w nor b"));
        }
        let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
        let rest: Vec<&str> = fields.collect();
        let words: Vec<&str> = rest.iter().copied().take_while(|field| !is_number(field)).collect();
        let counters: Vec<&str> = rest.iter().copied().filter(is_number).take(2).collect();
        let is_square = |field: &&str| field.bytes().any(|byte| byte.is_ascii_digit());
        let (castling, passing) = match *words.as_slice() {
            [] => (None, None),
            [passing] if passing == "-" || is_square(&passing) => (None, Some(passing)),
            [castling] => (Some(castling), None),
            [castling, passing, ..] => (Some(castling), Some(passing)),
        };
        Ok(Foreign { board, side, pocket, castling, passing: passing.filter(is_square), counters })
    }
}

/// Sets up a FEN that XBoard sent, or one of ours. The error says what is wrong.
pub fn set_up(session: &mut dyn Session, quirks: &Quirks, fen: &str) -> Result<(), String> {
    if is_ours(fen) && session.set_position(Some(fen), &[]).is_ok() {
        return Ok(());
    }
    let placement = fen.split_whitespace().next().ok_or("nothing given")?;
    if Board::read(placement, quirks).is_none() {
        // Our own reader gives the error; XBoard may have left out other fields.
        return session
            .set_position(Some(&format!("{placement} w - - 0 1")), &[])
            .map_err(|error| error.to_string());
    }
    let foreign = Foreign::read(fen, quirks)?;
    let info = session.info();
    let (placement, facings) = foreign.board.to_ours(quirks);
    let placements = match foreign.pocket {
        Some(pocket) => vec![format!("{placement}[{pocket}]"), placement],
        None => vec![placement],
    };
    let start = start(session);
    let king = king_file(&*start, quirks);
    let mut extras: Vec<String> = Vec::new();
    if let Some(facings) = facings {
        // During the set-up phase no facing is chosen.
        let open: Vec<&str> = facings.split(',').map(|_| "?").collect();
        if foreign.pocket.is_some() {
            extras.push(open.join(","));
        }
        extras.push(facings);
    } else {
        extras.push(String::new());
    }
    let passings: Vec<String> =
        foreign.passing.into_iter().flat_map(|square| squares(square, info.ranks)).collect();
    let counters = foreign.counters.join(" ");

    // The error of the position itself, not of guessed rights.
    let mut error = None;
    let mut attempt =
        |session: &mut dyn Session, castling: &str, passing: &str, placement: &str, extra: &str| {
            let counters = match foreign.counters.len() {
                2 => counters.clone(),
                1 => format!("{counters} 1"),
                _ => "0 1".into(),
            };
            let fen = format!("{placement} {} {castling} {passing} {counters} {extra}", foreign.side);
            let done = session.set_position(Some(fen.trim_end()), &[]);
            if let Err(wrong) = &done
                && castling == "-"
            {
                error.get_or_insert_with(|| wrong.to_string());
            }
            done.is_ok()
        };
    for placement in &placements {
        for extra in &extras {
            // As many rights as XBoard grants and the pieces allow.
            let granted = |&letter: &char| granted(foreign.castling, letter, king, quirks);
            let mut rights: String = start.castling().into_iter().filter(granted).collect();
            if rights.is_empty() || !attempt(session, &rights, "-", placement, extra) {
                if !attempt(session, "-", "-", placement, extra) {
                    continue;
                }
                for letter in std::mem::take(&mut rights).chars() {
                    let more = format!("{rights}{letter}");
                    if attempt(session, &more, "-", placement, extra) {
                        rights = more;
                    }
                }
            }
            let castling = if rights.is_empty() { "-" } else { &rights };
            let found = passings.iter().any(|passing| attempt(session, castling, passing, placement, extra));
            if found || attempt(session, castling, "-", placement, extra) {
                return Ok(());
            }
        }
    }
    Err(error.unwrap_or_else(|| "no legal position".into()))
}

/// Is this FEN in our own form, with a seventh field or castling by files? Match runners without a board send such.
fn is_ours(fen: &str) -> bool {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    fields.len() == 7 || fields.get(2).is_some_and(|castling| castling.contains(|c| !"KQkq-".contains(c)))
}

/// Does XBoard's castling field include our right `letter`, the file of a piece that castles? If the field is
/// missing, all rights are possible.
fn granted(field: Option<&str>, letter: char, king: char, quirks: &Quirks) -> bool {
    let Some(field) = field else { return true };
    if quirks.native() {
        return field.contains(letter);
    }
    // In games without castling of its own, XBoard names the files of kings that have not moved.
    let unmoved = if letter.is_ascii_uppercase() { king.to_ascii_uppercase() } else { king };
    if field.contains(unmoved) {
        return true;
    }
    let right = letter.to_ascii_lowercase() > king;
    let name = if right { 'k' } else { 'q' };
    let name = if letter.is_ascii_uppercase() { name.to_ascii_uppercase() } else { name };
    field.contains(name)
}

/// The letter of the file on which the kings stand at the start of the game.
fn king_file(start: &dyn Session, quirks: &Quirks) -> char {
    let is_king = |&square: &FileRank| start.piece(square) == Some(quirks.king().to_ascii_uppercase());
    let file = quirks.squares().find(is_king).map_or(0, |(file, _)| file);
    char::from(b'a' + file)
}

/// The game at its start.
fn start(session: &dyn Session) -> Box<dyn Session> {
    let mut start = session.copy();
    // The start position is always legal.
    let _ = start.set_position(None, &[]);
    start
}

/// The name of a square, and on a board with ten ranks also that with ranks counted from 0.
fn squares(name: &str, ranks: u8) -> Vec<String> {
    let mut names = vec![name.to_owned()];
    if ranks == 10
        && let Some(number) = name.get(1..).and_then(|number| number.parse::<u8>().ok())
        && let Some(file) = name.get(..1)
    {
        names.push(format!("{file}{}", u16::from(number) + 1));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine as engine;

    fn read(game: &str, fen: &str) -> Result<String, String> {
        let mut session = engine::open(game).unwrap();
        let info = session.info();
        let quirks = Quirks::new(&info);
        set_up(&mut *session, &quirks, fen).map(|()| session.fen())
    }

    #[test]
    fn every_start_comes_back_from_its_description() {
        for game in engine::NAMES {
            let info = engine::info(game).unwrap();
            let lines = description(&*engine::open(game).unwrap());
            let Some(setup) = lines.first() else {
                assert_eq!(*game, "chess");
                continue;
            };
            let fen = setup.splitn(4, ' ').nth(3).unwrap();
            assert_eq!(read(game, fen).as_deref(), Ok(info.start), "{setup}");
            let fen = super::fen(&*engine::open(game).unwrap());
            assert_eq!(read(game, &fen).as_deref(), Ok(info.start), "{fen}");
            // XBoard cuts descriptions at 79 characters, and letters must have a picture.
            for line in &lines[1..] {
                let mut words = line.split(' ').skip(1);
                let (id, moves) = (words.next().unwrap(), words.next().unwrap());
                assert!(
                    moves.len() < 80 && games::def(&info).pictures.contains(id[..1].to_uppercase().as_str()),
                    "{line}"
                );
            }
        }
    }

    #[test]
    fn what_xboard_leaves_out_or_adds_is_understood() {
        let start = |game| engine::info(game).unwrap().start;
        // Castling and en passant left out; captured pieces in brackets.
        let canyon = start("canyon").replace(" - - 0 1", " 0 1");
        assert_eq!(read("canyon", &canyon).as_deref(), Ok(start("canyon")));
        let cavalier = start("grandcavalier").replace(" w - -", "[VVp] w -");
        assert_eq!(read("grandcavalier", &cavalier).as_deref(), Ok(start("grandcavalier")));
        let apart = start("grand").replace(" w - -", " [-] w -");
        assert_eq!(read("grand", &apart).as_deref(), Ok(start("grand")));
        // Facings as letters, castling by side, en passant as we write it, as with ranks from 0, and nonsense.
        let fen = "r3k4r/10/10/4pP4/10/5c4/10/2D7/10/R3K4R w Kq";
        let ours = "r3k4r/10/10/4pP4/10/5c4/10/2C7/10/R3K4R w Ja";
        for (written, read_as) in [("e8", "e8"), ("e7", "e8"), ("a3", "-"), ("-", "-")] {
            let wanted = format!("{ours} {read_as} 3 9 s,ne");
            assert_eq!(read("superchess", &format!("{fen} {written} 3 9")).as_deref(), Ok(wanted.as_str()));
        }
        let fen = "6k5/12/12/12/12/12/12/12/12/12/12/R2A2K1A2R w KQ - 0 1";
        assert_eq!(read("gast", fen).as_deref(), Ok(&*fen.replace("KQ", "ADIL")));
        assert_eq!(read("gast", &fen.replace("KQ", "K")).as_deref(), Ok(&*fen.replace("KQ", "IL")));
        assert_eq!(read("gast", &fen.replace("KQ", "-")).as_deref(), Ok(&*fen.replace("KQ", "-")));
        assert_eq!(read("gast", &fen.replace("KQ", "G")).as_deref(), Ok(&*fen.replace("KQ", "ADIL")));
        let chess = "r3k2r/8/8/8/8/8/8/4K2R b Kkq - 5 20";
        assert_eq!(read("chess", chess).as_deref(), Ok(chess));
    }

    #[test]
    fn positions_in_our_own_form_are_read_in_full() {
        for (game, fen) in [
            ("superchess", "r3k4r/10/10/10/10/5c4/10/2C7/10/R3K4R w Ja - 3 9 ne,sw"),
            ("gast", "6k5/12/12/12/12/12/12/12/12/12/12/R2A2K1A2R w DIL - 0 1"),
        ] {
            assert_eq!(read(game, fen).as_deref(), Ok(fen));
        }
    }

    #[test]
    fn impossible_positions_are_refused_with_a_reason() {
        let refused = |game, fen| read(game, fen).unwrap_err();
        assert!(refused("chess", "8/8/8/8/8/8/8/4K3 w - - 0 1").contains("has no king"));
        assert_eq!(refused("chess", "8/8"), "placement: 2 ranks instead of 8");
        let wide = "4k3/9/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(refused("chess", wide), "placement: rank 7 has more than 8 squares");
        assert!(refused("chess", "").contains("nothing"));
        assert!(refused("chess", "4k3/8/8/8/8/8/8/4K3").contains("side"));
        assert!(refused("chess", "4k3/8/8/8/8/8/8/4K3 x").contains("side"));
        assert!(
            refused("canyon", "1******1/2*k1*2/8/*6*/*6*/8/2*2*2/1******1 w 0 1").contains("has no king")
        );
    }
}
