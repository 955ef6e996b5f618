"""Suites of sellers that no training has met: the site's talking sellers."""

from collections.abc import Iterable, Iterator
from functools import cache, partial
from random import Random

from agents.sellers.persona import PERSONAS
from bazaarbatna.bargain.episode import State, apply
from bazaarbatna.bargain.events import Event
from bazaarbatna.bargain.observe import observe_seller
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from negotiation.bargain.commands import context_of, notice_move
from negotiation.bargain.purchases import draw_cost
from negotiation.bargain.scenarios import MAX_ROUNDS, RESERVATION_MARGIN, SEED_LIMIT, draw_budget
from negotiation.catalogue.stock import Entry, read_stock
from negotiation.policies import Entry as Policy
from negotiation.policies import policy
from training.evaluation import BadPlan
from training.evaluation.plan import Plan, buyers_of, plan_of, suite_fact
from training.evaluation.playing import Source, register_suites
from training.sellers.random_sellers import OneBargain

VARIANT = "strangers-1"  # Raised when goods or values are drawn in another way
SELLER = "seller:"  # Begins the registered name of every talking seller


def suite_ids() -> Iterator[str]:
    """List the suites, one for each talking seller."""
    return (f"{persona}@{VARIANT}" for persona in PERSONAS)


def persona_of(suite_id: str) -> str | None:
    """Name the seller of a suite; None where it is none of ours.

    >>> persona_of("firm@strangers-1"), persona_of("single_deal@sampled-1")
    ('firm', None)
    """
    persona, _, variant = suite_id.partition("@")
    return persona if variant == VARIANT and persona in PERSONAS else None


def _seller_of(persona: str) -> Policy:
    return policy(f"{SELLER}{persona}")


def deal(persona: str, seed: int) -> Scenario:
    """Draw a game: the goods, and what both sides hide. Prices in paise."""
    # Each seller has goods of its own: suites are drawn apart when intervals are made.
    dice = Random(f"strangers:{persona}:{seed}")
    category, entry = dice.choice(_goods())
    sealed_seed = dice.randrange(SEED_LIMIT)
    asking = Paise(100 * entry.list)
    cost = draw_cost(sealed_seed, 100 * entry.street)
    reservation = clamp_price(RESERVATION_MARGIN * cost, high=asking)
    return Scenario(
        suite=f"{persona}@{VARIANT}",
        item=Item(entry.title, category, entry.text, entry.condition),
        max_rounds=MAX_ROUNDS,
        anchor=asking,
        sealed=SealedValues(
            reservation=reservation,
            cost=min(cost, reservation),
            budget=draw_budget(sealed_seed, asking, reservation, rule=1),
            seed=sealed_seed,
            persona=persona,
        ),
        salt=f"{dice.getrandbits(128):032x}",
        seller=_seller_of(persona).version,
    )


@cache
def _goods() -> tuple[tuple[str, Entry], ...]:
    return tuple((shelf.category, entry) for shelf in read_stock() for entry in shelf.listing)


class TalkingSellerGame(OneBargain):
    """A buyer's seat opposite one of the site's talking sellers; a game is one bargain.

    The buyer may notice what the site's own reader finds in the seller's words.
    """

    def __init__(self, persona: str, seed: int) -> None:
        scenario = deal(persona, seed)
        super().__init__(scenario, seed)
        self._seller = _seller_of(persona).make(scenario.sealed.seed)

    def _answer(self, before: State) -> tuple[State, tuple[Event, ...]]:
        move = self._seller.act(observe_seller(before))
        after, happened = apply(before, "seller", move)
        context = context_of(before, "seller")
        return notice_move(before, after, happened, len(self._events), move, context)


def plan_for(
    policy_names: Iterable[str],
    sellers: Iterable[str],
    *,
    episodes: int = 200,
    seed: int = 0,
    commit: str = "",
) -> Plan:
    """Check what was asked and write it down."""
    buyers = buyers_of(policy_names)
    suites = [suite_fact(one, max(episodes, 1)) for one in _suites(sellers)]
    return plan_of(buyers, suites, episodes=episodes, seed=seed, commit=commit)


def _suites(sellers: Iterable[str]) -> list[str]:
    found: dict[str, None] = {}
    for name in sellers:
        suite = f"{name.removeprefix(SELLER)}@{VARIANT}"
        if name == "all":
            found |= dict.fromkeys(suite_ids())
        elif persona_of(suite) is None:
            known = ", ".join(one.split("@")[0] for one in suite_ids())
            raise BadPlan(f"There is no talking seller {name[:60]!r}. Known: {known}, or all.")
        else:
            found[suite] = None
    if not found:
        raise BadPlan("Name at least one seller, for example --sellers firm, or all.")
    return list(found)


def plug_in() -> None:
    """Register the suites; safe to call twice."""
    register_suites("strangers", _find)


def _find(id_: str) -> Source | None:
    persona = persona_of(id_)
    if persona is None:
        return None
    return Source(
        title=_seller_of(persona).title,
        episodes=1,
        row=(VARIANT, persona),
        deal=partial(deal, persona),
        open=partial(TalkingSellerGame, persona),
    )
