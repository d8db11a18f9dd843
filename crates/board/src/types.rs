//! Declarations in TypeScript of what pages are sent, made from the types in Rust.

use std::collections::BTreeMap;
use ts_rs::{Config, TS, TypeVisitor};

/// What the declarations name.
const COMMON: &str = "
export type Place = [file: number, rank: number];
export type Side = 'white' | 'black';
";

/// The declarations of types, by name.
pub struct Types(Config, BTreeMap<String, String>);

impl Default for Types {
    fn default() -> Self {
        Types(Config::new().with_large_int("number"), BTreeMap::new())
    }
}

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

impl Types {
    /// All of them as a file, which begins with `head`.
    pub fn text(self, head: &str) -> String {
        let text = format!("{head}{COMMON}{}", self.1.into_values().collect::<String>());
        text.replace("/**\n *", "/**").replace("\n */", " */").replace(", \n", ",\n").replace("{ \n", "{\n")
    }
}
