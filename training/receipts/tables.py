"""Tables that one command each measures and a page shows: their shapes, written and read."""

from pathlib import Path
from typing import ClassVar, Literal, Self

import msgspec

from agents.text.languages import Register
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.intervals import Interval
from negotiation.plans import MoveName
from training.disk import write_json
from training.evaluation.samples import MannersRow
from training.runs import lifecycle


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of one suite's games; ``name`` is that of its file among the receipts."""

    name: ClassVar[str]

    suite: str
    seed: int
    commit: str

    def write(self, path: Path) -> None:
        """Write the table down, whole or not at all."""
        write_json(path, self)

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


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What a scripted seller takes from a buyer: its share of the zone, 0 without a deal."""

    seller: str
    kind: Literal["blind", "honest", "reader", "talker"]
    share: Interval


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What words change that go with the same prices.

    ``gain`` is the seller's, as a share of the zone. As shares of the opening ask: how far one tell
    ``moved`` the next bid in the mean, and what it is ``worth``: how far it moves the best guess of
    a reservation price.
    """

    sort: str
    text: str
    gain: Interval
    moved: float
    worth: float


class Scripted(msgspec.Struct, frozen=True, kw_only=True):
    """What scripted sellers take from a buyer in the same ``games`` with a zone.

    Attributes:
        blind, reader: what the best seller takes who looks at no bid, and who reads her budget
            from her bids; which one is the best was found on other games.
        best_blind: who takes most of all games.
        reads_more: what the best reader takes beyond the best blind one.
        talks_more: what the best one takes beyond that who looks at no bid either, and talks.
        honest: what honest sellers get, as parts of what the best blind one takes.
        last_jump: the largest of a last price over the bid before it, as a part of that bid.
        leaves: part of the games without a zone, and with a seller who never moves, that she left.
        warns: part of all the games that she left in which she had warned; None: she never left.
        words: what words change.
    """

    policy: str
    version: str
    title: str
    games: int
    sellers: tuple[Taken, ...]
    blind: Interval
    best_blind: str
    reader: Interval
    reads_more: Interval
    talks_more: Interval
    honest: dict[str, float]
    last_jump: float
    leaves: float
    warns: float | None
    words: tuple[Effect, ...]


class ExploitTable(Table, frozen=True, kw_only=True):
    """Of ``manage.py exploit``; ``budget`` is that of each search."""

    name = "exploit"

    budget: dict[str, int]
    rows: tuple[Exploited, ...]


class ScriptedTable(Table, frozen=True, kw_only=True):
    """Of ``manage.py exploit``; ``games`` that each scripted seller played with each buyer."""

    name = "scripted_sellers"

    games: int
    rows: tuple[Scripted, ...]


class GivenAway(msgspec.Struct, frozen=True, kw_only=True):
    """How much of the spread of budgets a path of bids explains, to the seller who reads best.

    Attributes:
        after: bids that were read.
        r2: of the best regressor, over games that it did not learn from, 0..1.
        games: how many lasted as long as that.
        regressor, conduct: which one read best, and how the seller drew the bids out.
    """

    after: int
    r2: Interval
    games: int
    regressor: str
    conduct: str


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What a buyer gives away, bid by bid."""

    policy: str
    version: str
    title: str
    read: tuple[GivenAway, ...]


class GivenAwayTable(Table, frozen=True, kw_only=True):
    """Of ``manage.py given_away``: ``games`` of each buyer and each way to draw bids out."""

    name = "given_away"

    games: int
    rows: tuple[Told, ...]


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


class MannersTable(Table, frozen=True, kw_only=True):
    """Of ``manage.py manners``; ``games`` of each buyer."""

    name = "manners"

    games: int
    rows: tuple[MannersRow, ...]


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
    one.name: one
    for one in (
        ExploitTable,
        GivenAwayTable,
        ScriptedTable,
        UsesTable,
        MannersTable,
        VoicesTable,
        VerdictsTable,
    )
}
"""By the name of the file."""
