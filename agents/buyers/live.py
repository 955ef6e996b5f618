"""Sauda through a model: prompt, answer, steering, guards, words; the rules where that fails."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Collection

import msgspec
from django.conf import settings

from agents import asking
from agents.asking import by_rules
from agents.backends.base import Chat
from agents.buyers import steering
from agents.buyers.model_tells import read_more
from agents.dialects.parsing import Parsed, parse
from agents.output_guard.coherence import is_coherent, recites, tidy
from agents.prompts.buyer import PLANNED_PROMPT_VERSION, SYSTEM, Planned, render
from agents.prompts.chats import Manner
from agents.router import Answer
from agents.sayable import partial_answer
from agents.speech.checks import faults
from agents.speech.plan import plan_of
from agents.speech.promises import keep, owed
from agents.speech.sides import FIRST, language_of, own_words
from agents.speech.speaker import tongue_of
from agents.text.rounding import in_round_numbers
from agents.text.tells.reader import read_tells
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.scenario import SALE
from bazaarbatna.players.guard import guard
from negotiation.policies import Entry, Played, Request, ShowPartialText
from negotiation.readers import Reading, SaleContext

GAMES = 2_000


class _Said:
    """The lines of the latest games. Used on one event loop's thread at a time."""

    def __init__(self) -> None:
        self._lines: OrderedDict[tuple[str, int], set[str]] = OrderedDict()

    def in_game(self, request: Request, seen: BuyerObservation) -> Collection[str]:
        return set(own_words(seen)) | self._lines.get(_seat(request), set())

    def note(self, request: Request, played: Played) -> None:
        text = played.answer if isinstance(played.answer, str) else played.answer.text
        if not text:
            return
        seat = _seat(request)
        self._lines.setdefault(seat, set()).add(text)
        self._lines.move_to_end(seat)
        if len(self._lines) > GAMES:
            self._lines.popitem(last=False)


def _seat(request: Request) -> tuple[str, int]:
    # Buyers of one match have seeds of their own.
    return request.game, request.seed


SHARE = 0.35
"""Part of the turn's time that looking twice may take."""


async def look_twice(
    seen: BuyerObservation, client: str, deadline: float, only: tuple[str, ...] = ()
) -> BuyerObservation:
    """Add to the tells of a position what a model finds in the words; see ``model_reader``."""
    last = seen.turns[-1] if seen.turns else None
    if not settings.SAUDA_MODEL_TELLS or last is None or last.actor != "seller":
        return seen
    if seen.tells is None or not last.text:
        return seen
    now = time.monotonic()
    until = now + SHARE * (deadline - now)

    async def ask(chat: Chat) -> str | None:
        answer = await asking.ask(chat, client, deadline=until, only=only)
        return answer.text if answer.backend else None

    context = SaleContext(seen.asks, seen.bids, seen.turns[:-1], seen.item.condition)
    spans = read_tells(last.text, context, last.price).spans
    more = await read_more(last.text, Reading(seen.tells, spans), ask)
    return msgspec.structs.replace(seen, tells=more.tells)


NUMBER = 3

OTHER_WORDS = 12


class LiveSauda:
    """Asks a model for Sauda's turn; ``entry`` is the rule policy that stands in.

    ``only`` names the backends, ``checkpoint`` the trained model that may answer; empty: any.
    """

    def __init__(
        self, entry: Callable[[], Entry], only: tuple[str, ...] = (), checkpoint: str = ""
    ) -> None:
        self._entry = entry
        self._only = only
        self._checkpoint = checkpoint
        self._said = _Said()

    def awake(self) -> bool:
        """Whether a model is configured."""
        return asking.awake(self._only, bargains=True, checkpoint=self._checkpoint)

    async def turn(self, request: Request, show: ShowPartialText) -> Played:
        """Play a turn; the rules play it when no model gives a readable answer in time."""
        seen = request.observation
        assert isinstance(seen, BuyerObservation)
        deadline = asking.turn_deadline()
        seen = await look_twice(seen, request.client, deadline, self._only)
        only_words = request.speak_only
        chat = asking.chat_of(
            render(seen, speak_only=only_words, plan=_planned(seen, speak_only=only_words)),
            seen,
            speak_only=only_words,
            checkpoint=self._checkpoint,
            since=request.since,
        )
        said = self._said.in_game(request, seen)
        partial = _PartialText(seen, show, said)
        try:
            answer = await asking.ask(
                chat,
                request.client,
                deadline=deadline,
                on_text=partial.hear,
                only=self._only,
                notice=partial.notice,
            )
        finally:
            partial.stop()
        played = (
            _talk(request, seen, answer, said) if only_words else _move(request, seen, answer, said)
        )
        looked = msgspec.structs.replace(request, observation=seen)
        played = played or _by_rules(self._entry(), looked, answer, said)
        self._said.note(request, played)
        return played


def decide(
    seen: BuyerObservation,
    proposal: Move,
    seed: int,
    *,
    steer: bool = True,
    said: Collection[str] = (),
) -> Move:
    """Turn what a model proposes into what is played, with words that may be said.

    Without ``steer`` only what cannot be played is bent; ``said`` holds the lines of this game.
    """
    move = keep(seen, _bend(seen, proposal, steer=steer))
    text = tidy(move.text)
    if _may_be_said(text, seen, move, said):
        return msgspec.structs.replace(move, text=text)
    return msgspec.structs.replace(move, text=_own_words(seen, move, seed, said))


SHOWN_AFTER_S = 0.04
"""A piece of an answer is looked at so much later; 0: at once, for those who test every piece."""


def _model_version(answer: Answer) -> str:
    prompt = answer.manner.prompt or f"prompt{PLANNED_PROMPT_VERSION}"
    return f"sauda@{NUMBER}/{prompt}/{answer.backend}:{answer.model}"[:80]


class _PartialText:
    def __init__(
        self, seen: BuyerObservation, show: ShowPartialText, said: Collection[str]
    ) -> None:
        self._seen = seen
        self._show_partial = show
        self._said = said
        self._manner = Manner()
        self._move: Move | None = None
        self._answer = partial_answer(self._show, self._is_played)
        self._unheard = ""
        self._soon: asyncio.TimerHandle | None = None

    def hear(self, piece: str) -> None:
        """Take a piece of the answer; what may be seen of it is found a little later.

        The end of most answers comes first, and then nobody needs to see their parts.
        """
        if not piece:
            self.stop()
            self._answer.hear(piece)
            return
        self._unheard += piece
        if not SHOWN_AFTER_S:
            self._read()
        elif self._soon is None:
            self._soon = asyncio.get_running_loop().call_later(SHOWN_AFTER_S, self._read)

    def stop(self) -> None:
        """Show no more: the answer is there, or somebody else's begins."""
        if self._soon is not None:
            self._soon.cancel()
        self._soon, self._unheard = None, ""

    def _read(self) -> None:
        piece, self._soon, self._unheard = self._unheard, None, ""
        self._answer.hear(piece)

    def notice(self, manner: Manner) -> None:
        self._manner = manner

    def _show(self, words: str) -> None:
        # What may become a line said before, or is one that may not be said, is replaced.
        if any(line.startswith(words) for line in self._said):
            return
        if self._seen.suite != SALE or _may_be_said(words, self._seen, self._move, ()):
            self._show_partial(words)

    def _is_played(self, proposal: Parsed) -> bool:
        if proposal.action == "say":
            return True
        move = proposal.to_move()
        if move is None:
            return False
        bent = self._move = keep(self._seen, _bend(self._seen, move, steer=_steers(self._manner)))
        if isinstance(move, Offer) and isinstance(bent, Offer):
            return bent.price == move.price
        return type(bent) is type(move)


def _bend(seen: BuyerObservation, proposal: Move, *, steer: bool) -> Move:
    if not steer:
        kept = guard(seen, proposal)
        if not _is_foreign(seen, proposal, kept):
            return kept
        proposal = kept
    steered = steering.steer(seen, proposal)
    if (
        isinstance(steered, Offer)
        and isinstance(proposal, Offer)
        and steered.price == proposal.price
    ):
        return guard(seen, steered)
    return guard(seen, in_round_numbers(seen, steered))


def _is_foreign(seen: BuyerObservation, proposal: Move, kept: Move) -> bool:
    """What a model cannot pay would become its budget to the paisa, or a single paisa."""
    if not isinstance(kept, Offer):
        return False
    meant = proposal.price if isinstance(proposal, Offer) else None
    return kept.price not in (meant, seen.own_last_bid)


def _own_words(seen: BuyerObservation, move: Move, seed: int, said: Collection[str]) -> str:
    for number in range(OTHER_WORDS):
        text = tongue_of(seen, seed + number).line(seen, move)
        if text not in said:
            return text
    return ""


def _may_be_said(
    text: str, seen: BuyerObservation, move: Move | None, said: Collection[str]
) -> bool:
    """A person hears nothing that the bank might not say; in suites words only fit the move."""
    if text in said or recites(text, SYSTEM):
        return False
    if seen.suite != SALE:
        return is_coherent(text, seen, move)
    plan = plan_of(seen, move)
    return not any(faults(text, plan, seen, move, said=tuple(said), language=language_of(seen)))


def _planned(seen: BuyerObservation, *, speak_only: bool) -> Planned | None:
    if seen.suite != SALE:
        return None
    plan = plan_of(seen, None)
    return Planned(plan, language_of(seen) or FIRST, binds=not speak_only and owed(seen) > 0)


def _steers(manner: Manner) -> bool:
    return bool(settings.SAUDA_STEER) and manner.steer is not False


def _known(seen: BuyerObservation, manner: Manner) -> BuyerObservation:
    return seen if manner.tells else msgspec.structs.replace(seen, tells=None)


def _move(
    request: Request, seen: BuyerObservation, answer: Answer, said: Collection[str]
) -> Played | None:
    proposal = parse(answer.text) if answer.backend else None
    move = proposal.to_move() if proposal is not None else None
    if move is None:
        return None
    known, steer = _known(seen, answer.manner), _steers(answer.manner)
    decided = decide(known, move, request.seed, steer=steer, said=said)
    return Played(decided, answer.backend, _model_version(answer), answer.passed_over)


def _by_rules(entry: Entry, request: Request, answer: Answer, said: Collection[str]) -> Played:
    played, seen = by_rules(entry, request, answer), request.observation
    assert isinstance(seen, BuyerObservation)
    made = played.answer
    if isinstance(made, str):
        return played if made not in said else msgspec.structs.replace(played, answer="")
    if made.text in said:
        words = _own_words(seen, made, request.seed, said)
        made = msgspec.structs.replace(made, text=words)
    return msgspec.structs.replace(played, answer=made)


def _talk(
    request: Request, seen: BuyerObservation, answer: Answer, said: Collection[str]
) -> Played | None:
    proposal = parse(answer.text) if answer.backend else None
    if proposal is None or not _may_be_said(proposal.message, seen, None, said):
        return None
    return Played(proposal.message, answer.backend, _model_version(answer), answer.passed_over)
