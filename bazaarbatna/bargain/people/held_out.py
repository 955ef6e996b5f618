"""Families and paths of people that no training may meet: results are reported on these.

Nothing that trains, plans or holds a belief about sellers imports this module; a contract of the
import linter and a test say so.
"""

from pathlib import Path as File

from bazaarbatna.bargain.people.families import FAMILIES, Family, register_families
from bazaarbatna.bargain.people.paths import PathFamily, path_family, sift_paths

_BY_NAME = {family.name: family for family in FAMILIES}

SPLITTER = Family(
    name="splitter",
    title="Proposes the middle and insists on it",
    figure="Offers at the middle are taken most (Backus, Blake, Larsen and Tadelis 2020)",
    ranges={
        "floor": (0.28, 0.63), "gap": (0.2, 0.4), "fade": (0.6, 1.0), "idle": (0.0, 0.4),
        "hold": (0.05, 0.3), "moves": (2, 4), "split_from": (1, 2), "greed": (0.5, 0.85),
        "last_greed": (0.2, 0.6), "close": (0.02, 0.06), "patience": (1, 3),
        "leave": (0.2, 0.5), "insult": (0.25, 0.45), "pride": (0.02, 0.15),
        "urgency": (0.1, 0.5), "bluff": (0.0, 0.3), "honesty": (0.6, 0.95),
    },
)  # fmt: skip

LISTER = Family(
    name="lister",
    title="Argues with the list price and the condition",
    figure="The 90th percentile of deals is 0.94 of list; the first named price's median is 0.92",
    ranges={
        "floor": (0.6, 0.9), "gap": (0.1, 0.3), "fade": (0.8, 1.0), "mirror": (0.0, 0.4),
        "idle": (0.2, 0.6), "hold": (0.3, 0.6), "moves": (2, 5), "greed": (0.55, 0.9),
        "last_greed": (0.3, 0.7), "close": (0.01, 0.04), "patience": (2, 4),
        "leave": (0.15, 0.4), "insult": (0.4, 0.55), "pride": (0.02, 0.12),
        "harden": (0.4, 0.9), "urgency": (0.0, 0.3), "bluff": (0.0, 0.3),
        "honesty": (0.6, 0.95),
    },
)  # fmt: skip

TURNCOAT = Family(
    name="turncoat",
    title="Bargains in one way, then in another",
    figure="Mixtures: quartiles of the second concession are 0, 0.4 and 1.0 of the gap",
    of=(_BY_NAME["reciprocal"], _BY_NAME["fader"], _BY_NAME["firm"], _BY_NAME["bluffer"]),
    then=(_BY_NAME["halver"], _BY_NAME["firm"], _BY_NAME["needy"], _BY_NAME["impatient"]),
)

EXTREME = Family(
    name="extreme",
    title="Like one of the others, with numbers from outside their ranges",
    figure="The tails of every range above",
    tails=0.6,
    of=FAMILIES,
)

GENTLE = Family(
    name="gentle",
    title="Takes a fair price quickly, gives little to a low one",
    figure="The upper quartile of first concessions takes the whole gap; 28 % talk without a deal",
    ranges={
        "floor": (0.25, 0.6), "gap": (0.1, 0.25), "fade": (0.9, 1.0), "mirror": (0.2, 0.6),
        "idle": (0.0, 0.2), "hold": (0.1, 0.3), "moves": (2, 6), "greed": (0.15, 0.45),
        "last_greed": (0.05, 0.3), "close": (0.03, 0.08), "patience": (1, 3),
        "leave": (0.2, 0.5), "insult": (0.35, 0.55), "pride": (0.08, 0.25),
        "harden": (0.2, 0.6), "urgency": (0.1, 0.5), "bluff": (0.0, 0.2),
        "honesty": (0.6, 0.95),
    },
)  # fmt: skip

HELD_OUT: tuple[Family, ...] = (SPLITTER, LISTER, TURNCOAT, EXTREME, GENTLE)

VALIDATION = File(__file__).with_name("paths_validation.jsonl")

PATHS = path_family(sift_paths(VALIDATION.read_bytes().splitlines()).paths)

ASSUMED = ((0.97, 1), (0.97, 4), (0.88, 1), (0.88, 4), (0.80, 4))
"""Reservation price as a part of what was agreed, and repetitions until the seller leaves.

Nobody knows either of a person: a buyer has to be good under all of them.
"""

ASSUMPTIONS: tuple[PathFamily, ...] = tuple(
    path_family(
        PATHS.paths,
        name=f"paths-{100 * kept:.0f}-{repeats}",
        title=f"Sells at {kept:.2f} of what was agreed, repeats the last price "
        f"{'once' if repeats == 1 else f'{repeats} times'}",
        kept=(kept, kept),
        repeats=(repeats, repeats),
        stretch=(1.0, 1.0),
        touchy=0.0,
        hurried=0.0,
    )
    for kept, repeats in ASSUMED
)


def plug_in() -> None:
    """Register the held-out families; safe to call twice."""
    register_families((*HELD_OUT, PATHS, *ASSUMPTIONS))
