"""The list of everything this room gives to the game."""

from agents.buyers.classic import Aggressive, Og, Smart
from agents.buyers.live import LiveSauda
from agents.buyers.network_buyer import (
    LeagueBuyer,
    LiveNetwork,
    NetworkBuyer,
    NetworkBuyerWithoutTells,
)
from agents.buyers.sauda import Sauda, SaudaWithoutTells
from agents.buyers.steering import believe
from agents.buyers.trained_players import ArmPolicies, TrainedPolicies
from agents.output_guard.secrets import names_secret
from agents.prompted import BUYER, SELLER, LivePrompted, entry_of
from agents.sellers.live import LiveSeller
from agents.sellers.people import PeoplePolicies
from agents.sellers.rule_seller import SellerRow, sellers
from agents.sellers.speaking import listens
from agents.speech.plan import plan_of
from agents.speech.promises import is_promise
from agents.speech.speaker import Speaker
from agents.text.acts.hear import is_mere_talk, is_order
from agents.text.agreement import besides_yes, correction, is_plain_price
from agents.text.intent import read_buyer_intent, read_intent
from agents.text.reading.answer import Standing
from agents.text.tells.reader import read_tells
from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import BuyerObservation, Observation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.tells import Tells
from bazaarbatna.players.base import RuleBuyer
from bazaarbatna.players.simple import RULES, rule_buyer
from negotiation import policies, readers
from negotiation.plans import Plan
from negotiation.readers import Belief, Intent, Reading, SaleContext
from negotiation.sentences import sentences

say = sentences(__file__)


BUYERS: tuple[type[RuleBuyer], ...] = (
    Sauda, SaudaWithoutTells, Aggressive, Smart, Og, *RULES,
)  # fmt: skip


class Speech:
    """Reads a seller's words with tables of phrases."""

    def intent(self, text: str, context: SaleContext) -> Intent:
        """Read what the text asks for; never raises on any text."""
        ask = context.asks[-1] if context.asks else None
        bid = context.bids[-1] if context.bids else None
        listing = f"{context.title}. {context.condition}"
        if is_order(text):
            return Intent("none")
        if context.side == "buyer" and ask is not None:
            intent = read_buyer_intent(text, ask, bid, context.currency, listing)
        else:
            intent = read_intent(text, ask, bid, context.currency, listing)
        if intent.kind == "ambiguous" and is_mere_talk(text, context.side):
            return Intent("none")  # talk is answered, not asked back: "namaste ji" is no "yes"
        return intent

    def tells(self, text: str, context: SaleContext, ask: Paise | None) -> Reading:
        """Read the signals of the text, the time it took and the path of asks."""
        return read_tells(text, context, ask)

    def belief(self, tells: Tells | None, asks: tuple[Paise, ...], persona: str | None) -> Belief:
        """Estimate the seller's state from its last tells and the path of its asks."""
        last_concession = asks[-2] - asks[-1] if len(asks) > 1 else 0
        return believe(tells, persona, last_concession, asks[-1] if asks else 1)

    def plan(self, seen: Observation, answer: Move | str) -> Plan | None:
        """Return why our player answers as it does; sellers who do not listen have no plan."""
        if isinstance(seen, BuyerObservation) or listens(seen):
            return plan_of(seen, answer)
        return None

    def goodbye(self, seen: BuyerObservation, seed: int) -> str:
        """Return what our buyer says after the end of a person's sale."""
        return Speaker(seed).goodbye(seen)

    def besides_yes(self, text: str) -> str | None:
        """Return what a text says besides yes."""
        return besides_yes(text)

    def correction(self, text: str) -> str | None:
        """Return what a text puts in the place of what was said before."""
        return correction(text)

    def is_plain(self, text: str, price: Paise, context: SaleContext) -> bool:
        """Whether a price stands in digits between both standing ones, and can be no other's."""
        if not (context.asks and context.bids):
            return False
        standing = Standing(context.asks[-1], context.bids[-1], context.currency)
        return is_plain_price(text, price, standing, context.side)

    def promises(self, text: str) -> bool:
        """Whether a text promises a step for a step."""
        return is_promise(text)

    def names_secret(self, text: str, secret: Paise) -> bool:
        """Whether a text gives a price away."""
        return names_secret(text, secret)


class Yardsticks:
    """Buyers to measure against, not to list.

    ``rules:conceder-45`` and its like (``rule_buyer`` makes any from 10 to 99 %; ``CONCEDERS``
    names those that tables have), the rules that people are given, the first league's network.
    """

    def entries(self) -> tuple[policies.Entry, ...]:
        """List none: a visitor chooses among characters, not among numbers."""
        return ()

    def find(self, name: str) -> policies.Entry | None:
        """Look one up by its name."""
        if name == LeagueBuyer.name:
            league = LeagueBuyer
            return policies.Entry(name, league.version(), "model", league.title, "network", league)
        try:
            made = rule_buyer(name)
        except LookupError:
            return None
        return policies.Entry(name, made.version(), "rules", made.title, "rules", made)


class Prompted:
    """Players by somebody's own words; found by name, offered to no visitor."""

    def entries(self) -> tuple[policies.Entry, ...]:
        """List none: which words they speak by is settled by a study."""
        return ()

    def find(self, name: str) -> policies.Entry | None:
        """Look one up by its name."""
        return _PROMPTED.get(name)


ANY_VOICE = Sauda.name

VOICES: dict[str, str] = say.texts("voices")


def plug_in() -> None:
    """Register the policies and install the reader; safe to call twice."""
    readers.install(Speech())
    for buyer in BUYERS:
        voice = _SAUDA if buyer is Sauda else None
        policies.register(buyer.name, buyer, version=buyer.version(), title=buyer.title, live=voice)
    for made in (NetworkBuyer, NetworkBuyerWithoutTells):
        policies.register(
            made.name,
            made,
            version=made.version(),
            kind="model",
            title=made.title,
            backend="network",
            live=_NETWORK if made is NetworkBuyer else None,
        )
    for row in sellers():
        live = _SELLERS[row.name]
        policies.register(
            row.name, row.make, version=row.version, title=row.title, side="seller", live=live
        )
    for backend, title in VOICES.items():
        policies.register(
            f"{ANY_VOICE}:{backend}",
            Sauda,
            version=Sauda.version(),
            kind="rules" if backend == "rules" else "model",
            title=title,
            live=_ALONE.get(backend),
        )
    policies.install(_PEOPLE)
    policies.install(_TRAINED)
    policies.install(_ARMS)
    policies.install(_YARDSTICKS)
    policies.install(_BY_PROMPT)


def trained_voices() -> tuple[policies.Entry, ...]:
    """List the trained models that a visitor can sell to now."""
    there = _TRAINED.entries()
    return tuple(one for one in there if one.voice and one.live is not None and one.live.awake())


def _rules() -> policies.Entry:
    return policies.policy(Sauda.name)


def _network() -> policies.Entry:
    return policies.policy(NetworkBuyer.name)


def _seller(row: SellerRow) -> LiveSeller:
    return LiveSeller(row.persona, lambda: policies.policy(row.name))


_SAUDA = LiveSauda(_rules)
_NETWORK = LiveNetwork(_network)
_TRAINED = TrainedPolicies(_rules)
_ARMS = ArmPolicies()
_YARDSTICKS = Yardsticks()
_BY_PROMPT = Prompted()
_PROMPTED = {
    BUYER: entry_of("buyer", LivePrompted(lambda: policies.policy(BUYER))),
    SELLER: entry_of("seller", LivePrompted(lambda: policies.policy(SELLER))),
}
_PEOPLE = PeoplePolicies()
_SELLERS = {row.name: _seller(row) for row in sellers()}
_ALONE = {name: LiveSauda(_rules, (name,)) for name in VOICES if name != "rules"}
