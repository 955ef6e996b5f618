"""Tables that one command each measures and a page shows: their shapes, written and read."""

from pathlib import Path
from typing import ClassVar, Literal, Self

import msgspec

from agents.text.languages import Register
from negotiation.engine.quantities import Paise, Side
from negotiation.plans import MoveName
from negotiation.statistics import Interval
from training.evaluation.folder import write_whole
from training.runs import lifecycle


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of one suite's games; ``name`` is that of its file among the receipts."""

    name: ClassVar[str]

    suite: str
    seed: int
    commit: str

    def write(self, path: Path) -> None:
        """Write the table down, whole or not at all."""
        write_whole(path, [msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"])

    @classmethod
    def path(cls) -> Path:
        """Return where the table that ships with the code lies."""
        return lifecycle.RECEIPTS / f"{cls.name}.json"

    @classmethod
    def shipped(cls) -> Self | None:
        """Read the table that ships with the code; None where there is none."""
        path = cls.path()
        return msgspec.json.decode(path.read_bytes(), type=cls) if path.is_file() else None


class Exploited(msgspec.Struct, frozen=True, kw_only=True):
    """What a seller with this ``manner``, searched in so many ``games``, takes from a buyer.

    ``takes`` is its mean share of the zone over fresh games, 0..1.
    """

    policy: str
    version: str
    title: str
    takes: float
    games: int
    manner: dict[str, float]


class ExploitTable(Table, frozen=True, kw_only=True):
    """Of ``manage.py exploit``; ``budget`` is that of each search."""

    name = "exploit"

    budget: dict[str, int]
    rows: tuple[Exploited, ...]


class Horizon(msgspec.Struct, frozen=True, kw_only=True):
    """Games of so many rounds. Worths are shares of the zone, halved after the own deadline.

    ``line`` is the best straight one of this horizon; ``over_halver`` and ``over_line`` are the
    network's worth beyond theirs on the same games. ``tells`` is what noticing them adds,
    ``deadline`` what being told of one adds where every buyer has one; None in short games.
    """

    rounds: int
    network: Interval
    halver: Interval
    line: Interval
    over_halver: Interval
    over_line: Interval
    tells: Interval
    deadline: Interval | None = None


class UsesTable(Table, frozen=True, kw_only=True):
    """Of ``manage.py network_uses``; ``network`` is the digest of its weights."""

    name = "network_uses"

    games: int
    network: str
    rows: tuple[Horizon, ...]


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A turn of a talk; ``price`` in paise where it names one."""

    actor: Side
    price: Paise | None
    text: str


class VoicePosition(msgspec.Struct, frozen=True, kw_only=True):
    """A position in which every voice has answered the same line. Prices in paise.

    Attributes:
        seed: of the game, from which all words follow.
        title, category: what is sold; "" where nothing names it.
        anchor: the opening ask; ``ask`` and ``bid`` stand after the seller's line.
        move, to: what she plays, and at which price; ``talk`` where no price was named.
        talk: what was said; the last turn is the seller's line.
        texts: her words by the name of the voice.
    """

    id: str
    language: Register
    seed: int
    title: str
    category: str
    anchor: Paise
    talk: tuple[Said, ...]
    ask: Paise
    bid: Paise
    move: MoveName
    to: Paise | None
    texts: dict[str, str]


class VoicesTable(Table, frozen=True, kw_only=True):
    """Of ``manage.py voices``: the texts that are judged."""

    name = "voices"

    rows: tuple[VoicePosition, ...]


Mark = Literal[0, 1]


class VoiceVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge said of the text with that code; questions as in ``training.voices.judging``."""

    id: str
    code: str
    judge: str
    answers: Mark
    true: Mark
    natural: Mark
    one_language: Mark
    go_on: Mark


class VerdictsTable(Table, frozen=True, kw_only=True):
    """Verdicts on the texts of a ``VoicesTable``."""

    name = "voice_verdicts"

    rows: tuple[VoiceVerdict, ...]


TABLES: dict[str, type[Table]] = {
    one.name: one for one in (ExploitTable, UsesTable, VoicesTable, VerdictsTable)
}
"""By the name of the file."""
