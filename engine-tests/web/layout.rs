//! Every state of the board's page at the sizes that people have: nothing is cut, and only the list of moves scrolls.

use super::PEOPLE;
use super::browser::Page;
use super::harness::{Test, tests};
use super::scripts::on_the_board;
use serde_json::json;

pub const TESTS: &[Test] = tests!("layout::":
    every_state_fits_every_screen,
    the_graph_ends_where_nothing_is_known,
    dialogs_do_not_scroll_inside,
    dialogs_open_at_their_top,
    the_last_move_of_a_long_list_is_seen,
    moves_and_times_stay_in_one_piece,
);

/// Width and height in pixels: phone, tablets, laptops, desktop, 4K.
const SIZES: [(u32, u32); 8] =
    [(360, 740), (768, 1024), (1280, 800), (1024, 768), (1280, 720), (1366, 650), (1920, 1080), (3840, 2160)];

/// The name of a state, and how to come to it.
type State = (&'static str, fn(&mut Page));

const STATES: &[State] = &[
    ("start", |page| page.new_game("canyon", None, [false, true])),
    ("clocks", |page| {
        timed(page);
        page.wait("document.querySelectorAll('.clock').length === 2");
    }),
    ("annotating", |page| {
        timed(page);
        page.command(&json!({ "command": "annotate", "on": true }));
        page.wait("!document.getElementById('graph').hidden && !document.getElementById('progress').hidden");
    }),
    ("annotated", |page| {
        page.new_game("chess", None, PEOPLE);
        play(page, "f3 e5 g4 Qh4");
        page.command(&json!({ "command": "annotate", "on": true }));
        page.wait(
            "document.getElementById('moves').innerText.includes('g4??') && !quintain.game.status.annotated",
        );
    }),
    ("analysis with five lines", |page| {
        page.new_game("chess", None, PEOPLE);
        play(page, OPENING);
        page.command(&json!({ "command": "engine", "threads": 1, "hash": 16, "lines": 5 }));
        let node = live(page);
        page.command(&json!({ "command": "analyse", "node": node }));
        page.wait("document.querySelectorAll('#lines li').length === 5");
    }),
    ("analysis off", |page| {
        page.command(&json!({ "command": "analyse", "node": null }));
        page.wait("document.querySelectorAll('#lines li').length === 0");
    }),
    ("the end on the largest board", |page| {
        page.new_game("gast14", None, [false, true]);
        page.command(&json!({ "command": "resign" }));
        page.wait("!document.getElementById('over').hidden");
    }),
    ("promotion", |page| {
        page.new_game("chess", Some("8/P6k/8/8/8/8/8/K7 w - - 0 1"), PEOPLE);
        page.ready();
        page.square("a7");
        page.square("a8");
        page.wait("!!document.querySelector('.promotions')");
    }),
    ("the set-up of Super Chess", |page| {
        page.new_game("superchess", None, PEOPLE);
        page.wait("document.querySelectorAll('.hand button').length === 2");
    }),
    ("a hint", |page| {
        page.command(&json!({ "command": "hint" }));
        page.wait("!!quintain.game.status.hint");
    }),
    ("captured pieces", |page| {
        page.new_game("gast14", Some("8k5/14/14/14/14/14/14/14/14/14/14/4K9 w - - 0 1"), PEOPLE);
        page.wait("document.querySelectorAll('.captured .piece-icon').length > 30");
    }),
    ("openings and analysis", |page| {
        page.new_game("canyon", None, PEOPLE);
        page.click("#openings summary");
        page.wait("document.querySelectorAll('#openings-moves tr').length > 3");
        play(page, "d4 b5");
        page.command(&json!({ "command": "engine", "threads": 1, "hash": 16, "lines": 3 }));
        let node = live(page);
        page.command(&json!({ "command": "analyse", "node": node }));
        page.wait("document.querySelectorAll('#lines li').length === 3");
    }),
    ("openings, analysis and the graph", |page| {
        page.command(&json!({ "command": "annotate", "on": true }));
        page.wait("!document.getElementById('graph').hidden");
    }),
    ("a long comment", |page| {
        let node = live(page);
        page.command(&json!({ "command": "comment", "node": node, "text": "many words ".repeat(180) }));
        page.wait("document.getElementById('moves').scrollHeight > 500");
    }),
];

/// Dialogs, and the buttons that open them.
const DIALOGS: [&str; 4] = ["new", "edit", "settings", "rules"];

const OPENING: &str = "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nf6 Nxc6 bxc6 e5 Qe7 Qe2 Nd5 c4 Ba6 b3 g6 f4 f6";

fn live(page: &mut Page) -> u64 {
    page.eval("quintain.game.status.live").as_u64().expect("a number")
}

fn play(page: &mut Page, moves: &str) {
    for text in moves.split(' ') {
        let node = live(page);
        page.command(&json!({ "command": "play", "node": node, "text": text }));
        page.wait(&format!("quintain.game.shown !== {node} && quintain.game.atLive"));
    }
}

/// A game with clocks.
fn timed(page: &mut Page) {
    let clock = json!({ "minutes": 15, "increment": 10 });
    let before = live(page);
    page.command(&json!({
        "command": "new", "game": "chess", "engine": PEOPLE, "level": 0, "seconds": 1, "clock": clock
    }));
    page.wait(&format!("quintain.game.status.live !== {before} && !quintain.game.nodes.has({before})"));
    play(page, OPENING);
}

fn resize(page: &mut Page, (width, height): (u32, u32)) {
    let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    page.call("Emulation.setDeviceMetricsOverride", metrics);
    page.wait(&format!("innerWidth === {width} && innerHeight === {height}"));
}

/// What is wrong with the layout of the page, in words.
const FAULTS: &str = "(() => {
    const faults = [], root = document.scrollingElement, desktop = innerWidth >= 1200;
    const box = node => node.getBoundingClientRect(), name = node => node.id || node.textContent.trim();
    if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} wide`);
    if (desktop && root.scrollHeight > innerHeight) faults.push(`the page is ${root.scrollHeight} high`);
    const controls = 'main button, main input:not([type=checkbox]), main select, header a, header button';
    for (const node of document.querySelectorAll(controls)) {
        const at = box(node);
        if (!at.width || node.closest('.moves, #lines, #verdict-list, #openings-moves, .picker')) continue;
        const within = (outer, side) => at.left >= outer.left - 1 && at.right <= outer.right + 1
            && (side === 'width' || at.top >= outer.top - 1 && at.bottom <= outer.bottom + 1);
        const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
        if (!within(screen, desktop ? 'both' : 'width')) faults.push(`${name(node)} is not on the screen`);
        const card = node.closest('.card');
        if (card && !within(box(card), 'both')) faults.push(`${name(node)} is not in its card`);
        if (node.tagName === 'BUTTON' && node.scrollWidth > node.clientWidth + 1) faults.push(`${name(node)} is cut`);
    }
    const moves = document.getElementById('moves'), row = document.createElement('button');
    row.className = 'move';
    moves.append(row);
    const rows = moves.clientHeight / box(row).height;
    row.remove();
    if (rows < 5.9) faults.push(`${rows} rows of moves`);
    if (moves.clientHeight > innerHeight) faults.push(`the list of moves is ${moves.clientHeight} high`);
    const board = box(document.querySelector('#board svg'));
    if (board.left < 0 || board.right > innerWidth || desktop && board.bottom > innerHeight)
        faults.push('the board is not on the screen');
    return faults;
})()";

fn every_state_fits_every_screen() {
    on_the_board("chess", |page| {
        let mut faults = Vec::new();
        for (state, come) in STATES {
            resize(page, SIZES[2]);
            come(page);
            for size in SIZES {
                resize(page, size);
                let found = page.eval(FAULTS);
                if found != json!([]) {
                    faults.push(format!("{state}, {}x{}: {found}", size.0, size.1));
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    });
}

fn the_graph_ends_where_nothing_is_known() {
    on_the_board("chess", |page| {
        page.new_game("chess", None, PEOPLE);
        play(page, OPENING);
        page.command(&json!({ "command": "annotate", "on": true }));
        // While moves are still without a score, the drawing ends at the last one that has one.
        page.wait(
        "(back => { const last = quintain.game.line().findLastIndex(node => node.score); \
         return back && last > 2 && last < 20 && back.x.baseVal.value + back.width.baseVal.value === last; }) \
         (document.querySelector('.graph-back'))",
    );
    });
}

fn dialogs_do_not_scroll_inside() {
    on_the_board("superchessfixed", |page| {
        for name in DIALOGS {
            resize(page, SIZES[2]);
            page.click(&format!("#{name}"));
            page.wait(&format!("document.getElementById('{name}-dialog').open"));
            for size in SIZES {
                resize(page, size);
                let faults = page.eval(
                "(box => {
                    const faults = [], outer = box.getBoundingClientRect();
                    if (outer.left < 0 || outer.right > innerWidth || outer.bottom > innerHeight) faults.push('not on the screen');
                    if (box.scrollWidth > box.clientWidth) faults.push('wider than its frame');
                    const scrolls = [box, ...box.querySelectorAll('*')].filter(node => node.tagName !== 'TEXTAREA'
                        && /auto|scroll/.test(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight + 1);
                    if (scrolls.length > 1) faults.push('scrolls inside');
                    for (const node of box.querySelectorAll('.row.end button')) {
                        const at = node.getBoundingClientRect();
                        if (at.bottom > innerHeight || at.right > innerWidth || at.left < 0) faults.push(`${node.textContent} is cut`);
                    }
                    return faults;
                })(document.querySelector('dialog[open]'))",
            );
                assert_eq!(faults, json!([]), "{name}, {}x{}", size.0, size.1);
            }
            page.key("Escape");
            page.wait(&format!("!document.getElementById('{name}-dialog').open"));
        }
    });
}

fn dialogs_open_at_their_top() {
    on_the_board("superchess", |page| {
        resize(page, SIZES[0]);
        for name in DIALOGS.into_iter().chain(["keys", "share", "library", "comment", "resign"]) {
            page.eval(&format!("document.getElementById('{name}').click()"));
            page.wait("!!document.querySelector('dialog[open]')");
            let scrolled = page.eval(
                "(box => [box, ...box.querySelectorAll('*')].filter(node => node.scrollTop > 0).length)
                (document.querySelector('dialog[open]'))",
            );
            assert_eq!(scrolled, 0, "{name}");
            if name == "keys" {
                // What a key does stands below it, and has the whole width.
                let widths =
                    "['.key-list', '.key-list dd'].map(part => document.querySelector(part).clientWidth)";
                let widths = page.eval(widths);
                assert_eq!(widths[0], widths[1]);
            }
            page.eval("document.querySelector('dialog[open]').close()");
        }
    });
}

/// What is above and below the list grows after a move, so that less of the list is seen.
fn the_last_move_of_a_long_list_is_seen() {
    on_the_board("superchess", |page| {
        page.new_game("superchess", None, PEOPLE);
        resize(page, (1280, 800));
        page.click("label:has(#analyse)");
        page.eval("document.getElementById('openings').open = true; null");
        for _ in 0..16 {
            page.ready();
            let any =
                "quintain.legal.moves[(quintain.game.nodes.size * 7) % quintain.legal.moves.length].text";
            let mv = page.text(any);
            page.play(&mv);
            page.wait(super::browser::ANALYSED);
        }
        page.wait("document.getElementById('graph').getBoundingClientRect().height > 0");
        let seen = "(() => { const list = document.getElementById('moves').getBoundingClientRect(),
                              on = document.querySelector('#moves .on').getBoundingClientRect();
                          return on.top >= list.top - 1 && on.bottom <= list.bottom + 1; })()";
        page.wait(seen);
        // Lines go and come again before it is seen: the list is moved, and has the size that it had.
        let moved = page.eval(
        "(() => { const lines = document.getElementById('lines'), list = document.getElementById('moves');
             const before = list.scrollTop; lines.style.display = 'none'; const after = list.scrollTop;
             lines.style.display = ''; return before - after; })()",
    );
        assert!(moved.as_f64() > Some(8.0), "{moved}");
        page.wait(seen);

        // Who looks for another move is not taken back by the next line of the engine, but by the next position.
        let [x, y] = page.middle("#moves");
        page.call(
            "Input.dispatchMouseEvent",
            json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -1000 }),
        );
        page.wait("document.getElementById('moves').scrollTop === 0");
        page.eval("globalThis.before = document.getElementById('depth').textContent; null");
        page.wait("document.getElementById('depth').textContent !== globalThis.before");
        page.eval(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))",
        );
        assert_eq!(page.eval("document.getElementById('moves').scrollTop"), 0);
        page.click("#previous");
        page.wait(seen);
    });
}

fn moves_and_times_stay_in_one_piece() {
    on_the_board("superchess", |page| {
        page.new_game("superchess", None, PEOPLE);
        play(page, "S@e2,S@g2 S@e9,S@g9");
        page.wait("document.querySelectorAll('#moves .time').length === 2");
        // The list scrolls, and something stands beside the moves for which there is no room.
        let node = live(page);
        page.command(&json!({ "command": "comment", "node": node, "text": "many words ".repeat(180) }));
        page.wait("document.getElementById('moves').scrollHeight > 500");
        page.eval(
        "document.querySelectorAll('#moves .time').forEach(time => time.textContent += ' 10:00:00'); null",
    );
        for size in SIZES {
            resize(page, size);
            let broken = page.eval(
                "(() => {
                const broken = [], range = document.createRange();
                for (const move of document.querySelectorAll('#moves > .move')) {
                    const row = move.getBoundingClientRect();
                    const words = document.createTreeWalker(move, NodeFilter.SHOW_TEXT);
                    while (words.nextNode()) {
                        range.selectNodeContents(words.currentNode);
                        const [at, ...more] = range.getClientRects();
                        if (more.length || at.bottom > row.bottom + 1 || at.right > row.right + 1)
                            broken.push(words.currentNode.data);
                    }
                }
                return broken;
            })()",
            );
            assert_eq!(broken, json!([]), "{}x{}", size.0, size.1);
        }
    });
}
