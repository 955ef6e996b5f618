"""What a visitor sees of a match: for pages, for the API, and for all sockets of a process."""

import functools
from collections.abc import Collection, Mapping

import msgspec
from django.http import HttpRequest

from arena.gpu_market.engine import State, observe
from arena.gpu_market.engine.quantities import LAB_IDS
from arena.gpu_market.web import matches, running
from arena.gpu_market.web.game import facts_of, is_owner, lab_of, position_of
from arena.gpu_market.web.players import is_awaited
from arena.gpu_market.web.visibility import Facts, Frame, Viewer, shown, viewer_of
from arena.gpu_market.web.wire import to_wire
from arena.models import MarketMatch
from negotiation.errors import UnknownGame
from negotiation.games.frame_socket import encoded
from negotiation.games.live import Batch, Key, Want


class MatchView(msgspec.Struct, frozen=True):
    """A match as one visitor sees it.

    Attributes:
        match: its row; whatever is in it but not in the frames (the seed, the number of events in
            the log, the owner) is not for the visitor before the end.
        viewer: as what the visitor looks.
        facts: what is fixed about it, sealed values included: not for a template either.
        frames: the log as far as the visitor may see it.
        standing: where the match stands, for everybody.
        you: the own lab's observation; None for who plays none.
    """

    match: MarketMatch
    viewer: Viewer
    facts: Facts
    frames: list[Frame]
    standing: Frame
    you: Frame | None


def view_for(request: HttpRequest, match_id: str) -> MatchView:
    """Show a match to whoever asks for a page; errors as for ``view_of``."""
    return view_of(match_id, request.session.session_key or "")


def frames_for(request: HttpRequest, match_id: str, until: int | None = None) -> list[Frame]:
    """Return a match's frames for a page.

    Args:
        request: whose session decides what may be seen.
        match_id: the match.
        until: the last ``seq`` that is wanted; None: all there are.

    Raises:
        UnknownGame: there is no such match for this visitor.
    """
    frames = view_for(request, match_id).frames
    return frames if until is None else [frame for frame in frames if frame["seq"] <= until]


def view_of(match_id: str, visitor: str) -> MatchView:
    """Show a match to a visitor, and see to it that somebody runs it.

    Raises:
        UnknownGame: there is no such match for this visitor.
    """
    match = matches.find(match_id, visitor)
    running.sweep_from_thread()
    if _wants_runner(match):
        running.start_from_thread(match_id)
    position = position_of(match.game)
    lab = lab_of(match, visitor)
    viewer = viewer_of(lab, is_over=position.state.ended is not None)
    facts = facts_of(match, position)
    frames = shown(list(enumerate(position.events, start=1)), facts, viewer)
    return MatchView(
        match,
        viewer,
        facts,
        frames,
        standing_of(match, position.state, visitor),
        None if lab is None else you_frame(position.state, lab, facts.seats),
    )


def standing_of(match: MarketMatch, state: State, visitor: str) -> Frame:
    """Return for a visitor where a match stands: what everybody may know, and who is to act."""
    return _own_standing(public_standing(match, state), match, visitor)


def public_standing(match: MarketMatch, state: State) -> Frame:
    """Return where a match stands: bands of budgets and needs are public, as the engine shows."""
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


def you_frame(state: State, lab: int, seats: tuple[str, ...]) -> Frame:
    """Return a person the own lab's observation, money in credits."""
    return {
        "type": "you",
        "lab": LAB_IDS[lab],
        "your_turn": is_awaited(state, seats) and state.turn == lab,
        "observation": to_wire(observe(state, lab)),
    }


class Scene(msgspec.Struct, frozen=True):
    """How a match stands, for all sockets of a process; nothing of it is sent as it is.

    ``seq`` is the number of the log's last event. ``you`` is the frame of the person who plays
    ``lab``.
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

    Sockets show the live view to the last frame: the viewer's own count of frames goes on, and the
    end opens everything.
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
        standing=public_standing(match, state),
        you=None if lab is None else you_frame(state, lab, facts.seats),
        viewers=viewers,
    )
    keys = {(viewer, html) for (_, html), viewer in viewers.items()}
    return scene, {key: _batch(match, position.seq, key, known.get(key, 0)) for key in keys}


def _batch(match: MarketMatch, seq: int, key: tuple[Viewer, bool], after: int) -> Batch:
    frames = _shown(match.pk, seq, key[0])
    return Batch(tuple((frame["seq"], encoded(frame)) for frame in frames[after:]), {})


@functools.lru_cache(maxsize=256)
def _shown(match_id: str, seq: int, viewer: Viewer) -> tuple[Frame, ...]:
    """Show the first ``seq`` events; asked every second by every process with a viewer."""
    match = MarketMatch.objects.select_related("game").get(pk=match_id)
    position = position_of(match.game)
    events = list(enumerate(position.events[:seq], start=1))
    return tuple(shown(events, facts_of(match, position), viewer))


def _own_standing(standing: Frame, match: MarketMatch, visitor: str) -> Frame:
    return {**standing, "controls": match.is_demo and is_owner(match, visitor)}


def _wants_runner(match: MarketMatch) -> bool:
    return match.goes_on and not match.is_over and not match.is_held
