//! Networks as `.ci/wasm` packs them, so that gzip makes less of them: the 16-bit numbers of the file with the sign in the
//! lowest bit, those of a column behind each other, and all lower bytes before all higher ones.

/// The columns, as in the script.
const COLUMNS: usize = 32;

/// The file of a network.
pub fn unpacked(packed: &[u8]) -> Vec<u8> {
    let (low, high) = packed.split_at(packed.len() / 2);
    let mut file = vec![0; 2 * low.len()];
    let places = (0..COLUMNS).flat_map(|column| (column..low.len()).step_by(COLUMNS));
    for (at, (&low, &high)) in places.zip(low.iter().zip(high)) {
        let number = u16::from_le_bytes([low, high]);
        let number = number >> 1 ^ (number & 1).wrapping_neg();
        file[2 * at..][..2].copy_from_slice(&number.to_le_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_unpacked_as_it_was() {
        let numbers: Vec<i16> =
            (0..999).map(|i| (i * i % 7919 - 3000) as i16).chain([i16::MIN, i16::MAX]).collect();
        let file: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let columns = (0..COLUMNS).flat_map(|column| numbers.iter().skip(column).step_by(COLUMNS));
        let signed: Vec<[u8; 2]> = columns.map(|number| (number << 1 ^ number >> 15).to_le_bytes()).collect();
        let packed: Vec<u8> =
            [0, 1].iter().flat_map(|&byte| signed.iter().map(move |pair| pair[byte])).collect();
        assert!(unpacked(&packed) == file);
    }
}
