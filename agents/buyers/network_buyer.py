"""Sauda's own play: the network's choice, guarded, with words of the bank."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import ClassVar

import msgspec
import numpy as np
from django.conf import settings

from agents.buyers.network import (
    CHOICES,
    Card,
    Network,
    load_network,
)
from agents.buyers.network_row import price_of, row_of
from agents.buyers.simple import Waiter
from agents.output_guard.moves import guard
from agents.speech import model
from agents.speech.promises import has_warned, keep
from agents.speech.sides import FIRST, language_of
from agents.speech.speaker import Speaker, tongue_of
from agents.text.languages import Register
from agents.text.rounding import as_people_say
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise, clamp_price
from negotiation.engine.scenario import SALE
from negotiation.engine.suites import SUITES
from negotiation.policies import Entry, Played, Request, ShowPartialText

NAME = FOLDER = "sauda-network"
"""Of the policy, and of its folder among the shipped models."""
NUMBER = 2
HOPELESS = 0.05
"""Playing on for less than this, deals counted as in training, is not worth anybody's time ..."""
PATIENT_ROUNDS = 2
"""... once this many bids have been refused."""
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

    def __init__(self, seed: int, network: Network | None = None) -> None:
        self.seed = seed
        self._network = network

    @classmethod
    def version(cls) -> str:
        """Write the version label that results of this buyer carry."""
        card = network_in(shipped_network())[1]
        arm = "" if cls.use_tells else "-without-tells"
        return f"{card.name}{arm}@{NUMBER}#{card.digest}"

    @property
    def network(self) -> Network:
        """What chooses; read from the disk at the first move."""
        if self._network is None:
            self._network = network_in(shipped_network())[0]
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
        if self._is_hopeless(observation):
            return self._last_try(observation) if self._owes_warning(observation) else Walk()
        choice = int(self.network.scores(self._numbers(observation))[0].argmax())
        if choice == CHOICES - 1 and observation.standing_ask <= observation.budget:
            return Accept()
        return Offer(_paise(observation, choice))

    def reply(self, observation: BuyerObservation) -> str:
        """Answer words that named no price."""
        return tongue_of(observation, self.seed).reply(observation)

    def _numbers(self, seen: BuyerObservation) -> np.ndarray:
        if not self.use_tells:
            seen = msgspec.structs.replace(seen, tells=None)
        return np.array([row_of(seen)])

    def _is_hopeless(self, seen: BuyerObservation) -> bool:
        if len(seen.bids) < PATIENT_ROUNDS or seen.standing_ask <= seen.budget:
            return False
        return float(self.network.worth(self._numbers(seen))[0]) < HOPELESS

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


def _paise(seen: BuyerObservation, choice: int) -> Paise:
    price = price_of(seen, choice) * seen.opening_ask
    return clamp_price(price, high=seen.budget)


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
        if seen.suite != SALE or not model.speaks(language):
            return by_heart
        move = None if isinstance(by_heart.answer, str) else by_heart.answer
        words = await model.words(seen, move, request.seed)
        if not words:
            return by_heart
        show(words)
        answer = words if move is None else msgspec.structs.replace(move, text=words)
        return Played(answer, entry.backend, f"{entry.version}+{model.version()}"[:80])
