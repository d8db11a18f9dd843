//! What a person does on a board, which is that of the server, or that of a site without one.

use super::browser::{ANALYSED, Browser, Page, board};
use super::harness::Test;
use super::{PEOPLE, axe, home, site};
use serde_json::{Value, json};
use std::time::Duration;

macro_rules! scripts {
    ($($name:ident in $game:literal),* $(,)?) => {
        pub const ON_THE_BOARD: &[Test] = &[$((stringify!($name), || on_the_board($game, $name))),*];
        pub const ON_A_SITE: &[Test] = &[$((concat!("site::", stringify!($name)), || site::on_a_site($game, $name))),*];
    };
}

scripts! {
    // The longest first, so that no core is left idle in the end.
    every_game_is_played_to_its_end_against_the_engine in "canyon",
    special_moves_are_played_with_the_mouse in "canyon",
    every_game_is_won_by_both_sides in "canyon",
    the_new_game_dialog_begins_a_game in "canyon",
    a_game_has_hints_take_backs_draws_and_an_end in "chess",
    two_engines_can_be_paused in "diamond",
    two_people_at_one_board_agree_pause_and_turn_it in "chess",
    what_a_person_prefers_is_kept in "chess",
    a_browser_that_keeps_nothing_will_do in "canyon",
    a_move_in_advance_is_played_when_its_turn_comes in "chess",
    a_move_in_advance_is_given_up_when_a_move_is_taken_back in "chess",
    a_move_in_advance_is_given_up_when_the_game_ends in "chess",
    a_number_that_is_missing_is_asked_for in "chess",
    analysis_shows_lines_that_can_be_played in "diamond",
    a_game_is_annotated_loaded_and_saved in "chess",
    files_are_read_in_the_code_that_they_have in "chess",
    the_editor_gives_the_reason_why_a_position_is_impossible in "superchessfixed",
    the_editor_moves_pieces_and_loses_nothing in "chess",
    the_editor_goes_back_to_the_set_up_of_super_chess in "superchess",
    captured_pieces_and_times_of_moves_are_shown in "chess",
    moves_after_a_hint_are_marked in "chess",
    the_list_of_moves_keeps_clicks_and_focus in "chess",
    super_chess_is_set_up_with_the_mouse in "superchess",
    what_can_be_typed_is_shown_by_a_legal_move in "chess",
    a_move_that_is_refused_is_named_as_it_was_typed in "chess",
    rules_are_read_as_a_page in "chess",
    what_was_typed_and_said_stays_with_its_game in "chess",
    a_phone_plays_by_touch in "gast14",
    the_keyboard_is_enough in "diamond",
    axe_finds_nothing in "superchess",
}

/// Runs a script on the board of the server, which shows this game.
pub fn on_the_board(game: &str, script: fn(&mut Page)) {
    let home = home();
    let (_board, url) = board(&home, game);
    let Some(browser) = Browser::start(&[]) else { return };
    script(&mut browser.board(&url));
}

// ---- Playing --------------------------------------------------------------------------------------------

/// Games by the mouse: from a FEN or the start, these moves.
const LINES: &[(&str, Option<&str>, &[&str])] = &[
    // Exchanges of king and queen, a promotion.
    (
        "canyon",
        None,
        &["d3d4", "b6b5", "e3e4", "d6d5", "e2g2", "d5e4", "f3e4", "b7d6", "e4e5", "g6g5", "e5d6q"],
    ),
    // A pawn that steps aside at the edge.
    ("diamond", Some("****k****/***3***/**5**/*7*/P3*4/*7*/**5**/***3***/****K**** w - - 0 1"), &["a5b5"]),
    // The set-up phase.
    ("superchess", None, &["S@c2,S@h2", "S@d9,S@e9", "d1d1ne", "d10d10n", "c2c4"]),
    // Runs over enemies.
    (
        "superchessfixed",
        Some("1k1r6/ppp7/3p6/4s1q3/10/7B2/2AC6/10/10/8K1 w - - 0 1 n"),
        &["c4b6", "b10a10", "d4d7e", "g7g5", "d7a7n"],
    ),
    // A run over friends.
    ("superchessfixed", Some("2kr6/pppp2q3/10/2P1PC4/10/10/1B8/10/10/8K1 w - - 0 1 e"), &["f7c7n"]),
    // A turn on the spot, a promotion to a piece that faces, a shot.
    ("superchessfixed", Some("7k2/10/4r5/10/10/3C6/10/10/10/8K1 w - - 0 1 n"), &["d5d5sw"]),
    ("superchessfixed", Some("7k2/P9/4r5/10/4A5/10/10/10/10/8K1 w - - 0 1"), &["a9a10cse"]),
    ("superchessfixed", Some("4r4k/10/10/10/4A5/10/10/10/10/8K1 w - - 0 1"), &["e6e10"]),
    // Castling with two pieces at once.
    ("gast", Some("5k6/12/12/12/12/12/12/12/12/12/12/6K1A2R w IL - 0 1"), &["g1k1"]),
    ("grandcavalier", Some("4k5/V9/10/10/10/10/10/10/10/4K5 w - - 0 1"), &["a9c10q"]),
    // En passant, castling, promotion.
    ("chess", None, &["e2e4", "a7a6", "e4e5", "d7d5", "e5d6"]),
    ("chess", Some("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"), &["e8c8", "e1g1"]),
    ("chess", Some("8/P6k/8/8/8/8/8/K7 w - - 0 1"), &["a7a8n"]),
];

fn special_moves_are_played_with_the_mouse(page: &mut Page) {
    for &(game, fen, moves) in LINES {
        page.new_game(game, fen, PEOPLE);
        for mv in moves {
            page.play(mv);
        }
        // Seen from the other side as well.
        page.click("#flip");
    }
    // A piece can be dragged, and a wrong drop changes nothing.
    page.new_game("chess", None, PEOPLE);
    page.ready();
    page.drag("e2", "e5");
    page.drag("e2", "e4");
    page.wait("document.getElementById('board').dataset.ply === '1'");
    assert_eq!(page.text("document.querySelector('#moves .move').firstChild.textContent"), "e4");
    // A picker is left by Escape, and by a click beside it.
    page.new_game("chess", Some("8/P6k/8/8/8/8/8/K7 w - - 0 1"), PEOPLE);
    page.ready();
    for leave in ["Escape", "click"] {
        page.square("a7");
        page.square("a8");
        page.wait("!!document.querySelector('.promotions')");
        if leave == "click" {
            page.square("f3")
        } else {
            page.key(leave)
        }
        page.wait("!document.querySelector('.promotions') && !document.querySelector('#board .chosen')");
    }
    assert_eq!(page.ply(), 0);
}

/// For each game a mate by White and one by Black, in one move.
const MATES: &[(&str, &str, &str)] = &[
    ("canyon", "1******1/Q1*1n*q1/1pkpppp1/*1n4*/*1MPP1M*/1PP2PP1/AN*K1*NA/1******1 w - - 1 8", "c4b6"),
    ("canyon", "1******1/an*2*2/1p1k1ap1/*1m1pn1*/*4P1*/1PqPN3/2*1K*2/1******1 b - - 1 14", "f5d4"),
    (
        "diamond",
        "****k****/***3***/**p2V1**/*5R1*/1n1v*4/*2N3P*/**PP3**/***A2***/****K**** w - - 1 11",
        "f7e7",
    ),
    (
        "diamond",
        "****k****/***2v***/**1r3**/*3pnp1*/2p1*p3/*1PPPP2*/**a1KVP**/***1RA***/****1**** b - - 0 12",
        "c5d4",
    ),
    ("grandcavalier", "k9/1m2Q5/1C6v1/10/4P5/2V3V3/10/3VV1VVV1/10/1MN2KPNM1 w - - 3 23", "e9b9"),
    ("grandcavalier", "3pqkpn2/10/m1vvv1vv2/6V3/2v3v3/3V6/5vK3/1nV2V4/8m1/1cc7 b - - 1 21", "i2g2"),
    (
        "superchess",
        "1Qb1kq1bnr/3pspppap/10/1B6p1/10/10/10/6S3/PPPSPP1PPP/RNBCK1A1NR w AJj - 1 9 sw",
        "b10c10",
    ),
    ("superchess", "r1b1k2bnr/pppspp1ppp/n4as3/10/6Q3/10/8P1/7P2/SPPS1q4/RNBK2A1N1 b aj - 1 13 -", "f2f1"),
    ("superchessfixed", "8nr/1p6p1/7p2/3C5p/2Bk6/10/6P3/9b/PPPPSSQPPP/RNB1K1A1NR w AJ - 1 15 w", "g2d5"),
    (
        "superchessfixed",
        "r1b1kq1bnr/ppppss1ppp/2n2ap3/10/10/10/10/6P3/PPPPSS1PP1/RNBK1QAc2 b aj - 1 9 e",
        "h1f1e",
    ),
    (
        "gast",
        "7b2nr/2p1p2kp2p/7g4/3Q3A4/12/pp7pp1/5P6/3B2N5/2N9/12/PPPP3PPPPP/R1GAB2AKG1R w L - 1 24",
        "d9g12",
    ),
    (
        "gast",
        "rn1ab1k1ag1r/ppp1pp1ppppp/12/12/12/6p5/1bG9/2p3PP2P1/8GP2/12/PPPPPP2P2P/1R2BK2g2n b adil - 0 18",
        "l1i2",
    ),
    (
        "gast14",
        "rn2bk2qba2r/ppp1p2ppppppp/1gap9n/5p8/3G2p7/14/5P4P3/14/7B6/11A2/PPPPP1PPPP1PPP/RNGA1QKOQB2NR w ADN - 0 10",
        "d8e10",
    ),
    (
        "gast14",
        "r1ga1qkoqb1g1r/ppppp1pppppppp/3n6n3/14/14/5p8/14/G12P/5PP6N/2P4Q6/PP1PP2PPPPaP1/R2bB1K1QB1G1R b ANadn - 1 12",
        "l2i1",
    ),
    ("chess", "7k/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8"),
    ("chess", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4"),
    ("grand", "3B6/5k1b2/p2Q1Ap1pp/5p2an/10/5P1p2/2P3P3/PPP1P2PPP/1KB2C2N1/R8R w - - 2 26", "d8e9"),
    ("grand", "rk7r/1nb4bn1/ppp1p3pp/7p2/4p5/1P7P/1QP1p1Pp2/4Pc1PP1/1aq2B4/4RK1R2 b - - 1 18", "c2f2"),
];

fn every_game_is_won_by_both_sides(page: &mut Page) {
    for &(game, fen, mate) in MATES {
        let black = fen.contains(" b ");
        // The person plays the side that wins, from below.
        page.new_game(game, Some(fen), [black, !black]);
        assert_eq!(page.eval("quintain.board.flipped"), black, "{game}");
        page.play(mate);
        page.wait("!document.getElementById('over').hidden");
        let end = page.text("document.getElementById('over').innerText");
        let (score, reason) = if black { ("0-1", "Black mates") } else { ("1-0", "White mates") };
        assert!(end.contains(score) && end.contains(reason), "{game}: {end}");
        assert_eq!(page.eval("document.querySelectorAll('#board .check').length"), 1, "{game}");
    }
}

/// A person who plays any moves loses to the engine, in each game and with either side.
fn every_game_is_played_to_its_end_against_the_engine(page: &mut Page) {
    for (number, &game) in (0..).zip(quintain::engine::NAMES) {
        let black = number % 2 == 1;
        page.new_game(game, None, [black, !black]);
        page.command(&json!({ "command": "level", "level": 20 }));
        let mut turn = 0;
        loop {
            page.wait(
                "quintain.game.status.end || document.getElementById('board').dataset.ready === 'true'",
            );
            if page.eval("quintain.game.status.end !== null") == true {
                break;
            }
            let count = page.eval("quintain.legal.moves.length").as_u64().expect("a number");
            let index = (turn * 7919 + number * 13) % count;
            let mv = page.text(&format!("quintain.legal.moves[{index}].text"));
            page.play(&mv);
            turn += 1;
            assert!(turn < 150, "{game} does not end");
        }
        page.wait("!document.getElementById('over').hidden");
        let reason = page.text("document.getElementById('reason').textContent");
        assert_eq!(reason, page.text("quintain.game.status.end.text"), "{game}");
    }
}

fn the_new_game_dialog_begins_a_game(page: &mut Page) {
    page.click("#new");
    page.wait("document.getElementById('new-dialog').open");
    page.click("input[name=game][value=diamond] + span");
    page.click("input[name=side][value=black] + span");
    page.click("input[name=time][value=\"5+3\"] + span");
    page.click("#begin");
    page.wait("quintain.game.game.name === 'diamond' && quintain.game.status.settings.engine[0]");
    // A beginner may have moved already.
    page.wait(
        "!document.getElementById('new-dialog').open \
         && (!document.getElementById('now').disabled || document.getElementById('board').dataset.ply === '1')",
    );
    page.eval("document.getElementById('now').click()");
    page.wait("Number(document.getElementById('board').dataset.ply) === 1");
    let clocks =
        page.text("[...document.querySelectorAll('.clock')].map(clock => clock.textContent).join(' ')");
    assert!(clocks.contains("5:0"), "{clocks}");
    // A wrong FEN is refused with the engine's reason.
    page.click("#new");
    page.wait("document.getElementById('new-dialog').open");
    page.click("#new-fen");
    page.type_text("8/8 w - -");
    page.click("#begin");
    page.wait("document.getElementById('new-error').textContent.startsWith('Placement: ')");
    page.key("Escape");
    page.wait("!document.getElementById('new-dialog').open");
}

fn a_game_has_hints_take_backs_draws_and_an_end(page: &mut Page) {
    page.new_game("chess", None, [false, true]);
    page.ready();
    page.click("#hint");
    page.wait("!!document.querySelector('#board .arrow.hint')");
    page.play("e2e4");
    page.wait("document.getElementById('board').dataset.ply === '2'");
    page.ready();
    page.click("#back");
    page.wait("document.getElementById('board').dataset.ply === '0'");
    page.ready();
    page.click("#draw");
    page.wait("document.getElementById('notice').textContent.includes('too early')");
    page.click("#resign");
    page.click("#resign-yes");
    page.wait("document.getElementById('over').innerText.includes('White resigns')");
    page.wait("document.getElementById('notice').textContent === ''");
    page.click("#rematch");
    page.wait(
        "quintain.game.status.settings.engine[0] && document.getElementById('board').dataset.ply === '1'",
    );
    assert_eq!(page.eval("quintain.board.flipped"), true);
    // A clock runs out.
    page.command(&json!({
        "command": "new", "game": "chess", "engine": PEOPLE, "level": 0, "seconds": 1,
        "clock": { "minutes": 0.05, "increment": 0 }
    }));
    page.wait("document.getElementById('board').dataset.ply === '0'");
    page.play("e2e4");
    page.play("e7e5");
    page.wait("document.getElementById('over').innerText.includes('no time left')");
}

fn two_engines_can_be_paused(page: &mut Page) {
    // At full strength, which takes its time, so that the game is not over before it is paused.
    let new =
        json!({ "command": "new", "game": "diamond", "engine": [true, true], "level": 20, "seconds": 0.5 });
    page.command(&new);
    page.wait("Number(document.getElementById('board').dataset.ply) >= 3");
    page.click("#pause");
    page.wait("quintain.game.status.paused && !quintain.game.status.thinking");
    let ply = page.ply();
    assert_eq!(page.text("document.querySelector('#pause span').textContent"), "Go on");
    page.click("#pause");
    page.wait(&format!("Number(document.getElementById('board').dataset.ply) > {ply}"));
}

fn two_people_at_one_board_agree_pause_and_turn_it(page: &mut Page) {
    let begin = |page: &mut Page| {
        page.command(&json!({
            "command": "new", "game": "chess", "engine": PEOPLE, "level": 0, "seconds": 1,
            "clock": { "minutes": 10, "increment": 0 }
        }));
        page.wait("!!quintain.game.status.clock && document.getElementById('board').dataset.ply === '0'");
    };
    begin(page);
    page.play("e2e4");
    page.play("e7e5");
    page.wait("quintain.game.status.running");
    // The clock stands, and nobody moves, until the game goes on.
    page.click("#pause");
    page.wait("quintain.game.status.paused && !quintain.game.status.running");
    page.wait("document.getElementById('status').textContent.includes('The game is paused')");
    let clocks = "JSON.stringify([...document.querySelectorAll('.clock')].map(clock => clock.textContent))";
    let stands = page.text(clocks);
    page.square("g1");
    assert_eq!(page.eval("document.querySelectorAll('#board .target').length"), 0);
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(page.text(clocks), stands);
    page.click("#pause");
    page.wait("!quintain.game.status.paused && quintain.game.status.running");
    page.play("g1f3");
    // A draw is for the other to answer.
    page.click("#draw");
    page.wait(
        "document.getElementById('offer').innerText.includes('Black offers a draw. White, do you accept?')",
    );
    assert_eq!(page.eval("quintain.game.status.end"), Value::Null);
    page.click("#decline");
    page.wait("document.getElementById('offer').hidden");
    page.wait("document.getElementById('notice').textContent === 'White declines the draw.'");
    page.click("#draw");
    page.wait("!document.getElementById('offer').hidden");
    page.click("#accept");
    page.wait("document.getElementById('over').innerText.includes('Draw by agreement')");
    // The board stays as it is, or turns to the side to move.
    begin(page);
    page.play("e2e4");
    assert_eq!(page.eval("quintain.board.flipped"), false);
    page.click("#turn");
    page.wait("quintain.board.flipped");
    page.play("e7e5");
    page.wait("!quintain.board.flipped");
    page.play("g1f3");
    page.wait("quintain.board.flipped");
}

fn what_a_person_prefers_is_kept(page: &mut Page) {
    page.click("#theme");
    page.click("#sound");
    let theme = page.text("document.documentElement.dataset.theme");
    page.call("Page.reload", json!({}));
    page.wait("!!document.getElementById('board')?.dataset.ply");
    assert_eq!(page.text("document.documentElement.dataset.theme"), theme);
    assert_eq!(page.text("document.getElementById('sound').getAttribute('aria-pressed')"), "false");
    // The level is changed in the middle of a game.
    page.eval(
        "(l => { l.value = '4'; l.dispatchEvent(new Event('change')); })(document.getElementById('level'))",
    );
    page.wait("document.getElementById('far').innerText.includes('level 4 (novice)')");
}

/// Browsers can be set to block what sites keep; reading `localStorage` is an error then.
fn a_browser_that_keeps_nothing_will_do(page: &mut Page) {
    let source = "Object.defineProperty(window, 'localStorage', \
                  { get() { throw new DOMException('Access is denied', 'SecurityError'); } })";
    page.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source }));
    page.eval("window.before = true");
    page.call("Page.reload", json!({}));
    page.wait("!window.before");
    page.loaded();
    page.new_game("canyon", None, PEOPLE);
    page.click("#openings summary");
    page.wait("document.querySelectorAll('#openings-moves tr').length > 3");
    page.square("d3");
    page.square("d4");
    page.wait("document.getElementById('board').dataset.ply === '1'");
    // A choice holds until the page is left.
    let theme = page.text("String(document.documentElement.dataset.theme)");
    page.click("#theme");
    assert_ne!(page.text("document.documentElement.dataset.theme"), theme);
    page.click("#sound");
    assert_eq!(page.text("document.getElementById('sound').getAttribute('aria-pressed')"), "false");
    for other in ["learn.html?game=canyon", "handbook.html?game=canyon", "puzzles.html?game=canyon"] {
        page.eval(&format!("void location.assign('{other}')"));
        page.wait(&format!("location.href.endsWith('{other}') && document.body.dataset.ready === 'true'"));
    }
}

/// Chooses a move while the other side thinks.
fn choose_in_advance(page: &mut Page, from: &str, to: &str) {
    page.square(from);
    page.square(to);
    page.wait("document.querySelectorAll('#board .premove').length === 2");
}

fn a_move_in_advance_is_played_when_its_turn_comes(page: &mut Page) {
    page.command(
        &json!({ "command": "new", "game": "chess", "engine": [true, false], "level": 20, "seconds": 3600 }),
    );
    page.wait("quintain.game.status.thinking && quintain.board.flipped");
    choose_in_advance(page, "e7", "e5");
    page.click("#now");
    page.wait("document.getElementById('board').dataset.ply === '2'");
    assert_eq!(page.text("quintain.game.current.move.text"), "e7e5");
}

fn a_move_in_advance_is_given_up_when_a_move_is_taken_back(page: &mut Page) {
    page.command(
        &json!({ "command": "new", "game": "chess", "engine": [false, true], "level": 20, "seconds": 3600 }),
    );
    page.wait("quintain.game.status.settings.seconds === 3600");
    page.play("e2e4");
    page.wait("quintain.game.status.thinking");
    choose_in_advance(page, "d2", "d4");
    page.click("#back");
    page.wait("document.getElementById('board').dataset.ply === '0'");
    page.ready();
    assert_eq!(page.eval("document.querySelectorAll('#board .premove').length"), 0);
    assert_eq!(page.eval("quintain.game.nodes.size"), 1);
}

fn a_move_in_advance_is_given_up_when_the_game_ends(page: &mut Page) {
    page.command(&json!({
        "command": "new", "game": "chess", "engine": [true, false], "level": 20, "seconds": 3600,
        "fen": "k7/p7/8/8/6q1/8/7P/K1R5 w - - 99 80"
    }));
    page.wait("quintain.game.status.thinking && quintain.board.flipped");
    choose_in_advance(page, "a7", "a5");
    page.click("#now");
    page.wait("quintain.game.status.end");
    page.ready();
    page.wait("document.querySelectorAll('#board .premove').length === 0");
    assert_eq!(page.eval("quintain.game.nodes.size"), 2);
}

fn a_number_that_is_missing_is_asked_for(page: &mut Page) {
    let set = |page: &mut Page, field: &str, value: &str| {
        page.eval(&format!("document.getElementById('{field}').value = '{value}'"));
    };
    let asked = |page: &mut Page, field: &str, error: &str| {
        page.wait(&format!("document.activeElement.id === '{field}'"));
        assert_eq!(page.text(&format!("document.getElementById('{error}').textContent")), "", "{field}");
        set(page, field, "7");
    };
    page.click("#new");
    page.wait("document.getElementById('new-dialog').open");
    page.click("input[name=side][value=white] + span");
    set(page, "seconds", "");
    page.click("#begin");
    asked(page, "seconds", "new-error");
    // What is not shown is not asked for.
    set(page, "seconds", "");
    page.click("input[name=time][value=own] + span");
    for field in ["minutes", "increment"] {
        set(page, field, "");
        page.click("#begin");
        asked(page, field, "new-error");
    }
    // Enter in a field begins the game, too.
    page.key("Enter");
    page.wait("!document.getElementById('new-dialog').open && quintain.game.status.clock?.[0] > 400_000");
    page.click("#settings");
    page.wait("document.getElementById('settings-dialog').open");
    for field in ["threads", "hash", "line-count"] {
        set(page, field, "");
        page.click("#apply");
        asked(page, field, "settings-error");
        set(page, field, "1");
    }
    page.key("Enter");
    page.wait("!document.getElementById('settings-dialog').open && !quintain.game.status.thinking");
    page.click("#settings");
    page.wait("document.getElementById('settings-dialog').open");
    assert_eq!(page.text("document.getElementById('hash').value"), "1");
    set(page, "hash", "");
    page.click("#settings-dialog [value=cancel]");
    page.wait("!document.getElementById('settings-dialog').open");
}

// ---- Analysis -------------------------------------------------------------------------------------------

fn analysis_shows_lines_that_can_be_played(page: &mut Page) {
    page.new_game("diamond", None, PEOPLE);
    page.click("#settings");
    page.wait("document.getElementById('settings-dialog').open");
    page.eval("document.getElementById('line-count').value = '9'");
    page.click("#apply");
    page.wait("document.getElementById('settings-error').textContent.includes('not from 1 to 5')");
    page.eval("document.getElementById('line-count').value = '2'");
    page.click("#apply");
    page.wait("!document.getElementById('settings-dialog').open");
    page.click("label.switch");
    page.wait("Number(document.getElementById('lines').dataset.depth) >= 5");
    assert_eq!(page.eval("document.querySelectorAll('#lines li').length"), 2);
    assert_eq!(page.eval("document.querySelectorAll('#board .arrow').length > 0"), true);
    assert_eq!(page.eval("document.getElementById('eval').hidden"), false);
    // Lines change where they are, so that a button keeps its focus, and a click that has begun.
    page.eval(
        "document.querySelector('#lines .line-move').focus(); document.activeElement.dataset.kept = 'yes'",
    );
    page.wait("Number(document.getElementById('lines').dataset.depth) >= 9");
    assert_eq!(page.eval("document.activeElement.dataset.kept"), "yes");
    // A line is played on the board, then another one from the start is a variation.
    page.click("#lines li:first-child .line-move:nth-child(2)");
    page.wait("document.getElementById('board').dataset.ply === '2'");
    page.wait(ANALYSED);
    page.click("#first");
    page.wait("document.getElementById('board').dataset.ply === '0'");
    page.ready();
    let other = "quintain.legal.moves.find(move => !quintain.game.current.children.some(c => c.move.text === move.text)).text";
    let other = page.text(other);
    page.play(&other);
    page.wait("document.querySelectorAll('#moves .variation').length === 1");
    // The list of moves is drawn again when its analysis begins, which would take the button away.
    page.wait(ANALYSED);
    page.click("#moves .remove");
    page.wait("document.querySelectorAll('#moves .variation').length === 0");
}

fn a_game_is_annotated_loaded_and_saved(page: &mut Page) {
    page.click("#share");
    page.wait("document.getElementById('share-dialog').open");
    page.click("#load-text");
    page.type_text("[Variant \"chess\"]\n\n1. f3 {not best} e5 (1... d5 2. d4) 2. g4 Qh4# 0-1");
    page.click("#load");
    page.wait("!document.getElementById('share-dialog').open && document.getElementById('board').dataset.ply === '4'");
    assert_eq!(page.eval("document.querySelectorAll('#moves .variation').length"), 1);
    assert_eq!(page.eval("document.getElementById('moves').innerText.includes('not best')"), true);
    page.click("#annotate");
    page.wait(
        "document.getElementById('moves').innerText.includes('g4??') && !quintain.game.status.annotated",
    );
    page.wait("!document.getElementById('graph').hidden");
    page.click("#share");
    page.wait("document.getElementById('share-dialog').open");
    let pgn = page.text("document.getElementById('pgn').value");
    let words = pgn.replace('\n', " ");
    for part in ["[Variant \"chess\"]", "{not best", "(1... d5 2. d4)", "g4 $4 {Better is ", "Qh4# 0-1"] {
        assert!(words.contains(part), "{part}: {pgn}");
    }
    // What was written can be read, with everything.
    page.click("#load-text");
    page.type_text(&pgn);
    page.click("#load");
    page.wait("!document.getElementById('share-dialog').open");
    page.wait("document.getElementById('board').dataset.ply === '4'");
    // A comment is added to the last move.
    page.click("#comment");
    page.wait("document.getElementById('comment-dialog').open");
    page.type_text("Fool's mate");
    page.click("#comment-save");
    page.wait("document.getElementById('moves').innerText.includes(\"Fool's mate\")");
    // The arrow keys go through the game.
    page.eval("document.activeElement.blur()");
    for (key, ply) in [("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 4)] {
        page.key(key);
        page.wait(&format!("document.getElementById('board').dataset.ply === '{ply}'"));
    }
    // What is dropped on the page is loaded.
    page.eval(
        "(() => { const data = new DataTransfer(); data.setData('text', '8/8/8/8/8/5k2/8/R6K w - - 0 1'); \
         document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true })); })()",
    );
    page.wait("document.querySelectorAll('#board .piece').length === 3");
}

fn files_are_read_in_the_code_that_they_have(page: &mut Page) {
    // Latin-1 from the dialog, then UTF-8 with a byte order mark, dropped.
    page.click("#share");
    page.wait("document.getElementById('share-dialog').open");
    page.eval(
        "window.data = bytes => { const data = new DataTransfer(); \
         data.items.add(new File([Uint8Array.from(bytes)], 'old.pgn')); return data; }; \
         window.bytes = (text, letter) => [...text].flatMap(c => c === '?' ? letter : c.charCodeAt(0)); \
         (field => { field.files = data(bytes('[Variant \"chess\"]\\n\\n1. e4 {sch?n} *', [0xf6])).files; \
         field.dispatchEvent(new Event('change')); })(document.getElementById('file'))",
    );
    page.wait("document.querySelector('#moves .comment')?.textContent === 'schön'");
    page.eval(
        "document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, \
         dataTransfer: data([0xef, 0xbb, 0xbf, ...bytes('[Variant \"chess\"]\\n\\n1. d4 {gr?n} *', [0xc3, 0xbc])]) }))",
    );
    page.wait("document.querySelector('#moves .comment')?.textContent === 'grün'");
}

fn the_editor_gives_the_reason_why_a_position_is_impossible(page: &mut Page) {
    let square = |page: &mut Page, name: &str| page.click(&format!("#edit-board [data-square={name}]"));
    page.click("#edit");
    page.wait("document.getElementById('edit-dialog').open && document.getElementById('edit-dialog').dataset.valid === 'true'");
    let place = |page: &mut Page| {
        page.text("JSON.stringify(document.getElementById('edit-board').getBoundingClientRect())")
    };
    let before = place(page);
    page.click(".brush[data-brush=K]");
    square(page, "e5");
    page.wait("document.getElementById('edit-error').textContent.includes('2 pieces of the kind king')");
    // The reason is in view, and the board stays under the pointer.
    let [x, y] = page.middle("#edit-error");
    let at = format!("document.elementFromPoint({x}, {y}).id");
    assert_eq!((page.text(&at).as_str(), place(page)), ("edit-error", before));
    assert_eq!(page.eval("document.getElementById('edit-play').disabled"), true);
    page.click("#edit-clear");
    page.wait("document.querySelectorAll('#edit-board .piece').length === 0");
    for (brush, on) in [("K", "a1"), ("k", "j10"), ("C0", "d4"), ("C0", "d4")] {
        page.click(&format!(".brush[data-brush={brush}]"));
        square(page, on);
    }
    const TURNED: &str = "9k/10/10/10/10/10/3C6/10/10/K9 w - - 0 1 ne";
    page.wait(&format!("document.getElementById('edit-fen').value === '{TURNED}'"));
    page.wait("document.getElementById('edit-dialog').dataset.valid === 'true'");
    page.click("#edit-analyse");
    page.wait("!document.getElementById('edit-dialog').open && quintain.game.current.position.fen.startsWith('9k/10')");
    assert_eq!(
        page.text("document.querySelector('#board [data-square=d4]').ariaLabel"),
        "d4, white cyclops, facing north-east"
    );
}

fn the_editor_moves_pieces_and_loses_nothing(page: &mut Page) {
    let fen = |page: &mut Page, wanted: &str| {
        page.wait(&format!("document.getElementById('edit-fen').value === '{wanted}'"));
    };
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    page.click("#edit");
    fen(page, START);
    // With a king chosen, a pawn that is dragged goes where it is dropped.
    page.click(".brush[data-brush=K]");
    page.drag_from("#edit-board [data-square=e2]", "#edit-board [data-square=e4]");
    fen(page, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    // The rights to castle are boxes with words, the counters have names.
    let words = page.text("document.getElementById('edit-castling').innerText");
    assert!(
        words.contains("White with the rook on h1") && words.contains("Black with the rook on a8"),
        "{words}"
    );
    page.click("#edit-castling [value=Q]");
    fen(page, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w Kkq - 0 1");
    // What was done is undone step by step; Escape asks before it is lost.
    page.key("Escape");
    page.wait(
        "document.getElementById('discard-dialog').open && document.getElementById('edit-dialog').open",
    );
    page.click("#discard-dialog [value=cancel]");
    page.click("#edit-undo");
    page.click("#edit-undo");
    fen(page, START);
    assert_eq!(page.eval("document.getElementById('edit-undo').disabled"), true);
    page.key("Escape");
    page.wait("!document.getElementById('edit-dialog').open");
    // A piece that is dragged off the board is gone.
    page.click("#edit");
    fen(page, START);
    page.drag_from("#edit-board [data-square=a2]", "#edit-title");
    fen(page, "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1");
    page.click("#edit-cancel");
    page.click("#discard-yes");
    page.wait("!document.querySelector('dialog[open]')");
    // A game has the fields that it needs.
    for (game, castling, passing, counted) in [("canyon", 0, false, true), ("gast", 8, true, false)] {
        page.new_game(game, None, PEOPLE);
        page.click("#edit");
        page.wait("document.getElementById('edit-dialog').dataset.valid === 'true'");
        assert_eq!(page.eval("document.querySelectorAll('#edit-castling input').length"), castling, "{game}");
        for (field, shown) in [("passing", passing), ("counted", counted)] {
            let hidden = page.eval(&format!("document.getElementById('edit-{field}-field').hidden"));
            assert_eq!(hidden, !shown, "{game}: {field}");
        }
        page.key("Escape");
        page.wait("!document.querySelector('dialog[open]')");
    }
}

fn the_editor_goes_back_to_the_set_up_of_super_chess(page: &mut Page) {
    page.new_game("superchess", None, PEOPLE);
    let start = page.text("quintain.game.current.position.fen");
    assert!(start.contains("[SSss]"), "{start}");
    let shown = format!("document.getElementById('edit-fen').value === '{start}'");
    page.click("#edit");
    page.wait(&shown);
    page.click(".brush[data-brush=q]");
    page.click("#edit-board [data-square=e5]");
    page.wait(&format!("!({shown})"));
    page.click("#edit-undo");
    page.wait(&shown);
    page.wait("document.getElementById('edit-dialog').dataset.valid === 'true'");
    assert_eq!(page.eval("document.getElementById('edit-undo').disabled"), true);
    page.click("#edit-analyse");
    page.wait(
        "!document.querySelector('dialog[open]') && quintain.game.current.position.in_hand.length === 4",
    );
}

// ---- What is shown beside the board ---------------------------------------------------------------------

fn captured_pieces_and_times_of_moves_are_shown(page: &mut Page) {
    page.new_game("chess", None, PEOPLE);
    for mv in ["e2e4", "d7d5", "e4d5", "d8d5"] {
        page.play(mv);
    }
    let shown = |page: &mut Page, side: &str| {
        page.text(&format!("document.querySelector('#{side} .captured').title"))
    };
    assert_eq!([shown(page, "near"), shown(page, "far")], ["Captured: pawn.", "Captured: pawn."]);
    page.play("b1c3");
    page.play("a7a6");
    page.play("c3d5");
    let captured = shown(page, "near");
    assert!(captured.starts_with("Captured: queen, pawn. Ahead by "), "{captured}");
    assert_eq!(page.eval("document.querySelectorAll('#near .captured .piece-icon').length"), 2);
    // The times go into the PGN and come back, and are kept.
    let times = "[...document.querySelectorAll('#moves .time')].map(time => time.textContent)";
    assert_eq!(page.eval(times).as_array().map(Vec::len), Some(7));
    let pgn = page.command(&json!({ "command": "pgn" })).as_str().expect("a text").to_owned();
    let pgn = pgn.replace("[%emt\n", "[%emt ");
    assert_eq!(pgn.matches("[%emt 0:00:").count(), 7, "{pgn}");
    let text = pgn.replacen("[%emt 0:00:0", "[%emt 1:02:0", 1);
    page.command(&json!({ "command": "load", "text": text }));
    page.wait(&format!("{times}[0].startsWith('1:02:0')"));
    assert!(!page.text("document.getElementById('moves').innerText").contains("emt"));
    page.call("Page.reload", json!({}));
    page.loaded();
    page.wait(&format!("{times}.length === 7 && {times}[0].startsWith('1:02:0')"));
    // Where pawns become captured pieces only, this is said.
    let fen = "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NB1KCABN1/R8R w - - 0 1";
    page.new_game("grand", Some(fen), PEOPLE);
    page.ready();
    let captured = shown(page, "far");
    assert!(
        captured.starts_with("Captured: queen. White can promote to these pieces only. Ahead by "),
        "{captured}"
    );
}

fn moves_after_a_hint_are_marked(page: &mut Page) {
    page.new_game("chess", None, PEOPLE);
    page.ready();
    page.click("#hint");
    page.wait("!!document.querySelector('#board .arrow.hint')");
    page.play("a2a3");
    // The hint is for its move only, and its move has a mark; so has another one in its place.
    page.wait("!document.querySelector('#board .arrow.hint')");
    let marked = "[...document.querySelectorAll('#moves .move:has(.hinted)')].map(move => move.firstChild.textContent)";
    assert_eq!(page.eval(marked), json!(["a3"]));
    page.play("a7a6");
    for ply in [1, 0] {
        page.click("#back");
        page.wait(&format!("document.getElementById('board').dataset.ply === '{ply}'"));
    }
    page.play("h2h3");
    page.play("h7h6");
    assert_eq!(page.eval(marked), json!(["h3"]));
    page.call("Page.reload", json!({}));
    page.loaded();
    assert_eq!(page.eval(marked), json!(["h3"]));
}

fn the_list_of_moves_keeps_clicks_and_focus(page: &mut Page) {
    page.new_game("chess", None, PEOPLE);
    for text in ["e2e4", "e7e5", "g1f3"] {
        page.play(text);
    }
    // The list changes while the button is down.
    let at = page.middle("#moves .move");
    page.mouse("mousePressed", at);
    let last = page.eval("quintain.game.status.live");
    page.command(&json!({ "command": "comment", "node": last, "text": "developed" }));
    page.wait("document.querySelector('#moves .comment')?.innerText === 'developed'");
    page.mouse("mouseReleased", at);
    page.wait("document.getElementById('board').dataset.ply === '1'");
    // The move that is shown looks different, and has the focus still.
    assert_eq!(page.eval("document.activeElement === document.querySelector('#moves .move.on')"), true);
}

fn super_chess_is_set_up_with_the_mouse(page: &mut Page) {
    page.new_game("superchess", None, PEOPLE);
    page.ready();
    page.wait("document.querySelectorAll('#near .hand button').length === 2");
    let status = page.text("document.getElementById('status').textContent");
    assert!(status.contains("two super pawns") && !status.contains("like c2"), "{status}");
    // A hint shows both squares, and no arrow from one to the other.
    page.click("#hint");
    page.wait("document.querySelectorAll('#board .ring.hint').length === 2");
    assert_eq!(page.eval("document.querySelectorAll('#board .arrow').length"), 0);
    // White drags both; Black clicks a piece, a square, a piece, a square.
    page.drag_from("#near .hand button", "#board [data-square=c2]");
    page.wait("document.querySelectorAll('#near .hand button').length === 1");
    page.drag_from("#near .hand button", "#board [data-square=h2]");
    page.wait("quintain.game.current.move?.text === 'S@c2,S@h2'");
    page.ready();
    for square in ["b9", "g9"] {
        page.click("#far .hand button");
        page.wait("document.querySelectorAll('#board .target').length > 8");
        page.square(square);
    }
    page.wait("quintain.game.current.move?.text === 'S@b9,S@g9'");
    // Clicks on one spot turn no cyclops: the ways to face lie around its square.
    page.ready();
    let at = page.middle("#board [data-square=d1]");
    for press in 0..4 {
        page.click_at(at);
        assert_eq!(page.eval("!!document.querySelector('.compass')"), press % 3 == 1, "press {press}");
    }
    assert_eq!(page.ply(), 2);
    page.wait("document.activeElement?.dataset?.choice !== undefined || !document.querySelector('.compass')");
}

fn what_can_be_typed_is_shown_by_a_legal_move(page: &mut Page) {
    for game in quintain::engine::NAMES {
        page.new_game(game, None, PEOPLE);
        page.ready();
        let shown = page.text("document.getElementById('text').placeholder");
        let (_, moves) = shown.split_once(": ").expect("an example");
        let mut session = quintain::engine::open(game).expect("a game");
        for text in moves.split(" or ") {
            session.play_any(text).unwrap_or_else(|error| panic!("{game}: {shown}: {error}"));
            session.undo();
        }
    }
    page.new_game("chess", Some("7k/8/8/8/8/8/5PPP/6RK b - - 0 1"), PEOPLE);
    page.wait("document.getElementById('text').placeholder.startsWith('Type a move: K')");
}

fn a_move_that_is_refused_is_named_as_it_was_typed(page: &mut Page) {
    page.new_game("chess", None, PEOPLE);
    page.ready();
    page.click("#text");
    for (typed, begin) in [("bxc3", "bxc3: "), ("Bxc3", "Bxc3: ")] {
        page.eval("document.getElementById('text').value = ''");
        page.type_text(typed);
        page.key("Enter");
        page.wait(&format!("document.getElementById('notice').textContent.startsWith('{begin}')"));
    }
}

fn rules_are_read_as_a_page(page: &mut Page) {
    for &game in quintain::engine::NAMES {
        page.new_game(game, None, PEOPLE);
        page.click("#rules");
        page.wait("document.getElementById('rules-dialog').open");
        assert!(page.eval("document.querySelectorAll('#rules-text h3').length").as_u64() > Some(4), "{game}");
        // The first board has as many pieces as the game.
        let pieces = page.eval("document.querySelector('.rules-board').querySelectorAll('.piece').length");
        let pawns = if game == "superchess" { 20 } else { 0 };
        let begins = page.eval("quintain.game.game.start_pieces.filter(piece => piece).length");
        assert_eq!(pieces.as_u64(), begins.as_u64().map(|begins| begins + pawns), "{game}");
        let text = page.text("document.getElementById('rules-text').innerText");
        for terminal in ["type the name", "quintain values", "Capital letters"] {
            assert!(!text.contains(terminal), "{game}: {terminal}");
        }
        page.key("Escape");
        page.wait("!document.getElementById('rules-dialog').open");
    }
}

fn what_was_typed_and_said_stays_with_its_game(page: &mut Page) {
    page.new_game("chess", None, PEOPLE);
    page.ready();
    page.click("#text");
    page.type_text("Qh9");
    page.key("Enter");
    page.wait("document.getElementById('notice').textContent.length > 5");
    page.new_game("diamond", None, PEOPLE);
    page.wait("document.getElementById('notice').textContent === ''");
    assert_eq!(page.text("document.getElementById('text').value"), "");
    // The same game again is another game, too.
    page.eval("document.getElementById('text').value = 'e9'");
    page.new_game("diamond", None, PEOPLE);
    page.wait("document.getElementById('text').value === ''");
}

// ---- What people come with ------------------------------------------------------------------------------

fn a_phone_plays_by_touch(page: &mut Page) {
    let metrics = json!({ "width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true });
    page.call("Emulation.setDeviceMetricsOverride", metrics);
    page.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
    for (game, fen, moves) in [
        ("gast14", None, ["e2e4", "e11e9"].as_slice()),
        ("superchessfixed", Some("1k1r6/ppp7/3p6/4s1q3/10/7B2/2AC6/10/10/8K1 w - - 0 1 n"), &["d4d7e"]),
    ] {
        page.new_game(game, fen, PEOPLE);
        for mv in moves {
            page.ready();
            let node = page.text("document.getElementById('board').dataset.node");
            for name in page.squares(mv) {
                page.tap(&format!("#board [data-square={name}]"));
            }
            page.pick(mv, |page, selector| page.tap(selector));
            page.played(&node, mv);
        }
        // Nothing is wider than the screen, and the whole board is seen.
        assert_eq!(page.eval("document.documentElement.scrollWidth"), 360, "{game}");
        let board =
            page.eval("(r => [r.left, r.right])(document.getElementById('board').getBoundingClientRect())");
        assert!(board[0].as_f64() >= Some(0.0) && board[1].as_f64() <= Some(360.0), "{board}");
    }
    // A game that is begun far below the board brings the board into sight.
    page.tap("#new");
    page.wait("document.getElementById('new-dialog').open");
    page.tap("#begin");
    page.wait(
        "!document.getElementById('new-dialog').open && document.getElementById('board').dataset.ply === '0'",
    );
    page.wait("(r => r.top >= 0 && r.bottom <= innerHeight)(document.getElementById('board').getBoundingClientRect())");
}

fn the_keyboard_is_enough(page: &mut Page) {
    page.new_game("chess", None, PEOPLE);
    page.ready();
    let mut presses = 0;
    while page.eval("document.activeElement?.dataset?.square === undefined") == true {
        page.key("Tab");
        presses += 1;
        assert!(presses < 30, "Tab does not come to the board");
    }
    assert_eq!(page.text("document.activeElement.dataset.square"), "a1");
    let go = |page: &mut Page, keys: &[&str]| keys.iter().for_each(|key| page.key(key));
    go(page, &["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp"]);
    assert_eq!(page.text("document.activeElement.ariaLabel"), "e2, white pawn");
    go(page, &["Enter", "ArrowUp", "ArrowUp"]);
    assert_eq!(page.text("document.activeElement.ariaLabel"), "e4, empty, can be reached");
    page.key("Enter");
    page.wait("document.getElementById('board').dataset.ply === '1'");
    page.wait("document.getElementById('status').textContent.startsWith('1. e4')");
    // Arrows jump over holes.
    page.new_game("diamond", None, PEOPLE);
    page.ready();
    page.eval("quintain.board.setCursor([4, 3]); quintain.board.focus()");
    page.key("ArrowUp");
    assert_eq!(page.text("document.activeElement.dataset.square"), "e6");
    // A move is typed, and a wrong one is explained.
    page.eval("document.activeElement.blur()");
    page.key("m");
    page.wait("document.activeElement.id === 'text'");
    page.type_text("e9e1");
    page.key("Enter");
    page.wait("document.getElementById('notice').textContent.length > 10");
    let mv = page.text("quintain.legal.moves[0].san");
    page.eval("document.getElementById('text').value = ''");
    page.type_text(&mv);
    page.key("Enter");
    page.wait("document.getElementById('board').dataset.ply === '1'");
    // The compass too.
    page.new_game("superchessfixed", Some("7k2/10/4r5/10/10/3C6/10/10/10/8K1 w - - 0 1 n"), PEOPLE);
    page.ready();
    page.eval("quintain.board.setCursor([3, 4]); quintain.board.focus()");
    go(page, &["Enter", "ArrowUp", "Enter"]);
    page.wait("!!document.querySelector('.compass')");
    go(page, &["ArrowRight", "ArrowRight", "Enter"]);
    page.wait("document.getElementById('board').dataset.ply === '1'");
    assert_eq!(page.text("quintain.game.current.move.text"), "d5d6e");
}

fn axe_finds_nothing(page: &mut Page) {
    let Some(script) = axe::script() else { return };
    let check = |page: &mut Page, what: &str| axe::check(page, &script, what);
    page.new_game("canyon", None, PEOPLE);
    page.play("d3d4");
    check(page, "a game");
    page.new_game("superchessfixed", Some("1k1r6/ppp7/3p6/4s1q3/10/7B2/2AC6/10/10/8K1 w - - 0 1 n"), PEOPLE);
    page.ready();
    page.square("d4");
    page.square("d7");
    page.wait("!!document.querySelector('.compass')");
    check(page, "the compass");
    page.key("Escape");
    page.click("label.switch");
    page.wait("Number(document.getElementById('lines').dataset.depth) >= 3");
    check(page, "analysis");
    page.click("label.switch");
    for (button, dialog) in [
        ("new", "new-dialog"),
        ("edit", "edit-dialog"),
        ("share", "share-dialog"),
        ("library", "library-dialog"),
        ("settings", "settings-dialog"),
        ("rules", "rules-dialog"),
        ("keys", "keys-dialog"),
        ("comment", "comment-dialog"),
        ("resign", "resign-dialog"),
    ] {
        page.click(&format!("#{button}"));
        page.wait(&format!("document.getElementById('{dialog}').open"));
        check(page, dialog);
        page.eval(&format!("document.getElementById('{dialog}').close()"));
    }
    page.command(&json!({ "command": "resign" }));
    page.wait("!document.getElementById('over').hidden");
    check(page, "the end");
}
