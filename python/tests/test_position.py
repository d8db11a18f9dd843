"""Rules and notation. They are tested in depth in Rust; these tests ask whether Python sees them."""

import copy
import importlib.metadata
import pickle
import random
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import quintain
from quintain import Outcome, Position

REPOSITORY = Path(__file__).parents[2]
NAMES = [variant.name for variant in quintain.variants()]
# Perft counts above this are left to the Rust tests.
MOST = 20_000


def suite(name: str) -> list[tuple[str, int, int]]:
    """FEN, depth and count of each position: the deepest count that is not too large."""
    entries = []
    for line in (REPOSITORY / "perft" / f"{name}.epd").read_text().splitlines():
        if line and not line.startswith("#"):
            fen, *fields = line.split(";")
            counts = [(int(depth[1:]), int(count)) for depth, count in (field.split() for field in fields)]
            entries += [(fen.strip(), *max(pair for pair in counts if pair[1] <= MOST))]
    return entries


def test_the_version_is_that_of_the_program() -> None:
    cargo = tomllib.loads((REPOSITORY / "Cargo.toml").read_text())
    assert quintain.__version__ == cargo["workspace"]["package"]["version"]
    assert importlib.metadata.version("quintain") == quintain.__version__


def test_the_variants_are_described() -> None:
    assert sorted(NAMES) == sorted(path.stem for path in (REPOSITORY / "perft").glob("*.epd"))
    gast14 = quintain.variant("Gast14")
    assert (gast14.name, gast14.files, gast14.ranks, len(gast14.squares)) == ("gast14", 14, 12, 168)
    diamond = quintain.variant("diamond")
    assert (diamond.title, diamond.pieces["v"], len(diamond.squares)) == ("Diamond Chess", "vizier", 40)
    assert (diamond.squares[0], diamond.squares[-1]) == ("e1", "e9")
    assert diamond == Position("diamond").variant and diamond != gast14
    assert len({hash(variant) for variant in quintain.variants()}) == len(NAMES)
    assert diamond.rules.startswith("DIAMOND CHESS")


@pytest.mark.parametrize("name", NAMES)
def test_perft_counts(name: str) -> None:
    entries = suite(name)
    assert len(entries) >= 30
    for fen, depth, count in entries:
        position = Position(name, fen)
        assert position.perft(depth) == count, fen
    assert sum(position.divide(depth, threads=2).values()) == count


@pytest.mark.parametrize("name", NAMES)
def test_random_games(name: str) -> None:
    """Texts are read back, moves are undone, and a game is the sum of its moves."""
    rng = random.Random(name)
    position = Position(name)
    assert position.fen() == position.variant.start
    while not position.is_game_over() and len(position.move_stack) < 60:
        move = rng.choice(position.legal_moves())
        san, before = position.san(move), position.copy()
        assert position.parse_san(san) == move and position.is_legal(move)
        assert position.push_san(san) == move != before
        assert position != before and Position(name, position.fen()) == position
        assert position.pop() == move and position == before
        position.push(move)
    moves = position.move_stack
    assert len(moves) >= 10
    again = Position(name, moves=moves)
    assert again == position and len(Position(name).variation_san(moves)) == len(moves)
    for other in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert other == position and other.move_stack == moves
        other.pop()
        assert other != position


def test_a_variant_is_pickled() -> None:
    for variant in quintain.variants():
        assert pickle.loads(pickle.dumps(variant)) == variant


def test_an_outcome_has_a_side_and_a_reason() -> None:
    assert str(Outcome("white", "checkmate")) == "White mates"
    for winner, reason, what in [
        ("red", "checkmate", "winner: 'red'"),
        (None, "tea", "reason: .*'tea'"),
        (None, "checkmate", "winner: a checkmate has one"),
        ("white", "stalemate", "winner: a checkmate has one"),
    ]:
        with pytest.raises(ValueError, match=what):
            Outcome(winner, reason)


def test_a_copy_of_a_set_up_position_begins_there() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 40"
    position = pickle.loads(pickle.dumps(Position("chess", fen, ["e2e4", "e8e7"])))
    assert (position.fullmove_number, position.halfmove_clock, position.turn) == (41, 1, "white")
    assert [position.pop(), position.pop()] == ["e8e7", "e2e4"] and position.fen() == fen


@pytest.mark.parametrize(
    ("name", "fen", "move", "san", "after"),
    [
        # Canyon: queen and knight exchange squares.
        (
            "canyon",
            None,
            "e2g2",
            "Q-Ng2",
            "1******1/an*kq*na/mppppppm/*6*/*6*/MPPPPPPM/AN*KN*QA/1******1 b - - 1 1",
        ),
        # Gast: castling with rook and archer at once.
        (
            "gast",
            "6k5/12/12/12/12/12/12/12/12/12/12/R2A2K1A2R w ADIL - 3 1",
            "g1k1",
            "Kk1/Rj1/Ah1",
            "6k5/12/12/12/12/12/12/12/12/12/12/R2A3A1RK1 b - - 4 1",
        ),
        # Super Chess: a cyclops runs over pieces and gives check.
        (
            "superchess",
            "2kr6/pppp2q3/10/2P1PC4/10/10/1B8/10/10/8K1 w - - 0 1 e",
            "f7c7n",
            "Cf7c7(N)xc7,e7+",
            "2kr6/pppp2q3/10/2C7/10/10/1B8/10/10/8K1 b - - 0 1 n",
        ),
        # Grand Cavalier: promotion to a piece that was captured.
        (
            "grandcavalier",
            "1mnp1kpnm1/c8c/1Vvvvvvvv1/10/10/10/10/1VVVVVVV2/C8C/1MNP1KPNM1 w - - 4 9",
            "b8a10q",
            "Va10=Q",
            "Qmnp1kpnm1/c8c/2vvvvvvv1/10/10/10/10/1VVVVVVV2/C8C/1MNP1KPNM1 b - - 0 9",
        ),
        ("chess", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", "dxe3", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2"),
        (
            "grand",
            None,
            "b3b5",
            "b5",
            "r8r/1nbqkcabn1/pppppppppp/10/10/1P8/10/P1PPPPPPPP/1NBQKCABN1/R8R b - b4 0 1",
        ),
    ],
)
def test_special_moves(name: str, fen: str | None, move: str, san: str, after: str) -> None:
    position = Position(name, fen)
    assert position.san(move) == san
    position.push(move)
    assert position.fen() == after
    assert position.pop() == move and position.fen() == (fen or position.variant.start)


def test_pieces_are_placed_before_super_chess() -> None:
    position = Position("superchess")
    assert position.hand() == ["S", "S", "s", "s"] and "S" not in position.pieces().values()
    position.push("S@e2,S@f2")
    assert position.hand() == ["s", "s"] and position.pieces()["e2"] == "S"


def test_pieces_stand_on_squares() -> None:
    position = Position("canyon")
    pieces = position.pieces()
    assert pieces["a2"] == "A" and pieces["d7"] == "k" and "b4" not in pieces
    assert len(pieces) == 28 and set(pieces) <= set(position.variant.squares)


def test_checks() -> None:
    position = Position("chess", moves=["e2e4", "e7e5", "d1h5", "b8c6", "h5f7"])
    assert position.is_check() and position.checkers() == ["f7"]
    assert not Position("chess").is_check() and Position("chess").checkers() == []


@pytest.mark.parametrize(
    ("name", "fen", "moves", "winner", "reason", "result", "text"),
    [
        ("chess", None, "f2f3 e7e5 g2g4 d8h4", "black", "checkmate", "0-1", "Black mates"),
        ("chess", "7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "", None, "stalemate", "1/2-1/2", "Stalemate"),
        ("chess", None, "g1f3 g8f6 f3g1 f6g8 " * 2, None, "repetition", "1/2-1/2", "Draw by repetition"),
        ("chess", "7k/8/8/8/8/8/8/KR6 w - - 99 80", "b1b2", None, "fifty_moves", "1/2-1/2", None),
        ("diamond", None, None, None, "bare_kings", "1/2-1/2", "Draw by bare kings"),
        (
            "canyon",
            "k******1/2*2*2/3K4/*6*/*6*/8/2*1A*2/1******1 w - - 99 60 9",
            "e2d3",
            None,
            "ten_moves",
            "1/2-1/2",
            "Draw by the ten-move rule",
        ),
    ],
)
def test_outcomes(
    name: str,
    fen: str | None,
    moves: str | None,
    winner: str | None,
    reason: str,
    result: str,
    text: str | None,
) -> None:
    if moves is None:
        fen, moves = "****k****/***3***/**5**/*7*/4*4/*7*/**5**/***3***/****K**** w - - 0 1", ""
    played = moves.split()
    position = Position(name, fen, played[:-1])
    if played:
        assert position.outcome() is None and not position.is_game_over()
        position.push(played[-1])
    outcome = position.outcome()
    assert outcome is not None and position.is_game_over()
    assert (outcome.winner, outcome.reason, outcome.result) == (winner, reason, result)
    assert outcome == position.outcome() and str(outcome) == (text or str(outcome))
    assert pickle.loads(pickle.dumps(outcome)) == outcome


@pytest.mark.parametrize(
    ("fen", "what"),
    [
        ("12/12/12 w - - 0 1", "placement: 3 ranks instead of 8"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move: 'x' is neither w nor b"),
        ("4k3/8/8/8/8/8/8/4K3 w Z - 0 1", "castling: "),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock: 'x' is not a number from 0 to 9999"),
        (
            "4k3/8/8/8/8/8/4q3/4K3 b - - 0 1",
            "side to move: Black is to move and could take the royal piece of White",
        ),
    ],
)
def test_a_wrong_fen_is_explained(fen: str, what: str) -> None:
    error = quintain.check_fen("chess", fen)
    assert error is not None and error.startswith(what)
    with pytest.raises(ValueError, match=what.split("'")[0]):
        Position("chess", fen)


def test_a_good_fen_has_no_error() -> None:
    assert all(quintain.check_fen(variant.name, variant.start) is None for variant in quintain.variants())


def test_a_wrong_move_is_explained_and_changes_nothing() -> None:
    position = Position("chess")
    attempts: list[tuple[Callable[[], object], str]] = [
        (lambda: position.push("e2e5"), "e2e5: the pawn on e2 cannot go to e5"),
        (lambda: position.push("e4"), "e4: no square of the board follows e4"),
        (lambda: position.push_san("Nd2"), "Nd2: "),
        (lambda: position.san("e7e5"), "e7e5: the pawn on e7 is Black's, but White is to move"),
        (lambda: position.parse_san("Zz9"), "Zz9: "),
        (lambda: position.variation_san(["e2e4", "e2e4"]), "e2e4: there is no piece on e2"),
        (lambda: Position("chess", moves=["e2e4", "e2e4"]), "e2e4: there is no piece on e2"),
    ]
    for attempt, what in attempts:
        with pytest.raises(ValueError) as error:
            attempt()
        assert str(error.value).startswith(what)
    assert position == Position("chess") and position.move_stack == [] and not position.is_legal("e2e5")
    with pytest.raises(IndexError):
        position.pop()


def test_other_wrong_arguments() -> None:
    for attempt in (lambda: Position("checkers"), lambda: quintain.variant("checkers")):
        with pytest.raises(ValueError, match="variant: there is no game called 'checkers'; the games are"):
            attempt()
    with pytest.raises(ValueError, match="depth: -1 is less than 0"):
        Position("chess").perft(-1)
    with pytest.raises(ValueError, match=r"threads: 100000 is more than \d+"):
        Position("chess").perft(2, threads=100_000)
    with pytest.raises(TypeError):
        Position("chess").push(5)  # type: ignore[arg-type]


def test_positions_cannot_be_hashed_but_are_shown() -> None:
    position = Position("diamond")
    with pytest.raises(TypeError):
        hash(position)
    assert eval(repr(position)) == position
    assert str(position).splitlines()[-1].split() == list("abcdefghi")
    assert position != "diamond"


def test_the_evaluation_is_for_the_side_to_move() -> None:
    queen_up = "4k3/8/8/8/8/8/8/3QK3 {} - - 0 1"
    assert Position("chess", queen_up.format("w")).evaluate() > 500
    assert Position("chess", queen_up.format("b")).evaluate() < -500


def test_endgame_tables_know_positions_of_three_pieces() -> None:
    position = Position("canyon", "1******1/2*2*2/8/*2k3*/*6*/8/2*KQ*2/1******1 w - - 0 1")
    known = position.probe()
    assert known is not None and known[0] == "won" and known[1] is not None and known[1] % 2 == 1
    for move in position.legal_moves():
        after = position.copy()
        after.push(move)
        if after.probe() == ("lost", known[1] - 1):
            break
    else:
        raise AssertionError("no move mates as soon as the table says")
    assert Position("canyon").probe() is None
    with pytest.raises(OSError, match="cannot read 'nowhere'"):
        position.probe("nowhere")


def test_the_opening_book_has_legal_moves_with_results() -> None:
    position = Position("superchessfixed")
    moves = position.book()
    assert moves
    for move, results, score in moves:
        assert position.is_legal(move)
        assert len(results) == 3
        assert score is None or abs(score) < 300
    assert Position("chess").book() == []


def test_positions_may_change_while_another_thread_counts() -> None:
    position = Position("chess")
    with ThreadPoolExecutor() as pool:
        counts = [pool.submit(Position.perft, position, 4) for _ in range(4)]
        while not all(count.done() for count in counts):
            position.push("g1f3")
            position.pop()
    # Each counted what it found.
    found = {Position("chess").perft(4), Position("chess", moves=["g1f3"]).perft(4)}
    assert {count.result() for count in counts} <= found
