//! The rules of a game as a page shows them. Their text is written for a terminal, and its layout says what is what:
//!
//! - The first line is the title, a line in capitals a heading. Capitals at the beginning of a line are a heading within
//!   the text.
//! - `  - ` and `  1. ` begin an item of a list; other lines that are indented by two spaces are rows of a table, whose
//!   cells have two spaces between them.
//! - Ranks above a row of files are a board, or two side by side. What stands to the right of one board is about it. A
//!   line above is its title, and so is what stands before a rank. An arrow behind a piece is where it faces.
//! - Lines below a paragraph that are indented by four spaces answer it. Other such lines are shown as they are.
//! - A paragraph in brackets is about the text itself, and is left out.

use quintain_core::notation::draw::ARROWS;
use serde::Serialize;

/// A part of the rules.
#[derive(Serialize, PartialEq, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "RulesBlock"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Block {
    /// Begins a section.
    Heading { text: String },
    /// A paragraph, and what begins it in bold.
    Text { head: String, text: String },
    /// Items of a list.
    List { items: Vec<String>, numbered: bool },
    /// A table: rows of cells.
    Table { rows: Vec<Vec<String>> },
    /// Boards side by side, and what is said about them.
    Boards { boards: Vec<Board>, aside: String },
    /// A question and its answer.
    Answer { question: String, text: String },
    /// Lines as they are.
    Plain { lines: Vec<String> },
}

/// A drawn board or a part of it.
#[derive(Serialize, PartialEq, Default, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "RulesBoard"))]
pub struct Board {
    pub title: String,
    /// Its files, from 0.
    pub files: Vec<usize>,
    pub rows: Vec<Row>,
}

/// A rank of a drawn board.
#[derive(Serialize, PartialEq, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "RulesRow"))]
pub struct Row {
    /// From 0.
    pub rank: usize,
    /// What stands on the squares: a piece, with a digit where it faces as White sees the board; a mark; a dot on an
    /// empty square; nothing where there is no square.
    pub cells: Vec<String>,
}

/// The parts of a game's rules.
pub fn blocks(rules: &str) -> Vec<Block> {
    let lines: Vec<&str> = rules.lines().skip(1).collect();
    let mut blocks = Vec::new();
    // Lines that are a board once a row of files follows, and their title.
    let (mut ranks, mut title): (Vec<&str>, Option<&str>) = (Vec::new(), None);
    for group in lines.split(|line| line.trim().is_empty()).filter(|group| !group.is_empty()) {
        let last = group[group.len() - 1];
        if files(last).is_some() {
            ranks.extend(&group[..group.len() - 1]);
            blocks.extend(boards(&ranks, last, title.take()));
            ranks.clear();
        } else if group.iter().all(|line| is_rank(line)) {
            ranks.extend(group);
        } else {
            if let Some(line) = title.take() {
                plain(&mut blocks, &[line]);
            }
            match group {
                [line] if indent(line) >= 4 => title = Some(line),
                _ if group[0].starts_with('[') && last.ends_with(']') => {}
                [line] if !line.contains(char::is_lowercase) => {
                    blocks.push(Block::Heading { text: sentence(line) });
                }
                _ => add(&mut blocks, group),
            }
        }
    }
    blocks
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Words in capitals as they are written in a sentence.
fn sentence(capitals: &str) -> String {
    let text = capitals.to_lowercase();
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Adds the paragraphs, lists and tables of some lines.
fn add(blocks: &mut Vec<Block>, lines: &[&str]) {
    if lines.iter().all(|line| indent(line) >= 4) {
        plain(blocks, lines);
        return;
    }
    let first = blocks.len();
    for &line in lines {
        let words = line.trim();
        let item =
            words.split_once(". ").filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
        let last = if blocks.len() > first { blocks.last_mut() } else { None };
        match (indent(line), last) {
            (0, Some(Block::Text { text, .. })) if capitals(words).is_empty() => {
                *text = format!("{text} {words}");
            }
            (0, _) => {
                let head = capitals(words);
                blocks.push(Block::Text { text: words[head.len()..].to_owned(), head: sentence(head) });
            }
            (2, Some(Block::List { items, .. })) if words.starts_with("- ") => items.push(words[2..].into()),
            (2, Some(Block::List { items, .. })) if item.is_some() => {
                items.extend(item.map(|item| item.1.into()))
            }
            (2, _) if words.starts_with("- ") => {
                blocks.push(Block::List { items: vec![words[2..].into()], numbered: false });
            }
            (2, _) if item.is_some() => {
                blocks
                    .push(Block::List { items: vec![item.map_or("", |item| item.1).into()], numbered: true });
            }
            (2, Some(Block::Table { rows })) => rows.push(cells(words)),
            (2, _) => blocks.push(Block::Table { rows: vec![cells(words)] }),
            (_, Some(Block::List { items, .. })) => continues(items.last_mut(), words),
            (_, Some(Block::Table { rows })) => {
                continues(rows.last_mut().and_then(|row| row.last_mut()), words)
            }
            (_, Some(Block::Answer { text, .. })) => continues(Some(text), words),
            (_, Some(block)) => {
                let question = match block {
                    Block::Text { text, .. } => std::mem::take(text),
                    _ => String::new(),
                };
                *block = Block::Answer { question, text: words.into() };
            }
            (_, None) => plain(blocks, &[line]),
        }
    }
}

/// Adds lines as they are.
fn plain(blocks: &mut Vec<Block>, new: &[&str]) {
    let new = new.iter().map(|&line| line.to_owned());
    match blocks.last_mut() {
        Some(Block::Plain { lines }) => lines.extend(std::iter::once(String::new()).chain(new)),
        _ => blocks.push(Block::Plain { lines: new.collect() }),
    }
}

fn continues(text: Option<&mut String>, words: &str) {
    if let Some(text) = text {
        *text = format!("{text} {words}");
    }
}

/// The words in capitals that a line begins with, two letters or more each.
fn capitals(line: &str) -> &str {
    let is_capital = |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let words = line.split([' ', '.', ',']).take_while(is_capital).last();
    words.map_or("", |last| &line[..last.as_ptr() as usize - line.as_ptr() as usize + last.len()])
}

/// What stands between two spaces or more.
fn cells(line: &str) -> Vec<String> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
}

/// A row of files: for each board the file and the column of each letter.
fn files(line: &str) -> Option<Vec<Vec<(usize, usize)>>> {
    let mut boards: Vec<Vec<(usize, usize)>> = Vec::new();
    for (column, letter) in line.chars().enumerate().filter(|(_, letter)| *letter != ' ') {
        let file = usize::from(letter.is_ascii_lowercase().then_some(letter as u8)? - b'a');
        let before = (file.wrapping_sub(1), column.wrapping_sub(2));
        match boards.last_mut().filter(|board| board.last() == Some(&before)) {
            Some(board) => board.push((file, column)),
            None => boards.push(vec![(file, column)]),
        }
    }
    (!boards.is_empty() && boards.iter().all(|board| board.len() > 2)).then_some(boards)
}

/// The rank that ends before a column, and what stands before its number.
fn rank_before(line: &[char], column: usize) -> Option<(usize, String)> {
    let before: String = line.get(..column)?.iter().collect();
    let before = before.trim_end();
    let text = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let rank: usize = before[text.len()..].parse().ok()?;
    Some((rank.checked_sub(1)?, text.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// Could a line be a rank of a board?
fn is_rank(line: &str) -> bool {
    let is_square = |word: &&str| word.chars().count() == 1;
    indent(line) >= 4 && line.split_whitespace().rev().take_while(is_square).count() > 3
}

/// The boards above a row of files.
fn boards(ranks: &[&str], row_of_files: &str, title: Option<&str>) -> Vec<Block> {
    let groups = files(row_of_files).unwrap_or_default();
    let titles = title.map(cells).unwrap_or_default();
    let mut rows: Vec<(usize, String, Row)> = Vec::new();
    let mut aside: Vec<String> = Vec::new();
    for line in ranks {
        let line: Vec<char> = line.chars().collect();
        for (number, group) in groups.iter().enumerate() {
            let Some((rank, label)) = rank_before(&line, group[0].1) else { continue };
            let cell = |&(_, column): &(usize, usize)| {
                let square = line.get(column).copied().filter(|&square| square != ' ');
                let facing =
                    line.get(column + 1).and_then(|mark| ARROWS.iter().position(|arrow| arrow == mark));
                let facing = facing.map_or(String::new(), |facing| facing.to_string());
                square.map_or(String::new(), |square| format!("{square}{facing}"))
            };
            rows.push((number, label, Row { rank, cells: group.iter().map(cell).collect() }));
        }
        if let [group] = &groups[..] {
            let end = group[group.len() - 1].1 + 2;
            let words: String = line.iter().skip(end).collect();
            aside.extend(Some(words.trim().to_owned()).filter(|words| !words.is_empty()));
        }
    }
    let files = |number: usize| groups[number].iter().map(|&(file, _)| file).collect();
    // Ranks with words before them are boards of their own.
    let boards = if rows.iter().any(|(_, label, _)| !label.is_empty() && groups.len() == 1) {
        let board = |(number, title, row)| Board { title, files: files(number), rows: vec![row] };
        rows.into_iter().map(board).collect()
    } else {
        let mut boards: Vec<Board> = (0..groups.len())
            .map(|number| Board {
                title: titles.get(number).cloned().unwrap_or_default(),
                files: files(number),
                rows: Vec::new(),
            })
            .collect();
        for (number, _, row) in rows {
            boards[number].rows.push(row);
        }
        boards
    };
    vec![Block::Boards { boards, aside: aside.join(" ") }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine::{self as engine, NAMES};

    #[test]
    fn the_rules_of_all_games_become_pages() {
        for name in NAMES {
            let info = engine::info(name).unwrap();
            let blocks = blocks(info.rules);
            let headings = blocks.iter().filter(|block| matches!(block, Block::Heading { .. })).count();
            assert!(headings >= 5, "{name}: {blocks:#?}");
            // The first board is the whole one.
            let first = blocks.iter().find_map(|block| match block {
                Block::Boards { boards, .. } => Some(&boards[0]),
                _ => None,
            });
            let first = first.expect("a board");
            assert_eq!(
                (first.files.len(), first.rows.len()),
                (info.files.into(), info.ranks.into()),
                "{name}"
            );
            // Only the compass of Super Chess is shown as it is typed.
            let plain = blocks.iter().filter(|block| matches!(block, Block::Plain { .. })).count();
            assert_eq!(plain, usize::from(name.starts_with("super")), "{name}: {blocks:#?}");
            let text = serde_json::to_string(&blocks).unwrap();
            for terminal in ["quintain ", "type the name", "Capital letters"] {
                assert!(!text.contains(terminal), "{name}: {terminal}");
            }
        }
    }

    #[test]
    fn every_layout_is_read() {
        const RULES: &str = "TITLE
by somebody

THE BOARD

[Only in a
terminal.]

It is
small. Go.
GOING ON, it goes
  - one
    more
  - two
And last.

    left        right

    2  . C↗n    2  *   .
    1  . . .    1  . x .
       a b c       b c d

    3  . . .     It
    2  . P       goes.
       a b c

    before   1  R . K
    after    1  . K R
                a b c

    one
    two

  K  king   one step
            at a time

  1. first

Is it?
    It
    is.
Why?
    So.
";
        let text = |head: &str, text: &str| Block::Text { head: head.into(), text: text.into() };
        let answer =
            |question: &str, text: &str| Block::Answer { question: question.into(), text: text.into() };
        let strings = |items: &[&str]| items.iter().map(|&item| item.to_owned()).collect::<Vec<_>>();
        let board = |title: &str, first: usize, rows: &[(usize, [&str; 3])]| Board {
            title: title.into(),
            files: (first..first + 3).collect(),
            rows: rows.iter().map(|(rank, cells)| Row { rank: *rank, cells: strings(cells) }).collect(),
        };
        let expected = [
            text("", "by somebody"),
            Block::Heading { text: "The board".into() },
            text("", "It is small. Go."),
            text("Going on", ", it goes"),
            Block::List { items: strings(&["one more", "two"]), numbered: false },
            text("", "And last."),
            Block::Boards {
                boards: vec![
                    board("left", 0, &[(1, [".", "C1", "n"]), (0, [".", ".", "."])]),
                    board("right", 1, &[(1, ["*", "", "."]), (0, [".", "x", "."])]),
                ],
                aside: String::new(),
            },
            Block::Boards {
                boards: vec![board("", 0, &[(2, [".", ".", "."]), (1, [".", "P", ""])])],
                aside: "It goes.".into(),
            },
            Block::Boards {
                boards: vec![
                    board("before", 0, &[(0, ["R", ".", "K"])]),
                    board("after", 0, &[(0, [".", "K", "R"])]),
                ],
                aside: String::new(),
            },
            Block::Plain { lines: strings(&["    one", "    two"]) },
            Block::Table { rows: vec![strings(&["K", "king", "one step at a time"])] },
            Block::List { items: strings(&["first"]), numbered: true },
            answer("Is it?", "It is."),
            answer("Why?", "So."),
        ];
        assert_eq!(blocks(RULES), expected);
    }
}
