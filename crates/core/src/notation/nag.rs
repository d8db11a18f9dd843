//! Annotations of moves and positions: the signs of chess books, and the numbers that PGN has for them (Numeric
//! Annotation Glyphs), such as `$2` for `?`.
//!
//! ```
//! use quintain::notation::nag;
//!
//! assert_eq!((nag::sign(2), nag::number("+/-")), (Some("?"), Some(16)));
//! assert_eq!(nag::split("Nxd5+!?±"), ("Nxd5+".into(), vec![5, 16]));
//! ```

/// Signs and their numbers. Of several signs with one number the first is written.
const SIGNS: [(&str, u8); 69] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("‼", 3),
    ("??", 4),
    ("⁇", 4),
    ("!?", 5),
    ("⁉", 5),
    ("?!", 6),
    ("⁈", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("~", 13),
    ("⩲", 14),
    ("+=", 14),
    ("+/=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
    ("+--", 20),
    ("--+", 21),
    ("⨀", 22),
    ("⊙", 22),
    ("○", 26),
    ("⟳", 32),
    ("↻", 32),
    ("↑", 36),
    ("→", 40),
    ("⯹", 44),
    ("=∞", 44),
    ("=/∞", 44),
    ("∞=", 44),
    ("⇆", 132),
    ("⇄", 132),
    ("⊕", 138),
    ("∆", 140),
    ("△", 140),
    ("Δ", 140),
    ("∇", 141),
    ("⌓", 142),
    ("<=", 143),
    ("==", 144),
    ("RR", 145),
    ("N", 146),
    ("TN", 146),
    ("D", 220),
    ("⇔", 239),
    ("⇗", 240),
    ("⟫", 242),
    ("»", 242),
    ("⟪", 243),
    ("«", 243),
    ("✕", 244),
    ("⊥", 245),
    ("⟺", 246),
    ("⇑", 247),
    ("⊞", 248),
    ("⌊", 249),
    ("⌋", 250),
    ("⯺", 251),
    ("⊟", 252),
    ("⟷", 253),
];

/// The sign of a number, if there is one.
pub fn sign(nag: u8) -> Option<&'static str> {
    SIGNS.iter().find(|(_, number)| *number == nag).map(|(sign, _)| *sign)
}

/// The number of a sign. All dashes must be `-`.
pub fn number(sign: &str) -> Option<u8> {
    SIGNS.iter().find(|(known, _)| *known == sign).map(|(_, number)| *number)
}

/// Does it say how good the move is?
pub fn is_grade(nag: u8) -> bool {
    (1..=6).contains(&nag)
}

/// Replaces what is said about how good the move is by a sign. What is no sign leaves it.
pub fn set_grade(nags: &mut Vec<u8>, sign: &str) {
    if let Some(number) = number(sign) {
        nags.retain(|&nag| !is_grade(nag));
        nags.insert(0, number);
    }
}

/// A word of movetext as a move and the annotations at its end. Either may be empty: a word of signs alone has no move,
/// and where some of these are unknown, no annotation either.
pub fn split(word: &str) -> (String, Vec<u8>) {
    if let Some(number) = number(word) {
        return (String::new(), vec![number]);
    }
    let is_sign = |c: char| !c.is_alphanumeric() && c != ')';
    let (san, mut signs) = word.split_at(word.trim_end_matches(is_sign).len());
    let (mut san, mut nags) = (san.to_owned(), Vec::new());
    while let Some(c) = signs.chars().next() {
        // The longest sign: `!!` is not twice `!`.
        let known =
            SIGNS.iter().filter(|(sign, _)| signs.starts_with(sign)).max_by_key(|(sign, _)| sign.len());
        let length = match known {
            Some((sign, number)) => {
                nags.push(*number);
                sign.len()
            }
            None if san.is_empty() => return (String::new(), Vec::new()),
            None => {
                // The marks of check and mate belong to the move.
                san.extend(Some(c).filter(|c| "+#".contains(*c)));
                c.len_utf8()
            }
        };
        signs = &signs[length..];
    }
    (san, nags)
}
