//! The files of the page, which are part of the program.

macro_rules! files {
    (@ $name:literal) => { include_bytes!(concat!("../page/", $name)) };
    (@ $name:literal $file:literal) => { include_bytes!(concat!("../page/", $file)) };
    ($($name:literal $(= $file:literal)?),* $(,)?) => {
        &[$(($name, files!(@ $name $($file)?))),*]
    };
}

/// Where they are in the sources.
pub const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/page");

/// The files of the server's pages, by name.
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

/// Those of a site without a server, which are written into a folder.
pub const SITE: &[(&str, &[u8])] = files![
    "board.js",
    "dom.js",
    "editor.js",
    "embed.css",
    "embed.html",
    "embed.js",
    "endings.js",
    "favicon.svg",
    "game.js",
    "graph.js",
    "icon-192.png",
    "icon-512.png",
    "icons.svg",
    "index.html",
    "learn.css",
    "learn.html",
    "learn.js",
    "library.css",
    "library.js",
    "main.js",
    "manifest.webmanifest",
    "movelist.js",
    "offline.js",
    "openings.js",
    "picture.js",
    "puzzles.css",
    "puzzles.html",
    "puzzles.js",
    "refused.js",
    "replay.js",
    "room.js",
    "rules.js",
    "sound.js",
    "store.js",
    "style.css",
    "theme.js",
    "thinker.js",
    "wasm.js",
    // It is who carries there.
    "carrier.js" = "worker.js",
];
