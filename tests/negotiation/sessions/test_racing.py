"""Many threads, one game: the log never forks, doubles or skips."""

import functools
from collections import Counter
from collections.abc import Callable

import pytest

from bazaarbatna.bargain.errors import GameError
from bazaarbatna.bargain.moves import Offer
from negotiation.bargain import sessions
from negotiation.bargain.commands import MAX_SAID, Command, Say
from negotiation.bargain.game import SALE
from negotiation.bargain.scenarios import NewSale, draw_budget, stored_scenario
from negotiation.errors import SessionError
from negotiation.models import Game
from tests.support.at_once import at_once
from tests.support.builders import ASHA, a_sale, a_started_sale, kinds, numbers, rupees

A_LAMP = NewSale(title="Brass lamp", asking_price=rupees(2000), reservation_price=rupees(1200))
HOPELESS = [n for n in range(200) if draw_budget(n, rupees(2000), rupees(1200)) < rupees(1200)]
"""Seeds of sales without a zone, where none is promised."""

pytestmark = pytest.mark.django_db(transaction=True)


def counted(times: int, work: Callable[[int], object]) -> Counter[str]:
    """Run something that often at the same moment; count the results, or refusals, by name."""
    results = at_once(*(functools.partial(work, number) for number in range(times)))
    for wrong in results:
        if isinstance(wrong, BaseException) and not isinstance(wrong, (GameError, SessionError)):
            raise wrong
    return Counter(getattr(result, "code", None) or str(result) for result in results)


def play(game: Game, command: Command) -> str:
    sessions.play(game.pk, ASHA, command)
    return "played"


def is_whole(game: Game) -> bool:
    game.refresh_from_db()
    return numbers(game) == list(range(1, game.last_seq + 1))


def test_of_eight_equal_offers_one_is_made() -> None:
    game = a_started_sale()
    done = counted(8, lambda _: play(game, Offer(rupees(1800), "1800")))
    assert done == {"played": 1, "not-your-turn": 7}
    assert kinds(game).count("seller offer") == 1
    assert is_whole(game)


def test_of_eight_buyers_turns_one_is_taken() -> None:
    game = a_sale()
    assert counted(8, lambda _: sessions.opponent_turn(game.pk)) == {"True": 1, "False": 7}
    assert kinds(game) == ["seller opened", "buyer offer"]
    assert is_whole(game)


def test_words_from_three_tabs_are_all_kept_and_one_too_many_is_refused() -> None:
    game = a_started_sale()
    for _ in range(MAX_SAID - 3):
        play(game, Say("kal barish hogi kya"))
    done = counted(4, lambda _: play(game, Say("kal barish hogi kya")))
    assert done["played"] == 3
    assert kinds(game).count("seller message") == MAX_SAID
    assert is_whole(game)


def test_sellers_and_buyers_from_all_sides_leave_a_whole_log() -> None:
    game = a_started_sale()

    def anything(number: int) -> str:
        done = 0
        for step in range(6):
            try:
                if number % 2:
                    done += sessions.opponent_turn(game.pk)
                else:
                    play(game, Offer(rupees(1990 - 10 * step - number), "lo"))
                    done += 1
            except (GameError, SessionError):
                continue
        return f"{done} done"

    counted(8, anything)
    assert is_whole(game)
    said = [kind for kind in kinds(game) if kind.endswith("offer")]
    assert said == ["buyer offer", "seller offer"] * (len(said) // 2) + ["buyer offer"] * (
        len(said) % 2
    )


def test_a_process_that_knows_an_old_position_reads_on_before_it_moves() -> None:
    game = a_started_sale()
    game.refresh_from_db()
    old = SALE.position_of(game)
    sessions.play(game.pk, ASHA, Offer(rupees(1900)))
    sessions.opponent_turn(game.pk)
    # What another process would still hold in its memory:
    SALE.positions.forget_all()
    SALE.positions.remember(game.pk, old)
    sessions.play(game.pk, ASHA, Offer(rupees(1850)))
    assert is_whole(game)
    assert kinds(game).count("seller offer") == 2


def test_games_that_are_opened_at_once_are_each_what_their_brief_says() -> None:
    def opens(number: int) -> str:
        has_zone = sessions.is_newcomer(ASHA)
        game = sessions.open_sale(ASHA, A_LAMP, lambda _: HOPELESS[number], has_zone=has_zone)
        return "promised" if game.zone_promised else "plain"

    done = counted(8, opens)
    assert done["promised"] >= 2
    assert done.total() == Game.objects.count() == 8
    for game in Game.objects.all():
        assert (stored_scenario(game).zopa > 0) == game.zone_promised
    assert not sessions.is_newcomer(ASHA)
