//! The server. It answers its own pages and nobody else's: each request must name this computer as its host; the game needs
//! a token, which also says what a visitor may do; and a command must come from a page of this server. [`super::access`]
//! has the reasons.

use super::access::{Hosts, Tokens, is_encrypted};
use super::connections::{self, Text};
use super::links::Links;
use super::{assets, learn};
use anyhow::Result;
use axum::extract::{DefaultBodyLimit, Path, Query, RawQuery, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use quintain_board::room::{Answer, Command, Event, Message, Role, Visitor};
use quintain_board::view::Catalog;
use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

/// The largest body of a request, in bytes: thousands of games as text.
const BODY: usize = 16_000_000;

/// Events that a slow page may be behind before it has to load again.
const EVENTS: usize = 1024;

/// The longest name of a browser, in bytes.
const MAX_BROWSER: usize = 40;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What is served, and to whom.
pub struct Shared {
    pub hosts: Hosts,
    pub tokens: Tokens,
    /// The file of the first page.
    pub home: &'static str,
}

pub type Server = Arc<Shared>;

/// Serves a page and what it asks for until `end`.
pub fn serve(
    listener: TcpListener,
    shared: Shared,
    routes: Router<Server>,
    end: impl Future<Output = ()>,
) -> Result<()> {
    let shared = Arc::new(shared);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::select! {
            never = connections::serve(listener, router(shared, routes)) => match never {},
            () = end => Ok(()),
        }
    })
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
    Router::new()
        .route("/events", get(events))
        .route("/command", post(command))
        .route("/links", get(links))
        .layer(Extension(room))
}

/// Refuses who does not know a token, and tells the others apart.
async fn admit(State(shared): State<Server>, mut request: Request, next: Next) -> Response {
    match shared.role(request.headers()) {
        Some(role) => {
            request.extensions_mut().insert(role);
            next.run(request).await
        }
        None => forbidden("This page may not do that. Open the address that quintain board printed.\n"),
    }
}

fn forbidden(text: &'static str) -> Response {
    (StatusCode::FORBIDDEN, text).into_response()
}

/// Refuses foreign hosts, and tells browsers what pages may do.
async fn guard(State(shared): State<Server>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let mut response = match host {
        Some(host) if shared.hosts.accept(host) => next.run(request).await,
        _ => forbidden("The host is not this computer. Start the board with --host and this name.\n"),
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
    fn cookie(&self, token: &str) -> String {
        format!("quintain-{}={token}", self.hosts.address.port())
    }

    /// What the visitor is who sends these headers.
    fn role(&self, headers: &HeaderMap) -> Option<Role> {
        let name = self.cookie("");
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut tokens =
            cookies.flat_map(|value| value.split(';')).filter_map(|cookie| cookie.trim().strip_prefix(&name));
        tokens.find_map(|token| self.tokens.role(token))
    }
}

#[derive(serde::Deserialize)]
struct Secret {
    token: Option<String>,
}

async fn page(
    State(shared): State<Server>,
    Query(secret): Query<Secret>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let known = shared.role(&headers);
    if let Some((token, role)) =
        secret.token.and_then(|token| shared.tokens.role(&token).map(|role| (token, role)))
    {
        // Owners who try a link that is for others stay owners.
        if known == Some(Role::Owner) && role != Role::Owner {
            return Redirect::to("/").into_response();
        }
        // Lax, since a link may be opened from a message on another site.
        let secure = if is_encrypted(&headers) { "; Secure" } else { "" };
        let cookie = format!("{}; Path=/; HttpOnly; SameSite=Lax{secure}", shared.cookie(&token));
        // The page that is wanted, without the secret.
        let query = query.unwrap_or_default();
        let rest: Vec<&str> = query.split('&').filter(|part| !part.starts_with("token=")).collect();
        let wanted = if rest.is_empty() { "/".into() } else { format!("/?{}", rest.join("&")) };
        return ([(header::SET_COOKIE, cookie)], Redirect::to(&wanted)).into_response();
    }
    match known {
        Some(_) => assets::file(shared.home),
        None => {
            forbidden("Open the address that the program has printed, or the link that you were given.\n")
        }
    }
}

/// The links for others.
async fn links(State(shared): State<Server>, Extension(role): Extension<Role>) -> Response {
    match role {
        Role::Owner => {
            Json(Links::new(shared.hosts.address, &shared.hosts.names, &shared.tokens)).into_response()
        }
        _ => forbidden("Only the owner of the board may do that.\n"),
    }
}

async fn file(Path(name): Path<String>) -> Response {
    assets::file(&name)
}

async fn catalog() -> Json<Catalog> {
    Json(Catalog::default())
}

/// Tells the room that a page is gone.
struct Seat(u64, Sender<Message>);

impl Drop for Seat {
    fn drop(&mut self) {
        // Without a room nobody needs to know.
        drop(self.1.send(Message::Leave(self.0)));
    }
}

#[derive(serde::Deserialize)]
struct Listener {
    /// What tells the browser from others; pages without it are not counted together.
    #[serde(default)]
    browser: String,
}

/// How the game stands, now and after each change. A page that falls too far behind is disconnected; it comes back and gets
/// everything.
async fn events(
    Extension(room): Extension<Sender<Message>>,
    Extension(role): Extension<Role>,
    Query(Listener { browser }): Query<Listener>,
) -> Response {
    if browser.len() > MAX_BROWSER {
        return StatusCode::BAD_REQUEST.into_response();
    }
    static SEATS: AtomicU64 = AtomicU64::new(0);
    let number = SEATS.fetch_add(1, Relaxed) + 1;
    let (sender, mut receiver) = mpsc::channel(EVENTS);
    // The stream ends when this is dropped.
    let mut sender = Some(sender);
    let outbox = move |event| {
        if sender.as_ref().is_some_and(|sender| sender.try_send(event).is_err()) {
            sender = None;
        }
    };
    let seat = Seat(number, room);
    let visitor = Visitor { seat: number, role, browser };
    // The first event is missing if there is no room for the page.
    let first = match seat.1.send(Message::Join(visitor, Box::new(outbox))) {
        Ok(()) => receiver.recv().await,
        Err(_) => None,
    };
    let Some(first) = first else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let events = tokio_stream::once(first).chain(ReceiverStream::new(receiver)).map(move |event: Event| {
        let _open = &seat;
        Ok::<_, Infallible>(
            SseEvent::default().id(event.number.to_string()).event(event.name).data(&*event.data),
        )
    });
    // A proxy would keep the events until it has many.
    let at_once = [(HeaderName::from_static("x-accel-buffering"), "no")];
    (at_once, Sse::new(events).keep_alive(KeepAlive::default())).into_response()
}

async fn command(
    State(shared): State<Server>,
    Extension(room): Extension<Sender<Message>>,
    Extension(role): Extension<Role>,
    headers: HeaderMap,
    Text(body): Text,
) -> Response {
    if !shared.hosts.is_own_page(&headers) {
        return forbidden(
            "This page may not do that. A proxy must pass the host on that the browser asked for.\n",
        );
    }
    let command: Command = match serde_json::from_str(&body) {
        Ok(command) => command,
        Err(error) => return (StatusCode::BAD_REQUEST, format!("no command: {error}")).into_response(),
    };
    let (sender, answer) = oneshot::channel();
    // A page that is gone needs no answer.
    let reply = move |answer| drop(sender.send(answer));
    if room.send(Message::Command(role, command, Box::new(reply))).is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let Ok(Answer { result, after }) = answer.await else {
        return (StatusCode::INTERNAL_SERVER_ERROR, "something went wrong in the program").into_response();
    };
    // The page waits for the events, which come on another connection.
    let after = [(HeaderName::from_static("quintain-after"), after.to_string())];
    match result {
        Ok(value) => (after, Json(value)).into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, after, error).into_response(),
    }
}
