//! Openings, pictures and puzzles.

use super::axe;
use super::browser::{Browser, Page, board};
use super::harness::{Test, tests};
use super::parts;
use quintain::engine::{self, NAMES};
use quintain::study::{Book, puzzle, shipped};
use serde_json::json;

pub const TESTS: &[Test] = tests!("study::":
    the_book_is_shown_beside_the_board_and_its_moves_can_be_played,
    the_engine_plays_moves_of_the_book_unless_it_is_told_not_to,
    a_position_is_a_picture,
    puzzles_are_solved_on_a_page_of_their_own,
    the_board_of_puzzles_goes_back_when_a_move_is_not_judged,
    who_comes_without_the_address_is_told_what_to_open,
);

/// A game that has a book.
fn with_book() -> Option<&'static str> {
    NAMES.iter().copied().find(|name| shipped::has_book(name))
}

fn the_book_is_shown_beside_the_board_and_its_moves_can_be_played() {
    let Some(game) = with_book() else { return };
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, game);
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    page.new_game(game, None, [false, false]);
    page.ready();
    page.click("#openings summary");
    let rows = "document.querySelectorAll('#openings-moves tr').length";
    page.wait(&format!("{rows} > 0"));
    let session = engine::open(game).expect("a game");
    let book = Book::of(game).expect("a book");
    let moves = book.moves(&*session);
    assert_eq!(page.eval(rows), moves.len());
    let first = &moves[0];
    let row =
        page.text("document.querySelector('#openings-moves tr').innerText.trim().replace(/\\s+/g, ' ')");
    let san = session.describe(&first.text).expect("a legal move").san;
    assert_eq!(row, format!("{san} {} {} {}", first.games(), first.shown_share(), first.shown_score()));
    page.click("#openings-moves tr:first-child button");
    page.wait("document.getElementById('board').dataset.ply === '1'");
    assert_eq!(page.text("quintain.game.current.move.text"), first.text);
    // Back at the start, the book says who has played it, and which other moves are variations.
    page.click("#previous");
    page.wait("document.querySelector('#openings-moves td:last-child').innerText === 'White'");
    page.click("#openings-moves tr:nth-child(2) button");
    page.wait("document.getElementById('board').dataset.ply === '1'");
    page.click("#previous");
    page.wait(
        "document.querySelector('#openings-moves tr:nth-child(2) td:last-child').innerText === 'variation'",
    );
    // A game without a book has no panel, and what is open stays open for the next.
    page.new_game("chess", None, [false, false]);
    page.wait("document.getElementById('openings').hidden");
    page.new_game(game, None, [false, false]);
    page.wait(&format!("{rows} === {}", moves.len()));
}

fn the_engine_plays_moves_of_the_book_unless_it_is_told_not_to() {
    let Some(game) = with_book() else { return };
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, game);
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    page.click("#settings");
    page.wait(
        "document.getElementById('settings-dialog').open && document.getElementById('use-book').checked",
    );
    // The move of the book comes at once, however long the engine may think.
    let new =
        json!({ "command": "new", "game": game, "engine": [true, false], "level": 20, "seconds": 3600 });
    page.command(&new);
    page.wait("quintain.game.status.settings.seconds === 3600 && quintain.game.path(quintain.game.live).length === 2");
    let played = page.text("quintain.game.live.move.text");
    let session = engine::open(game).expect("a game");
    let book = Book::of(game).expect("a book");
    assert!(book.moves(&*session).iter().any(|edge| edge.text == played), "{played}");
    page.eval("document.getElementById('use-book').checked = false");
    page.click("#apply");
    page.wait("!document.getElementById('settings-dialog').open");
    page.command(&new);
    page.wait("quintain.game.status.thinking && quintain.game.path(quintain.game.live).length === 1");
}

fn a_position_is_a_picture() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    page.new_game("canyon", None, [false, false]);
    page.play("d2b2");
    let node = page.eval("quintain.game.shown");
    let ask = |arrows| json!({ "command": "picture", "node": node, "flipped": false, "dark": true, "arrows": arrows });
    let svg = page.command(&ask(json!([[[0, 0], [7, 7]]])));
    let svg = svg.as_str().expect("a text");
    assert!(svg.contains("<title>Canyon Chess, Black to move</title>"), "{svg}");
    // An arrow, and both squares of the move.
    assert_eq!((svg.matches("opacity=\"0.75\"").count(), svg.matches("opacity=\"0.42\"").count()), (1, 2));
    page.click("#share");
    page.wait("document.getElementById('share-dialog').open");
    page.click("#copy-picture");
    // Browsers without a clipboard say so.
    page.wait("document.getElementById('load-error').textContent !== ''");
    // What a browser draws of it is as large as it should be, and not empty.
    let drawn = "import('./picture.js').then(async ({ png }) => {
        const { send } = await import('./carrier.js');
        const svg = await send('picture', { node: quintain.game.shown, flipped: false, dark: false });
        return (await png(svg)).size;
    })";
    assert!(page.eval(drawn).as_u64().expect("a size") > 10_000);
}

fn puzzles_are_solved_on_a_page_of_their_own() {
    let Some(&game) = NAMES.iter().find(|name| !puzzle::of(name).is_empty()) else { return };
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, game);
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    page.click("#puzzles");
    page.wait("document.body.dataset.ready === 'true' && document.body.dataset.puzzle !== undefined");
    if let Some(script) = axe::script() {
        axe::check(&mut page, &script, "puzzles");
    }
    let puzzles = puzzle::of(game);
    let shown = "document.body.dataset.puzzle";
    let number: usize = page.text(shown).parse().expect("a number");
    // A hint costs the puzzle; then the solution is played, and the answers come by themselves.
    page.click("#hint");
    page.wait("document.getElementById('said').textContent.startsWith('The move begins on ')");
    let puzzle = &puzzles[number];
    for plies in (0..puzzle.solution.len()).step_by(2) {
        let text = &puzzle.solution[plies];
        page.wait(&format!("quintain.puzzles.plies === {plies}"));
        page.eval(&format!("quintain.puzzles.play('{text}')"));
    }
    page.wait("document.getElementById('said').textContent.startsWith('Solved. ')");
    assert!(page.text("document.getElementById('record').textContent").contains("In a row: 0, at best 0."));
    page.click("#next");
    page.wait(&format!("{shown} !== '{number}'"));
    page.click("#solution");
    page.wait("document.getElementById('said').textContent.startsWith('This was the solution.')");
}

fn the_board_of_puzzles_goes_back_when_a_move_is_not_judged() {
    let Some(&game) = NAMES.iter().find(|name| !puzzle::of(name).is_empty()) else { return };
    let home = tempfile::tempdir().expect("a folder");
    let (program, url) = board(&home, game);
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    page.click("#puzzles");
    page.wait("document.body.dataset.ready === 'true' && document.body.dataset.puzzle !== undefined");
    let pieces =
        "[...document.querySelectorAll('#board .piece')].map(piece => piece.style.transform).toSorted()";
    let (before, [from, to]) = (page.eval(pieces), quiet_move(&mut page));
    drop(program);
    page.square(&from);
    page.square(&to);
    page.wait("document.getElementById('error').textContent === 'The program does not answer.'");
    page.wait(&format!("JSON.stringify({pieces}) === JSON.stringify({before})"));
    // Where there is no puzzle, nothing can be moved.
    page.eval(
        "window.fetch = async () => new Response('null', { headers: { 'quintain-after': '0' } }); true",
    );
    page.click("#next");
    page.wait(
        "document.getElementById('said').textContent.startsWith('There are no more puzzles like that.')",
    );
    page.square(&from);
    assert_eq!(page.eval("document.querySelectorAll('#board .target').length"), 0);
}

/// The squares of a move of the puzzle that is shown that asks for no choice.
fn quiet_move(page: &mut Page) -> [String; 2] {
    let found = page.eval(
        "(({ moves }) => {
            const name = ([file, rank]) => String.fromCharCode(97 + file) + (rank + 1);
            const all = moves.map(({ from, to }) => [name(from), name(to)].join());
            const once = move => all.indexOf(move) === all.lastIndexOf(move);
            return all.filter(once).map(move => move.split(',')).find(([from, to]) => from !== to);
        })(quintain.puzzles)",
    );
    [0, 1].map(|at| found[at].as_str().expect("a square").to_owned())
}

fn who_comes_without_the_address_is_told_what_to_open() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.tab(&format!("http://{}/puzzles.html", parts(&url).0));
    page.wait("document.getElementById('error').textContent");
    let said = page.text("document.getElementById('error').textContent");
    assert_eq!(said, "This page may not do that. Open the address that quintain board printed.");
}
