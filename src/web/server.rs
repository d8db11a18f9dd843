//! The server. It answers its own pages and nobody else's: each request must name an IP address or localhost as its host,
//! which a page of another site whose name was made to resolve to this computer does not (DNS rebinding); the game needs
//! the token of the address that was opened; and a command must come from a page of this server, for browsers send cookies
//! to all ports.

use super::room::{self, Command, Joined, MAX_HASH, MAX_LINES, Message};
use super::view::Catalog;
use super::{assets, learn};
use anyhow::{Context, Result, anyhow};
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use std::convert::Infallible;
use std::net::{IpAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use tokio::sync::oneshot;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::BroadcastStream;

/// The largest body of a request: a long game as text.
const BODY: usize = 1 << 20;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What is served, and to whom.
pub struct Shared {
    port: u16,
    token: String,
    /// The file of the first page.
    home: &'static str,
}

pub type Server = Arc<Shared>;

/// A secret that nobody guesses.
pub fn token() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| anyhow!("cannot get random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Serves a page and what it asks for until `end`.
pub fn serve(
    listener: TcpListener,
    token: String,
    home: &'static str,
    routes: Router<Server>,
    end: impl Future<Output = ()>,
) -> Result<()> {
    let port = listener.local_addr()?.port();
    let shared = Arc::new(Shared { port, token, home });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::select! {
            served = async { axum::serve(listener, router(shared, routes)).await } => {
                served.context("the server failed")
            }
            () = end => Ok(()),
        }
    })
}

/// Comes when somebody presses Ctrl-C.
pub async fn interrupt() {
    // Without the signal nothing but the system ends the program.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}

fn router(shared: Server, routes: Router<Server>) -> Router {
    routes
        .merge(learn::routes())
        .route_layer(middleware::from_fn_with_state(Arc::clone(&shared), admit))
        .route("/", get(page))
        .route("/catalog.json", get(catalog))
        .route("/{file}", get(file))
        .layer(DefaultBodyLimit::max(BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}

/// What pages ask of a room.
pub fn routes(room: Sender<Message>) -> Router<Server> {
    Router::new().route("/events", get(events)).route("/command", post(command)).layer(Extension(room))
}

/// Refuses who does not know the token.
async fn admit(State(shared): State<Server>, request: Request, next: Next) -> Response {
    match shared.knows(request.headers()) {
        true => next.run(request).await,
        false => (StatusCode::FORBIDDEN, "This page may not do that.").into_response(),
    }
}

/// Does a Host header name an address in numbers or localhost, with our port?
fn is_ours(host: &str, port: u16) -> bool {
    let Some(name) = host.strip_suffix(&format!(":{port}")) else { return false };
    let number = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name == "localhost" || number.parse::<IpAddr>().is_ok()
}

/// Refuses foreign hosts, and tells browsers what pages may do.
async fn guard(State(shared): State<Server>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let mut response = match host {
        Some(host) if is_ours(host, shared.port) => next.run(request).await,
        _ => (StatusCode::FORBIDDEN, "The host is not this computer.\n").into_response(),
    };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

impl Shared {
    /// Cookies do not know ports, so the name does.
    fn cookie(&self) -> String {
        format!("quintain-{}={}", self.port, self.token)
    }

    fn knows(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let ours = self.cookie();
        cookies.flat_map(|value| value.split(';')).any(|cookie| cookie.trim() == ours)
    }
}

#[derive(serde::Deserialize)]
struct Secret {
    token: Option<String>,
}

async fn page(State(shared): State<Server>, Query(secret): Query<Secret>, headers: HeaderMap) -> Response {
    if secret.token.as_deref() == Some(&*shared.token) {
        let cookie = format!("{}; Path=/; HttpOnly; SameSite=Strict", shared.cookie());
        return ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response();
    }
    if !shared.knows(&headers) {
        let text = "Open the address that the program has printed.\n";
        return (StatusCode::FORBIDDEN, text).into_response();
    }
    assets::file(shared.home)
}

async fn file(Path(name): Path<String>) -> Response {
    assets::file(&name)
}

async fn catalog() -> Json<Catalog> {
    Json(Catalog::new([room::max_threads(), MAX_HASH, MAX_LINES]))
}

/// Tells the room that a page is gone.
struct Seat(u64, Sender<Message>);

impl Drop for Seat {
    fn drop(&mut self) {
        // Without a room nobody needs to know.
        drop(self.1.send(Message::Leave(self.0)));
    }
}

/// How the game stands, now and after each change. A page that falls too far behind is disconnected; it comes back and gets
/// everything.
async fn events(Extension(room): Extension<Sender<Message>>) -> Response {
    let (reply, joined) = oneshot::channel();
    if room.send(Message::Join(reply)).is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let Ok(Joined { seat, events, receiver }) = joined.await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let seat = Seat(seat, room);
    let later = BroadcastStream::new(receiver).map_while(Result::ok);
    let events = tokio_stream::iter(events).chain(later).map(move |event| {
        let _open = &seat;
        Ok::<_, Infallible>(SseEvent::default().event(event.name).data(&*event.data))
    });
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}

async fn command(Extension(room): Extension<Sender<Message>>, headers: HeaderMap, body: String) -> Response {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let own_page = text(header::HOST)
        .zip(text(header::ORIGIN))
        .is_some_and(|(host, origin)| origin == format!("http://{host}"));
    if !own_page {
        return (StatusCode::FORBIDDEN, "This page may not do that.").into_response();
    }
    let command: Command = match serde_json::from_str(&body) {
        Ok(command) => command,
        Err(error) => return (StatusCode::BAD_REQUEST, format!("no command: {error}")).into_response(),
    };
    let (reply, answer) = oneshot::channel();
    if room.send(Message::Command(command, reply)).is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    match answer.await {
        Ok(Ok(value)) => Json(value).into_response(),
        Ok(Err(error)) => (StatusCode::BAD_REQUEST, error).into_response(),
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_and_localhost_are_hosts() {
        for ours in ["127.0.0.1:80", "localhost:80", "[::1]:80", "192.168.1.2:80"] {
            assert!(is_ours(ours, 80), "{ours}");
        }
        for foreign in ["evil.test:80", "127.0.0.1", "127.0.0.1:81", "localhost.evil.test:80", "", ":80"] {
            assert!(!is_ours(foreign, 80), "{foreign}");
        }
    }
}
