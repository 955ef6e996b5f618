"""Families and paths of people that no training may meet: results are reported on these.

Nothing that trains, plans or holds a belief about sellers imports this module; a contract of the
import linter and a test say so.
"""

from pathlib import Path as File

from bazaarbatna.bargain.people.families import FAMILIES, Family, Table, register_families
from bazaarbatna.bargain.people.paths import PathFamily, path_family, sift_paths
from bazaarbatna.word_tables import read_table

_BY_NAME = {family.name: family for family in FAMILIES}

SPLITTER, LISTER, GENTLE = read_table(File(__file__).with_name("held_out.toml"), Table).family

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
