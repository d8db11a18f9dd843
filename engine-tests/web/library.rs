//! The games of the library: the list, addresses, several programs, and what cannot be read or written.

use super::PEOPLE;
use super::browser::{Browser, Page, board};
use super::harness::{Test, tests};
use quintain::engine::NAMES;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

pub const TESTS: &[Test] = tests!("library::":
    games_are_listed_opened_renamed_deleted_and_brought_back,
    all_games_are_exported_as_one_pgn,
    a_text_with_several_games_gives_a_list_to_choose_from,
    a_text_that_does_not_say_which_game_it_is_is_asked_about,
    an_address_names_a_kind_of_game_or_a_game,
    two_boards_with_one_folder_lose_no_move,
    the_list_is_read_again_when_a_game_cannot_be_deleted,
    a_game_that_cannot_be_read_is_set_aside,
    a_person_is_told_while_games_cannot_be_saved,
);

/// The files of the games below a home.
pub fn files(home: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(home.join("quintain/games")).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect()
}

/// What stands in a file of a game.
fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("a text");
    serde_json::from_str(text.lines().nth(1).expect("two lines")).expect("JSON")
}

fn play(page: &mut Page, game: &str, moves: &[&str]) {
    page.new_game(game, None, PEOPLE);
    for mv in moves {
        page.play(mv);
    }
}

fn open_list(page: &mut Page) {
    page.click("#library");
    page.wait("document.getElementById('library-dialog').open");
}

/// The names in the list.
fn names(page: &mut Page) -> Value {
    page.eval("[...document.querySelectorAll('.library-name')].map(name => name.firstChild.textContent)")
}

fn games_are_listed_opened_renamed_deleted_and_brought_back() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    play(&mut page, "chess", &["e2e4", "e7e5", "g1f3"]);
    play(&mut page, "canyon", &["d3d4"]);
    page.command(&json!({ "command": "resign" }));
    page.new_game("diamond", None, [false, true]);
    open_list(&mut page);
    let row = |page: &mut Page, number: usize| {
        page.eval(&format!("[...document.querySelectorAll('.library-row')[{number}].querySelector('.library-open').children].map(part => part.innerText)"))
    };
    let [first, second, third] = [0, 1, 2].map(|number| row(&mut page, number));
    assert_eq!(first[0], "You – Quintain (level 0, beginner)on the board");
    assert_eq!([&second[1], &second[3], &second[4]], ["Canyon Chess", "1-0", "1 move"]);
    assert_eq!([&third[1], &third[3], &third[4]], ["Chess", "unfinished", "2 moves"]);
    // Words and kinds narrow the list.
    page.click("#library-search");
    page.type_text("chess unfinished");
    let shown = "document.querySelectorAll('.library-row').length";
    page.wait(&format!(
        "{shown} === 0 && document.getElementById('library-empty').innerText === 'No game fits.'"
    ));
    // The list narrows while one types, so Enter has nothing to do.
    page.key("Enter");
    assert_eq!(page.eval("document.getElementById('library-search').closest('dialog').open"), true);
    page.eval("(field => { field.value = ''; field.dispatchEvent(new Event('input')); })(document.getElementById('library-search'))");
    page.eval("(field => { field.value = 'chess'; field.dispatchEvent(new Event('input')); })(document.getElementById('library-kind'))");
    page.wait(&format!("{shown} === 1"));
    // A name is given by the keyboard.
    page.click(".library-row [title=Rename]");
    page.wait("document.activeElement.closest('.library-rename')");
    page.type_text("my first game");
    page.key("Enter");
    page.wait("document.querySelector('.library-name')?.firstChild.textContent === 'my first game'");
    page.click(".library-row [title=Rename]");
    page.wait("document.activeElement.closest('.library-rename')");
    page.key("Escape");
    page.wait("!document.querySelector('.library-rename') && document.getElementById('library-dialog').open");
    // It is deleted, and brought back.
    page.click(".library-row [title=Delete]");
    page.wait(&format!("{shown} === 0"));
    assert!(page.text("document.getElementById('library-said').innerText").contains("my first game"));
    assert_eq!(files(home.path()).len(), 2);
    page.click("#library-undo");
    page.wait(&format!("{shown} === 1"));
    // It is opened, and goes on.
    page.click(".library-open");
    page.wait("!document.getElementById('library-dialog').open && quintain.game.game.name === 'chess'");
    assert_eq!(page.ply(), 3);
    page.play("b8c6");
    open_list(&mut page);
    // Nobody has touched the game of diamond.
    assert_eq!(names(&mut page), json!(["my first game", "White – Black"]));
}

fn all_games_are_exported_as_one_pgn() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    play(&mut page, "chess", &["e2e4", "e7e5"]);
    play(&mut page, "canyon", &["d3d4"]);
    // What is downloaded goes through a blob.
    page.eval(
        "window.blobs = []; const make = URL.createObjectURL; \
         URL.createObjectURL = blob => { blob.text().then(text => blobs.push(text)); return make(blob); }; true",
    );
    open_list(&mut page);
    page.click("#library-export");
    page.wait("blobs.length === 1");
    let all = page.text("blobs[0]");
    let games = quintain::notation::pgn::parse(&all).expect("a PGN");
    let moves = |at: usize| games[at].moves.iter().map(|ply| ply.san.as_str()).collect::<Vec<_>>();
    assert_eq!((games.len(), moves(0), moves(1)), (2, vec!["e4", "e5"], vec!["d4"]), "{all}");
    page.click(".library-row:nth-child(2) input");
    page.wait("document.getElementById('library-export').textContent === 'Export 1 game'");
    page.click("#library-export");
    page.wait("blobs.length === 2");
    assert!(!page.text("blobs[1]").contains("canyon"));
}

fn an_address_names_a_kind_of_game_or_a_game() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    play(&mut page, "chess", &["e2e4"]);
    let id = page.text("quintain.game.status.saved");
    let go = |page: &mut Page, query: &str| {
        page.eval(&format!("void location.assign('/?{query}')"));
        page.wait("location.search === '' && document.body.dataset.loaded === 'true'");
        page.loaded();
    };
    go(&mut page, "game=diamond");
    page.wait("quintain.game.game.name === 'diamond'");
    go(&mut page, &format!("play={id}"));
    page.wait("quintain.game.game.name === 'chess' && document.getElementById('board').dataset.ply === '1'");
    // The game of this kind goes on.
    go(&mut page, "game=chess");
    assert_eq!(page.ply(), 1);
    let no_ludo = format!("There is no game called 'ludo'; the games are {}.", NAMES.join(", "));
    for (query, told) in [
        ("game=ludo", &*no_ludo),
        ("play=chess-1999", "There is no saved game 'chess-1999'."),
        ("play=../address", "There is no saved game '../address'."),
    ] {
        go(&mut page, query);
        page.wait(&format!("document.getElementById('notice').textContent === \"{told}\""));
        assert_eq!(page.ply(), 1);
    }
    // The address that the program prints may name a game too.
    let mut other = browser.tab(&format!("{url}&game=gast"));
    other.loaded();
    other.wait("quintain.game.game.name === 'gast'");
    // So does the page on which a game is learnt.
    page.eval("void location.assign('learn.html?game=canyon')");
    page.wait("document.body.dataset.ready === 'true'");
    page.click("#play");
    page.loaded();
    page.wait("quintain.game.game.name === 'canyon'");
}

fn two_boards_with_one_folder_lose_no_move() {
    let home = tempfile::tempdir().expect("a folder");
    let (_first, url) = board(&home, "chess");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut one = browser.board(&url);
    play(&mut one, "chess", &["e2e4", "e7e5"]);
    let (_second, url) = board(&home, "chess");
    let mut two = browser.board(&url);
    two.wait("document.getElementById('notice').textContent.includes('open in another program')");
    assert_eq!(two.ply(), 0);
    play(&mut two, "chess", &["d2d4", "d7d5", "c2c4"]);
    one.play("g1f3");
    two.play("e7e6");
    let mut lengths: Vec<usize> = Vec::new();
    for path in files(home.path()) {
        lengths.push(read(&path)["nodes"].as_array().expect("a list").len());
    }
    lengths.sort_unstable();
    assert_eq!(lengths, [4, 5]);
    // The one that is open elsewhere is listed, and not opened.
    open_list(&mut two);
    two.click(".library-open:not([aria-current])");
    two.wait(
        "document.getElementById('library-error').textContent === 'The game is open in another program.'",
    );
}

fn the_list_is_read_again_when_a_game_cannot_be_deleted() {
    let home = tempfile::tempdir().expect("a folder");
    let (_first, url) = board(&home, "chess");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut one = browser.board(&url);
    play(&mut one, "chess", &["e2e4"]);
    let (_second, url) = board(&home, "canyon");
    let mut two = browser.board(&url);
    open_list(&mut two);
    // Meanwhile the other program changes the game.
    let id = one.text("quintain.game.status.saved");
    let row = format!(".library-row[data-id=\"{id}\"]");
    let name = format!("document.querySelector('{row} .library-name').textContent");
    assert_eq!(two.text(&name), "White – Black");
    one.command(&json!({ "command": "rename", "id": id, "name": "mine" }));
    let file = home.path().join(format!("quintain/games/{id}.json"));
    while read(&file)["name"] != "mine" {
        std::thread::yield_now();
    }
    two.click(&format!("{row} [title=Delete]"));
    two.wait(
        "document.getElementById('library-error').textContent === 'The game is open in another program.'",
    );
    // Its players are told below.
    assert_eq!(two.text(&name), "mineWhite – Black");
    // The keyboard is where it was, and a name that is refused stays to be mended.
    assert_eq!(two.text("document.activeElement.closest('.library-row').dataset.id"), id);
    two.click(&format!("{row} [title=Rename]"));
    two.wait("document.activeElement.closest('.library-rename')");
    two.type_text("yours");
    two.key("Enter");
    two.wait(
        "document.getElementById('library-error').textContent === 'The game is open in another program.'",
    );
    assert_eq!(two.text("document.querySelector('.library-rename input').value"), "yours");
}

fn a_game_that_cannot_be_read_is_set_aside() {
    let home = tempfile::tempdir().expect("a folder");
    // As an earlier version saved it, with a clock that nobody has.
    let old = json!({
        "settings": { "game": "chess", "fen": null, "engine": PEOPLE, "level": 20, "seconds": 2.0, "clock": { "minutes": 5.0, "increment": 3.0 } },
        "nodes": [{ "parent": null, "text": "", "comment": "", "mark": "", "score": null }],
        "live": 0, "end": null, "left": [{ "secs": u64::MAX, "nanos": 0 }, { "secs": 1, "nanos": 0 }], "paused": false
    });
    let folder = home.path().join("quintain/board");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("chess.json"), old.to_string()).expect("written");
    let (_board, url) = board(&home, "chess");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    let place = folder.join("chess.unreadable-1.json");
    page.wait(&format!("document.getElementById('notice').textContent.includes('{}')", place.display()));
    assert_eq!(fs::read_to_string(&place).expect("a text"), old.to_string());
    // It is read by everybody who looks at the board, and no obstacle to playing.
    page.ready();
    assert!(page.text("document.getElementById('notice').textContent").contains("seconds are too many"));
    play(&mut page, "chess", &["e2e4"]);
}

fn a_person_is_told_while_games_cannot_be_saved() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "chess");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    play(&mut page, "chess", &["e2e4"]);
    assert_eq!(page.eval("document.getElementById('unsaved').hidden"), true);
    // A file in the place of the folder lets nothing be written.
    let (folder, away) = (home.path().join("quintain/games"), home.path().join("away"));
    fs::rename(&folder, &away).expect("renamed");
    fs::write(&folder, "").expect("written");
    page.play("e7e5");
    page.wait("!document.getElementById('unsaved').hidden");
    let told = page.text("document.getElementById('unsaved').textContent");
    assert!(told.contains("is not saved") && told.contains("Not a directory"), "{told}");
    // It is still so after the page was loaded again.
    page.call("Page.reload", json!({}));
    page.wait(
        "document.getElementById('board')?.dataset.ply === '2' && !document.getElementById('unsaved').hidden",
    );
    fs::remove_file(&folder).expect("removed");
    fs::rename(&away, &folder).expect("renamed");
    page.wait("document.getElementById('unsaved').hidden");
    let [file] = &files(home.path())[..] else { panic!("more games than one") };
    assert_eq!(read(file)["live"], 2);
}

/// Loads a text by the dialog.
fn load(page: &mut Page, text: &str) {
    page.click("#share");
    page.wait("document.getElementById('share-dialog').open");
    page.click("#load-text");
    page.type_text(text);
    page.click("#load");
}

fn a_text_with_several_games_gives_a_list_to_choose_from() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    play(&mut page, "canyon", &["d3d4"]);
    let text = "[Variant \"chess\"]\n[White \"Anna\"]\n[Black \"Bea\"]\n\n1. e4 e5 1-0\n\n\
                [Variant \"chess\"]\n[White \"Cleo\"]\n[Black \"Dora\"]\n\n1. d4 d5 2. c4 *\n\n\
                [Variant \"chess\"]\n\n1. e5 *\n";
    load(&mut page, text);
    page.wait(
        "document.getElementById('library-dialog').open && !document.getElementById('share-dialog').open",
    );
    assert_eq!(names(&mut page), json!(["Anna – Bea", "Cleo – Dora"]));
    let told = page.text("document.getElementById('library-error').textContent");
    assert!(told.starts_with("Game 3: move 1. e5: "), "{told}");
    // The game on the board is not touched.
    assert_eq!(page.text("quintain.game.game.name"), "canyon");
    page.click("#library-all");
    page.wait("document.querySelectorAll('.library-row').length === 3");
    page.click(".library-row:nth-child(2) .library-open");
    page.wait("quintain.game.game.name === 'chess' && document.getElementById('board').dataset.ply === '3'");
}

fn a_text_that_does_not_say_which_game_it_is_is_asked_about() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    load(&mut page, "1. e4 e5 *");
    page.wait("document.getElementById('kind-dialog').open");
    let kinds =
        page.eval("[...document.querySelectorAll('#kinds button')].map(button => button.textContent)");
    assert_eq!([&kinds[0], &kinds[1]], ["Canyon Chess", "Chess"]);
    page.key("Escape");
    page.wait("!document.getElementById('kind-dialog').open && document.getElementById('share-dialog').open");
    assert_eq!(page.text("quintain.game.game.name"), "canyon");
    page.click("#load");
    page.wait("document.getElementById('kind-dialog').open");
    page.click("#kinds [value=chess]");
    page.wait("quintain.game.game.name === 'chess' && document.getElementById('board').dataset.ply === '2'");
}
