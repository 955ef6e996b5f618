"""The bazaar as a sport: buyers against pinned sellers, a row for every bargain."""

from collections.abc import Iterator, Sequence

from negotiation.engine.people.suites import HELD_OUT_MIXTURE, MIXTURE, suites_of_families
from negotiation.engine.suites import SUITES, VARIANTS, suite_id
from training.evaluation import plan as plans
from training.evaluation.ceilings.players import player
from training.evaluation.plan import Plan, PolicyFact, SuiteFact
from training.evaluation.playing import Played, Way, play, way_of
from training.evaluation.rows import EpisodeRow
from training.evaluation.sources import source_of
from training.evaluation.sport import Shown, Sport, Tick, register_sport
from training.evaluation.summary import SUMMING, Summary
from training.evaluation.table import LOOK
from training.runs.code_version import ROOMS


class Bazaar(Sport):
    """One item, price bargaining; buyers are policies of ``negotiation.policies``."""

    prefix = ""
    kind = "evaluate"
    unit = "bargains"
    player = "buyer"
    players = "buyers"
    row = EpisodeRow
    summary = Summary
    summing = SUMMING
    look = LOOK
    lead = "share_of_winnable"
    lead_words = "Points of share over all winnable bargains"
    shown = (
        Shown("Share of winnable", "share_of_winnable"),
        Shown("Share of deals", "share_of_deals"),
        Shown("Deal rate", "deal_rate"),
        Shown("Wins", "win_rate"),
        Shown("Mutual loss", "mutual_loss_rate"),
        Shown("Official grade", "grade"),
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
        """Say how a buyer likes to be played."""
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
        for word in (MIXTURE, HELD_OUT_MIXTURE):
            yield word, list(suites_of_families(word))


def plug_in() -> None:
    """Let buyers be evaluated; safe to call twice."""
    register_sport(Bazaar())
