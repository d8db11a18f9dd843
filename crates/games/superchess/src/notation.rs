//! Notation: facings in FEN, special moves, and explanations.

use super::*;
use quintain_core::notation::draw::ARROWS;
use quintain_core::notation::san::folded;
use quintain_core::notation::{FACINGS, Lessons, Notation};

/// A cyclops that faces in one direction.
const fn cyclops_def(drawing: &'static str, betza: &'static str) -> PieceDef {
    let moves = "one to three squares ahead over all pieces (taking enemies) or back (taking all), then turns to any direction";
    PieceDef::new(b'c', "cyclops", moves).betza(betza).drawn_as(drawing).value(439).worth([390, 572])
}

pub(super) const PIECES: [PieceDef; 16] = [
    PieceDef::new(b'p', "pawn", "as in chess").betza("fmWfceFifmnD").value(64).worth([60, 114]),
    PieceDef::new(
        b's',
        "super pawn",
        "as a pawn; its double step leaps, and it takes one or two squares diagonally, leaping too",
    )
    .betza("fmWfceFfcAifmD")
    .drawn_as("super-pawn")
    .value(114)
    .worth([118, 157]),
    PieceDef::new(b'n', "knight", "leaps one by two").betza("N").value(261).worth([233, 307]),
    PieceDef::new(b'b', "bishop", "slides diagonally").betza("B").value(332).worth([322, 407]),
    PieceDef::new(b'r', "rook", "slides along ranks and files").betza("R").value(495).worth([436, 669]),
    PieceDef::new(b'q', "queen", "rook and bishop").betza("Q").value(1068).worth([1050, 1225]),
    PieceDef::new(b'k', "king", "one step in any direction").betza("K"),
    PieceDef::new(
        b'a',
        "archer",
        "knight, or shoots an enemy exactly four squares away along rank or file without moving",
    )
    .betza("NcjjjabjjjW4")
    .value(381)
    .worth([358, 393]),
    cyclops_def("cyclops-n", "vWvDvH"),
    cyclops_def("cyclops-ne", "frblFfrblAfrblG"),
    cyclops_def("cyclops-e", "sWsDsH"),
    cyclops_def("cyclops-se", "flbrFflbrAflbrG"),
    cyclops_def("cyclops-s", "vWvDvH"),
    cyclops_def("cyclops-sw", "frblFfrblAfrblG"),
    cyclops_def("cyclops-w", "sWsDsH"),
    cyclops_def("cyclops-nw", "flbrFflbrAflbrG"),
];

fn facing(kind: Kind) -> &'static str {
    FACINGS[kind.index() & 7]
}

/// A cyclops' move ends with its facing; a promotion with the letter, and the facing of a new cyclops.
pub(super) fn suffix(mv: Move) -> String {
    if is_cyclops(mv.kind()) {
        facing(mv.becomes()).into()
    } else if mv.becomes() == mv.kind() {
        String::new()
    } else {
        let letter = PIECES[mv.becomes().index()].letter as char;
        format!("{letter}{}", if is_cyclops(mv.becomes()) { facing(mv.becomes()) } else { "" })
    }
}

/// The cyclopes in the order in which a FEN names their squares: from the top rank down, left to right. With
/// `flipped`, in the order of the board turned upside down.
fn in_fen_order<const SETUP: bool>(pos: &Position<Super<SETUP>>, flipped: bool) -> Vec<Square> {
    let geometry = pos.geometry();
    let mut squares: Vec<Square> = Super::cyclopes(pos).squares().collect();
    let row = |square| if flipped { geometry.rank(square) } else { 9 - geometry.rank(square) };
    squares.sort_unstable_by_key(|&square| (row(square), geometry.file(square)));
    squares
}

/// Is the facing of this colour's cyclops still to be chosen?
pub(super) fn undecided(phase: Phase, color: Color) -> bool {
    phase < if color == Color::White { Phase::BlackFaces } else { Phase::Play }
}

/// What happens in the set-up phase.
pub(super) fn remark<const SETUP: bool>(pos: &Position<Super<SETUP>>) -> Option<String> {
    let side = pos.side();
    match pos.extra().phase {
        Phase::WhitePlaces | Phase::BlackPlaces => {
            let rank = if side == Color::White { 2 } else { 9 };
            Some(format!("{side} places two super pawns on rank {rank}, and pawns fill the rest"))
        }
        Phase::WhiteFaces | Phase::BlackFaces => Some(format!("{side} chooses where the cyclops faces")),
        Phase::Play => None,
    }
}

/// What to type in the set-up phase.
pub(super) fn comes_first<const SETUP: bool>(pos: &Position<Super<SETUP>>) -> Option<String> {
    let how = match pos.extra().phase {
        Phase::WhitePlaces => "give both squares, like c2 h2".to_owned(),
        Phase::BlackPlaces => "give both squares, like c9 h9".to_owned(),
        Phase::WhiteFaces | Phase::BlackFaces => {
            format!("{} (n is toward the opponent)", FACINGS.join(" "))
        }
        Phase::Play => return None,
    };
    remark(pos).map(|what| format!("{what}: {how}"))
}

pub(super) fn facings<const SETUP: bool>(pos: &Position<Super<SETUP>>) -> String {
    facings_in_order(pos, false)
}

/// The facings on the board turned upside down with colours exchanged. The directions of the sides are rotated
/// against each other, not mirrored, so east and west are exchanged.
pub(super) fn flipped_facings<const SETUP: bool>(pos: &Position<Super<SETUP>>) -> String {
    facings_in_order(pos, true)
}

fn facings_in_order<const SETUP: bool>(pos: &Position<Super<SETUP>>, flipped: bool) -> String {
    let phase = pos.extra().phase;
    let one = |&square: &Square| {
        let piece = pos.piece(square);
        match piece.kind().index() & 7 {
            _ if undecided(phase, piece.color()) => "?",
            facing if flipped => FACINGS[(8 - facing) & 7],
            facing => FACINGS[facing],
        }
    };
    let facings: Vec<&str> = in_fen_order(pos, flipped).iter().map(one).collect();
    if facings.is_empty() { "-".into() } else { facings.join(",") }
}

pub(super) fn read_facings<const SETUP: bool>(
    pos: &mut Editor<Super<SETUP>>,
    field: Option<&str>,
) -> Result<(), String> {
    let squares = in_fen_order(pos, false);
    let given: Vec<&str> = match field {
        None | Some("-") => vec!["n"; squares.len()],
        Some(field) => field.split(',').collect(),
    };
    if given.len() != squares.len() {
        return Err(format!("{} facings for {} cyclopes", given.len(), squares.len()));
    }
    if pos.extra().phase == Phase::Play && given.contains(&"?") {
        if !SETUP {
            return Err("this game has no set-up phase, so no facing is left open with ?".into());
        }
        pos.extra_mut().phase = match pos.side() {
            Color::White => Phase::WhiteFaces,
            Color::Black => Phase::BlackFaces,
        };
    }
    let phase = pos.extra().phase;
    for (&square, &given) in squares.iter().zip(&given) {
        let piece = pos.piece(square);
        if given == "?" && undecided(phase, piece.color()) {
            continue;
        }
        let Some(facing) = FACINGS.iter().position(|&name| name == given) else {
            return Err(format!("{} is not a facing ({})", setup::quoted(given), FACINGS.join(" ")));
        };
        if undecided(phase, piece.color()) {
            return Err(format!("the cyclops on {} has no facing yet, write ?", pos.geometry().name(square)));
        }
        pos.take_hashed(square);
        pos.put_hashed(square, Piece::new(piece.color(), cyclops(facing)));
    }
    Ok(())
}

/// Is this a position that the set-up phase can reach?
pub(super) fn check_setup<const SETUP: bool>(
    pos: &Position<Super<SETUP>>,
) -> Result<(), (&'static str, String)> {
    let (t, phase) = (pos.tables(), pos.extra().phase);
    let wrong = |field, what: &str| Err((field, format!("not a position of the set-up phase: {what}")));
    if phase == Phase::Play {
        return Ok(());
    }
    let mover =
        if matches!(phase, Phase::WhitePlaces | Phase::WhiteFaces) { Color::White } else { Color::Black };
    if pos.side() != mover {
        return wrong("side to move", &format!("{mover} is to move in it"));
    }
    for (color, rank) in [(Color::White, 0), (Color::Black, 9)] {
        let first: Vec<Kind> = (0..10).map(|file| pos.piece(Board10x10::at(file, rank)).kind()).collect();
        let array = [ROOK, KNIGHT, BISHOP, cyclops(0), KING, QUEEN, ARCHER, BISHOP, KNIGHT, ROOK];
        let same = first
            .iter()
            .zip(array)
            .all(|(&kind, wanted)| kind == wanted || is_cyclops(kind) && is_cyclops(wanted));
        if !same || pos.color(color) & pos.geometry().rank_set(rank) != pos.geometry().rank_set(rank) {
            return wrong("placement", &format!("{color}'s first rank is not as at the start"));
        }
        let home = t.homes[color.index()];
        let placed = phase > if color == Color::White { Phase::WhitePlaces } else { Phase::BlackPlaces };
        let (supers, pawns) = (pos.pieces(color, SUPER_PAWN), pos.pieces(color, PAWN));
        let complete = supers | pawns == home && supers.count() == 2;
        let empty = (supers | pawns).is_empty();
        if if placed { !complete } else { !empty } {
            let needed = if placed { "two super pawns and eight pawns" } else { "no pieces" };
            return wrong("placement", &format!("{needed} should stand on {color}'s second rank"));
        }
        if pos.color(color).minus(home | pos.geometry().rank_set(rank)).any() {
            return wrong("placement", &format!("{color} has pieces beyond its second rank"));
        }
    }
    if pos.extra().castling() != 15 {
        return wrong("castling", "all castling rights remain, write AJaj");
    }
    if pos.extra().en_passant().is_some() {
        return wrong("en passant", "no pawn has moved, write -");
    }
    if pos.halfmove() != 0 {
        return wrong("halfmove clock", "no move is counted, write 0");
    }
    Ok(())
}

/// Moves as the Super Chess text writes them: `Cd1d3(NE)`, `Cf7c7(N)xc7,e7`; a shot is `Ae6*e10`.
pub(super) fn san<const SETUP: bool>(pos: &Position<Super<SETUP>>, mv: Move) -> Option<String> {
    let name = |square| pos.geometry().name(square);
    let (from, to) = (name(mv.from()), name(mv.to()));
    let faces = format!("({})", facing(mv.becomes()).to_uppercase());
    match mv.tag() {
        Tag::Castle => Some(if pos.geometry().file(mv.to()) < 4 { "O-O".into() } else { "O-O-O".into() }),
        Tag::Shot => Some(format!("A{from}*{to}")),
        Tag::Place => Some(format!("S@{from},S@{to}")),
        Tag::Turn => Some(format!("C{from}{faces}")),
        Tag::Charge | Tag::Retreat => {
            // The target first, as in the text's own example.
            let mut taken: Vec<Square> = Super::<SETUP>::taken(pos, mv).squares().collect();
            taken.sort_unstable_by_key(|&square| {
                (square != mv.to(), pos.geometry().between(square, mv.to()).count())
            });
            let taken: Vec<String> = taken.into_iter().map(name).collect();
            let captures = if taken.is_empty() { String::new() } else { format!("x{}", taken.join(",")) };
            Some(format!("C{from}{to}{faces}{captures}"))
        }
        _ => None,
    }
}

pub(super) fn explain<const SETUP: bool>(
    pos: &Position<Super<SETUP>>,
    from: Square,
    to: Square,
) -> Option<String> {
    let name = |square| pos.geometry().name(square);
    if pos.extra().phase != Phase::Play {
        let places = pos.extra().phase < Phase::WhiteFaces;
        return Some(if places {
            "the set-up phase comes first: place both super pawns, files ascending, like S@c2,S@h2".into()
        } else {
            "the set-up phase comes first: choose the facing of the cyclops, like d1d1ne".into()
        });
    }
    let (t, piece, target) = (pos.tables(), pos.piece(from), pos.piece(to));
    if is_cyclops(piece.kind()) {
        let kings = pos.pieces(piece.color(), KING);
        let ahead = t.ahead[direction(piece.color(), piece.kind())][from];
        let back = t.ahead[direction(piece.color(), piece.kind()) ^ 4][from];
        if from == to {
            return Some("a turn must change the facing, and cannot end a check".into());
        }
        if ahead.has(to) && target.is_some() && target.color() == piece.color() {
            return Some(format!("a piece of the same side is on {}, where the cyclops would end", name(to)));
        }
        if back.has(to) && (pos.geometry().between(from, to) | S::single(to)).meets(kings) {
            return Some("the cyclops cannot run over its own king".into());
        }
        if !ahead.has(to) && !back.has(to) {
            let facing = facing(piece.kind());
            return Some(format!(
                "the cyclops faces {facing} and goes one to three squares that way or back"
            ));
        }
    }
    if piece.kind() == ARCHER && t.shots[from].has(to) && !target.is_some() {
        return Some(format!("there is no piece on {} to shoot", name(to)));
    }
    None
}

impl<const SETUP: bool> Notation for Super<SETUP> {
    const LESSONS: Option<&'static Lessons> =
        Some(if SETUP { &lessons::WITH_SET_UP } else { &lessons::FIXED });

    const ARRAY: &'static str = SuperChessFixed::START;

    // With the set-up phase, the game whose pieces can be dropped.
    const TEMPLATE: &'static str = if SETUP { "bughouse" } else { "lion" };

    const HOLDINGS: u8 = if SETUP { 6 } else { 0 };

    /// A run without the captured pieces, two squares for a placement, and just a direction for the facing in the
    /// set-up phase.
    fn is_short_form(pos: &Position<Self>, mv: Move, san: &str, text: &str) -> bool {
        let wanted = folded(text);
        let squares = |text: &str| -> Vec<Square> {
            let at = |i: usize| pos.geometry().read(text.get(i..)?).map(|(square, _)| square);
            let mut squares: Vec<Square> = (0..text.len()).filter_map(at).collect();
            squares.sort_unstable_by_key(|square| square.index());
            squares
        };
        match mv.tag() {
            Tag::Charge | Tag::Retreat => folded(san).split('x').next() == Some(wanted.as_str()),
            Tag::Place => squares(&text.to_lowercase()) == squares(san),
            Tag::Turn => pos.extra().phase != Phase::Play && suffix(mv) == wanted,
            _ => false,
        }
    }

    fn comes_first(pos: &Position<Self>) -> Option<String> {
        comes_first(pos)
    }

    fn suffix(mv: Move) -> String {
        suffix(mv)
    }

    fn facing(piece: Piece) -> Option<usize> {
        is_cyclops(piece.kind()).then_some(piece.kind().index() & 7)
    }

    fn mark(pos: &Position<Self>, piece: Piece) -> char {
        if !is_cyclops(piece.kind()) {
            ' '
        } else if undecided(pos.extra().phase, piece.color()) {
            '?'
        } else {
            ARROWS[direction(piece.color(), piece.kind())]
        }
    }

    fn remark(pos: &Position<Self>) -> Option<String> {
        remark(pos)
    }

    fn read_en_passant(pos: &mut Editor<Self>, square: Square) -> Result<(), String> {
        pawns::read_en_passant(pos, square, 1, 2)
    }

    fn extra_field(pos: &Position<Self>) -> Option<String> {
        Some(facings(pos))
    }

    fn read_extra(pos: &mut Editor<Self>, field: Option<&str>) -> Result<(), String> {
        read_facings(pos, field)
    }

    fn flip_extra(pos: &Position<Self>) -> Option<String> {
        Some(flipped_facings(pos))
    }

    fn pocket_field(pos: &Position<Self>) -> String {
        match pos.extra().phase {
            Phase::WhitePlaces => "[SSss]".into(),
            Phase::BlackPlaces => "[ss]".into(),
            _ => String::new(),
        }
    }

    fn read_pocket(pos: &mut Editor<Self>, pocket: Option<&str>) -> Result<(), String> {
        pos.extra_mut().phase = match pocket {
            None => Phase::Play,
            Some(_) if !SETUP => {
                return Err("this game has no set-up phase, so there are no pieces in hand".into());
            }
            Some("SSss") => Phase::WhitePlaces,
            Some("ss") => Phase::BlackPlaces,
            Some(other) => {
                return Err(format!("[{other}] is neither [SSss] (White places) nor [ss] (Black places)"));
            }
        };
        Ok(())
    }

    fn check_placement(pos: &Position<Self>) -> Result<(), String> {
        for kind in [PAWN, SUPER_PAWN] {
            setup::check_pawns(pos, kind, true, |color, square| setup::rank_for::<Self>(color, square) == 9)?;
        }
        Ok(())
    }

    fn check_whole(pos: &Position<Self>) -> Result<(), (&'static str, String)> {
        check_setup(pos)
    }

    fn special_san(pos: &Position<Self>, mv: Move) -> Option<String> {
        san(pos, mv)
    }

    fn explain(pos: &Position<Self>, from: Square, to: Square) -> Option<String> {
        explain(pos, from, to)
    }
}
