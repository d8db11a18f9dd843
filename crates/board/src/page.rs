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

/// A file of the page: its name and its bytes.
type File = (&'static str, &'static [u8]);

/// What the pages of the server and of a site share.
const SHARED: &[File] = files![
    "board.js",
    "dom.js",
    "editor.js",
    "endings.js",
    "favicon.svg",
    "game.js",
    "graph.js",
    "handbook.css",
    "handbook.html",
    "handbook.js",
    "icons.svg",
    "index.html",
    "kept.js",
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
    "sound.js",
    "style.css",
    "theme.js",
];

/// What only the server's pages have.
const SERVER: &[File] = files!["carrier.js", "server.js", "watch.css", "watch.html", "watch.js",];

/// What only a site without a server has, which is written into a folder.
const SITE: &[File] = files![
    "embed.css",
    "embed.html",
    "embed.js",
    "icon-192.png",
    "icon-512.png",
    "instance.js",
    "manifest.webmanifest",
    "offline.js",
    "room.js",
    "store.js",
    "thinker.js",
    "wasm.js",
    // It is who carries there.
    "carrier.js" = "worker.js",
];

/// The files of the server's pages.
pub fn server() -> impl Iterator<Item = &'static File> {
    SHARED.iter().chain(SERVER)
}

/// Those of a site without a server.
pub fn site() -> impl Iterator<Item = &'static File> {
    SHARED.iter().chain(SITE)
}
