//! `quintain bench`: the [benchmark](crate::engine::Bench) on the command line.

use crate::engine::Bench;
use anyhow::Result;
use quintain_io as output;

/// Arguments of `quintain bench`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Plies to search each position
    #[arg(value_name = "PLIES", default_value_t = Bench::default().depth)]
    depth: u32,
    /// Only this game
    #[arg(long, value_name = "GAME")]
    variant: Option<String>,
    /// Table size in MiB
    #[arg(long, value_name = "MIB", default_value_t = Bench::default().hash)]
    hash: usize,
}

/// Runs the benchmark. The last line is `N nodes M nps`.
pub fn run(args: Args) -> Result<()> {
    let bench = Bench { depth: args.depth, variant: args.variant.as_deref(), hash: args.hash };
    bench.run(None, &mut |line| output::print(&format!("{line}\n"))).map(drop)
}
