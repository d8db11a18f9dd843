//! The positions on which speed is measured.
//!
//! Each game begins with its start; the others are from games that the engine played against itself after a few
//! random moves. Most of those of Canyon and Diamond Chess have no exchange and no sideways step within the depth:
//! without them, other engines can play these games.

use crate::engine;

/// A position to measure on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestPosition {
    /// The position as FEN.
    pub fen: &'static str,
    /// Plies that perft counts: between half a million and ten million sequences, fewer where the next ply
    /// has moves that other engines do not know.
    pub depth: u32,
}

const PLACES: &[(&str, u32, &str)] = &[
    ("canyon", 5, START),
    ("canyon", 4, "1******1/1k*1Q*n1/1p2p1pm/*A2n2*/*3P1P*/1PP1PP1a/1K*2*NA/1******1 b - - 0 11"),
    ("canyon", 4, "1******1/1k*1Q*n1/1p4pm/*3p2*/*3P1P*/1PPAPP2/K1*2*aA/1******1 w - - 0 14"),
    ("canyon", 4, "1******1/a1*1N*1k/1Np1M3/*5m*/*6*/1PPPP1n1/2*KQ*2/1******1 w - - 0 18"),
    ("canyon", 4, "1******1/2*2*2/ka2M3/*2M2p*/*1pn3*/8/1K*2*N1/1******1 w - - 1 25"),
    ("canyon", 5, "1******1/ak*2*n1/1pp1a1p1/*2pP2*/*1P2Pp*/MP6/1K*NA*2/1******1 w - - 1 17"),
    ("canyon", 5, "1******1/1k*2*2/2p1p3/*pn1An1*/*4N1*/M1P3aK/2*2*2/1******1 b - - 4 24"),
    ("diamond", 6, START),
    (
        "diamond",
        5,
        "****k****/***1n1***/**1arvp**/*1p5*/2Pp*p3/*2P1NR1*/**1A1PP**/***2V***/****K**** w - - 0 10",
    ),
    (
        "diamond",
        5,
        "****1****/***1r1***/**p2kp**/*2p4*/4*p1n1/*1PP1Pv1*/**2V1P**/***KN1***/****R**** b - - 0 17",
    ),
    ("diamond", 5, "****k****/***3***/**pr3**/*1Nv2p1*/4*2a1/*2PAP2*/**4P**/***2V***/****K**** w - - 0 19"),
    (
        "diamond",
        5,
        "****k****/***a2***/**p1r1v**/*1Pn1p2*/2RP*4/*2P1VP1*/**1A1P1**/***3***/****K**** b - - 1 12",
    ),
    ("grandcavalier", 4, START),
    ("grandcavalier", 3, "1mnpqk1n1m/10/1vvvpvv1v1/10/3v2v3/5VV2V/7M2/M1VV2VV2/c5C3/V1NPQKPN2 w - - 0 9"),
    (
        "grandcavalier",
        3,
        "1m2qkpvm1/5c4/4vvpv2/1V2v5/2v4v2/2V1v1VP2/1M8/2V1V1VVV1/1C1Q6/2N2KP1M1 w - - 11 15",
    ),
    ("grandcavalier", 3, "1N1p1k4/8cc/4vv1v1m/3v6/1v3v1v2/n3v1V1p1/4V5/1V1NVPV1n1/2CK4V1/3M4M1 w - - 0 21"),
    ("grandcavalier", 4, "N4k1v2/3m2n3/2v7/1m8/10/5VV2V/9Q/2Vp1V2Vc/10/3P1KP3 w - - 1 31"),
    ("superchess", 2, START),
    (
        "superchess",
        3,
        "r2ckqabnr/s1ppsp2pp/1pn4p2/6p3/10/10/3CS1P3/1S3A4/P2PPP1PPP/RNB1KQ2NR w AJaj - 2 9 e,ne",
    ),
    ("superchess", 3, "4k1a1nr/pspppp2pp/5bpq2/2c7/Q9/10/3P6/2N3PA2/P1PCPS1SPP/R1B1K2BNR w AJj - 9 15 se,se"),
    ("superchess", 4, "4kq1b1r/Q1rbpp1s1s/3p1a1np1/6p3/10/6A3/3P6/6P3/P1P1PSNSPP/R1B2K3R w - - 0 21 -"),
    ("superchess", 3, "r6r2/pspk1p1psp/2n6q/4b1p3/4p5/7R2/3PN1P3/3C1K4/SPP1P3PS/9Q w - - 13 31 n"),
    ("superchessfixed", 3, START),
    (
        "superchessfixed",
        4,
        "r1b1k1q3/pppp2pp1p/7a2/n2cs5/5s4/10/4S5/3P1A4/PPP2SPPPP/RNB1KQ1BNR w AJa - 0 9 n",
    ),
    ("superchessfixed", 3, "5k1bnr/1p1p2pppp/10/2c2s4/3na5/10/3P2P3/10/PCPA3PPP/RNB1K2BNR w AJ - 0 15 s,e"),
    (
        "superchessfixed",
        3,
        "r2ck1qb1r/1ppas2ppp/p1n3bn2/10/3p1A4/3s2N3/4N1Q3/4B5/PPP1S1PPPP/R2CK2B1R w AJaj - 0 21 w,e",
    ),
    (
        "superchessfixed",
        3,
        "r4k3r/pp2ss1ppp/6pn2/3cb5/3n2b3/1C4N3/3P1BPP2/10/PP2SSB1PP/RN1K5R w - - 1 31 e,ne",
    ),
    ("gast", 3, START),
    (
        "gast",
        3,
        "r3bqkb3r/p2ppppppppp/2png4n1g/4a4a2/1p10/12/12/12/2NGA3G3/1PP4N4/P2PPPPPPPPP/R3BQKBA2R w AILal - 9 9",
    ),
    (
        "gast",
        3,
        "5qkba1nr/p1ppp1pp1ppp/2a9/1p1p8/12/8p3/3n8/5P6/2PG5N2/7A4/1PPPP1PPPPPP/R3BQKB1R2 w Ail - 2 15",
    ),
    ("gast", 4, "5rkb3r/pp2pppppp1p/2b9/3p8/12/1a8N1/6P5/P1g2P6/8G3/2P9/1P1PP2PPPPP/R3BQK4R w ALl - 1 21"),
    ("gast", 3, "r5kb4/ppp3pp1p2/12/3a1p1bpp2/12/3pp7/6N3P1/8Q3/3PP2PP3/4P1B5/n2P2P1B2P/1N7RK1 w a - 2 31"),
    ("gast14", 3, START),
    (
        "gast14",
        3,
        "rngabqkoqb3r/p2ppppp1pp1pp/2p6gn3/a13/1p4G1p5/11p2/8PP4/10P3/4A9/1PP11/P2PPPPP3PPP/RNG1BQKOQBA1NR w AKNadn - 2 9",
    ),
    (
        "gast14",
        3,
        "r3bqkoqb2nr/p1p1p1pppppppp/2p5a5/1p2n9/5p1g6/2A11/7P6/5P5g2/11N2/3A10/PPPPP1P1PPBPPP/RNG1BQKOQ4R w ANan - 3 15",
    ),
    (
        "gast14",
        3,
        "r3bqk1qb3r/ppp2ppp1pp1pp/14/2n6p4/4o3p3O1/3p4g5/5n2P5/4G9/2N1P5PN2/7B6/PP1PPPPP1P2PP/R3BQK1R5 w Aan - 3 21",
    ),
    (
        "gast14",
        3,
        "r5k6r/ppBp2p3popp/2n1p9/8ppg3/6a7/9n4/12q1/5p8/3G1N2N5/5P3O4/qP1PP1P2PPPPP/2R2QK1Q4R w Nan - 2 31",
    ),
    ("chess", 5, START),
    ("chess", 5, "r1bqkbn1/2p1pp1r/p1np2pp/8/2N2P2/1P1BP1P1/P2P3P/R1BQK1NR w KQq - 0 9"),
    ("chess", 4, "rn2k2r/1p4pp/p1p1bp2/4N3/3Qp3/1P2P2P/P1PK2P1/R4B1R w kq - 0 15"),
    ("chess", 4, "r1q2rk1/pp2bppp/2n5/6P1/3P3P/1QPb1BB1/PP1NNK2/n6R w - - 0 21"),
    ("chess", 5, "r2bk3/p4b1R/1p6/8/5P2/P3B3/1P1K4/R7 w q - 0 31"),
    ("grand", 4, START),
    ("grand", 3, "r8r/1nbqkcabn1/p1p1pp2pp/1p1p2p3/6Bp2/2P6P/2NP2P3/PP2PP1PP1/3QKCABN1/2R6R w - - 0 9"),
    ("grand", 3, "r8r/3qkc4/1pp1pp2pp/p1p1bbpn2/7p1a/4BB1P2/2PP2PN2/P3PP2PP/1N1QKCA3/R8R w - - 9 15"),
    ("grand", 4, "r8r/2b1kc4/1p5ppp/1qp2bpn2/p2p1p4/P4B1P2/2P2n2P1/1P2PPP1BP/1N1QKC4/R8R w - - 0 21"),
    ("grand", 4, "4r1b2r/3q2k3/ppn3c3/2p4p2/P5p1pp/3P1p4/3Q1a1P2/1PPCNP1BPP/4K5/R6R2 w - - 0 31"),
];

/// Stands for the game's start.
const START: &str = "";

/// The positions of the game called `name`; none if there is no such game.
pub fn of(name: &str) -> Vec<TestPosition> {
    let Ok(info) = engine::info(name) else { return Vec::new() };
    let own = PLACES.iter().filter(|place| place.0 == name);
    own.map(|&(_, depth, fen)| TestPosition { fen: if fen == START { info.start } else { fen }, depth })
        .collect()
}
