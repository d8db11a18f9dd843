//! Counts the sequences of legal moves of a game, by its type: the fastest way to use the library.
//!
//! `cargo run --release --example perft -- canyon 5`

use quintain::engine::{self, Playable, Visitor};
use quintain::notation::coords;
use quintain::rules::{Position, perft::perft};
use std::env;
use std::error::Error;

/// Code that is compiled for each game. `engine::visit` picks the one with the right name.
struct Count {
    depth: u32,
}

impl Visitor for Count {
    type Output = u64;

    fn visit<V: Playable>(self) -> u64 {
        let mut position = Position::<V>::default();
        let mut total = 0;
        for mv in position.legal_moves() {
            let text = coords::write(&position, mv);
            position.play_unchecked(mv);
            let count = perft(&mut position, self.depth - 1);
            position.take_back();
            println!("{text}: {count}");
            total += count;
        }
        total
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [name, depth] = arguments.as_slice() else { return Err("usage: perft GAME DEPTH".into()) };
    let depth = depth.parse().ok().filter(|&depth| depth > 0).ok_or("the depth is a number above 0")?;
    let total = engine::visit(name, Count { depth })?;
    println!("\n{total}");
    Ok(())
}
