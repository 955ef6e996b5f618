"""What the seller remembers of the buyer."""

from bazaarbatna.bargain import (
    Career,
    CareerSummary,
    Paise,
    is_capitulation,
    make_scenario,
    play_suite_game,
    remember,
)
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from tests.support.players import SteadyBuyer, a_scenario


def test_a_deal_above_85_percent_of_the_anchor_is_a_capitulation() -> None:
    assert not is_capitulation(Paise(6000), Paise(5100))
    assert is_capitulation(Paise(6000), Paise(5101))


def test_a_career_counts_games_deals_and_capitulations() -> None:
    from bazaarbatna.bargain import Ended

    sealed = a_scenario().sealed
    career = Career()
    for price, share in ((Paise(5900), 0.2), (None, 0.0), (Paise(4000), 0.6)):
        outcome = "deal" if price else "expired"
        ended = Ended(outcome, 3, sealed, "", None, price, share)  # type: ignore[arg-type]
        career = remember(career, Paise(6000), ended)
    assert (career.games, career.deals, career.capitulations) == (3, 2, 1)
    assert career.summary() == CareerSummary(3, 2, 0.5, 0.4)


def test_nothing_is_remembered_of_nothing() -> None:
    assert Career().summary() == CareerSummary()


class Watching(SteadyBuyer):
    """Writes down what it was told about its career at each first move."""

    told: list[CareerSummary | None]

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.told = []

    def act(self, observation: BuyerObservation) -> Move:
        if observation.round == 1:
            self.told.append(observation.career)
        return super().act(observation)


class Pushover:
    """Pays what is asked."""

    def __init__(self, seed: int) -> None:
        pass

    def act(self, observation: BuyerObservation) -> Move:
        ask = observation.standing_ask
        return Accept() if ask <= observation.budget else Offer(observation.budget)


def test_the_buyer_of_a_career_is_told_its_record_and_others_are_not() -> None:
    made: list[Watching] = []

    def make(seed: int) -> Watching:
        made.append(Watching(seed))
        return made[-1]

    logs = play_suite_game("career_10@sampled-1", 4, make)
    assert len(made) == 1
    assert [told.games for told in made[0].told if told] == list(range(10))
    deals = sum(log.ended is not None and log.ended.outcome == "deal" for log in logs[:9])
    assert made[0].told[9] is not None
    assert made[0].told[9].deals == deals
    play_suite_game("single_deal@sampled-1", 4, make)
    assert made[1].told == [None]


def test_a_pushover_meets_a_seller_who_gives_less_each_time() -> None:
    logs = play_suite_game("career_10@fixed-1", 2, Pushover)
    rates = [log.scenario.rules.capitulation_rate for log in logs]
    assert rates == [0.0] + [1.0] * 9
    assert [log.scenario.rules.inventory for log in logs] == list(range(10, 0, -1))


def test_each_episode_of_a_sampled_career_is_another_item() -> None:
    logs = play_suite_game("career_10@sampled-1", 4, SteadyBuyer)
    assert len({log.scenario.sealed.cost for log in logs}) == 10
    first = make_scenario("career_10@sampled-1", 4, 0)
    assert logs[0].scenario == first
