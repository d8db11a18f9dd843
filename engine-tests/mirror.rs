//! Positions and moves with colours exchanged and ranks reversed, computed from their texts alone.

fn swap_case(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
        .collect()
}

/// The name of a square with its rank counted from the other edge; `-` stays.
fn mirror_square(name: &str, ranks: u32) -> String {
    match name[1..].parse::<u32>() {
        Ok(rank) => format!("{}{}", &name[..1], ranks + 1 - rank),
        Err(_) => name.to_owned(),
    }
}

/// A facing. Facings are named from the owner's side, so Black's east is White's west; files are not reversed here,
/// so east and west are exchanged. North and south stay.
fn mirror_facing(facing: &str) -> String {
    facing.replace('e', "x").replace('w', "e").replace('x', "w")
}

/// The mirrored move. A square in it is a lowercase letter with a number after it; the rest are suffixes.
pub fn coords(text: &str, ranks: u32) -> String {
    let mut mirrored = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (token, after) = rest.split_at(1 + digits);
        // No game has a promotion letter e or w.
        mirrored += &if digits > 0 { mirror_square(token, ranks) } else { mirror_facing(token) };
        rest = after;
    }
    mirrored
}

/// The mirrored position. `None` in the set-up phase of Super Chess, in which White always comes first.
pub fn fen(fen: &str) -> Option<String> {
    if fen.contains(['[', '?']) {
        return None;
    }
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let placement = fields[0].clone();
    let rows: Vec<&str> = placement.split('/').collect();
    let ranks = rows.len() as u32;
    if let Some(extra) = fields.get_mut(6) {
        *extra = mirror_facings(&rows, extra);
    }
    fields[0] = rows.iter().rev().map(|row| swap_case(row)).collect::<Vec<_>>().join("/");
    fields[1] = if fields[1] == "w" { "b".into() } else { "w".into() };
    // The letters of both sides in their own order, White's first.
    let (white, black): (String, String) =
        swap_case(&fields[2]).chars().partition(|letter| letter.is_ascii_uppercase());
    fields[2] = white + &black;
    fields[3] = mirror_square(&fields[3], ranks);
    Some(fields.join(" "))
}

/// The mirrored facings in the order that their cyclopes have in the mirrored FEN. Canyon's count of moves against a
/// bare king stays.
fn mirror_facings(rows: &[&str], extra: &str) -> String {
    if extra == "-" || extra.parse::<u32>().is_ok() {
        return extra.to_owned();
    }
    let mut facings = extra.split(',');
    let mut by_row: Vec<Vec<&str>> =
        rows.iter().map(|row| facings.by_ref().take(row.matches(['C', 'c']).count()).collect()).collect();
    by_row.reverse();
    by_row.concat().into_iter().map(mirror_facing).collect::<Vec<_>>().join(",")
}

#[test]
fn mirror_images() {
    assert_eq!(fen("4k3/8/8/8/3pP3/8/8/R3K3 b Q e3 5 9").unwrap(), "r3k3/8/8/3Pp3/8/8/8/4K3 w q e6 5 9");
    let facings = "k9/1c2C5/10/10/10/10/10/10/9c/K9 w - - 0 1 n,se,w";
    assert_eq!(fen(facings).unwrap(), "k9/9C/10/10/10/10/10/10/1C2c5/K9 b - - 0 1 e,n,sw");
    assert_eq!(fen("1k/K1 w - - 0 1 7").unwrap(), "k1/1K b - - 0 1 7");
    assert_eq!(fen("10[ss] b AJaj - 0 1 ?,?"), None);
    assert_eq!(coords("e9e10cne", 10), "e2e1cnw");
    assert_eq!(coords("d1d3w", 10), "d10d8e");
    assert_eq!(coords("a7a8n", 8), "a2a1n");
    assert_eq!(coords("S@c2,S@h2", 10), "S@c9,S@h9");
}
