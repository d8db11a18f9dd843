//! `quintain board`: a room, and an HTTP server that carries commands and events between it and pages.

mod access;
mod address;
mod assets;
mod connections;
mod http;
mod learn;
mod links;
#[cfg(test)]
mod types;
pub mod watch;

use access::{Host, Hosts, Tokens};
use address::Address;
use anyhow::{Context, Result, ensure};
use clap::builder::PossibleValuesParser;
use links::Links;
use quintain_board::room::Room;
use quintain_engine::NAMES;
use quintain_folder::Folder;
use quintain_io as output;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use tokio::sync::{mpsc, oneshot};

/// Arguments of `quintain board`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The kind of game: its last game goes on if it is not over, or a new one begins. Without it the last game of any kind
    /// goes on
    #[arg(value_parser = PossibleValuesParser::new(NAMES.iter().copied()), ignore_case = true)]
    game: Option<String>,
    /// Print the address and do not start the browser
    #[arg(long)]
    no_open: bool,
    /// The port; without it that of the last time if it is free, else any
    #[arg(long)]
    port: Option<u16>,
    /// The address to listen at: 0.0.0.0 for all of this computer's. Others can then play and look on, each by a link of
    /// their own. Nothing is encrypted: whoever can read along in the network can do what the links allow
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// A name by which others reach this computer, also through a proxy, such as chess.example.org; with https:// in front
    /// if the proxy encrypts. May be given several times
    #[arg(long, value_name = "NAME")]
    host: Vec<Host>,
    /// Make new links for the others; those given before stop working
    #[arg(long)]
    new_links: bool,
}

/// Serves the board until Ctrl-C.
pub fn run(args: Args) -> Result<()> {
    let before = Address::read();
    let bind = |port| TcpListener::bind(SocketAddr::new(args.listen, port));
    let listener = match (args.port, &before) {
        (Some(port), _) => bind(port),
        (None, Some(before)) => bind(before.port).or_else(|_| bind(0)),
        (None, None) => bind(0),
    };
    let listener = listener.with_context(|| format!("cannot listen at {}", args.listen))?;
    let address = listener.local_addr()?;
    let before_port = before.as_ref().map(|before| before.port);
    let mut tokens = match before {
        // A page that is still open has the cookie of its port; a link that was sent holds, whatever port was asked for
        // meanwhile. A second board, whose port was not asked for, has links of its own.
        Some(before) if args.port.is_some() || before.port == address.port() => before.tokens,
        _ => Tokens::for_owner()?,
    };
    let invites = !args.listen.is_loopback() || !args.host.is_empty();
    if invites && (tokens.guests.is_none() || args.new_links) {
        tokens.invite()?;
    }
    // Another board runs at the address of the last time, and keeps it.
    let is_second = args.port.is_none() && before_port.is_some_and(|port| port != address.port());
    if !is_second && let Err(error) = (Address { port: address.port(), tokens: tokens.clone() }).keep() {
        output::note!("The next start will be at another address: {error:#}.");
    }
    if !invites {
        tokens.guests = None;
    }
    let (library, notes) = Folder::of_person().map(|folder| folder.library()).unzip();
    let notes = notes.unwrap_or_default();
    let game = args.game.as_deref().map(str::to_lowercase);
    let mut room = Room::new(game.as_deref(), library)?;
    room.find_tables(Arc::new(quintain_io::tables::find_own));
    room.tell(&notes);
    let (sender, stopper) = (room.sender(), room.stopper());
    let (alive, ended) = oneshot::channel::<()>();
    let run = move || {
        // Dropped when the room ends, even by a panic.
        let _alive = alive;
        if let Err(error) = room.run() {
            output::note!("The board cannot go on: {error:#}.");
        }
    };
    thread::Builder::new().name("room".into()).spawn(run).context("cannot start a thread")?;
    // From here on Ctrl-C ends it in order; what is printed next says so.
    let (pressed, mut presses) = mpsc::channel(1);
    ctrlc::set_handler(move || _ = pressed.try_send(())).context("cannot watch for interrupts")?;
    let url = links::link(&links::here(address), &tokens.owner);
    let mut text = format!("The board is at {url}\n");
    if invites {
        text += &Links::new(address, &args.host, &tokens).text();
    }
    output::print(&format!("{text}Ctrl-C ends.\n"))?;
    if !args.no_open
        && let Err(error) = open::that_detached(&url)
    {
        output::note!("Could not start a browser ({error}); open the address yourself.");
    }
    let shared = http::Shared { hosts: Hosts { address, names: args.host }, tokens, home: "index.html" };
    let mut failed = false;
    let end = async {
        tokio::select! {
            _ = presses.recv() => {}
            _ = ended => failed = true,
        }
    };
    http::serve(listener, shared, http::routes(sender), end)?;
    stopper.stop();
    ensure!(!failed, "the board ends, because something went wrong in it; the games are saved");
    Ok(())
}
