"""Sauda's own play: the network's choice, guarded, with words of the bank."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import ClassVar

import msgspec
import numpy as np
from django.conf import settings

from agents.buyers import bound
from agents.buyers.network import Card, Network, load_network
from agents.buyers.network_row import Row
from agents.buyers.positions import position_of
from agents.speech import model
from agents.speech.answers import has_plain_answer
from agents.speech.promises import has_warned, keep
from agents.speech.sides import FIRST, language_of
from agents.speech.speaker import Speaker, tongue_of
from agents.text.languages import Register
from agents.text.rounding import as_people_say
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import SALE
from bazaarbatna.bargain.suites import SUITES
from bazaarbatna.players.guard import guard
from bazaarbatna.players.simple import Waiter
from negotiation.policies import Entry, Played, Request, ShowPartialText

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
    number: ClassVar[int] = 4
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
