//! The parts of the engine, each for every game over the same positions: those that a fixed pseudo-random game from the
//! start goes through. `cargo bench -- perft/grand` runs one of them.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quintain::board::zobrist::split_mix;
use quintain::board::{BySquare, Color, SquareSet};
use quintain::engine::{NAMES, Visitor, visit};
use quintain::eval::{Evaluate, evaluate};
use quintain::notation::fen;
use quintain::rules::perft::perft;
use quintain::rules::{Position, Set};
use quintain::search::{Control, Limits, Memory, Settings, think};
use std::hint::black_box;

/// Every fourth position of a game of at most 120 random plies.
fn positions<V: Evaluate>() -> Vec<Position<V>> {
    let mut pos = fen::start::<V>();
    let (mut seed, mut positions) = (11, Vec::new());
    for ply in 0..120 {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        if ply % 4 == 0 {
            positions.push(pos.clone());
        }
        let random;
        (seed, random) = split_mix(seed);
        pos.play(moves[(random % moves.len() as u64) as usize]);
    }
    positions
}

struct Parts<'c>(&'c mut Criterion);

impl Visitor for Parts<'_> {
    type Output = ();

    fn visit<V: Evaluate>(self) {
        let positions = positions::<V>();
        let count = positions.len() as u64;
        let moves: u64 = positions.iter().map(Position::count_moves).sum();
        let mut part = |name: &str, elements: u64, run: &mut dyn FnMut()| {
            let mut group = self.0.benchmark_group(name);
            group.throughput(Throughput::Elements(elements)).sample_size(30);
            group.bench_function(V::NAME, |bencher| bencher.iter(&mut *run));
            group.finish();
        };

        // Set algebra and iteration, on the sets of the positions themselves.
        part("sets", count, &mut || {
            let mut seen = BySquare::filled(0u32);
            for pos in &positions {
                let set =
                    (pos.occupied() ^ pos.color(Color::White)) | pos.vacant().minus(pos.color(Color::Black));
                set.squares().for_each(|square| seen[square] += 1);
            }
            black_box(seen);
        });
        let squares: u64 = u64::from(positions[0].geometry().squares().count()) * count;
        part("attackers", squares, &mut || {
            let mut all = Set::<V>::EMPTY;
            for pos in &positions {
                for square in pos.geometry().squares().squares() {
                    all |= V::attackers(pos, Color::Black, square, pos.occupied());
                }
            }
            black_box(all);
        });
        part("count moves", moves, &mut || {
            black_box(positions.iter().map(Position::count_moves).sum::<u64>());
        });
        part("list moves", moves, &mut || {
            for pos in &positions {
                black_box(pos.legal_moves());
            }
        });
        let mut played = positions.clone();
        part("play and undo", moves, &mut || {
            for pos in &mut played {
                for mv in pos.legal_moves() {
                    pos.play(mv);
                    pos.undo(mv);
                }
            }
        });
        part("evaluate", count, &mut || {
            black_box(positions.iter().map(evaluate).sum::<i32>());
        });
        let mut start = fen::start::<V>();
        part("perft", perft(&mut start, 3), &mut || {
            black_box(perft(&mut start, 3));
        });
        let limits = Limits { nodes: Some(5000), ..Limits::default() };
        let (memory, control) = (Memory::new(4), Control::default());
        part("search", 5000, &mut || {
            memory.clear();
            control.start(&limits);
            black_box(think(&start, &limits, &[], Settings::default(), &memory, &control, &|_| {}));
        });
    }
}

fn parts(criterion: &mut Criterion) {
    for name in NAMES {
        visit(name, Parts(criterion));
    }
}

criterion_group!(benches, parts);
criterion_main!(benches);
