"""What a visitor sees of a match: for pages, for the API, and for all sockets of a process."""

import functools
from collections.abc import Collection, Mapping

import msgspec

from arena.gpu_market.web import matches, running
from arena.gpu_market.web.game import facts_of, is_owner, lab_of, position_of
from arena.gpu_market.web.players import is_awaited
from arena.gpu_market.web.visibility import Facts, Frame, Viewer, shown, viewer_of
from arena.gpu_market.web.wire import to_wire
from arena.models import MarketMatch
from bazaarbatna.market import MarketEvent, State, observe
from bazaarbatna.market.quantities import LAB_IDS
from negotiation.errors import UnknownGame
from negotiation.games.frame_socket import numbered
from negotiation.games.live import Batch, Key, Want


class Named(msgspec.Struct, frozen=True):
    """What templates may know of a match's row; ``seed`` is None before the end."""

    id: str
    seed: int | None


class Seen(msgspec.Struct, frozen=True):
    """A match as one visitor sees it; only ``frames``, ``standing`` and ``you`` may be shown.

    The row (seed, owner, number of events), ``facts`` and ``events``, sealed values included, go
    into no template before the end. ``you`` is the own lab's observation; None for who plays none.
    """

    match: MarketMatch
    viewer: Viewer
    facts: Facts
    events: tuple[MarketEvent, ...]
    frames: list[Frame]
    standing: Frame
    you: Frame | None = None

    @property
    def over(self) -> bool:
        """Whether everything is open."""
        return self.viewer.audience == "replay"

    @property
    def named(self) -> Named:
        """Return the match as templates may name it."""
        return Named(self.match.pk, self.match.seed if self.over else None)


def view_of(match_id: str, visitor: str) -> Seen:
    """Show a match to a visitor, and see to it that somebody runs it; raises ``UnknownGame``."""
    match = matches.find(match_id, visitor)
    running.sweep_from_thread()
    if _wants_runner(match):
        running.start_from_thread(match_id)
    position = position_of(match.game)
    lab = lab_of(match, visitor)
    viewer = viewer_of(lab, is_over=position.state.ended is not None)
    facts = facts_of(match, position)
    return Seen(
        match,
        viewer,
        facts,
        position.events,
        shown(list(enumerate(position.events, start=1)), facts, viewer),
        standing_of(match, position.state, visitor),
        None if lab is None else _you_frame(position.state, lab, facts.seats),
    )


def standing_of(match: MarketMatch, state: State, visitor: str) -> Frame:
    """Return for a visitor where a match stands: what everybody may know, and who is to act."""
    controls = match.is_demo and is_owner(match, visitor)
    return {**_public_standing(match, state), "controls": controls}


def _public_standing(match: MarketMatch, state: State) -> Frame:
    seen = observe(state, 0)
    return {
        "type": "standing",
        "phase": "live" if state.ended is None else "ended",
        "round": seen.round,
        "rounds": seen.rounds,
        "turn": LAB_IDS[state.turn] if state.ended is None else None,
        "awaits_person": is_awaited(state, tuple(match.seats)),
        "pressure": seen.pressure,
        "labs": to_wire(seen.labs),
        "demo": match.is_demo,
        "paused": match.is_paused,
        "pace": match.pace_s,
    }


def _you_frame(state: State, lab: int, seats: tuple[str, ...]) -> Frame:
    return {
        "type": "you",
        "lab": LAB_IDS[lab],
        "your_turn": is_awaited(state, seats) and state.turn == lab,
        "observation": to_wire(observe(state, lab)),
    }


class Scene(msgspec.Struct, frozen=True):
    """How a match stands, for all sockets of a process; nothing of it is sent as it is.

    ``seq`` is that of the log's last event; ``you`` the frame of the person who plays ``lab``.
    """

    seq: int
    owner: str
    lab: int | None
    wants_runner: bool
    standing: Frame
    you: Frame | None
    viewers: Mapping[Want, Viewer]
    is_waiting: bool = False

    def seat_of(self, visitor: str) -> int | None:
        """Return the lab of a visitor."""
        return self.lab if visitor and visitor == self.owner else None

    def standing_for(self, visitor: str) -> Frame:
        """Return for a visitor where the match stands."""
        is_owner = bool(visitor) and visitor == self.owner
        return {**self.standing, "controls": is_owner and self.standing["demo"]}


def look(
    match_id: str, wants: Collection[Want], known: Mapping[Key, int]
) -> tuple[Scene, dict[Key, Batch]]:
    """Read how a match stands and what its viewers have not been sent; as ``Live.look``.

    Sockets show the live view to the last frame: the viewer's own count of frames goes on.
    """
    match = MarketMatch.objects.select_related("game").filter(pk=match_id).first()
    if match is None:
        raise UnknownGame
    position = position_of(match.game)
    state, facts = position.state, facts_of(match, position)
    viewers = {want: viewer_of(want[0], is_over=False) for want in wants}
    lab = facts.people[0] if facts.people else None
    scene = Scene(
        seq=position.seq,
        owner=match.owner,
        lab=lab,
        wants_runner=_wants_runner(match),
        standing=_public_standing(match, state),
        you=None if lab is None else _you_frame(state, lab, facts.seats),
        viewers=viewers,
    )
    keys = {(viewer, drawn_in) for (_, drawn_in), viewer in viewers.items()}
    return scene, {key: _batch(match, position.seq, key, known.get(key, 0)) for key in keys}


def _batch(match: MarketMatch, seq: int, key: tuple[Viewer, str], after: int) -> Batch:
    frames = _shown(match.pk, seq, key[0])
    return Batch(numbered(frames[after:]), {})


@functools.lru_cache(maxsize=256)
def _shown(match_id: str, seq: int, viewer: Viewer) -> tuple[Frame, ...]:
    match = MarketMatch.objects.select_related("game").get(pk=match_id)
    position = position_of(match.game)
    events = list(enumerate(position.events[:seq], start=1))
    return tuple(shown(events, facts_of(match, position), viewer))


def _wants_runner(match: MarketMatch) -> bool:
    return match.goes_on and not match.is_over and not match.is_held
