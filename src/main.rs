//! Temporary perft check.
use quintain::notation::{coords, fen};
use quintain::rules::{Variant, perft};
fn run<V: Variant>(
    name: &str,
    fen: &str,
    counts: &[(u32, u64)],
    cap: u64,
    bad: &mut u32,
    total: &mut u64,
) -> bool {
    if V::NAME != name {
        return false;
    }
    match fen::parse::<V>(fen) {
        Err(e) => {
            println!("{name} {fen}: {e}");
            *bad += 1;
        }
        Ok(mut pos) => {
            let back = fen::write(&pos);
            if back != fen {
                println!("roundtrip {name}\n  {fen}\n  {back}");
            }
            for &(d, n) in counts {
                if n <= cap {
                    *total += n;
                    let got = perft::perft(&mut pos, d);
                    if got != n {
                        println!("{name} {fen} D{d}: {got} instead of {n}");
                        *bad += 1;
                        if d == 1 {
                            let mut v: Vec<_> =
                                pos.legal_moves().iter().map(|&m| coords::write(&pos, m)).collect();
                            v.sort();
                            println!("{}", v.join(" "));
                        }
                        break;
                    }
                }
            }
        }
    }
    true
}
macro_rules! dispatch { ($($v:ty),* $(,)?) => { fn dispatch(name:&str,fen:&str,c:&[(u32,u64)],cap:u64,bad:&mut u32,total:&mut u64){ $( if run::<$v>(name,fen,c,cap,bad,total) {return;} )* panic!("{name}") } } }
quintain::for_each_variant!(dispatch);
fn main() {
    let cap: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let (mut bad, mut total) = (0, 0);
    for f in [
        "canyon",
        "superchess",
        "superchessfixed",
        "diamond",
        "grandcavalier",
        "gast",
        "gast14",
        "chess",
        "grand",
    ] {
        let t0 = std::time::Instant::now();
        let (b0, n0) = (bad, total);
        for line in std::fs::read_to_string(format!("../shared/perft/{f}.epd")).unwrap().lines() {
            let mut it = line.split(" ;D");
            let fen = it.next().unwrap().trim();
            let c: Vec<(u32, u64)> = it
                .map(|x| {
                    let (d, n) = x.trim().split_once(' ').unwrap();
                    (d.parse().unwrap(), n.trim().parse().unwrap())
                })
                .collect();
            dispatch(f, fen, &c, cap, &mut bad, &mut total);
        }
        println!("{f}: {} bad, {:.1} Mn/s", bad - b0, (total - n0) as f64 / t0.elapsed().as_secs_f64() / 1e6);
    }
    let mut cur = (String::new(), String::new(), vec![]);
    let text = std::fs::read_to_string("../shared/perft/start.txt").unwrap() + "end x\n";
    for line in text.lines() {
        if let Some(r) = line.strip_prefix("perft ") {
            let (d, n) = r.split_once(' ').unwrap();
            cur.2.push((d.parse().unwrap(), n.parse().unwrap()));
        } else {
            if !cur.0.is_empty() {
                let t0 = std::time::Instant::now();
                let n0 = total;
                dispatch(&cur.0, &cur.1, &cur.2, cap, &mut bad, &mut total);
                println!(
                    "start {} {:.1} Mn/s",
                    cur.0,
                    (total - n0) as f64 / t0.elapsed().as_secs_f64() / 1e6
                );
            }
            let (a, b) = line.split_once(' ').unwrap();
            cur = (a.into(), b.trim().into(), vec![]);
        }
    }
    println!("{bad} bad");
}
