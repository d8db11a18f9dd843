//! The files of the page, which are part of the program.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../page/", $name)))),*]
    };
}

/// Where they are in the sources.
pub const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/page");

/// The files by name.
pub const FILES: &[(&str, &[u8])] = files![
    "board.js",
    "carrier.js",
    "dom.js",
    "editor.js",
    "endings.js",
    "favicon.svg",
    "game.js",
    "graph.js",
    "icons.svg",
    "index.html",
    "learn.css",
    "learn.html",
    "learn.js",
    "library.css",
    "library.js",
    "main.js",
    "movelist.js",
    "openings.js",
    "picture.js",
    "puzzles.css",
    "puzzles.html",
    "puzzles.js",
    "refused.js",
    "replay.js",
    "rules.js",
    "server.js",
    "sound.js",
    "style.css",
    "theme.js",
    "watch.css",
    "watch.html",
    "watch.js",
];
