"""What a room plays: who meets whom, over what, under which rules. Pure values."""

from typing import Literal

import msgspec

from bazaarbatna.cases.case import Case
from negotiation.bargain.terms import Reveal

Meeting = Literal["people", "policy"]
"""``people``: everybody plays somebody else, a policy takes the odd one; ``policy``: only those."""

Roles = Literal["seller", "buyer", "swapped", "random"]
"""``seller``/``buyer``: all play that seat against a policy; of pairs, whoever came first has it.
``swapped``: seats change from game to game; ``random``: drawn for each game."""

Partners = Literal["strangers", "rotation", "same", "any"]
"""Whom people meet in later games. ``strangers``: nobody whom they have met, as long as somebody
new still plays or waits; ``rotation``: each meets each once, in a fixed order, before anybody
again, and of an odd number each sits out in turn; ``same``: always the first one; ``any``: who is
free."""

Zone = Literal["usual", "wide", "narrow", "none"]
"""How much room for a deal the sealed values leave: as elsewhere on the site, at least 30 % of the
asking price, at most 5 % of it, none at all."""

Absence = Literal["policy", "close"]
"""What becomes of a game whose person stays away: a policy takes the seat, or it is closed."""

Talk = Literal["free", "turns"]
"""When two people may speak: at any time, or in turn. A price always needs the turn."""

Opponent = Literal[
    "", "boulware", "linear", "conceder", "micro", "tit-for-tat", "split every issue"
]
"""Who plays for the house in a case; "": ours (``cases.game.HOUSE``)."""

NEVER_S = 10**9
"""As ``odd_s``: the house never takes the odd one."""

NO_CLOCKS = {"clock_s": 0, "move_s": 0, "absent_s": 0}
"""Terms of a table where nobody has to be there."""

FOR_DAYS_S = NEVER_S - 1
"""Of homework: somebody new may still come, until the room says that nobody does."""


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a room; seconds, rupees, and 0 where there is no limit.

    ``buyer`` and ``seller`` name the policies that take a seat where no person does. ``listings``
    are the goods by number, none: any whose price lies within ``least_price`` and ``most_price``.
    ``games`` are played one after the other by everybody; with ``reputation`` each person's deals
    so far are shown to whoever sits opposite next. ``clock_s`` is all the time a person has in one
    game, ``move_s`` that for each move opposite a person; whoever gives no sign of life for
    ``absent_s`` seconds while it is his move is absent: a page in sight is one. Who finds
    nobody to play with for ``odd_s`` seconds plays a policy; who waits for somebody new, or for the
    ``partners`` that the plan wants, plays whoever is free after ``unmet_s``. ``most`` people come
    in.
    ``feelings``: after each game its people are asked how it was for them, and may leave it out.
    ``reveal`` is what the end of a game tells them, until the debrief no more than the own where a
    case is played again; opening the debrief shows every game to all.
    ``case`` is played in place of a sale, by its own rounds: whoever sells has its first role;
    ``opponent`` plays it for the house.
    Of homework a person has ``open_at_once`` games with people at a time; 0: all of them.
    """

    meeting: Meeting = "people"
    partners: Partners = "strangers"
    roles: Roles = "random"
    buyer: str = "sauda"
    seller: str = "seller:default"
    listings: tuple[int, ...] = ()
    least_price: int = 0
    most_price: int = 0
    zone: Zone = "usual"
    rounds: int = 10
    games: int = 1
    reputation: bool = False
    clock_s: int = 0
    move_s: int = 300
    absent_s: int = 120
    absence: Absence = "policy"
    odd_s: int = 45
    unmet_s: int = 600
    most: int = 0
    chat: bool = True
    talk: Talk = "free"
    tells: bool = True
    persona_told: bool = True
    feelings: bool = False
    reveal: Reveal = "all"
    language: str = ""
    starts_itself: bool = False
    case: Case | None = None
    opponent: Opponent = ""
    open_at_once: int = 0

    @property
    def shows_past(self) -> bool:
        """Records are shown to who sits opposite; never where nobody is told who that is."""
        return self.reputation and self.persona_told

    @property
    def reveal_of_one(self) -> Reveal:
        """What the end of one game tells: a case has the same sheets in the next game, too."""
        is_again = self.case is not None and self.games > 1
        return "at_debrief" if is_again and self.reveal == "all" else self.reveal

    @property
    def tells_shares(self) -> bool:
        """A record tells the mean share: with a price, a share gives both limits away."""
        return self.reveal_of_one == "all"

    def as_homework(self) -> "Plan":
        """Return the same without a clock: nobody has to be there when anybody else is."""
        partners = "strangers" if self.partners == "rotation" else self.partners
        waits = dict.fromkeys(("odd_s", "unmet_s"), FOR_DAYS_S)
        return msgspec.structs.replace(self, partners=partners, **NO_CLOCKS, **waits)

    @property
    def is_people_only(self) -> bool:
        """Who finds nobody to play with is not given the house, however long it takes."""
        return self.odd_s >= NEVER_S
