//! The types of what pages are sent, for the type checker of the page: `crates/board/types.d.ts` is made from those here.
//!
//! After a change: `WRITE_TYPES=1 cargo test -p quintain-server types_of_the_page`.

use super::links::Links;
use super::watch::{GameToReplay, MatchView};
use quintain_board::endings::{Ending, EndingView};
use quintain_board::handbook::HandbookView;
use quintain_board::learn::LessonsView;
use quintain_board::puzzles::{AttemptView, PuzzleView};
use quintain_board::types::Types;
use quintain_board::view::{BookMoveView, Catalog, LineView, NodeView, Status};
use quintain_play::library::Entry;
use std::path::Path;
use std::{env, fs};
use ts_rs::TypeVisitor;

const HEAD: &str = "// What the program sends to pages. Made from the types in Rust by `cargo test`; see crates/server/src/types.rs.
";

#[test]
fn types_of_the_page_are_those_of_the_program() {
    let mut types = Types::default();
    types.visit::<Catalog>();
    types.visit::<Ending>();
    types.visit::<EndingView>();
    types.visit::<NodeView>();
    types.visit::<Status>();
    types.visit::<LineView>();
    types.visit::<BookMoveView>();
    types.visit::<Entry>();
    types.visit::<PuzzleView>();
    types.visit::<AttemptView>();
    types.visit::<LessonsView>();
    types.visit::<HandbookView>();
    types.visit::<Links>();
    types.visit::<MatchView>();
    types.visit::<GameToReplay>();
    let text = types.text(HEAD);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../board/types.d.ts");
    if env::var_os("WRITE_TYPES").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let known = fs::read_to_string(&path).unwrap();
    assert!(
        known == text,
        "{} is out of date: WRITE_TYPES=1 cargo test -p quintain-server types_of_the_page",
        path.display()
    );
}
