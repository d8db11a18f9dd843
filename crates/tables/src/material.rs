//! Which pieces stand on a board, as text: `KQvK`.

use quintain_core::board::{Color, Kind};
use quintain_core::notation::Notation;
use quintain_core::rules::setup::quoted;
use std::fmt::{self, Display, Formatter};

/// Which pieces each side has: letters of the FEN in capitals, the royal piece first.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Material {
    sides: [Vec<u8>; 2],
}

impl Display for Material {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [white, black] = [Color::White, Color::Black].map(|color| self.letters(color));
        write!(f, "{white}v{black}")
    }
}

impl Material {
    /// The pieces of a side as letters.
    pub fn letters(&self, color: Color) -> String {
        self.sides[color.index()].iter().map(|&letter| letter.to_ascii_uppercase() as char).collect()
    }

    /// The number of pieces.
    pub fn count(&self) -> usize {
        self.sides[0].len() + self.sides[1].len()
    }

    /// Has this side only its royal piece?
    pub fn is_bare_king(&self, color: Color) -> bool {
        self.sides[color.index()].len() == 1
    }

    /// With the colours exchanged.
    pub fn flipped(&self) -> Material {
        Material { sides: [self.sides[1].clone(), self.sides[0].clone()] }
    }
}

/// The place of a letter among those of the game: its first kind. Pieces of one letter are alike, wherever they face.
pub(super) fn class_of_letter<V: Notation>(letter: u8) -> Option<Kind> {
    let letter = letter.to_ascii_lowercase();
    V::PIECES.iter().position(|def| def.letter == letter).map(Kind::new)
}

/// The first kind with the letter of `kind`.
pub(super) fn class<V: Notation>(kind: Kind) -> Kind {
    class_of_letter::<V>(V::PIECES[kind.index()].letter).expect("a letter of the game")
}

/// The kinds with the letter of `class`.
pub(super) fn kinds<V: Notation>(class: Kind) -> impl Iterator<Item = Kind> {
    let letter = V::PIECES[class.index()].letter;
    (0..V::PIECES.len()).filter(move |&kind| V::PIECES[kind].letter == letter).map(Kind::new)
}

impl Material {
    /// The material of pieces given by colour and class, royal pieces included.
    pub(super) fn of<V: Notation>(pieces: impl IntoIterator<Item = (Color, Kind)>) -> Material {
        let mut sides = [Vec::new(), Vec::new()];
        for (color, class) in pieces {
            sides[color.index()].push(class);
        }
        let sides = sides.map(|mut classes| {
            classes.sort_unstable_by_key(|&class| (class != V::ROYAL, std::cmp::Reverse(class)));
            classes.into_iter().map(|class| V::PIECES[class.index()].letter).collect()
        });
        Material { sides }
    }

    /// The pieces by colour and class, royal pieces included, White's first.
    pub(super) fn pieces<V: Notation>(&self) -> Vec<(Color, Kind)> {
        let of = |color: Color| {
            let classes = self.sides[color.index()].iter();
            classes.map(move |&letter| (color, class_of_letter::<V>(letter).expect("a letter of the game")))
        };
        of(Color::White).chain(of(Color::Black)).collect()
    }

    /// Reads `KQvK`. The letters after the royal one may come in any order.
    pub(super) fn parse<V: Notation>(text: &str) -> Result<Material, String> {
        let wrong = |what: String| Err(format!("{} {what}", quoted(text)));
        let royal = V::PIECES[V::ROYAL.index()].letter.to_ascii_uppercase() as char;
        let Some((white, black)) = text.split_once('v') else {
            return wrong(format!("has no 'v' between the sides, as in {royal}v{royal}"));
        };
        let mut pieces = Vec::new();
        for (color, letters) in [(Color::White, white), (Color::Black, black)] {
            for letter in letters.chars() {
                let class = u8::try_from(letter).ok().filter(u8::is_ascii_uppercase);
                match class.and_then(class_of_letter::<V>) {
                    Some(class) => pieces.push((color, class)),
                    None => {
                        let letter = quoted(&letter.to_string());
                        return wrong(format!(
                            "has {letter}, which is no capital letter of a piece of {}",
                            V::NAME
                        ));
                    }
                }
            }
            if pieces.iter().filter(|&&piece| piece == (color, V::ROYAL)).count() != 1 {
                return wrong(format!("does not have one {royal} on each side"));
            }
        }
        Ok(Material::of::<V>(pieces))
    }

    /// Is it the form in which tables are stored: the side with more pieces is White, or with equal numbers the one with
    /// the later kinds?
    pub(super) fn is_stored<V: Notation>(&self) -> bool {
        let rank = |color: Color| {
            let classes: Vec<Kind> = self
                .pieces::<V>()
                .into_iter()
                .filter(|piece| piece.0 == color && piece.1 != V::ROYAL)
                .map(|piece| piece.1)
                .collect();
            (classes.len(), classes)
        };
        rank(Color::White) >= rank(Color::Black)
    }

    /// The form in which tables are stored, and whether the colours are exchanged in it.
    pub(super) fn stored<V: Notation>(&self) -> (Material, bool) {
        if self.is_stored::<V>() { (self.clone(), false) } else { (self.flipped(), true) }
    }

    /// All stored materials with so many pieces.
    pub(super) fn all<V: Notation>(count: usize) -> Vec<Material> {
        let classes: Vec<Kind> = (0..V::PIECES.len())
            .rev()
            .map(Kind::new)
            .filter(|&kind| class::<V>(kind) == kind && kind != V::ROYAL)
            .collect();
        let mut found = Vec::new();
        for white in 0..=count.saturating_sub(2) {
            let mut choices = vec![Vec::new()];
            for place in 0..count.saturating_sub(2) {
                let color = if place < white { Color::White } else { Color::Black };
                choices = choices
                    .into_iter()
                    .flat_map(|chosen: Vec<(Color, Kind)>| {
                        classes.iter().map(move |&class| [chosen.clone(), vec![(color, class)]].concat())
                    })
                    .collect();
            }
            for pieces in choices {
                let kings = Color::BOTH.map(|color| (color, V::ROYAL));
                let material = Material::of::<V>(pieces.into_iter().chain(kings));
                if material.is_stored::<V>() && !found.contains(&material) {
                    found.push(material);
                }
            }
        }
        found
    }

    /// With one piece less, in all ways; each once.
    pub(super) fn smaller<V: Notation>(&self) -> Vec<Material> {
        let pieces = self.pieces::<V>();
        let mut found = Vec::new();
        for gone in 0..pieces.len() {
            if pieces[gone].1 != V::ROYAL {
                let mut rest = pieces.clone();
                rest.remove(gone);
                let material = Material::of::<V>(rest);
                if !found.contains(&material) {
                    found.push(material);
                }
            }
        }
        found
    }
}
