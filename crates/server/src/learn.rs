//! Answers what the learn page asks. Nothing is kept between requests.

use anyhow::Result;
use axum::extract::{Path, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use quintain_board::endings::Ending;
use quintain_board::handbook::HandbookView;
use quintain_board::learn::{LessonsView, Line};
use quintain_engine::FindTables;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The addresses that are answered here.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/lessons/{game}", get(lessons))
        .route("/handbook/{game}", get(handbook))
        .route("/line", get(line))
        .route("/endings/{game}", get(endings))
        .route("/ending", get(ending))
}

async fn lessons(Path(game): Path<String>) -> Response {
    reply(move || LessonsView::new(&game)).await
}

async fn handbook(Path(game): Path<String>) -> Response {
    reply(move || HandbookView::new(&game)).await
}

/// Moves from a position of a game, separated by blanks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineQuery {
    game: String,
    fen: Option<String>,
    #[serde(default)]
    moves: String,
}

async fn line(Query(query): Query<LineQuery>) -> Response {
    reply(move || {
        let moves: Vec<&str> = query.moves.split_whitespace().collect();
        Line::new(&query.game, query.fen.as_deref(), &moves)
    })
    .await
}

fn find_tables() -> FindTables {
    Arc::new(quintain_io::tables::find_own)
}

async fn endings(Path(game): Path<String>) -> Response {
    reply(move || quintain_board::endings::list(&game, &find_tables())).await
}

/// A new position of an ending, or moves in one, separated by blanks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EndingQuery {
    game: String,
    material: Option<String>,
    fen: Option<String>,
    #[serde(default)]
    moves: String,
}

async fn ending(Query(query): Query<EndingQuery>) -> Response {
    reply(move || {
        let moves: Vec<&str> = query.moves.split_whitespace().collect();
        let (fen, material) = (query.fen.as_deref(), query.material.as_deref());
        Ending::answer(&query.game, material, fen, &moves, &find_tables())
    })
    .await
}

/// Answers with what `make` returns, or that the request was bad. It may take half a second, in which the server must
/// answer others.
async fn reply<T: Serialize + Send + 'static>(make: impl FnOnce() -> Result<T> + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(make).await.expect("no panic") {
        Ok(value) => Json(value).into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, format!("{error:#}")).into_response(),
    }
}
