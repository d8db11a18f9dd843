//! A fixed search: its node count is the checksum of search and evaluation, its rate a measure of their speed.

use super::{Engine, NAMES, Options};
use anyhow::Result;
use quintain_core::host;
use quintain_core::search::Limits;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// What to search.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    /// Plies to search each position.
    pub depth: u32,
    /// Only this game.
    pub variant: Option<&'a str>,
    /// Table size in MiB.
    pub hash: usize,
}

impl Default for Bench<'_> {
    fn default() -> Self {
        Bench { depth: 9, variant: None, hash: 16 }
    }
}

/// Positions besides each game's start: middlegames and endgames.
const POSITIONS: &[(&str, &str)] = &[
    ("canyon", "1******1/a1*kq*n1/1pppp1p1/*1n2p1*/*1P1A1a*/3PPPAM/1K*NQ*N1/1******1 b - - 1 10"),
    ("canyon", "1******1/2*k1*n1/8/*P5*/*3K2*/8/2*2*2/1******Q b - - 3 62"),
    (
        "diamond",
        "****1****/***kr1***/**pp1pv**/*3p1p1*/3n*4/*1PP1AP1*/**1P1P1**/***1K1***/****a**** w - - 1 11",
    ),
    ("diamond", "****k****/***2v***/**3p1**/*app1V2*/3P*4/*7*/**PR1P1**/***An1***/****K**** w - - 0 12"),
    ("grandcavalier", "1mnpq2nm1/4k4c/2vvvv1vv1/10/c1v7/2V1V1VV2/10/2v1VV4/1P2C1VC2/1MN2KPNM1 b - - 2 11"),
    ("grandcavalier", "cm1p5v/n8c/4vp4/3V5v/v9/1k5V2/3vN5/1V2V2n2/2P1V3m1/1MN1QK3M w - - 3 21"),
    ("superchess", "rnbckqabnr/10/10/10/10/10/10/10/PPPPSPSPPP/RNBCKQABNR[ss] b AJaj - 0 1 ?,?"),
    ("superchess", "r1b1kqabnr/p1p1pspp2/1s7p/8B1/4n3p1/10/2Q3c3/2P7/PS3SP1P1/RN2K1CBNR b AJaj - 1 18 se,se"),
    (
        "superchessfixed",
        "rn2k3n1/p5qpb1/3p1s1a1r/2p1sb2pp/1p6P1/1Q2c5/5SPP2/P1P1S4P/1P1P2N1A1/RNB1K2B1R w AJa - 3 20 s",
    ),
    (
        "gast",
        "rn1ab1k2gnr/4pp5a/2p7pp/8pg2/7p1p2/pp1p2p3q1/1b2P2P1P1P/12/3P1G4N1/12/PPP1GPP1P1PA/RN1ABQKB3R w ADLadl - 1 16",
    ),
    (
        "gast14",
        "rn2bqk1qba1nr/pp1g1ppp4p1/2p4opp2g1/10p3/3pP9/11p2/1P6P2P1p/1Q2P1P5G1/6O7/2a5Q5/P2P1PAP1PP1PP/RNG1B2K1B1ANR b akn - 1 17",
    ),
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("grand", "3c1k2rr/1nbq2ab2/p2p3p1p/7n2/1pp1pPp1p1/6P3/P7P1/1PPPKPBP1P/1NBQ1CA1N1/R7R1 b - - 0 28"),
];

/// Is the benchmark to end now?
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

impl Bench<'_> {
    /// Searches, and gives `print` a line for each game and a last one, `N nodes M nps`. False if it was told to `stop`.
    pub fn run(self, stop: Option<Stop>, print: &mut dyn FnMut(String) -> Result<()>) -> Result<bool> {
        if let Some(name) = self.variant {
            super::info(name)?;
        }
        let (mut total, mut seconds) = (0, 0.0);
        for name in NAMES.iter().filter(|&&name| self.variant.is_none_or(|wanted| wanted == name)) {
            // Without endgame tables, which do not belong to search and evaluation.
            let options = Options { variant: name, hash: self.hash, table_limit: 0, ..Options::default() };
            let mut engine = Engine::new(options)?;
            let start = engine.game().fen();
            let others = POSITIONS.iter().filter(|(game, _)| game == name).map(|(_, fen)| *fen);
            let limits = Limits { depth: Some(self.depth), ..Limits::default() };
            let (mut nodes, began) = (0, host::now());
            for fen in std::iter::once(start.as_str()).chain(others) {
                engine.game_mut().set_position(Some(fen), &[])?;
                engine.new_game();
                match stop {
                    // Without threads, a search asks the host itself.
                    Some(stop) if cfg!(not(target_family = "wasm")) => {
                        nodes += think_until(stop, &mut engine, &limits)
                    }
                    _ => nodes += engine.think(&limits, &|_| ()).nodes,
                }
                if stop.is_some_and(|stop| stop()) {
                    return Ok(false);
                }
            }
            let taken = (host::now() - began).as_secs_f64();
            print(format!("{name:<16} {nodes:>10} nodes {:>9.0} nps", nodes as f64 / taken))?;
            (total, seconds) = (total + nodes, seconds + taken);
        }
        print(format!("{total} nodes {:.0} nps", total as f64 / seconds))?;
        Ok(true)
    }
}

/// The nodes of a search that ends early when it is told to.
fn think_until(stop: Stop, engine: &mut Engine, limits: &Limits) -> u64 {
    const LOOK: Duration = Duration::from_millis(5);
    let (stopper, done) = (engine.stopper(), AtomicBool::new(false));
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !done.load(Relaxed) {
                if stop() {
                    stopper.stop();
                }
                thread::park_timeout(LOOK);
            }
        });
        let found = catch_unwind(AssertUnwindSafe(|| engine.think(limits, &|_| ())));
        done.store(true, Relaxed);
        watch.thread().unpark();
        found.unwrap_or_else(|panic| resume_unwind(panic)).nodes
    })
}
