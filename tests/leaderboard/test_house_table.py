"""The table of policies, from real bargains played here."""

from collections.abc import Iterator

import msgspec
import pytest

from negotiation.policies import policy
from training.evaluation.playing import play
from training.evaluation.rows import EpisodeRow
from training.leaderboard.lines import Player, Table
from training.leaderboard.policy_table import MixedSellers, payoffs_of, rate_policies
from training.leaderboard.rating import Distance

BUYERS = ("sauda", "rules:smart", "rules:agreeable", "rules:random")
SUITES = ("single_deal@sampled-1", "deceptive_seller@sampled-1", "read_the_tells@sampled-1")


def bargains(buyers: tuple[str, ...] = BUYERS, games: int = 30) -> Iterator[EpisodeRow]:
    for suite in SUITES:
        for buyer in buyers:
            for played in play(policy(buyer), suite, range(games)):
                yield from played.rows


def players(buyers: tuple[str, ...] = BUYERS) -> dict[str, Player]:
    return {
        name: Player(key=name, kind="policy", title=policy(name).title, version="1")
        for name in buyers
    }


@pytest.fixture(scope="module")
def rows() -> list[EpisodeRow]:
    return list(bargains())


@pytest.fixture(scope="module")
def table(rows: list[EpisodeRow]) -> Table:
    return rate_policies(players(), rows)


def test_the_table_orders_policies_as_their_shares_do(rows: list[EpisodeRow], table: Table) -> None:
    def mean(name: str) -> float:
        got = [row.surplus for row in rows if row.policy == name and row.surplus is not None]
        return sum(got) / len(got)

    by_share = sorted(BUYERS, key=mean, reverse=True)
    assert [one.player.key for one in table.places] == by_share
    assert sum(one.points for one in table.places) / len(BUYERS) == pytest.approx(1500)


def test_every_seller_stands_in_the_table_by_its_version(table: Table) -> None:
    assert {one.player.version.partition("@")[0] for one in table.sellers} == {
        "rule:default",
        "rule:deceptive",
    }
    assert all("#" in one.player.version for one in table.sellers)


def test_only_winnable_bargains_are_rated_and_lost_ones_give_nobody_anything(
    rows: list[EpisodeRow],
) -> None:
    for row in rows:
        both = list(payoffs_of(row))
        assert len(both) == (2 if row.winnable else 0)
        if row.winnable:
            total = sum(one.share for one in both)
            assert total == pytest.approx(0.0 if row.price is None else 1.0)


def test_two_versions_of_a_seller_never_share_a_table(rows: list[EpisodeRow]) -> None:
    other = msgspec.structs.replace(rows[0], seller="rule:default@2#000000000000")
    with pytest.raises(MixedSellers, match="never mixes"):
        rate_policies(players(), [*rows, other])


def test_a_bot_is_rated_beside_the_house_without_moving_it(
    rows: list[EpisodeRow], table: Table
) -> None:
    bot = Player(key="bot:asha", kind="bot", title="Asha's", verified=False, is_ranked=False)
    far = Distance(player="bot:asha", against=("sauda", "rules:smart"), points=50.0, variance=100.0)
    both = rate_policies(players(), rows, [(bot, far)])
    place = {one.player.key: one for one in both.places}
    middle = (place["sauda"].points + place["rules:smart"].points) / 2
    assert place["bot:asha"].points == pytest.approx(middle + 50)
    assert place["bot:asha"].half_width > 19.5
    assert place["bot:asha"].ranks is None
    assert [one for one in both.places if one.player.kind == "policy"] == list(table.places)


def test_a_verified_bot_takes_part_in_the_ranking(rows: list[EpisodeRow], table: Table) -> None:
    bot = Player(key="bot:asha", kind="bot", title="Asha's", verified=True)
    far = Distance(player="bot:asha", against=BUYERS, points=800.0, variance=100.0)
    first, *others = rate_policies(players(), rows, [(bot, far)]).places
    assert first.player == bot
    assert str(first.ranks) == "1"
    for one, before in zip(others, table.places, strict=True):
        assert one.ranks is not None
        assert before.ranks is not None
        assert one.ranks.best == before.ranks.best + 1
