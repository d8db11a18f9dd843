//! The connections of the server: how many there may be, and how long a request may take to come.
//!
//! `axum::serve` has no such limits. Whoever sends half a request keeps a connection for ever, and the system gives a
//! program only so many.

use axum::Router;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// The most connections; some systems allow a program 256 open files.
const CONNECTIONS: usize = 200;
/// The most connections on which pages are told what happens, which stay open.
const STREAMS: usize = 100;
/// How long the head of a request may take, and how long a connection may be idle.
const HEAD: Duration = Duration::from_secs(30);
/// How long the body of a request may take.
const BODY: Duration = Duration::from_secs(20);
/// The most bytes of a head.
const HEAD_SIZE: usize = 1 << 16;
/// The pause after a connection that the system refused.
const PAUSE: Duration = Duration::from_millis(50);

/// A connection to a browser, which ends with its task.
struct Connection {
    /// A whole request has come.
    is_used: Arc<AtomicBool>,
    task: JoinHandle<()>,
}

/// Serves until it is dropped. Where there are too many connections, those without a request end first, then the oldest.
pub async fn serve(listener: TcpListener, router: Router) -> Infallible {
    let streams = Arc::new(Semaphore::new(STREAMS));
    // The oldest first.
    let mut connections: Vec<Connection> = Vec::new();
    loop {
        let accepted = listener.accept().await;
        connections.retain(|connection| !connection.task.is_finished());
        if accepted.is_err() || connections.len() >= CONNECTIONS {
            let unused = connections.iter().position(|connection| !connection.is_used.load(Relaxed));
            if !connections.is_empty() {
                connections.remove(unused.unwrap_or(0)).task.abort();
            }
        }
        match accepted {
            Ok((stream, _)) => {
                connections.push(Connection::new(stream, router.clone(), Arc::clone(&streams)))
            }
            Err(_) => sleep(PAUSE).await,
        }
    }
}

impl Connection {
    fn new(stream: TcpStream, router: Router, streams: Arc<Semaphore>) -> Connection {
        let is_used = Arc::<AtomicBool>::default();
        let (used, router) = (Arc::clone(&is_used), TowerToHyperService::new(router));
        // Held until the connection ends.
        let place = Arc::<Mutex<Option<OwnedSemaphorePermit>>>::default();
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            used.store(true, Relaxed);
            let (answer, place, streams) = (router.call(request), Arc::clone(&place), Arc::clone(&streams));
            async move {
                let answer = answer.await?;
                if is_stream(&answer) {
                    let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
                    match place.take().or_else(|| streams.try_acquire_owned().ok()) {
                        None => return Ok(too_many()),
                        taken => *place = taken,
                    }
                }
                Ok::<_, Infallible>(answer)
            }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(HEAD_SIZE)
            .serve_connection(TokioIo::new(stream), service);
        // An error is the browser's.
        let task = tokio::spawn(async move { drop(connection.await) });
        Connection { is_used, task }
    }
}

fn is_stream(answer: &Response) -> bool {
    answer.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes() == b"text/event-stream")
}

fn too_many() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open.\n").into_response()
}

/// The body of a request as text, if it comes in time.
pub struct Text(pub String);

impl<S: Send + Sync> FromRequest<S> for Text {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Text, Response> {
        match timeout(BODY, String::from_request(request, state)).await {
            Ok(text) => text.map(Text).map_err(|error| match error.status() {
                StatusCode::PAYLOAD_TOO_LARGE => {
                    let told = "this is more than 16 MB; 'quintain convert' reads larger files";
                    (StatusCode::PAYLOAD_TOO_LARGE, told).into_response()
                }
                _ => error.into_response(),
            }),
            Err(_) => Err(StatusCode::REQUEST_TIMEOUT.into_response()),
        }
    }
}
