"""The market in few words: how a small model is shown a position, and how its answer is read.

A prompt has some hundred tokens, an answer is one action as JSON in the engine's own fields.
Blocks, offers, jobs and labs have short names that hold for one position. What the books say is
summed up before (``position``): what own blocks bring, what an offer changes, whose block would
help. What is left out, and by which rule, stands in ``text``.
"""

from arena.gpu_market.dialect.text import PIECES, VERSION, read, render, write

NAME = "lab"

__all__ = ["NAME", "PIECES", "VERSION", "read", "render", "write"]
