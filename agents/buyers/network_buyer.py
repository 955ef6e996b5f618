"""Sauda's own play: the network's choice, guarded, with words of the bank."""

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import ClassVar, NamedTuple, Self

import msgspec
import numpy as np
from django.conf import settings

from agents.buyers import bound
from agents.buyers.network import Card, Network, load_network
from agents.buyers.positions import (
    ENDLESS,
    PATH,
    ROUNDS,
    STOOD_STILL,
    levels_of,
    luck_of,
    position_of,
)
from agents.speech import model
from agents.speech.answers import has_plain_answer
from agents.speech.promises import has_warned, keep
from agents.speech.sides import FIRST, language_of
from agents.speech.speaker import Speaker, tongue_of
from agents.text.languages import Register
from agents.text.rounding import as_people_say
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.people.manner import price_unit
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import SALE
from bazaarbatna.bargain.suites import SUITES
from bazaarbatna.players.guard import guard
from bazaarbatna.players.simple import Waiter
from negotiation.policies import Entry, Played, Request, ShowPartialText

CROSSED = 1e-9


class Row(NamedTuple):
    """A buyer's view in shares of the opening ask, with what is counted of it."""

    seen: BuyerObservation
    asks: list[float]
    bids: list[float]
    budget: float
    unit: float
    down: list[float]
    up: list[float]
    silence: int
    raises: int

    @classmethod
    def of(cls, seen: BuyerObservation) -> Self:
        """Count what has happened."""
        anchor = seen.opening_ask
        asks, bids = [one / anchor for one in seen.asks], [one / anchor for one in seen.bids]
        down = [before - after for before, after in pairwise(asks)]
        up = [after - before for before, after in pairwise(bids)]
        silence = _still(down)
        raises = sum(step >= STOOD_STILL for step in up[len(up) + 1 - silence :]) if silence else 0
        return cls(
            seen, asks, bids, seen.budget / anchor, price_unit(anchor) / anchor, down, up,
            silence, raises,
        )  # fmt: skip

    @property
    def last(self) -> float:
        """The own standing bid; 0 before the first."""
        return self.bids[-1] if self.bids else 0.0

    def features(self) -> list[float]:
        """Write the position as numbers."""
        seen, ask, last = self.seen, self.asks[-1], self.last
        deadline = ENDLESS if seen.deadline is None else seen.deadline
        due = min(max((deadline - seen.round) / ROUNDS, -0.5), 1.0)
        down, up = [0.0] * PATH + self.down, [0.0] * PATH + self.up
        levels = levels_of(seen)
        return [
            seen.round / ROUNDS,
            seen.max_rounds / ROUNDS,
            (seen.max_rounds - seen.round) / ROUNDS,
            float(seen.max_rounds == seen.round),
            float(seen.max_rounds == seen.round + 1),
            float(seen.round == 1),
            float(deadline <= ROUNDS),
            due if deadline <= ROUNDS else 1.0,
            float(seen.round > deadline),
            ask,
            last,
            ask - last,
            last / ask,
            1 - ask,
            self.unit * 20,
            self.bids[0] if self.bids else 0.0,
            self.silence / 4,
            float(self.raises),
            _still(self.up) / 4,
            sum(step > STOOD_STILL for step in self.down) / 4,
            max(0.0, *down) * 4,
            max(0.0, *up) * 4,
            *(5 * down[-place] for place in range(1, PATH + 1)),
            *(5 * up[-place] for place in range(1, PATH + 1)),
            *(0.0 if level is None else level - 0.5 for level in levels),
            *(float(level is not None) for level in levels),
        ]

    def worth_features(self) -> list[float]:
        """Write it as the tower of worth sees it."""
        ask, budget = self.asks[-1], self.budget
        more = [budget, min(max(budget - ask, -1.0), 1.0), float(ask <= budget), budget - self.last]
        return self.features() + more

    def prices(self, seed: int) -> list[float]:
        """Return the price of every choice, with the luck of a seed."""
        unit, last, ask = self.unit, self.last, self.asks[-1]
        luck = luck_of(seed, self.seen.round)
        if self.seen.round == 1:
            named = max(math.floor(self._opening(luck) / unit + 0.5), 1) * unit
            return [min(named, self.budget, ask)] * bound.CHOICES
        ceiling = max(bound.CEILING * self._shown_budget(luck), last)
        least = 0.0 if self.seen.round <= bound.EARLY else bound.STOPPED_LATER
        part = least + (1 - least) * luck[0]
        stopped = max(math.floor((last + part * (ceiling - last)) / unit) * unit, last)
        said = []
        for share in bound.STEPS:
            wanted = last + max(ask - last, 0.0) * share
            price = min(max(math.floor(wanted / unit + 0.5) * unit, last), max(ask, last))
            said.append(price if price <= ceiling else stopped)
        return [*said, ask]

    def _shown_budget(self, luck: list[float]) -> float:
        part, (low, high) = luck[1] / bound.FEINT, bound.FEINT_BUDGET
        if self.seen.round not in bound.FEINTS or part >= 1:
            return self.budget
        return min(self.budget, low + (high - low) * part)

    def _opening(self, luck: list[float]) -> float:
        (low, high), (least, most) = bound.OPENING, bound.LOW_OPENING
        wanted, fits = low + (high - low) * luck[0], bound.FITS * self.budget
        if wanted <= fits:
            return wanted
        if fits > low:
            return low + (fits - low) * luck[1]
        return self.budget * (least + (most - least) * luck[1])

    def allowed(self, prices: list[float]) -> list[bool]:
        """Return which of the choices with these prices there are."""
        seen, last, ask = self.seen, self.last, self.asks[-1]
        if seen.round == 1:
            return [True] + [False] * bound.TAKE
        longest = self._longest_step()
        waits = self.silence > 0 and self.raises >= bound.RAISES_IN_SILENCE
        found = [price - last <= longest and not waits for price in prices[: bound.TAKE]]
        found[0] = True
        rises = [price - last if ok else 0.0 for price, ok in zip(prices, found, strict=False)]
        if max(rises) >= STOOD_STILL:
            least = min(self._owed(), max(rises)) - CROSSED
            found = [ok and rise >= least for ok, rise in zip(found, rises, strict=True)]
        is_far = seen.round == seen.max_rounds and ask - last > bound.LAST_JUMP * last + STOOD_STILL
        return [*found, ask <= self.budget + CROSSED and not is_far]

    def _owed(self) -> float:
        stood = _still(self.up)
        down = self.asks[max(len(self.bids) - 1 - stood, 0)] - self.asks[-1]
        if not stood or down < bound.CAME_DOWN:
            return 0.0
        return max(bound.PART_BACK * down, STOOD_STILL)

    def _longest_step(self) -> float:
        before = next((step for step in reversed(self.up) if step >= STOOD_STILL), 0.0)
        leap = self.down[-1] if self.down else 0.0
        longest = bound.GROWTH * before if before else math.inf
        if leap > before:
            longest = max(longest, leap)
        if self.seen.round == self.seen.max_rounds:
            longest = min(longest, bound.LAST_JUMP * self.last)
        return longest + self.unit / 2 + CROSSED


def _still(steps: list[float]) -> int:
    """Count the last steps that were none."""
    count = 0
    for step in reversed(steps):
        if not abs(step) < STOOD_STILL:
            break
        count += 1
    return count


NAME = FOLDER = "sauda-network"
"""Of the policy, and of its folder among the shipped models."""
HOPELESS = 0.05
"""Playing on for less than this, deals counted as in training, is not worth anybody's time, once
``patient_rounds`` bids have been refused."""
LAST_TRY = (0.3, 0.7)
"""A person hears of it before she leaves, with a bid so far on the way to her budget: the game's
sealed seed draws how far, or the bid would tell the budget."""

CLOCKS = frozenset(row.name for row in SUITES)
"""Suites whose published sellers follow a schedule whatever is bid: there it waits, by rule."""

_loaded: dict[Path, tuple[Network, Card]] = {}


def network_in(folder: Path) -> tuple[Network, Card]:
    """Read the network of a folder, once for each process; raises WrongNetwork."""
    if folder not in _loaded:
        _loaded[folder] = load_network(folder)
    return _loaded[folder]


def shipped_network() -> Path:
    """Return the folder of the network that came with the code."""
    return Path(settings.BASE_DIR) / "training" / "models" / FOLDER


class NetworkBuyer:
    """Plays the choice that the network scores highest, and leaves where nothing is to be won."""

    name: ClassVar[str] = NAME
    title: ClassVar[str] = "Sauda's network"
    use_tells: ClassVar[bool] = True
    number: ClassVar[int] = 5
    """Of the version: raised when the same weights play otherwise."""
    patient_rounds: ClassVar[int] = 3
    """A last bid on the way to her budget tells more of it than all before: it comes fourth."""

    def __init__(self, seed: int, network: Network | None = None) -> None:
        self.seed = seed
        self._network = network

    @classmethod
    def folder(cls) -> Path:
        """Return the folder of its network."""
        return shipped_network()

    @classmethod
    def version(cls) -> str:
        """Write the version label that results of this buyer carry."""
        card = network_in(cls.folder())[1]
        arm = "" if cls.use_tells else "-without-tells"
        return f"{card.name}{arm}@{cls.number}#{card.digest}"

    @property
    def network(self) -> Network:
        """What chooses; read from the disk at the first move."""
        if self._network is None:
            self._network = network_in(self.folder())[0]
        return self._network

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a legal move and the words for it."""
        move = self.decide(observation)
        if isinstance(move, Offer) and observation.rounds_left and self._owes_warning(observation):
            text = Speaker(self.seed).warning(observation, move)
        else:
            text = tongue_of(observation, self.seed).line(observation, move)
        return msgspec.structs.replace(move, text=text)

    def decide(self, observation: BuyerObservation) -> Move:
        """Choose a legal move without words."""
        return keep(observation, guard(observation, self.propose(observation)))

    def propose(self, observation: BuyerObservation) -> Move:
        """Choose a move that need not be legal yet."""
        if observation.suite.partition("@")[0] in CLOCKS:
            return Waiter(self.seed).propose(observation)
        return self._by_network(observation)

    def _by_network(self, observation: BuyerObservation) -> Move:
        if self._is_hopeless(observation):
            return self._last_try(observation) if self._owes_warning(observation) else Walk()
        price, takes = self._choose(self._shown(observation))
        if takes and observation.standing_ask <= observation.budget:
            return Accept()
        return Offer(clamp_price(price * observation.opening_ask, high=observation.budget))

    def reply(self, observation: BuyerObservation) -> str:
        """Answer words that named no price."""
        return tongue_of(observation, self.seed).reply(observation)

    def _shown(self, seen: BuyerObservation) -> BuyerObservation:
        # A person's words move words and no bid: what they tell of a price, nobody has measured.
        if self.use_tells and seen.suite != SALE:
            return seen
        return msgspec.structs.replace(seen, tells=None)

    def _choose(self, seen: BuyerObservation) -> tuple[float, bool]:
        # The price as a share of the opening ask, and whether it is the ask that is taken.
        network = self.network
        if network.style is not bound:
            found, chosen = network.bids(position_of(seen, self.seed))
            return float(found[0]), int(chosen[0]) == network.style.CHOICES - 1
        row = Row.of(seen)
        prices = row.prices(self.seed)
        scores = network.scores(np.array([row.features()]))[0]
        choice = int(np.where(row.allowed(prices), scores, -np.inf).argmax())
        return prices[choice], choice == bound.TAKE

    def _is_hopeless(self, seen: BuyerObservation) -> bool:
        if len(seen.bids) < self.patient_rounds or seen.standing_ask <= seen.budget:
            return False
        shown, network = self._shown(seen), self.network
        if network.style is bound:
            numbers = np.array([Row.of(shown).worth_features()])
        else:
            numbers = network.style.worth_features(position_of(shown, self.seed))
        return float(network.worth(numbers)[0]) < HOPELESS

    def _owes_warning(self, seen: BuyerObservation) -> bool:
        # The suites' sellers hear nothing, and their published games stay what they were.
        return seen.suite == SALE and not has_warned(seen) and self._is_hopeless(seen)

    def _last_try(self, seen: BuyerObservation) -> Offer:
        last, luck = seen.bids[-1], Random(f"{self.seed}:last try:{seen.round}")
        part = luck.uniform(*LAST_TRY)
        return Offer(as_people_say(seen, Paise(int(last + part * (seen.budget - last)))))


class NetworkBuyerWithoutTells(NetworkBuyer):
    """The other arm of the ablation: the same network, blind to what the seller lets it notice."""

    name = f"{NAME}-without-tells"
    title = "Sauda's network, without tells"
    use_tells = False


class LeagueBuyer(NetworkBuyer):
    """The network of the first league, its budget in view: a yardstick, nobody sits opposite it.

    It keeps more from the families and tells its budget by its first bid. It plays by the network
    everywhere, also where the other waits.
    """

    name = "sauda-league"
    title = "The league's network, its budget in view"
    number = 3
    patient_rounds = 2

    @classmethod
    def folder(cls) -> Path:
        """Return the folder of its network."""
        return shipped_network().with_name(cls.name)

    def propose(self, observation: BuyerObservation) -> Move:
        """Choose a move that need not be legal yet."""
        return self._by_network(observation)


class LiveNetwork:
    """Plays the registered network, and finds words for what it plays."""

    def __init__(self, entry: Callable[[], Entry]) -> None:
        self._entry = entry

    def awake(self) -> bool:
        """Whether the voice is loaded; the first who asks has it loaded."""
        return model.is_awake()

    async def turn(self, request: Request, show: ShowPartialText) -> Played:
        """Play a turn; the words of the bank are there before the model is asked."""
        seen, entry = request.observation, self._entry()
        assert isinstance(seen, BuyerObservation)
        player = entry.make(request.seed)
        by_heart = Played(
            player.reply(seen) if request.speak_only else player.act(seen),
            entry.backend,
            entry.version,
        )
        language: Register = language_of(seen) or FIRST
        if seen.suite != SALE or not model.speaks(language) or has_plain_answer(seen):
            return by_heart
        move = None if isinstance(by_heart.answer, str) else by_heart.answer
        words = await model.words(seen, move, request.seed)
        if not words:
            return by_heart
        show(words)
        answer = words if move is None else msgspec.structs.replace(move, text=words)
        return Played(answer, entry.backend, f"{entry.version}+{model.version()}"[:80])
