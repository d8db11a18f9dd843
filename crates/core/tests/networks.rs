//! Networks of real games, as files.

use quintain::variants::diamond::Diamond;
use quintain::variants::grand::Grand;
use quintain::variants::superchess::{SuperChess, SuperChessFixed};
use quintain_core::eval::network::{LARGEST_BIAS, OUTPUT_BUCKETS, Parameters, QA};
use quintain_core::eval::{Evaluate, LARGEST, Network, NetworkError, evaluate};
use quintain_core::rules::Position;
use std::sync::Arc;

#[test]
fn a_file_comes_back_and_only_whole_and_for_its_game() {
    let mut parameters = Parameters::zero::<Grand>();
    let mut next = -40i16;
    let mut random = || {
        next = next.wrapping_mul(31).wrapping_add(7);
        next
    };
    parameters.feature_weights.iter_mut().for_each(|row| row.0.fill_with(&mut random));
    parameters.output_weights.as_flattened_mut().iter_mut().for_each(|row| row.0.fill_with(&mut random));
    parameters.output_bias = [-100_000, 3, 0, LARGEST_BIAS, -LARGEST_BIAS, 1, 2, 3];
    let bytes = parameters.to_bytes::<Grand>();
    assert_eq!(Parameters::from_bytes::<Grand>(&bytes), Ok(parameters));

    let error = |bytes: &[u8]| Parameters::from_bytes::<Grand>(bytes).unwrap_err();
    assert_eq!(error(&bytes[..20]), NetworkError::Format);
    assert_eq!(error(&bytes[1..]), NetworkError::Format);
    assert_eq!(error(&bytes[..bytes.len() - 1]), NetworkError::Checksum);
    let mut changed = bytes.clone();
    changed[500] ^= 1;
    assert_eq!(error(&changed), NetworkError::Checksum);
    let mut small = Parameters::zero::<Grand>();
    small.feature_weights.pop();
    assert!(matches!(error(&small.to_bytes::<Grand>()), NetworkError::Size { .. }));
    for found in [i32::MAX, i32::MIN, LARGEST_BIAS + 1] {
        let mut large = Parameters::zero::<Grand>();
        large.output_bias[7] = found;
        assert_eq!(error(&large.to_bytes::<Grand>()), NetworkError::Bias { found });
    }
    let other = Parameters::from_bytes::<Diamond>(&bytes).unwrap_err();
    assert_eq!(other.to_string(), "it is for grand, not for diamond");
}

#[test]
fn the_largest_parameters_do_not_overflow() {
    let pos = Position::<Diamond>::default();
    for number in [i16::MAX, i16::MIN] {
        let mut parameters = Parameters::zero::<Diamond>();
        parameters.feature_weights.iter_mut().for_each(|row| row.0.fill(number));
        parameters.output_weights.as_flattened_mut().iter_mut().for_each(|row| row.0.fill(number));
        parameters.feature_bias.0.fill(QA);
        parameters.output_bias.fill(if number > 0 { LARGEST_BIAS } else { -LARGEST_BIAS });
        let network = Arc::new(Network::from_bytes::<Diamond>(&parameters.to_bytes::<Diamond>()).unwrap());
        assert!(evaluate(&pos, &network).abs() <= LARGEST);
    }
}

#[test]
fn both_forms_of_super_chess_share_networks() {
    let bytes = Parameters::zero::<SuperChess>().to_bytes::<SuperChess>();
    assert!(Parameters::from_bytes::<SuperChessFixed>(&bytes).is_ok());
}

#[test]
fn buckets_cover_all_counts_of_pieces() {
    let network = Grand::network();
    let buckets: Vec<usize> = (2..=40).map(|pieces| network.bucket(pieces)).collect();
    assert_eq!((buckets[0], buckets[38]), (0, OUTPUT_BUCKETS - 1));
    assert!(buckets.is_sorted());
}

#[test]
fn a_network_that_was_given_stays() {
    let given = || Network::given::<Diamond>(Diamond::network);
    assert!(!Network::is_given("diamond") && Arc::ptr_eq(given(), Diamond::network()));
    let first = Arc::new(Network::new::<Diamond>(Diamond::network().parameters().clone()));
    Network::give(Arc::clone(&first));
    Network::give(Network::nothing::<Diamond>());
    assert!(Network::is_given("diamond") && !Network::is_given("grand"));
    assert!(Arc::ptr_eq(given(), &first));
}
