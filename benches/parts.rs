//! The parts of the engine, each for every game over the positions of `quintain speed`. `cargo bench -- perft/grand`
//! runs one of them, `cargo bench -- --quick` all of them in a few minutes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quintain::board::{Board, BySquare, Color, Geometry, MoveList, Square, SquareSet};
use quintain::engine::Playable;
use quintain::engine::{FindTables, NAMES, Visitor, endings, tables_of, visit};
use quintain::eval::Evaluator;
use quintain::notation::fen;
use quintain::rules::attacks::{Cross, DIAGONAL, KNIGHT_LEAPS, Lookup, ORTHOGONAL, Rider, Scan, Spread};
use quintain::rules::movegen::{All, Noisy, Quiet};
use quintain::rules::perft::{perft, perft_listed};
use quintain::rules::{Position, Set};
use quintain::search::tables::known;
use quintain::search::{Control, Limits, Memory, Search, find_best};
use quintain::tables::{Material, Tables, Work};
use quintain::tools::speed::positions;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

/// The parts of one game.
struct Parts<'c>(&'c mut Criterion);

impl Parts<'_> {
    /// Measures `run`, which does something `elements` times.
    fn part(&mut self, game: &str, name: &str, elements: u64, mut run: impl FnMut()) {
        let mut group = self.0.benchmark_group(name);
        group.throughput(Throughput::Elements(elements)).sample_size(20);
        group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
        group.bench_function(game, |bencher| bencher.iter(&mut run));
        group.finish();
    }

    /// Set algebra: what it costs a set.
    fn sets<V: Playable>(&mut self, positions: &[Position<V>]) {
        let count = positions.len() as u64;
        self.part(V::NAME, "sets/algebra and count", count, || {
            let mut pieces = 0;
            for pos in positions {
                let (white, black) = (pos.color(Color::White), pos.color(Color::Black));
                pieces += ((white ^ black) | pos.vacant().minus(white)).count();
            }
            black_box(pieces);
        });
        self.part(V::NAME, "sets/shift", count, || {
            let shifted =
                |pos: &Position<V>| pos.shift(pos.occupied(), 1, 1) | pos.shift(pos.occupied(), -1, 2);
            black_box(positions.iter().map(shifted).fold(Set::<V>::EMPTY, |all, set| all ^ set));
        });
        let pieces = positions.iter().map(|pos| u64::from(pos.occupied().count())).sum();
        self.part(V::NAME, "sets/squares", pieces, || {
            let mut seen = BySquare::filled(0u32);
            for pos in positions {
                pos.occupied().squares().for_each(|square| seen[square] += 1);
            }
            black_box(seen);
        });
    }

    /// The attacks of one rider from every square of every position.
    fn rider<V: Playable>(&mut self, positions: &[Position<V>], name: &str, rider: impl Rider<Set<V>>) {
        let squares: Vec<Square> = V::Board::geometry().all().squares().collect();
        let occupied: Vec<Set<V>> = positions.iter().map(Position::occupied).collect();
        let elements = (squares.len() * occupied.len()) as u64;
        self.part(V::NAME, &format!("riders/{name}"), elements, || {
            let mut all = Set::<V>::EMPTY;
            for &occupied in &occupied {
                for &square in &squares {
                    all ^= rider.attacks(square, occupied);
                }
            }
            black_box(all);
        });
    }

    /// All ways to look attacks up.
    fn riders<V: Playable>(&mut self, positions: &[Position<V>]) {
        let board: &Geometry<Set<V>> = V::Board::geometry();
        for (piece, steps) in [("rook", &ORTHOGONAL), ("bishop", &DIAGONAL)] {
            // One table for both lines of a rook has 40 MB on ten by ten squares.
            if board.all().count() <= 64 {
                self.rider(positions, &format!("{piece} by Lookup"), Lookup::rider(board, steps));
            }
            self.rider(positions, &format!("{piece} by Cross"), Cross::<_, 2>::rider(board, steps));
            self.rider(positions, &format!("{piece} by Spread"), Spread::rider(board, steps));
            self.rider(positions, &format!("{piece} by Scan"), Scan::<_, 4>::rider(board, steps));
        }
        self.rider(positions, "cannon by Cross", Cross::<_, 2>::hopper(board, &ORTHOGONAL));
        self.rider(positions, "cannon by Scan", Scan::<_, 4, true>::hopper(board, &ORTHOGONAL));
        self.rider(positions, "nightrider by Cross", Cross::<_, 4>::rider(board, &KNIGHT_LEAPS));
        self.rider(positions, "nightrider by Scan", Scan::<_, 8>::rider(board, &KNIGHT_LEAPS));
    }

    fn generation<V: Playable>(&mut self, positions: &[Position<V>]) {
        let squares = u64::from(V::Board::geometry().all().count()) * positions.len() as u64;
        self.part(V::NAME, "attackers", squares, || {
            let mut all = Set::<V>::EMPTY;
            for pos in positions {
                for square in pos.geometry().all().squares() {
                    all |= V::attackers(pos, Color::Black, square, pos.occupied());
                }
            }
            black_box(all);
        });
        let listed = |generate: fn(&Position<V>, &mut MoveList)| {
            move |pos: &Position<V>| {
                let mut moves = MoveList::new();
                generate(pos, &mut moves);
                black_box(&moves).len() as u64
            }
        };
        let all = listed(|pos, moves| pos.generate::<All, _>(pos.occupied(), moves));
        let noisy = listed(|pos, moves| pos.generate::<Noisy, _>(pos.occupied(), moves));
        let quiet = listed(|pos, moves| pos.generate::<Quiet, _>(pos.occupied(), moves));
        let moves = positions.iter().map(Position::count_moves).sum();
        let count = positions.len() as u64;
        self.part(V::NAME, "moves/count", moves, || {
            black_box(positions.iter().map(Position::count_moves).sum::<u64>());
        });
        self.part(V::NAME, "moves/list", moves, || {
            black_box(positions.iter().map(&all).sum::<u64>());
        });
        self.part(V::NAME, "moves/list noisy (a position)", count, || {
            black_box(positions.iter().map(&noisy).sum::<u64>());
        });
        self.part(V::NAME, "moves/list quiet (a position)", count, || {
            black_box(positions.iter().map(&quiet).sum::<u64>());
        });
        let mut played = positions.to_vec();
        self.part(V::NAME, "play and undo", moves, || {
            for pos in &mut played {
                for mv in pos.legal_moves() {
                    pos.play_unchecked(mv);
                    pos.take_back();
                }
            }
        });
        let total = played.iter_mut().map(|pos| perft(pos, 2)).sum();
        self.part(V::NAME, "perft/bulk", total, || {
            black_box(played.iter_mut().map(|pos| perft(pos, 2)).sum::<u64>());
        });
        self.part(V::NAME, "perft/list", total, || {
            black_box(played.iter_mut().map(|pos| perft_listed(pos, 2)).sum::<u64>());
        });
    }

    fn thought<V: Playable>(&mut self, positions: &[Position<V>]) {
        let mut evaluator = Evaluator::new(V::network());
        self.part(V::NAME, "evaluate", positions.len() as u64, || {
            black_box(positions.iter().map(|pos| evaluator.evaluate(pos)).sum::<i32>());
        });
        const NODES: u64 = 5000;
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let memory = Memory::new(4);
        self.part(V::NAME, "search", NODES * positions.len() as u64, || {
            for pos in positions {
                memory.clear();
                let control = Control::started(&limits);
                black_box(find_best(pos, &Search::new(&limits, &memory, &control)));
            }
        });
    }
}

impl Parts<'_> {
    /// Looking up a position in endgame tables: in blocks that are kept, in blocks of a file that are read for it (with
    /// the opening of a set, which is measured too).
    fn tables<V: Playable>(&mut self) {
        let endings = endings(V::NAME).expect("a game");
        const BLOCK: usize = 4096;
        let size = |material: &Material| endings.entries(material).expect("a table") / 2;
        // The first material whose table has blocks enough.
        let mut materials = (3..=4).map(|pieces| endings.all(pieces).remove(0));
        let material = materials.find(|material| size(material) > 16 * BLOCK).expect("a material");
        let size = size(&material);
        let at = |number| {
            let text = endings.position(&material, Color::White, number).expect("a position");
            fen::parse::<V>(&text).ok()
        };
        let work = Work { threads: 1, stop: &|| false };
        let mut tables = Tables::new();
        for needed in endings.plan(std::slice::from_ref(&material)).expect("materials") {
            let table = endings.build(&needed, &tables, work).expect("a table");
            tables.insert(needed, Arc::new(table));
        }
        let folder = tempfile::tempdir().expect("a folder");
        let game = folder.path().join(V::NAME);
        std::fs::create_dir(&game).expect("a folder");
        let bytes = endings.write(&tables[&material]).expect("a file");
        std::fs::write(game.join(format!("{material}.qtable")), bytes).expect("a file");
        let find: FindTables =
            Arc::new(quintain_io::tables::find(&folder.path().to_string_lossy()).expect("a folder"));
        // One position of each block. Some numbers stand for none: the kings touch, or both sides are in check.
        let blocks = (0..size).step_by(BLOCK).map(|first| first..size.min(first + BLOCK));
        let positions: Vec<Position<V>> = blocks.filter_map(|mut block| block.find_map(at)).collect();
        let set = tables_of(V::NAME, Some(&find));
        self.part(V::NAME, "tables/kept", positions.len() as u64, || {
            positions.iter().for_each(|pos| _ = black_box(known(pos, &set)));
        });
        self.part(V::NAME, "tables/read", positions.len() as u64, || {
            let set = tables_of(V::NAME, Some(&find));
            positions.iter().for_each(|pos| _ = black_box(known(pos, &set)));
        });
        self.part(V::NAME, "tables/open", 1, || _ = black_box(tables_of(V::NAME, Some(&find))));
    }
}

impl Visitor for Parts<'_> {
    type Output = ();

    fn visit<V: Playable>(mut self) {
        let places = positions::of(V::NAME);
        let positions: Vec<Position<V>> =
            places.iter().map(|place| fen::parse(place.fen).expect("a position")).collect();
        self.sets(&positions);
        self.riders(&positions);
        self.generation(&positions);
        self.thought(&positions);
        self.tables::<V>();
    }
}

fn parts(criterion: &mut Criterion) {
    for name in NAMES {
        visit(name, Parts(criterion)).expect("a game");
    }
}

criterion_group!(benches, parts);
criterion_main!(benches);
