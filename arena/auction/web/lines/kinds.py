"""The shape of a voice: what each file of lines has to fill in."""

Lines = dict[str, tuple[str, ...]]
"""Lines by kind; ``silent`` stands in where a price must not be said. No line holds a number."""

PRICED = ("opening", "bidding", "raising", "taking")
"""Kinds of lines that name a price: the own bid, or the ask that is taken."""

KINDS = (
    *PRICED,
    "leading",
    "waiting",
    "bluffing",
    "leaving",
    "silent",
)
