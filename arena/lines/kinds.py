"""The shape of a voice: what each file of lines has to fill in."""

Lines = dict[str, tuple[str, ...]]
"""Lines by kind. Only those of ``opening``, ``bidding``, ``raising`` and ``taking`` name a price
(the own bid, or the ask that is taken); ``silent`` stands in where none may be said."""

KINDS = (
    "opening",
    "bidding",
    "raising",
    "leading",
    "waiting",
    "bluffing",
    "taking",
    "leaving",
    "silent",
)
