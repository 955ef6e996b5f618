"""Bargains as a domain: buyers against pinned sellers, a row for every bargain."""

from collections.abc import Iterator, Sequence

import msgspec

from bazaarbatna.bargain.people.suites import (
    HELD_OUT_MIXTURE,
    MIXTURE,
    PATHS,
    people_suite,
    suites_of_families,
)
from bazaarbatna.bargain.suites import SUITES, VARIANTS, suite_id
from bazaarbatna.bargain.tasks import suite_ids
from negotiation.code_version import ROOMS
from negotiation.sentences import sentences
from training.evaluation import plan as plans
from training.evaluation.ceilings import people
from training.evaluation.ceilings.pinned_game import PRICES, BestResponse, Clairvoyant
from training.evaluation.ceilings.players import player
from training.evaluation.domain import Column, Domain, Figure, Look, Shown, Tick, register_domain
from training.evaluation.plan import Plan, PolicyFact, SuiteFact
from training.evaluation.playing import (
    Ceilings,
    Played,
    Source,
    Way,
    engine_source,
    play,
    register_suites,
    source_of,
    way_of,
)
from training.evaluation.rows import EpisodeRow
from training.evaluation.summary import SUMMING, Summary

say = sentences(__file__)

_PERCENT = Figure(times=100, spread=True, short=True)

LOOK = Look(
    means="Mean over {suites} suites, {rows} bargains each; 95 % intervals",
    columns=(
        Column("share of winnable", "share_of_winnable", _PERCENT),
        Column("of deals", "share_of_deals", _PERCENT),
        Column("deal rate", "deal_rate", _PERCENT),
        Column("wins", "win_rate", _PERCENT),
        Column("mutual loss", "mutual_loss_rate", _PERCENT),
        Column("rational walk", "rational_walk_rate", _PERCENT),
        Column("official grade", "grade", _PERCENT),
        Column("rounds", "rounds", Figure()),
    ),
    suites="Share over all winnable bargains, per suite (%)",
    name=lambda suite: suite.id.split("@")[0].replace("_", " ").replace("-", " "),
    figure=Figure(times=100),
    gaps="Each minus the next, on the same games (points of share)",
    counted="bargains",
)


PINNED = Ceilings(
    clairvoyant=Clairvoyant,
    best_response=lambda _, aim: BestResponse(aim),
    clairvoyant_how="exact to the paisa, over all bargains of a game",
    best_response_how=(
        f"exact on a grid of {PRICES} prices a round and the prices at which an answer changes; "
        "each bargain of a career for itself"
    ),
    has_grade=True,
)


def _find_suite(id_: str) -> Source | None:
    if people_suite(id_) is not None:
        return msgspec.structs.replace(engine_source(id_), ceilings=people.ceilings_of(id_))
    if id_ not in suite_ids():
        return None
    return msgspec.structs.replace(engine_source(id_), ceilings=PINNED)


class Bazaar(Domain):
    """One item, price bargaining; buyers are policies of ``negotiation.policies``."""

    prefix = ""
    kind = "evaluate"
    unit = say.text("bargains")
    player = say.text("buyer")
    players = say.text("buyers")
    row = EpisodeRow
    summary = Summary
    summing = SUMMING
    look = LOOK
    lead = "share_of_winnable"
    lead_words = say.text("points_of_share_over_all_winnable")
    shown = (
        Shown(say.text("share_of_winnable"), "share_of_winnable"),
        Shown(say.text("share_of_deals"), "share_of_deals"),
        Shown(say.text("deal_rate"), "deal_rate"),
        Shown(say.text("wins"), "win_rate"),
        Shown(say.text("mutual_loss"), "mutual_loss_rate"),
        Shown(say.text("official_grade"), "grade"),
    )
    rooms = ROOMS

    def knows(self, suite: str) -> bool:
        """Take every word; one that means no suite is refused by ``make_plan``."""
        return True

    def make_plan(
        self,
        policies: list[str],
        suites: list[str],
        *,
        episodes: int,
        seed: int,
        variant: str | None,
        commit: str,
    ) -> Plan:
        """Check what was asked and write it down."""
        return plans.make_plan(
            policies,
            suites,
            episodes=episodes,
            seed=seed,
            variant="sampled" if variant is None else variant,
            commit=commit,
        )

    def policy(self, name: str) -> PolicyFact:
        """Describe a buyer as it is now."""
        entry = player(name)
        return PolicyFact(entry.name, entry.version, entry.title, entry.kind)

    def fact(self, suite: str, episodes: int) -> SuiteFact:
        """Pin a suite as it is now."""
        return plans.suite_fact(suite, episodes)

    def rows_in(self, suite: str) -> int:
        """Count the bargains of one game."""
        return source_of(suite).episodes

    def way(self, name: str) -> Way:
        """Return how a buyer likes to be played."""
        return way_of(player(name).make(0))

    def play(
        self, name: str, suite: str, seeds: Sequence[int], tick: Tick | None = None
    ) -> Iterator[Played]:
        """Play one game of a suite per seed."""
        yield from play(player(name), suite, seeds, tick)

    def words_of_policies(self) -> Iterator[tuple[str, list[str]]]:
        """List the word for all that play by rule."""
        yield "rules", [entry.name for entry in plans.named("rules")]

    def words_of_suites(self) -> Iterator[tuple[str, list[str]]]:
        """List the words for all suites of a variant, and for the families of the population."""
        for variant in VARIANTS:
            yield f"all --variant {variant}", [suite_id(row.name, variant) for row in SUITES]
        for word in (MIXTURE, HELD_OUT_MIXTURE, PATHS):
            yield word, list(suites_of_families(word))


def plug_in() -> None:
    """Let buyers be evaluated in the engine's suites; safe to call twice."""
    register_domain(Bazaar())
    register_suites("engine", _find_suite)
