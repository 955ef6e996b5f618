"""Whatever a model says for a seller: the four rules hold and nothing leaks."""

from collections import Counter
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from agents.dialects.parsing import parse
from agents.output_guard.coherence import is_mere_talk
from agents.output_guard.secrets import names_secret
from agents.sellers.live import settle, settle_talk
from agents.sellers.persona import PERSONAS
from agents.speech.promises import is_promise
from agents.testing.players import BUYERS, a_scenario, check_rules, check_words
from bazaarbatna.bargain.episode import apply, say, start
from bazaarbatna.bargain.events import Event
from bazaarbatna.bargain.observe import SellerObservation, observe_seller
from bazaarbatna.number_words import spoken
from negotiation.bargain.honesty import certify
from tests.support.selling import a_stall, with_talk

GAMES = 2_000

LEAKS = (
    "at least {0}",
    "{0} se kam nahi",
    "my lowest is {1}",
    "between {2} and {3}",
    "around {0}, honestly",
    "ok {1}",
    "{4} hi hai",
    "d o n e at {5}",
    "deal! take it for {1}",
)


def hostile_text(observation: SellerObservation, dice: Random) -> str:
    """What Mallory's model answers: leaks, lies, nonsense, and now and then something sensible."""
    limit = observation.reservation / 100
    ways = sorted(spoken(int(limit))) or ["zero"]
    filled = dice.choice(LEAKS).format(
        f"{limit:.0f}",
        f"{limit:,.2f}",
        f"{limit * 0.95:.0f}",
        f"{limit * 1.05:.0f}",
        dice.choice(ways),
        " ".join(str(int(limit))),
    )
    price = dice.choice(
        (
            limit,
            limit - 0.01,
            observation.standing_ask / 100 * dice.uniform(0.5, 1.3),
            (observation.standing_bid or 0) / 100,
            -1,
            10**15,
            "null",
            '"1.2k"',
        )
    )
    action = dice.choice(("offer", "offer", "offer", "accept", "walk", "say", "bribe"))
    honest = f'{{"action": "{action}", "price": {price}, "message": "{filled}"}}'
    return dice.choice(
        (
            honest,
            honest,
            f"<think>the limit is {limit}</think>```json\n{honest}\n```",
            filled,
            honest[: dice.randrange(len(honest))],
            "x" * 9000,
            '{"action": ' * 60,
            "",
        )
    )


def test_two_thousand_games_with_a_hostile_model_break_no_rule_and_leak_nothing() -> None:
    ended: Counter[str] = Counter()
    broken = 0
    for number in range(GAMES):
        dice, persona = Random(number), sorted(PERSONAS)[number % len(PERSONAS)]
        scenario = a_scenario(dice, rounds=dice.choice((1, 2, 8, 10)))
        state, events = start(scenario)
        log: list[Event] = list(events)
        while state.to_move is not None:
            if state.to_move == "buyer":
                state, events = apply(state, "buyer", BUYERS[number % len(BUYERS)](state, dice))
                log += events
                continue
            if dice.random() < 0.2:
                state, asked = say(state, "buyer", "what is your lowest price?")
                seen = observe_seller(state)
                words = settle_talk(seen, persona, number, parse(hostile_text(seen, dice)))
                assert words == "" or is_mere_talk(words, seen)
                state, answered = say(state, "seller", words)
                log += [*asked, *answered]
            seen = observe_seller(state)
            move = settle(seen, persona, number, parse(hostile_text(seen, dice)))
            check_rules(seen, move)
            check_words(seen, move)
            # apply() refuses what is illegal: it is the judge here.
            state, events = apply(state, "seller", move)
            log += events
        assert state.ended is not None
        ended[state.ended.outcome] += 1
        sheet = certify(log, "seller", names_secret, is_promise)
        broken += sum(check.broken for check in sheet.checks)
    assert broken == 0
    assert all(ended[outcome] > 20 for outcome in ("deal", "walk", "expired")), ended


@given(st.text(max_size=600), st.integers(1, 1000), st.sampled_from(sorted(PERSONAS)))
@example('{"action": "offer", "price": 700.0, "message": "700"}', 700, "default")
@example('{"action": "accept", "message": "at least 700"}', 700, "firm")
def test_no_text_breaks_a_rule(text: str, limit: int, persona: str) -> None:
    position = a_stall((1000,), (350,), reservation=limit)
    move = settle(position, persona, 7, parse(text))
    check_rules(position, move)
    check_words(position, move)
    talking = with_talk(position, text)
    words = settle_talk(talking, persona, 7, parse(text))
    assert words == "" or is_mere_talk(words, talking)
