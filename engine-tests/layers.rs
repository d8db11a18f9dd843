//! Which module of the program may use which. Modules form layers; a module uses only what stands in the layers before its own.
//!
//! What is read here are the paths in the sources (`crate::a::b`, `super::c`, `use crate::{a, b::c}`), not their
//! meaning; comments, strings and test modules are left out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules, lowest first. Those of one row may use each other.
const LAYERS: &[&[&str]] = &[
    &["processor"],
    &["files"],
    &["output"],
    &["drawings"],
    &["xboard"],
    &["protocol"],
    &["game"],
    &["tournament"],
    &["library"],
    &["web"],
    &["folder"],
    &["tools"],
    &["server"],
    &["cli"],
    &["fuzzing"],
];

/// The modules in `web`, in the same way.
const WEB_LAYERS: &[&[&str]] =
    &[&["clock", "pieces", "rules", "view"], &["learn", "tree"], &["record"], &["room"]];

/// Modules that the layers would allow, but that a module must not use.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("xboard", &["files", "processor", "output", "drawings"]),
    ("game", &["files", "processor", "output", "drawings", "protocol"]),
    ("tournament", &["processor", "drawings", "protocol"]),
    ("library", &["files", "processor", "output", "drawings", "protocol", "tournament"]),
    ("web", &["files", "processor", "output", "protocol", "tournament"]),
];

/// The only modules with input and output.
const WITH_IO: &[&str] = &["files", "output", "protocol", "tournament", "folder", "tools", "server", "cli"];

/// Paths of input and output, and of crates for programs that have them.
const IO_PATHS: &[&[&str]] = &[
    &["std", "fs"],
    &["std", "net"],
    &["std", "env"],
    &["std", "process"],
    &["std", "io", "stdin"],
    &["std", "io", "stdout"],
    &["std", "io", "stderr"],
    &["axum"],
    &["clap"],
    &["dirs"],
    &["hyper"],
    &["rayon"],
    &["tokio"],
];

/// A source file: its path, and the module that it is.
struct Source {
    file: PathBuf,
    module: Vec<String>,
    tokens: Vec<String>,
}

fn collect(folder: &Path, module: &[String], sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let file = entry.expect("an entry").path();
        let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let inner = |name: &str| module.iter().cloned().chain([name.to_owned()]).collect::<Vec<_>>();
        if file.is_dir() {
            collect(&file, &inner(&stem), sources);
        } else if file.extension().is_some_and(|extension| extension == "rs") {
            let module = match stem.as_str() {
                "mod" | "lib" => module.to_vec(),
                // Test modules in files of their own, and the binary, which only calls the command line.
                "tests" | "testing" | "main" => continue,
                name => inner(name),
            };
            let text =
                fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            sources.push(Source { tokens: without_tests(tokens(&text)), file, module });
        }
    }
}

/// Names and single symbols; comments, strings and characters left out, `::` as one.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |end| end + 2)
        } else if c == '"' {
            string_length(rest)
        } else if c == '\'' {
            character_length(rest)
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else if c.is_alphanumeric() || c == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(rest[..end].to_owned());
            end
        } else {
            if !c.is_whitespace() {
                tokens.push(c.to_string());
            }
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A character in quotes, or only the quote of a lifetime.
fn character_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some(_)) => text[3..].find('\'').map_or(text.len(), |end| end + 4),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

/// Drops each `#[cfg(test)]` and the item after it.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].iter().map(String::as_str).take(MARK.len()).eq(MARK) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let mut depth = 0;
        at += MARK.len();
        while at < tokens.len() {
            let token = tokens[at].as_str();
            depth += i32::from(token == "{") - i32::from(token == "}");
            at += 1;
            if depth == 0 && (token == "}" || token == ";") {
                break;
            }
        }
    }
    kept
}

/// The paths that begin with one of `roots`, groups in braces written out.
fn paths(tokens: &[String], roots: &[&str]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let inside = at > 0 && tokens[at - 1] == "::";
        if roots.contains(&token.as_str()) && !inside && tokens.get(at + 1).is_some_and(|next| next == "::") {
            read_path(tokens, at, Vec::new(), &mut found);
        }
    }
    found
}

/// Reads the path that begins at `at`, after `before`, and returns where it ends.
fn read_path(
    tokens: &[String],
    mut at: usize,
    mut before: Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> usize {
    loop {
        match tokens.get(at).map(String::as_str) {
            Some("{") => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token != "}") {
                    at = read_path(tokens, at, before.clone(), found);
                    // A comma, or `as name,`.
                    while tokens.get(at).is_some_and(|token| token != "," && token != "}") {
                        at += 1;
                    }
                    if tokens.get(at).is_some_and(|token| token == ",") {
                        at += 1;
                    }
                }
                return at + 1;
            }
            Some(name) if name == "*" || name.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                before.push(name.to_owned());
            }
            // Type arguments, or the end of the text.
            _ => {
                found.push(before);
                return at;
            }
        }
        at += 1;
        if tokens.get(at).is_none_or(|token| token != "::") {
            found.push(before);
            return at;
        }
        at += 1;
    }
}

/// The path from the crate's root: `super` and `self` as seen from `module`. A path out of a test or inline module
/// may be cut short, which only makes it end higher up.
fn absolute(path: &[String], module: &[String], macros: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut absolute = module.to_vec();
    for (at, name) in path.iter().enumerate() {
        match name.as_str() {
            "crate" => absolute.clear(),
            "self" => {}
            "super" => drop(absolute.pop()),
            // Exported macros live at the root whatever module defines them.
            name if at == 1 && path[0] == "crate" && macros.contains_key(name) => {
                absolute.clone_from(&macros[name]);
            }
            name => absolute.push(name.to_owned()),
        }
    }
    absolute
}

/// The modules that have a layer and no source.
fn missing_modules(sources: &[Source]) -> Vec<&'static str> {
    let exists =
        |layer: &str| sources.iter().any(|source| source.module.first().is_some_and(|own| own == layer));
    LAYERS.concat().into_iter().filter(|layer| !exists(layer)).collect()
}

/// The breaches in the sources, one line each.
fn breaches(sources: &[Source]) -> Vec<String> {
    let mut macros = BTreeMap::new();
    for source in sources {
        for window in source.tokens.windows(7) {
            let words: Vec<&str> = window.iter().map(String::as_str).collect();
            if let ["#", "[", "macro_export", "]", "macro_rules", "!", name] = words[..] {
                // A macro may be named like a module (`board`), which comes first then.
                if !LAYERS.concat().contains(&name) {
                    macros.insert(name.to_owned(), source.module.clone());
                }
            }
        }
    }
    let place = |layers: &[&[&str]], name: &str| layers.iter().position(|layer| layer.contains(&name));
    let layer = |name: &str| place(LAYERS, name);
    let mut breaches = Vec::new();
    for Source { file, module, tokens } in sources {
        let Some(own) = module.first() else { continue };
        let mut report = |what: String| breaches.push(format!("{}: {what}", file.display()));
        let Some(own_layer) = layer(own) else {
            report(format!("the module {own} is in no layer"));
            continue;
        };
        for path in paths(tokens, &["crate", "super", "self"]) {
            let target = absolute(&path, module, &macros);
            let (Some(used), text) = (target.first(), path.join("::")) else { continue };
            let forbidden =
                FORBIDDEN.iter().any(|(module, others)| module == own && others.contains(&used.as_str()));
            if layer(used).is_some_and(|layer| layer > own_layer) || forbidden {
                report(format!("{own} must not use {used}: {text}"));
            }
            if let ("web", "web", [_, inner, ..], [_, other, ..]) =
                (&**own, &**used, &module[..], &target[..])
                && place(WEB_LAYERS, other) >= place(WEB_LAYERS, inner)
                && inner != other
            {
                report(format!("{inner} must not use {other}: {text}"));
            }
        }
        if !WITH_IO.contains(&own.as_str()) {
            let roots: Vec<&str> = IO_PATHS.iter().map(|io| io[0]).collect();
            for path in paths(tokens, &roots) {
                if IO_PATHS
                    .iter()
                    .any(|io| path.iter().map(String::as_str).take(io.len()).eq(io.iter().copied()))
                {
                    report(format!("{own} must not do input or output: {}", path.join("::")));
                }
            }
        }
    }
    breaches
}

#[test]
fn no_module_uses_what_stands_above_it() {
    let mut sources = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &[], &mut sources);
    assert!(sources.len() > 40, "only {} sources found", sources.len());
    let breaches = breaches(&sources);
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
    assert_eq!(missing_modules(&sources), [""; 0], "layers without a module");
    sources.retain(|source| source.module.first().is_none_or(|own| own != "cli"));
    assert_eq!(missing_modules(&sources), ["cli"]);
}

/// The breaches in one made-up file, after the colon of its name.
fn breaches_in(module: &str, text: &str) -> Vec<String> {
    let source = Source {
        file: "x".into(),
        module: module.split("::").map(str::to_owned).collect(),
        tokens: without_tests(tokens(text)),
    };
    breaches(&[source]).iter().map(|breach| breach.trim_start_matches("x: ").to_owned()).collect()
}

#[test]
fn breaches_are_found() {
    for (module, text, breach) in [
        ("protocol::line", "use crate::tools::Args;", "protocol must not use tools: crate::tools::Args"),
        ("files", "use crate::{files::write, game};", "files must not use game: crate::game"),
        ("files", "fn f() { crate::cli::run() }", "files must not use cli: crate::cli::run"),
        ("protocol", "use super::server as s;", "protocol must not use server: super::server"),
        ("game", "use std::{fs::File, sync::Arc};", "game must not do input or output: std::fs::File"),
        ("game", "std::io::stdout().flush();", "game must not do input or output: std::io::stdout"),
        ("library", "use rayon::prelude;", "library must not do input or output: rayon::prelude"),
        ("web::room", "use tokio::sync::oneshot;", "web must not do input or output: tokio::sync::oneshot"),
        ("web::room::games", "use crate::files::read;", "web must not use files: crate::files::read"),
        ("web::view", "use super::tree::Tree;", "view must not use tree: super::tree::Tree"),
        (
            "web::tree",
            "use crate::web::{view, learn::Line};",
            "tree must not use learn: crate::web::learn::Line",
        ),
        ("stray", "", "the module stray is in no layer"),
    ] {
        assert_eq!(breaches_in(module, text), [breach], "{text}");
    }
}

#[test]
fn what_is_allowed_is_not_reported() {
    for (module, text) in [
        ("rules", "use crate::board::{Square, Piece as P}; use super::board; use std::{fmt, io::Read};"),
        ("variants::gast", "use crate::eval::Evaluate; use self::eval::x;"),
        ("web::room::games", "use super::files; use crate::web::view::NodeId; use crate::library::Library;"),
        ("server::http", "use tokio::sync::mpsc; use crate::web::room::Room;"),
        ("variants::gast::eval", "use super::*; use crate::variants::gast::PAWN;"),
        ("cli", "use crate::variants::chess::Chess; println!(\"x\");"),
        (
            "board",
            "// use crate::rules;\n/* crate::rules */ const A: &str = \"crate::rules::\\\" println!\"; let c = '\"';",
        ),
        (
            "board",
            "#[cfg(test)]\nmod tests { use crate::rules::Position; fn f() { println!(); } } use crate::board;",
        ),
        ("board", "#[cfg(test)] mod tests;"),
        ("board", "fn f<'a>(x: &'a str) -> char { '\\'' }"),
    ] {
        assert_eq!(breaches_in(module, text), [""; 0], "{text}");
    }
}
