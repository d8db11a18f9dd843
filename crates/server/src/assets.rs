//! The files of the page, as answers to requests.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use quintain_board::{page, pieces};
use std::borrow::Cow;
use std::path::Path;

const TYPES: &[(&str, &str)] = &[
    (".html", "text/html; charset=utf-8"),
    (".css", "text/css; charset=utf-8"),
    (".js", "text/javascript; charset=utf-8"),
    (".svg", "image/svg+xml"),
];

/// What is in a file of the page. A debug build reads it from the sources, so that a change needs no build.
fn content(name: &str) -> Option<Cow<'static, [u8]>> {
    let &(name, built_in) = page::server().find(|file| file.0 == name)?;
    let read =
        cfg!(debug_assertions).then(|| std::fs::read(Path::new(page::FOLDER).join(name)).ok()).flatten();
    Some(read.map_or(Cow::Borrowed(built_in), Cow::Owned))
}

/// The file of this name.
pub fn file(name: &str) -> Response {
    let kind = TYPES.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, kind)| *kind);
    let content = match name {
        "pieces.svg" => Some(pieces::symbols().into_bytes().into()),
        _ => content(name),
    };
    match (kind, content) {
        (Some(kind), Some(content)) => ([(header::CONTENT_TYPE, kind)], content.into_owned()).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_folder_is_served() {
        for entry in std::fs::read_dir(page::FOLDER).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            // Some files are only for sites without a server.
            let is_of_site = name == "worker.js" || page::site().any(|file| file.0 == name);
            let is_served = file(&name).status() == StatusCode::OK;
            assert!(is_served || is_of_site, "{name}");
        }
        assert_eq!(file("main.js").status(), StatusCode::OK);
        assert_eq!(file("../Cargo.toml").status(), StatusCode::NOT_FOUND);
    }
}
