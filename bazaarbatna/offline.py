"""Results that were made without the site: games of known seeds, move by move, in a signed file.

The first line says what was played, each further one is a game, the last one signs all before it
with the token of the bot that they belong to: HMAC-SHA256. Whoever reads the file plays every game
again; its word counts for nothing. The seeds are everybody's, so a file cannot show that a buyer
did not look: what it proves is that these moves lead to these results.
"""

import hashlib
import hmac
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeVar

import msgspec

from bazaarbatna.bargain.episode import MAX_TEXT
from bazaarbatna.bargain.errors import GameError
from bazaarbatna.bargain.log import digest_of
from bazaarbatna.bargain.match import Buyer
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import MAX_PRICE
from bazaarbatna.bargain.sealed_seeds import seed_of
from bazaarbatna.bargain.suites import SUITES, suite_id
from bazaarbatna.bargain.tasks import make_scenario, suite, suite_ids
from bazaarbatna.envs.bargain.actions import Action, to_proposal
from bazaarbatna.envs.bargain.suite_game import SuiteGame

FORMAT = "bazaarbatna-offline@1"
KEY = hashlib.sha256(FORMAT.encode()).hexdigest()
"""What all seeds follow from: nobody can choose seeds that suit a buyer, or leave some out."""

BARGAINS = 40
"""Of each suite, at least: as many as a bot plays at the site."""

MOST_BARGAINS = 200
MOST_BYTES = 1_200_000
"""Of a file. Some 300 bargains of six moves without many words have 200,000."""


class BadSubmission(ValueError):
    """The file cannot be counted; the message says which line is wrong and why."""


class Answered(msgspec.Struct, frozen=True, tag="answered", tag_field="kind", omit_defaults=True):
    """What a buyer did; ``price`` in rupees."""

    action: Literal["offer", "accept", "walk"]
    price: float | None = None
    message: str = ""


class Suited(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A suite, the version of its seller, and how many games of it were played."""

    id: str
    seller: str
    games: int


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    format: str
    buyer: str
    suites: tuple[Suited, ...]


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game: its place in the suite from 0, its seed, what each bargain's log hashes to."""

    suite: str
    place: int
    seed: int
    digests: tuple[str, ...]
    moves: tuple[Answered, ...]


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line."""

    signature: str


class Submission(msgspec.Struct, frozen=True):
    """What a file says; all of it was played again."""

    header: Header
    games: tuple[Played, ...]


def wanted_suites(bargains: int = BARGAINS) -> tuple[Suited, ...]:
    """List what is to be played: all sampled suites, whole games of at least so many bargains."""
    ids = [suite_id(row.name, "sampled") for row in SUITES]
    return tuple(
        Suited(id_, _seller(id_), math.ceil(bargains / suite(id_).episodes)) for id_ in ids
    )


def play(
    suites: Sequence[Suited], make_buyer: Callable[[int], Buyer], tell: Callable[[str], None]
) -> Iterator[Played]:
    """Play every game; a buyer that fails or answers nonsense walks away, and ``tell`` hears why.

    ``make_buyer`` makes the player of one game from its seed; it must not look at the seed itself.
    """
    for one in suites:
        for place in range(one.games):
            seed = seed_of(KEY, one.id, place)
            game, buyer, moves = SuiteGame(one.id, seed), make_buyer(seed), list[Answered]()
            while (seen := game.observation) is not None:
                # Whatever somebody's model raises, the other games are still to be played.
                try:
                    move = answered(buyer.act(seen))
                except Exception as wrong:  # noqa: BLE001  as said above
                    tell(f"{one.id}, game {place}: {type(wrong).__name__}: {wrong}; it walks away.")
                    move = Answered("walk")
                moves.append(move)
                game.step(proposal_of(move))
            yield Played(one.id, place, seed, tuple(map(digest_of, game.logs)), tuple(moves))


def answered(move: object) -> Answered:
    """Write a move as a file keeps it; ValueError for what is none."""
    match move:
        case Offer(price=price, text=text) if _is_price(price):
            return Answered("offer", price / 100, str(text)[:MAX_TEXT])
        case Accept(text=text):
            return Answered("accept", message=str(text)[:MAX_TEXT])
        case Walk(text=text):
            return Answered("walk", message=str(text)[:MAX_TEXT])
        case _:
            raise ValueError(f"{str(move)[:80]!r} is no move")


def _is_price(price: object) -> bool:
    is_number = isinstance(price, int | float) and not isinstance(price, bool)
    return is_number and math.isfinite(price) and abs(price) <= MAX_PRICE  # type: ignore[arg-type]


def proposal_of(move: Answered) -> object:
    """Turn a kept move into what is proposed to the game."""
    return to_proposal(Action(move.action, move.price, move.message))


def write(buyer: str, suites: tuple[Suited, ...], games: Sequence[Played], token: str) -> bytes:
    """Write a file and sign it; BadSubmission where it would be refused for its length."""
    lines = [msgspec.json.encode(one) for one in (Header(FORMAT, buyer, suites), *games)]
    body = b"".join(line + b"\n" for line in lines)
    if len(body) + 200 > MOST_BYTES:
        raise BadSubmission(f"The file would have {len(body)} bytes; {MOST_BYTES} are read.")
    return body + msgspec.json.encode(Signature(sign(body, token))) + b"\n"


def sign(body: bytes, token: str) -> str:
    """Return the signature of all lines before the last."""
    return hmac.digest(token.encode(), body, "sha256").hex()


def read(data: bytes, token: str) -> Submission:
    """Read a file of whoever holds this token, and play all of it again; BadSubmission."""
    if len(data) > MOST_BYTES:
        raise BadSubmission(f"The file has {len(data)} bytes; {MOST_BYTES} are read.")
    body, _, last = data.rstrip(b"\n").rpartition(b"\n")
    body, lines = body + b"\n", body.split(b"\n")
    signature = _decoded(last, Signature, len(lines) + 1).signature
    if not hmac.compare_digest(signature.encode(), sign(body, token).encode()):
        raise BadSubmission("The signature is not of this bot's token, or a line was changed.")
    header = _checked_header(_decoded(lines[0], Header, 1))
    games = tuple(_decoded(line, Played, number) for number, line in enumerate(lines[1:], 2))
    _check_places(header, games)
    for number, game in enumerate(games, 2):
        _check_game(game, number)
    return Submission(header, games)


L = TypeVar("L", Header, Played, Signature)


def _decoded(line: bytes, kind: type[L], number: int) -> L:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise BadSubmission(f"Line {number} is no {kind.__name__.lower()}: {wrong}.") from wrong


def _checked_header(header: Header) -> Header:
    if header.format != FORMAT:
        raise BadSubmission(f"Line 1 has the format {header.format[:40]!r}; {FORMAT} is read.")
    if not header.suites:
        raise BadSubmission("Line 1 names no suite.")
    for id_, times in Counter(one.id for one in header.suites).items():
        if id_ not in suite_ids():
            raise BadSubmission(f"Line 1: there is no suite {id_[:40]!r}.")
        if times > 1:
            raise BadSubmission(f"Line 1 names {id_} {times} times.")
    for one in header.suites:
        if one.seller != _seller(one.id):
            raise BadSubmission(
                f"Line 1: {one.id} was played against {one.seller[:60]!r}, and its seller is "
                f"{_seller(one.id)} now: install the version of the site, and play again."
            )
        most = math.ceil(MOST_BARGAINS / suite(one.id).episodes)
        if not 1 <= one.games <= most:
            raise BadSubmission(f"Line 1: {one.id} has 1 to {most} games, not {one.games}.")
    return header


def _check_places(header: Header, games: Sequence[Played]) -> None:
    wanted = {(one.id, place) for one in header.suites for place in range(one.games)}
    first: dict[tuple[str, int], int] = {}
    for number, game in enumerate(games, 2):
        name = (game.suite, game.place)
        if name not in wanted:
            told = f"game {game.place} of {game.suite[:40]!r} is not announced in line 1"
            raise BadSubmission(f"Line {number}: {told}.")
        if name in first:
            told = f"is game {game.place} of {game.suite} again, as in line {first[name]}"
            raise BadSubmission(f"Line {number} {told}.")
        first[name] = number
    if missing := sorted(wanted - set(first)):
        id_, place = missing[0]
        told = f"game {place} of {id_} is missing, and {len(missing) - 1} more"
        raise BadSubmission(f"A result is of all games: {told}.")


def _check_game(game: Played, number: int) -> None:
    seed = seed_of(KEY, game.suite, game.place)
    if game.seed != seed:
        raise BadSubmission(f"Line {number} has the seed {game.seed}; that of its game is {seed}.")
    again = SuiteGame(game.suite, seed)
    try:
        for move in game.moves:
            again.step(proposal_of(move))
    except GameError as wrong:
        raise BadSubmission(f"Line {number}: played again, {wrong}") from wrong
    if not again.done:
        raise BadSubmission(f"Line {number}: its moves end before its game does.")
    if tuple(map(digest_of, again.logs)) != game.digests:
        raise BadSubmission(f"Line {number}: played again, its moves lead to another log.")


def _seller(id_: str) -> str:
    return make_scenario(id_, 0).seller
