//! What a newcomer is shown of a game. The texts and positions are written with the game; the moves that are possible in
//! them come from its generator.

/// All that is shown of a game.
#[derive(Clone, Copy, Debug)]
pub struct Lessons {
    /// For each piece, by its letter, a position in which White is to move and has one.
    pub pieces: &'static [(char, &'static str)],
    /// The rules that are special about the game.
    pub rules: &'static [Lesson],
    /// A short game.
    pub game: Lesson,
}

/// A position to try, and moves that show what is said about it.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// What it is about, in few words.
    pub title: &'static str,
    /// What there is to know.
    pub text: &'static str,
    /// The position; `None` for the start.
    pub fen: Option<&'static str>,
    /// Moves from there, as coordinates or as people write them, each with a remark, which may be empty.
    pub moves: &'static [(&'static str, &'static str)],
}
