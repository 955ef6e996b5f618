"""What in a design does not fit together, each fault with the place of its field."""

import datetime as dt
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from msgspec import UNSET

from agents import asking
from bazaarbatna.cases.case import in_library
from negotiation.policies import UnknownPolicy, policy
from negotiation.sentences import sentences
from rooms.hosting import UNFILLED
from rooms.plan import Plan
from rooms.study.answers import clean_lines
from rooms.study.design import (
    MOST_ARMS,
    SALE,
    Belief,
    Bonus,
    Check,
    Choice,
    ChoiceCheck,
    Choices,
    Date,
    Design,
    Level,
    Long,
    Number,
    Question,
    Short,
    Slider,
    under,
)

say = sentences(__file__)

Found = tuple[str, str]
"""The path of a field, as ``arms[0].plan.buyer``, and what is wrong with it."""


class Fault(msgspec.Struct, frozen=True):
    """Something wrong in a design; ``line`` counts from 1 in a file, 0: unknown or no file."""

    path: str
    words: str
    line: int = 0


def faults(design: Design) -> list[Fault]:
    """Return everything in a design that contradicts something else in it or on this site."""
    found = (
        *_arms(design),
        *_conditions(design),
        *_questions(design),
        *_beliefs(design),
        *_checks(design),
        *_plans(design),
        *_prompts(design),
        *_consent(design),
        *_payment(design),
        *_exits(design),
    )
    return [Fault(path, words) for path, words in found]


def of_cases(design: Design, plan: Plan) -> list[Fault]:
    """Return what does not go with the cases that arms play, in a room with a plan."""
    ways = [("arms", arm) for arm in design.cells]
    ways += [("conditions", under(arm, [one])) for one in design.conditions for arm in design.cells]
    plans = [(place, arm, arm.plan.over(plan)) for place, arm in ways]
    found = []
    for place, arm, its in plans:
        if its.case is not None and arm.prompt is not None:
            found.append(Fault(place, say("no_prompt_at_a_case", name=arm.name)))
        if its.case is not None and not its.persona_told:
            found.append(Fault(place, say("a_case_tells_who_sits_opposite")))
    for number, one in enumerate(design.beliefs):
        asks = [its for _, arm, its in plans if not one.arms or arm.name in one.arms]
        if one.pays and one.about == "limit" and any(its.case is not None for its in asks):
            found.append(Fault(f"beliefs[{number}].pays", say("no_pay_for_points_without_a_deal")))
    return list(dict.fromkeys(found))


def missing(design: Design) -> list[Fault]:
    """Return what a design needs before somebody who is no pilot may take part."""
    texts = (
        ("information", design.information, "tell_people_what_the_study_is"),
        ("consent.text", design.consent.text, "tell_people_what_they_consent_to"),
        ("consent.contact", design.consent.contact, "name_whom_people_can_write_to"),
    )
    found = [Fault(path, say(words)) for path, text, words in texts if not text.strip()]
    for name, prompt in design.prompts.items():
        if not asking.awake((prompt.backend,) if prompt.backend else ()):
            found.append(Fault("arms", say("no_model_answers_on_this_site", name=name)))
    if design.prompts and not design.model_usd:
        found.append(Fault("model_usd", say("models_may_cost_nothing")))
    for name in design.exits.__struct_fields__:
        if getattr(design.exits, name).code.startswith(UNFILLED):
            words = say("fill_in_the_code_that_the")
            found.append(Fault(f"exits.{name}.code", words))
    return found


def is_allowed(url: str) -> bool:
    """Whether people may be sent to an address: https, and a host that this site's operator named.

    >>> is_allowed("http://app.prolific.com/")
    False
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    hosts = {one.strip().lower() for one in settings.STUDY_HOSTS.split(",") if one.strip()}
    return (
        parts.scheme == "https"
        and (parts.hostname or "").lower() in hosts
        and port in (None, 443)
        and "@" not in parts.netloc
        and "\\" not in url
    )


def _arms(design: Design) -> Iterator[Found]:
    names = [arm.name for arm in design.cells]
    yield from _twice(names, "factors[0].levels[{}].name" if design.factors else "arms[{}].name")
    yield from _factors(design)
    if design.block % len(names):
        yield ("block", say("a_block_holds_every_arm_equally", arms=len(names)))
    if design.assigned == "game":
        for number, arm in enumerate(design.cells):
            if arm.instructions != design.cells[0].instructions or design.arms[0].instructions:
                yield (
                    "factors" if design.factors else f"arms[{number}].instructions",
                    say("with_arms_drawn_before_the_game"),
                )
    early = {"before": design.before, "questions.ask": design.questions.ask}
    forms: dict[str, tuple[Question | Check | Belief, ...]] = {
        **early, "between": design.between, "beliefs": design.beliefs, "after": design.after
    }  # fmt: skip
    for form, questions in forms.items():
        for number, one in enumerate(questions):
            for arm_name in one.arms:
                if arm_name not in names:
                    yield (f"{form}[{number}].arms", say("there_is_no_arm_name", name=arm_name))
            if one.arms and form in early and design.assigned == "game":
                yield (f"{form}[{number}].arms", say("nobody_has_an_arm_yet_when"))


def _factors(design: Design) -> Iterator[Found]:
    if not design.factors:
        return
    yield from _twice([one.name for one in design.factors], "factors[{}].name")
    if len(design.arms) > 1:
        yield "arms", say("factors_make_the_arms_leave_one")
    if len(design.cells) > MOST_ARMS or any(len(arm.name) > 40 for arm in design.cells):
        yield "factors", say("at_most_12_combinations_whose_names")
    changes: dict[str, str] = {}
    for number, factor in enumerate(design.factors):
        yield from _twice(
            [one.name for one in factor.levels], f"factors[{number}].levels[{{}}].name"
        )
        fields = {name for one in factor.levels for name in msgspec.to_builtins(one.plan)}
        for name in sorted(fields):
            if changes.setdefault(name, factor.name) != factor.name:
                yield f"factors[{number}]", say("two_factors_change_name_then_they", name=name)


MOST_PERMUTED = 4
"""Conditions of which all orders are drawn: of five there are 120, more than most studies fill."""


def _conditions(design: Design) -> Iterator[Found]:
    yield from _twice([one.name for one in design.conditions], "conditions[{}].name")
    if len(design.conditions) == 1:
        yield "conditions", say("one_condition_has_no_order")
    if design.order == "all" and len(design.conditions) > MOST_PERMUTED:
        yield "order", say("all_orders_of_so_many", most=MOST_PERMUTED)
    taken = {arm.name for arm in design.cells}
    for number, one in enumerate(design.conditions):
        if one.name in taken:
            yield f"conditions[{number}].name", say("name_stands_here_twice", name=one.name)
    arms = {name for arm in design.cells for name in msgspec.to_builtins(arm.plan)}
    for number, one in enumerate(design.conditions):
        for name in sorted(arms & set(msgspec.to_builtins(one.plan))):
            yield f"conditions[{number}].plan.{name}", say("an_arm_changes_name_too", name=name)


def _beliefs(design: Design) -> Iterator[Found]:
    yield from _twice([one.name for one in design.beliefs], "beliefs[{}].name")
    for number, one in enumerate(design.beliefs):
        if any(not 1 <= at <= MOST_ROUNDS for at in one.rounds):
            yield f"beliefs[{number}].rounds", say("numbers_from_1", most=MOST_ROUNDS)
        if one.pays and not one.required:
            yield f"beliefs[{number}].required", say("what_is_paid_is_required")


MOST_ROUNDS = 40
MOST_GAMES = 120


def _levels(design: Design) -> Iterator[tuple[str, Level]]:
    """Return each thing that has rules and a prompt of its own, with its place."""
    yield from ((f"arms[{number}]", one) for number, one in enumerate(design.arms))
    yield from ((f"conditions[{number}]", one) for number, one in enumerate(design.conditions))
    for number, factor in enumerate(design.factors):
        for place, level in enumerate(factor.levels):
            yield f"factors[{number}].levels[{place}]", level


def _prompts(design: Design) -> Iterator[Found]:
    known = [one.name for one in asking.router().backends]
    for place, one in _levels(design):
        if one.prompt is not None and one.prompt.backend not in ("", *known):
            told = {"name": one.prompt.backend, "known": ", ".join(known) or say("none")}
            yield f"{place}.prompt.backend", say("this_site_has_no_model_name", **told)
    for arm in design.cells:
        if arm.prompt is not None and not (arm.prompt.words.strip() or design.factors):
            yield "arms", say("the_prompt_of_name_has_no", name=arm.name)


def _questions(design: Design) -> Iterator[Found]:
    for form in ("before", "between", "after"):
        questions: tuple[Question, ...] = getattr(design, form)
        yield from _twice([one.name for one in questions], form + "[{}].name")
        for number, one in enumerate(questions):
            place = f"{form}[{number}]"
            yield from ((f"{place}.{field}", words) for field, words in _within(one))
            if one.after_games and form != "between":
                yield f"{place}.after_games", say("only_between_games")
            if any(not 1 <= at <= MOST_GAMES for at in one.after_games):
                yield f"{place}.after_games", say("numbers_from_1", most=MOST_GAMES)


def _within(one: Question) -> Iterator[Found]:
    match one:
        case Choice() | Choices():
            yield from _options(one.options)
            count = len(one.options)
            if isinstance(one, Choices) and one.least > min(count, one.most or count):
                yield "least", _too_much()
        case Date():
            yield from _days(one)
        case Short() | Long() | Slider() | Number():
            least, most = one.least, one.most
            if least is not None and most is not None and least > most:
                yield "least", _too_much()
            elif isinstance(one, Slider) and least == most:
                yield "most", _too_much()
        case _:
            return


def _too_much() -> str:
    return say("the_least_is_more_than_the")


def _days(one: Date) -> Iterator[Found]:
    days = {}
    for field in ("least", "most"):
        if text := getattr(one, field):
            try:
                days[field] = dt.date.fromisoformat(text)
            except ValueError:
                yield field, say("write_a_day_as_2026_11")
    if len(days) == 2 and days["least"] > days["most"]:
        yield "least", _too_much()


def _options(options: tuple[str, ...]) -> Iterator[Found]:
    if len(set(options)) < len(options):
        yield "options", say("the_same_option_stands_here_twice")
    if any(option != clean_lines(option) for option in options):
        yield "options", say("an_option_begins_or_ends_with")


def _checks(design: Design) -> Iterator[Found]:
    yield from _twice([one.name for one in design.questions.ask], "questions.ask[{}].name")
    for number, one in enumerate(design.questions.ask):
        if isinstance(one, ChoiceCheck):
            place = f"questions.ask[{number}]"
            yield from ((f"{place}.{field}", words) for field, words in _options(one.options))
            if one.right not in one.options:
                yield f"{place}.right", say("the_right_answer_must_be_one")


def _plans(design: Design) -> Iterator[Found]:
    plans = ((f"{place}.plan", level.plan) for place, level in _levels(design))
    for place, plan in (("plan", design.plan), *plans):
        for side in ("buyer", "seller"):
            name = getattr(plan, side)
            if name is not UNSET and not _sits(name, side):
                yield f"{place}.{side}", say("nobody_here_is_called_name", name=name)
        if isinstance(plan.case, str) and plan.case not in (SALE, *in_library()):
            told = {"name": plan.case, "known": ", ".join((SALE, *in_library()))}
            yield f"{place}.case", say("there_is_no_case_name", **told)
        least, most = plan.least_price, plan.most_price
        if isinstance(least, int) and isinstance(most, int) and most and least > most:
            yield f"{place}.least_price", _too_much()


def _sits(name: str, side: str) -> bool:
    try:
        return policy(name).side == side
    except UnknownPolicy:
        return False


def _consent(design: Design) -> Iterator[Found]:
    if "words" in design.consent.keeps:
        return
    for name in ("quote", "train"):
        if getattr(design.consent, name):
            yield (f"consent.{name}", say("this_asks_about_peoples_words_and"))


def _payment(design: Design) -> Iterator[Found]:
    bonuses: dict[str, Bonus] = {"bonus": design.bonus}
    bonuses |= {f"arms[{n}].bonus": arm.bonus for n, arm in enumerate(design.arms) if arm.bonus}
    for place, bonus in bonuses.items():
        pays = bonus.base or bonus.rule != "none"
        if pays and not bonus.waited and design.waiting.then == "end":
            yield (f"{place}.waited", say("who_waits_in_vain_comes_to"))
        if bonus.withdrawn and "external_id" in design.consent.withdrawal:
            yield (f"{place}.withdrawn", say("who_leaves_is_paid_by_the"))
        if bonus.cap and bonus.cap < bonus.base:
            yield f"{place}.cap", say("the_most_that_is_paid_is")
        if bonus.rule != "none" and not bonus.rate:
            yield f"{place}.rate", say("say_how_much_a_percent_or")
    if len({bonus.currency for bonus in bonuses.values()}) > 1:
        yield "bonus.currency", say("all_arms_are_paid_in_one")


def _exits(design: Design) -> Iterator[Found]:
    for name in design.exits.__struct_fields__:
        url = getattr(design.exits, name).url
        if url and not is_allowed(url):
            yield (
                f"exits.{name}.url",
                say("people_can_be_sent_to_https", hosts=settings.STUDY_HOSTS),
            )


def _twice(names: Iterable[str], place: str) -> Iterator[Found]:
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name in seen:
            yield place.format(number), say("name_stands_here_twice", name=name)
        seen.add(name)
