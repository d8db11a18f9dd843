//! The files of the page, as answers to requests.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use quintain_board::{Page, pieces};

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
