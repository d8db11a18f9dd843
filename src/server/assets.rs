//! The files of the page. They are part of the program; a debug build reads them from the source folder, so that a
//! change needs no build.

use crate::web::pieces;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "src/web/page/"]
struct Page;

const TYPES: &[(&str, &str)] = &[
    (".html", "text/html; charset=utf-8"),
    (".css", "text/css; charset=utf-8"),
    (".js", "text/javascript; charset=utf-8"),
    (".svg", "image/svg+xml"),
];

/// The file of this name.
pub fn file(name: &str) -> Response {
    let kind = TYPES.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, kind)| *kind);
    let content = match name {
        "pieces.svg" => Some(pieces::symbols().into_bytes().into()),
        _ => Page::get(name).map(|file| file.data),
    };
    match (kind, content) {
        (Some(kind), Some(content)) => ([(header::CONTENT_TYPE, kind)], content.into_owned()).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
