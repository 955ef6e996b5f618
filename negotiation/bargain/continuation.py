"""Play a finished game on from any of its moves, with another move or the one that was made.

While the position equals the recorded one, whoever cannot be asked again (a person, a model) does
what the record says and everybody else is asked again. From the first difference on the players of
``negotiation.bargain.players`` take both sides, on the seeds of the game.
"""

from statistics import fmean

from bazaarbatna.bargain.episode import State, advance, apply, follow, show_tells, start
from bazaarbatna.bargain.errors import IllegalMove
from bazaarbatna.bargain.events import (
    Event,
    OfferAccepted,
    OfferMade,
    TellsShown,
    WalkedAway,
)
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Side
from negotiation.bargain.commands import context_of, notice_move
from negotiation.bargain.players import Made, Opponents, Player
from negotiation.bargain.recorded import Record, end_of
from negotiation.errors import NoMoveHere
from negotiation.games import game
from negotiation.games.game import Choice, Line, Served
from negotiation.sentences import sentences

say = sentences(__file__)


MEASURED = range(27, 107)
"""The luck on which a grade measures a move: a what-if looks there for its typical run, too."""
NEAR = 0.02  # share of the zone; a run that ends no farther from the mean is typical


class Crossroads(game.Crossroads[Move]):
    """A finished game of two sides before its event ``seq``, where another move can be tried.

    NoMoveHere: that event is no move; BrokenLog: the record is not a game of its scenario.
    """

    def __init__(self, record: Record, seq: int) -> None:
        event = record.events[seq - 1] if 0 < seq <= len(record.events) else None
        made = move_of(event)
        if made is None:
            raise NoMoveHere
        self.record, self.seq, self.made = record, seq, made
        self.state = _position(record, seq)
        assert self.state.to_move is not None
        self.side: Side = self.state.to_move
        self.seed = record.setting.sealed.seed
        self.opponents = Opponents(record, seq)
        self._ends: dict[tuple[Move, int, bool], float] = {}

    def move_of(self, choice: Choice) -> Move:
        """Return the chosen move; InvalidPrice: an offer without one; NoMoveHere: no such move."""
        match choice.action:
            case "offer":
                return Offer(choice.asked_price())
            case "accept":
                return Accept()
            case "walk":
                return Walk()
            case _:
                raise NoMoveHere(say("only_in_an_arena_can_a"))

    def check(self, move: Move) -> None:
        """Refuse a move that the mover could not have made, as an IllegalMove."""
        apply(self.state, self.side, move)
        last = self.state.standing_bid
        falls = self.side == "buyer" and isinstance(move, Offer) and last and move.price < last
        # People are held to this at the table, where the rules of the game would let it pass.
        if falls and self.record.is_live:
            raise IllegalMove(say("a_bid_never_goes_down"))

    def is_made(self, move: Move) -> bool:
        """Whether this is the move of the record, its words aside."""
        _, happened = advance(self.state, move)
        _, recorded = advance(self.state, self.made)
        return _deed(happened[0]) == _deed(recorded[0])

    def play(self, move: Move, luck: int = 0) -> Line[Event]:
        """Play the game to its end with this move, words and all, or raise IllegalMove.

        The move of the record, words aside, stands for itself with its words.
        """
        self.check(move)
        table = _Table(self, luck)
        if not self.is_made(move):
            table.put_in(move)
        return table.play_on()

    def typical(self, move: Move) -> Line[Event]:
        """Play to an end near the mean of many; the game's own luck, where that ends so."""
        if self.is_made(move) or self.state.scenario.zopa <= 0:
            return self.play(move)
        ends = {luck: self.share(move, luck) for luck in MEASURED}
        mean = fmean(ends.values())

        def away(line: Line[Event]) -> float:
            return abs(float(line.fields[f"{self.side}_share"] or 0) - mean)

        own = self.play(move)
        if away(own) <= NEAR:
            return own
        # Played with their words, some of the nearest may end otherwise.
        nearest = sorted(ends, key=lambda luck: abs(ends[luck] - mean))[:5]
        return min((own, *(self.play(move, luck) for luck in nearest)), key=away)

    def rollout(self, move: Move, luck: int, *, heard: bool = True) -> State:
        """Play a legal move quietly to the end; luck 0 is the game's own.

        Tells are as they were, or none where the words of this move are not ``heard``.
        """
        state, _ = advance(self.state, move)
        noticed = _noticed_after(self.record, self.seq) if heard else None
        if noticed is not None:
            state, _ = show_tells(state, noticed.actor, noticed.tells)
        if state.ended is not None:
            return state
        buyer = self.opponents.buyer(luck, quiet=True)
        seller = self.opponents.seller(state, luck, quiet=True)
        while state.ended is None:
            player = buyer if state.to_move == "buyer" else seller
            state = player.turn(state, 0, shown=False).state
        return state

    def share(self, move: Move, luck: int, *, heard: bool = True) -> float:
        """Return what the mover gets, 0..1, when it makes a legal move and meets this luck."""
        key = (move, luck, heard)
        if key not in self._ends:
            ended = self.rollout(move, luck, heard=heard).ended
            assert ended is not None
            self._ends[key] = ended.buyer_share if self.side == "buyer" else ended.seller_share
        return self._ends[key]


def move_of(event: Event | None) -> Move | None:
    """Return the move that an event tells of; None for everything else."""
    match event:
        case OfferMade(_, _, price, text):
            return Offer(price, text)
        case OfferAccepted(_, _, _, text):
            return Accept(text)
        case WalkedAway(_, _, text):
            return Walk(text)
        case _:
            return None


class _Table:
    def __init__(self, at: Crossroads, luck: int) -> None:
        record, self.luck = at.record, luck
        self.record, self.opponents = record, at.opponents
        self.state = at.state
        self.events = list(record.events[: at.seq - 1])
        self.served = [Served(recorded=seq) for seq in range(1, at.seq)]
        # Number of the first event that differs from the record.
        self.left_at: int | None = None
        self._players: dict[Side, Player] = {}
        self._asked_again = record.again - {at.seq}

    def put_in(self, move: Move) -> None:
        """Make the move that is tried; a silent person's price is noticed as it would be live."""
        before, side = self.state, self.state.to_move
        assert side is not None
        state, events = advance(before, move)
        if self.record.is_live and side == "seller":
            context = context_of(before, side)
            state, events = notice_move(before, state, events, len(self.events), move, context)
        self._add(Made(state, events, "", ""))

    def play_on(self) -> Line[Event]:
        """Play to the end."""
        while self.state.ended is None:
            at = len(self.events)
            if self.left_at is not None:
                self._turn(self.state.to_move)
            elif at + 1 in self._asked_again:
                self._turn(_actor(self.record.events[at]))
            else:
                self._repeat()
        return Line(tuple(self.events), tuple(self.served), end_of(self.state.ended))

    def _turn(self, side: Side | None) -> None:
        assert side is not None
        player = self._players.get(side) or self._seat(side)
        last = self.events[-1]
        shown = isinstance(last, TellsShown) and last.actor == side and last.of_seq == 0
        made = player.turn(self.state, len(self.events), shown)
        if made.events:
            self._add(made)
        else:
            # Words that were answered then are not answered now.
            self.left_at = len(self.events) + 1

    def _seat(self, side: Side) -> Player:
        seats, luck = self.opponents, self.luck
        player = seats.buyer(luck) if side == "buyer" else seats.seller(self.state, luck)
        self._players[side] = player
        return player

    def _add(self, made: Made) -> None:
        at = len(self.events)
        self.state = made.state
        self.events += made.events
        same = self.record.events[at : len(self.events)] == made.events
        if self.left_at is None and not same:
            self.left_at = at + 1
        for seq in range(at + 1, len(self.events) + 1):
            # Asked again, a player would meet the game's own luck: this one only the log has.
            version = f"{made.version} luck {self.luck}" if self.luck else made.version
            served = Served(made.backend, version, None)
            self.served.append(Served(recorded=seq) if self.left_at is None else served)

    def _repeat(self) -> None:
        """Let the record tell the next turn: an event with all its consequences."""
        expected: tuple[Event, ...] = ()
        while True:
            event = self.record.events[len(self.events)]
            self.state, expected = follow(self.state, expected, event)
            self.events.append(event)
            self.served.append(Served(recorded=len(self.events)))
            if not expected and not self._is_noticed_next():
                return

    def _is_noticed_next(self) -> bool:
        at = len(self.events)
        following = self.record.events[at] if at < len(self.record.events) else None
        return isinstance(following, TellsShown) and following.of_seq > 0


def _position(record: Record, seq: int) -> State:
    state, expected = start(record.setting)
    for event in record.events[: seq - 1]:
        state, expected = follow(state, expected, event)
    return state


def _noticed_after(record: Record, seq: int) -> TellsShown | None:
    event = record.events[seq] if seq < len(record.events) else None
    return event if isinstance(event, TellsShown) and event.of_seq == seq else None


def _actor(event: Event) -> Side | None:
    return getattr(event, "actor", None)


def _deed(event: Event) -> tuple[str, object]:
    return type(event).__name__, getattr(event, "price", None)
