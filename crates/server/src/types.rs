//! The types of what pages are sent, for the type checker of the page: `crates/board/types.d.ts` is made from those here.
//!
//! After a change: `WRITE_TYPES=1 cargo test -p quintain-server types_of_the_page`.

use super::links::Links;
use super::watch::{GameToReplay, MatchView};
use quintain_board::endings::{Ending, EndingView};
use quintain_board::learn::LessonsView;
use quintain_board::puzzles::{AttemptView, PuzzleView};
use quintain_board::view::{BookMoveView, Catalog, LineView, NodeView, Status};
use quintain_play::library::Entry;
use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};
use ts_rs::{Config, TS, TypeVisitor};

const HEAD: &str = "// What the program sends to pages. Made from the types in Rust by `cargo test`; see crates/server/src/types.rs.

export type Place = [file: number, rank: number];
export type Side = 'white' | 'black';
";

/// The declarations of types, by name.
struct Types(Config, BTreeMap<String, String>);

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types of the standard library have no place.
        if T::output_path().is_some() && !self.1.contains_key(&T::ident(&self.0)) {
            let text = format!("\n{}export {}\n", T::docs().unwrap_or_default(), T::decl(&self.0));
            self.1.insert(T::ident(&self.0), text);
            T::visit_dependencies(self);
        }
    }
}

#[test]
fn types_of_the_page_are_those_of_the_program() {
    let mut types = Types(Config::new().with_large_int("number"), BTreeMap::new());
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
    types.visit::<Links>();
    types.visit::<MatchView>();
    types.visit::<GameToReplay>();
    let text = HEAD.to_owned() + &types.1.into_values().collect::<String>();
    let text =
        text.replace("/**\n *", "/**").replace("\n */", " */").replace(", \n", ",\n").replace("{ \n", "{\n");
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
