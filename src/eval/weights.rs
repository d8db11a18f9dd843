//! The numbers of an evaluation, as people read them and as a tuner walks over them.

use super::Score;
use crate::board::Kind;
use std::fmt::Write;

/// A weight in the middlegame and in the endgame, in centipawns.
pub type Pair = (i16, i16);

/// Entries of a mobility table; see [`mobility_step`].
pub const MOBILITY: usize = 16;
/// The names of the weights of a kind that are no tables, in the order of [`Layout`].
const SINGLES: [&str; Layout::RANKS] =
    ["value", "second", "open", "half_open", "outpost", "hit_by_pawn", "hit_by_lesser", "loose", "pressed"];
/// Entries of the table of attacks on a king.
pub const DANGER: usize = 20;

/// The entry for a piece that attacks `count` squares: each of the first eight has its own, then three share one.
#[inline]
pub const fn mobility_step(count: u32) -> usize {
    let step = if count < 8 { count } else { 8 + (count - 8) / 3 };
    if step < MOBILITY as u32 { step as usize } else { MOBILITY - 1 }
}

/// The weights of one kind of piece.
#[derive(Clone, Copy, Debug)]
pub struct KindWeights {
    /// What it is worth.
    pub value: Pair,
    /// Added if its side has another one.
    pub second: Pair,
    /// Added on a file without pawns.
    pub open: Pair,
    /// Added on a file with pawns of the enemy only.
    pub half_open: Pair,
    /// Added where a pawn protects it and no enemy pawn can ever attack it.
    pub outpost: Pair,
    /// Added if an enemy pawn attacks it.
    pub hit_by_pawn: Pair,
    /// Added if an enemy officer of lesser value attacks it.
    pub hit_by_lesser: Pair,
    /// Added if it is attacked and not protected.
    pub loose: Pair,
    /// Added if it is attacked and protected by no pawn, nor by more pieces than one unless the enemy too has more than one
    /// in reach.
    pub pressed: Pair,
    /// Added by rank, from its own side's first to the last.
    pub ranks: &'static [Pair],
    /// Added by file, from the edge to the middle; both wings count alike.
    pub files: &'static [Pair],
    /// Added by the number of squares that it attacks and neither a friend occupies nor an enemy pawn attacks.
    pub mobility: &'static [Pair],
    /// What it adds to the weight of an attack on the enemy king, in units of danger for each piece that takes part.
    pub siege: i16,
}

/// Weights that belong to no kind of piece.
#[derive(Clone, Copy, Debug)]
pub struct General {
    /// For having the move.
    pub tempo: Pair,
    /// A pawn with no enemy pawn before it on its file and the next ones, by how far it has come.
    pub passed: [Pair; 7],
    /// The same if moreover nobody stands in front of it.
    pub free: [Pair; 7],
    /// The same if moreover no enemy attacks the square in front of it.
    pub safe: [Pair; 7],
    /// The same if nobody stands on its way to promotion and no enemy attacks it.
    pub clear: [Pair; 7],
    /// A pawn with a friend of its kind in front of it.
    pub doubled: Pair,
    /// A pawn without pawns of its side on the next files.
    pub isolated: Pair,
    /// A pawn that another pawn protects.
    pub supported: Pair,
    /// A pawn with a friend of its kind right beside it.
    pub phalanx: Pair,
    /// A pawn that no other can protect and that would be taken by a pawn if it went on.
    pub backward: Pair,
    /// A passed pawn that another pawn protects.
    pub passed_supported: Pair,
    /// For each step, up to five, between the own king and the square before a passed pawn, by how far it has come.
    pub escort: Pair,
    /// The same for the enemy king.
    pub chase: Pair,
    /// An enemy officer that a pawn could attack by a safe step.
    pub push_threat: Pair,
    /// A square that both sides attack, and the enemy neither with a pawn nor more often.
    pub contested: Pair,
    /// A square that is attacked, and not by the enemy.
    pub territory: Pair,
    /// By the number of friends next to the king.
    pub shelter: [Pair; 6],
    /// For the king's file and each next one but the middle ones: by the ranks from the king to its side's nearest pawn
    /// ahead; the last if there is none or farther away. If the king may still castle, where this is best.
    pub shield: [Pair; 4],
    /// The same for the nearest enemy pawn.
    pub storm: [Pair; 5],
    /// A square at most two steps from the enemy king that is attacked, and not by its pawns.
    pub ring: Pair,
    /// Such a square that is attacked twice.
    pub ring_twice: Pair,
    /// By the danger to the enemy king, sixteen units a step.
    pub danger: [Pair; DANGER],
}

/// The weights of a game.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// By kind; kinds without an entry use the last.
    pub kinds: &'static [KindWeights],
    /// What is not about one kind.
    pub general: General,
    /// Officers that cannot force mate alone with their king against a lone king.
    pub helpless: &'static [Kind],
    /// By kind the value in exchanges.
    values: [Score; Kind::COUNT],
}

impl Weights {
    /// The weights of these kinds; kinds without an entry use the last.
    pub const fn new(kinds: &'static [KindWeights], general: General, helpless: &'static [Kind]) -> Self {
        let mut weights = Weights { kinds, general, helpless, values: [0; Kind::COUNT] };
        let mut i = 0;
        while i < Kind::COUNT {
            let (middle, end) = weights.kind(Kind::new(i)).value;
            weights.values[i] = (middle as Score + end as Score) / 2;
            i += 1;
        }
        weights
    }

    /// The place of a kind in [`Weights::kinds`].
    #[inline]
    pub const fn entry(&self, kind: Kind) -> usize {
        let last = self.kinds.len() - 1;
        if kind.index() < last { kind.index() } else { last }
    }

    /// The weights of a kind.
    #[inline]
    pub const fn kind(&self, kind: Kind) -> &KindWeights {
        &self.kinds[self.entry(kind)]
    }

    /// The value of a kind in exchanges, midway between middlegame and endgame; the royal piece counts nothing.
    #[inline]
    pub const fn value(&self, kind: Kind) -> Score {
        self.values[kind.index()]
    }

    /// All weights that can be tuned in one row, in the order of [`Layout`].
    pub fn flat(&self) -> Vec<Pair> {
        let mut row = Vec::new();
        for kind in self.kinds {
            row.extend([kind.value, kind.second, kind.open, kind.half_open, kind.outpost]);
            row.extend([kind.hit_by_pawn, kind.hit_by_lesser, kind.loose, kind.pressed]);
            row.extend(kind.ranks);
            row.extend(kind.files);
            row.extend(kind.mobility);
        }
        let g = &self.general;
        row.push(g.tempo);
        row.extend(g.passed);
        row.extend(g.free);
        row.extend(g.safe);
        row.extend(g.clear);
        row.extend([g.doubled, g.isolated, g.supported, g.phalanx, g.backward, g.passed_supported]);
        row.extend([g.escort, g.chase, g.push_threat, g.contested, g.territory]);
        row.extend(g.shelter);
        row.extend(g.shield);
        row.extend(g.storm);
        row.extend([g.ring, g.ring_twice]);
        row.extend(g.danger);
        row
    }

    /// Where each weight stands in the row.
    pub fn layout(&self) -> Layout {
        let (ranks, files) = (self.kinds[0].ranks.len(), self.kinds[0].files.len());
        let stride = Layout::RANKS + ranks + files + MOBILITY;
        Layout { ranks, files, stride, general: stride * self.kinds.len() }
    }

    /// Rust text of the constants with the weights of `row` in place of these. `names` are those of the kinds.
    pub fn to_source(&self, row: &[Pair], names: &[&str]) -> String {
        let layout = self.layout();
        let list = |from: usize, count: usize| {
            let pairs: Vec<String> = row[from..from + count].iter().map(|pair| format!("{pair:?}")).collect();
            pairs.join(", ")
        };
        let mut out = String::new();
        for (i, (kind, name)) in self.kinds.iter().zip(names).enumerate() {
            let at = |part| layout.stride * i + part;
            let _ = writeln!(out, "    // {name}");
            let _ = writeln!(out, "    KindWeights {{");
            for (part, name) in SINGLES.into_iter().enumerate() {
                let _ = writeln!(out, "        {name}: {:?},", row[at(part)]);
            }
            let _ = writeln!(out, "        ranks: &[{}],", list(at(Layout::RANKS), layout.ranks));
            let _ = writeln!(out, "        files: &[{}],", list(at(layout.files_at()), layout.files));
            let mobility = list(at(layout.mobility_at()), MOBILITY);
            let _ = writeln!(out, "        mobility: &[{mobility}],");
            let _ = writeln!(out, "        siege: {},\n    }},", kind.siege);
        }
        let g = layout.general;
        let fields: [(&str, usize, usize); 22] = [
            ("tempo", Layout::TEMPO, 1),
            ("passed", Layout::PASSED, 7),
            ("free", Layout::FREE, 7),
            ("safe", Layout::SAFE, 7),
            ("clear", Layout::CLEAR, 7),
            ("doubled", Layout::DOUBLED, 1),
            ("isolated", Layout::ISOLATED, 1),
            ("supported", Layout::SUPPORTED, 1),
            ("phalanx", Layout::PHALANX, 1),
            ("backward", Layout::BACKWARD, 1),
            ("passed_supported", Layout::PASSED_SUPPORTED, 1),
            ("escort", Layout::ESCORT, 1),
            ("chase", Layout::CHASE, 1),
            ("push_threat", Layout::PUSH_THREAT, 1),
            ("contested", Layout::CONTESTED, 1),
            ("territory", Layout::TERRITORY, 1),
            ("shelter", Layout::SHELTER, 6),
            ("shield", Layout::SHIELD, 4),
            ("storm", Layout::STORM, 5),
            ("ring", Layout::RING, 1),
            ("ring_twice", Layout::RING_TWICE, 1),
            ("danger", Layout::DANGER, DANGER),
        ];
        let mut general = String::new();
        for (name, at, count) in fields {
            let text = list(g + at, count);
            let _ = match count {
                1 => writeln!(general, "    {name}: {text},"),
                _ => writeln!(general, "    {name}: [{text}],"),
            };
        }
        format!(
            "/// By kind.\npub const KINDS: &[KindWeights] = &[\n{out}];\n\n/// The rest.\npub const GENERAL: General = General {{\n{general}}};\n"
        )
    }
}

/// The order of the weights in a row: kind by kind the single ones, then ranks, files and mobility; then the general
/// ones.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Entries by rank.
    pub ranks: usize,
    /// Entries by file.
    pub files: usize,
    /// Entries of a kind.
    pub stride: usize,
    /// Where the general weights begin.
    pub general: usize,
}

impl Layout {
    /// Where the weights of a kind by file begin.
    pub const fn files_at(&self) -> usize {
        Self::RANKS + self.ranks
    }

    /// Where the weights of a kind by mobility begin.
    pub const fn mobility_at(&self) -> usize {
        self.files_at() + self.files
    }
}

#[allow(missing_docs)]
impl Layout {
    // Of a kind.
    pub const SECOND: usize = 1;
    pub const OPEN: usize = 2;
    pub const HALF_OPEN: usize = 3;
    pub const OUTPOST: usize = 4;
    pub const HIT_BY_PAWN: usize = 5;
    pub const HIT_BY_LESSER: usize = 6;
    pub const LOOSE: usize = 7;
    pub const PRESSED: usize = 8;
    pub const RANKS: usize = 9;
    // General.
    pub const TEMPO: usize = 0;
    pub const PASSED: usize = 1;
    pub const FREE: usize = 8;
    pub const SAFE: usize = 15;
    pub const CLEAR: usize = 22;
    pub const DOUBLED: usize = 29;
    pub const ISOLATED: usize = 30;
    pub const SUPPORTED: usize = 31;
    pub const PHALANX: usize = 32;
    pub const BACKWARD: usize = 33;
    pub const PASSED_SUPPORTED: usize = 34;
    pub const ESCORT: usize = 35;
    pub const CHASE: usize = 36;
    pub const PUSH_THREAT: usize = 37;
    pub const CONTESTED: usize = 38;
    pub const TERRITORY: usize = 39;
    pub const SHELTER: usize = 40;
    pub const SHIELD: usize = 46;
    pub const STORM: usize = 50;
    pub const RING: usize = 55;
    pub const RING_TWICE: usize = 56;
    pub const DANGER: usize = 57;
    /// The number of general weights.
    pub const GENERAL: usize = 57 + DANGER;
}
