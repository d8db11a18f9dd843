//! `quintain board`: a game in the browser. A translator between pages and an [`Engine`](crate::engine::Engine): the
//! pages know no rule of any game.

mod pieces;
mod server;
mod state;
mod table;

use crate::engine::NAMES;
use crate::tools;
use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::thread;
use table::Table;

/// Arguments of `quintain board`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game; without it, the one that was played last
    #[arg(value_parser = PossibleValuesParser::new(NAMES.iter().copied()), ignore_case = true)]
    game: Option<String>,
    /// Print the address and do not start the browser
    #[arg(long)]
    no_open: bool,
    /// The port; 0 takes one that is free
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The address to listen at. Whoever reaches another than this computer's own can read what is sent
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
}

/// Serves the board until Ctrl-C.
pub fn run(args: Args) -> Result<()> {
    let folder = table::folder();
    let last = || folder.as_deref().and_then(table::last).unwrap_or(NAMES[0]).to_owned();
    let game = args.game.as_ref().map_or_else(last, |name| name.to_lowercase());
    let at = SocketAddr::new(args.listen, args.port);
    let listener = TcpListener::bind(at).with_context(|| format!("cannot listen at {at}"))?;
    let address = listener.local_addr()?;
    let (table, states) = Table::new(&game, folder)?;
    let (sender, stopper) = (table.sender(), table.stopper());
    thread::Builder::new().name("table".into()).spawn(|| table.run()).context("cannot start a thread")?;
    let token = server::token()?;
    let url = format!("http://{address}/?token={token}");
    tools::print(&format!("The board is at {url}\nCtrl-C ends.\n"))?;
    if !args.no_open
        && let Err(error) = open::that_detached(&url)
    {
        tools::note!("Could not start a browser ({error}); open the address yourself.");
    }
    server::serve(listener, token, sender, states)?;
    stopper.stop();
    Ok(())
}
