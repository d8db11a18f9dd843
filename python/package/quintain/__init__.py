"""Rules and engine of chess variants on boards of 40 to 168 squares.

>>> import quintain
>>> position = quintain.Position("canyon")
>>> position.push("b3b4")
>>> line = quintain.Engine().search(position, nodes=10_000)
>>> position.push(line.move)
"""

from ._quintain import Engine, Line, Outcome, Position, Variant, __version__, check_fen, variant, variants

__all__ = [
    "Engine",
    "Line",
    "Outcome",
    "Position",
    "Variant",
    "__version__",
    "check_fen",
    "variant",
    "variants",
]
