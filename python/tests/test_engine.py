"""The search: results, limits, errors, threads and signals."""

import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import quintain
from quintain import Engine, Line, Position

MATE_IN_TWO = "7k/8/8/8/8/8/R7/KR6 w - - 0 1"


@pytest.fixture
def engine() -> Engine:
    return Engine(hash=1)


def test_a_mate_is_found(engine: Engine) -> None:
    position = Position("chess", MATE_IN_TWO)
    for line in (engine.search(position, depth=6), engine.search(position, mate=2)):
        assert (line.mate, line.score, len(line.pv)) == (2, 32_000 - 3, 3)
        assert line.move == line.pv[0] and line.bound == "exact"
        assert position.variation_san(line.pv)[-1].endswith("#")
    for move in line.pv:
        position.push(move)
    mated = engine.search(position, depth=1)
    assert (mated.move, mated.mate, mated.score, mated.pv) == (None, 0, -32_000, [])


@pytest.mark.parametrize("name", [variant.name for variant in quintain.variants()])
def test_one_engine_searches_all_variants_and_repeats_itself(engine: Engine, name: str) -> None:
    position = Position(name)
    found = []
    for _ in range(2):
        engine.new_game()
        line = engine.search(position, nodes=2000)
        assert line.move in position.legal_moves() and line.mate is None
        assert 1 <= line.depth <= line.seldepth and 0 < line.nodes < 4000 and sum(line.wdl) == 1000
        found.append((line.pv, line.score, line.nodes))
    assert found[0] == found[1] and position == Position(name)


def test_a_line_is_pickled(engine: Engine) -> None:
    for position in [Position("gast"), Position("chess", MATE_IN_TWO)]:
        line = engine.search(position, depth=6)
        again = pickle.loads(pickle.dumps(line))
        assert again == line and (again.pv, again.mate, again.time) == (line.pv, line.mate, line.time)
    with pytest.raises(ValueError, match="bound: there is no 'about'"):
        Line(None, 0, None, (0, 1000, 0), "about", [], 1, 1, 1, 1, 0.0)


def test_the_best_lines_come_first(engine: Engine) -> None:
    position = Position("chess", MATE_IN_TWO)
    lines = engine.analyse(position, lines=3, depth=5)
    assert [line.multipv for line in lines] == [1, 2, 3] and len({line.move for line in lines}) == 3
    assert lines[0].mate == 2 and lines[0].score >= lines[1].score >= lines[2].score
    few = Position("chess", "k7/8/8/8/8/8/1q6/K7 w - - 0 1")
    assert len(engine.analyse(few, lines=5, depth=3)) == len(few.legal_moves()) == 1


def test_root_moves_are_the_choice(engine: Engine) -> None:
    position = Position("diamond")
    worst = engine.analyse(position, lines=100, depth=2)[-1].move
    assert worst is not None
    assert engine.search(position, depth=3, root_moves=[worst]).move == worst
    with pytest.raises(ValueError, match="e1e5: "):
        engine.search(position, depth=3, root_moves=["e1e5"])


def test_repetition_depends_on_the_moves(engine: Engine) -> None:
    """Only the moves, and not the FEN, say that the queen's side can take a draw here."""
    fen = "7k/8/8/8/8/8/q7/7K b - - 0 1"
    moves = ["a2b2", "h1g1", "b2a2", "g1h1"] * 2
    repeated = Position("chess", fen, moves[:-1])
    assert engine.search(repeated, depth=4, root_moves=["g1h1"]).score == 0
    assert engine.search(Position("chess", repeated.fen()), depth=4, root_moves=["g1h1"]).score < -300


def test_lines_are_heard_in_this_thread(engine: Engine) -> None:
    heard: list[tuple[int, int]] = []
    last = engine.search(
        Position("canyon"), depth=5, on_line=lambda line: heard.append((line.depth, threading.get_ident()))
    )
    assert heard[-1][0] == last.depth == 5 and {thread for _, thread in heard} == {threading.get_ident()}


def test_an_exception_ends_the_search(engine: Engine) -> None:
    def refuse(line: Line) -> None:
        raise LookupError(line.depth)

    with pytest.raises(LookupError, match="1"):
        engine.search(Position("gast"), time=3600, on_line=refuse)
    assert engine.search(Position("gast"), depth=1).move


def test_times_are_kept(engine: Engine) -> None:
    start = time.monotonic()
    line = engine.search(Position("grand"), time=0.2)
    assert line.time > 0.1 and time.monotonic() - start < 5
    start = time.monotonic()
    engine.search(Position("grand"), clock=1.5, increment=0.1, moves_to_go=10)
    assert time.monotonic() - start < 5


def test_other_threads_go_on_and_can_stop_the_search(engine: Engine) -> None:
    found: list[Line] = []
    search = threading.Thread(target=lambda: found.append(engine.search(Position("canyon"), time=3600)))
    search.start()
    position, deadline = Position("canyon"), time.monotonic() + 0.3
    # This loop would stand still if the search kept the GIL.
    while time.monotonic() < deadline:
        position.legal_moves()
    assert search.is_alive()
    engine.stop()
    search.join(timeout=30)
    assert not search.is_alive() and found[0].move in position.legal_moves()


def test_a_position_may_change_during_its_search(engine: Engine) -> None:
    position = Position("diamond")
    first = position.legal_moves()[0]
    started = threading.Event()
    found: list[Line] = []
    search = threading.Thread(
        target=lambda: found.append(engine.search(position, time=3600, on_line=lambda _: started.set()))
    )
    search.start()
    assert started.wait(timeout=30)
    position.push(first)
    engine.stop()
    search.join(timeout=30)
    assert position.move_stack == [first] and found[0].move in Position("diamond").legal_moves()


def test_an_engine_does_one_search_at_a_time(engine: Engine) -> None:
    refused: list[str] = []

    def search_again(line: Line) -> None:
        attempts: list[Callable[[], object]] = [
            lambda: engine.search(Position("diamond"), depth=1),
            engine.new_game,
        ]
        for attempt in attempts:
            with pytest.raises(RuntimeError) as error:
                attempt()
            refused.append(str(error.value))

    engine.search(Position("canyon"), depth=1, on_line=search_again)
    assert set(refused) == {"the engine is searching; use another one, or stop it first"}
    assert engine.search(Position("diamond"), depth=1).move


def test_engines_search_side_by_side() -> None:
    names = [variant.name for variant in quintain.variants()]
    with ThreadPoolExecutor() as pool:
        lines = pool.map(lambda name: Engine(hash=1).search(Position(name), nodes=3000), names)
    for name, line in zip(names, lines, strict=True):
        assert line.move in Position(name).legal_moves()


@pytest.mark.parametrize("work", ["search", "perft"])
@pytest.mark.skipif(os.name != "posix", reason="sends itself a signal")
def test_ctrl_c_ends_long_work(engine: Engine, work: str) -> None:
    # A shell lets what it starts in the background ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        if work == "search":
            engine.search(Position("gast14"), time=3600)
        else:
            Position("gast14").perft(20)
    assert time.monotonic() - start < 30
    timer.join()


def test_levels_are_weaker(engine: Engine) -> None:
    position = Position("chess")
    choices = set()
    for _ in range(12):
        engine.new_game()
        choices.add(engine.search(position, nodes=100_000, level=0).move)
    assert len(choices) >= 3


def test_several_threads_search(engine: Engine) -> None:
    assert Engine(hash=2, threads=2).search(Position("chess", MATE_IN_TWO), depth=6).mate == 2


def test_wrong_arguments(engine: Engine) -> None:
    position = Position("chess")
    attempts: list[tuple[Callable[[], object], str]] = [
        (lambda: engine.search(position), "the search needs a limit: depth, nodes, time, mate or clock"),
        (lambda: engine.search(position, root_moves=["e2e4"]), "the search needs a limit"),
        (lambda: engine.search(position, depth=1, root_moves=[]), "root_moves: there is no move in it"),
        (lambda: engine.search(position, depth=0), "depth: 0 is less than 1"),
        (lambda: engine.search(position, nodes=-5), "nodes: -5 is less than 1"),
        (lambda: engine.search(position, time=-1.0), "time: -1"),
        (lambda: engine.search(position, time=float("nan")), "time: NaN"),
        (lambda: engine.search(position, clock=float("inf")), "clock: inf"),
        (
            lambda: engine.search(position, depth=1, level=21),
            "option Skill Level: '21' is not a number from 0 to 20",
        ),
        (
            lambda: engine.analyse(position, depth=1, lines=0),
            "option MultiPV: '0' is not a number from 1 to 500",
        ),
        (lambda: Engine(hash=0), "option Hash: '0' is not a number from 1 to 65536"),
        (lambda: Engine(threads=0), "threads: 0 is less than 1"),
        (lambda: Engine(threads=1_000_000), "threads: 1000000 is more than "),
    ]
    for attempt, what in attempts:
        with pytest.raises(ValueError) as error:
            attempt()
        assert str(error.value).startswith(what), str(error.value)
