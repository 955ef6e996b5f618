"""What a study asks, promises, draws and pays: the value that its host writes. Pure.

A design is data: forms write it, a TOML or JSON file holds it, and ``faults.faults`` says what in
it does not fit together.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bazaarbatna.cases.case import Case, in_library
from negotiation.bargain.terms import Reveal
from rooms.plan import Absence, Meeting, Opponent, Partners, Plan, Roles, Talk, Zone
from rooms.study.assignment import Order

Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[a-z][a-z0-9_]*$")]
"""Letters a to z, digits and low lines: the name of a column in the data."""

Line = Annotated[str, Meta(max_length=200)]
Said = Annotated[str, Meta(min_length=1, max_length=500)]
Text = Annotated[str, Meta(max_length=20_000)]
"""Markdown; HTML in it is shown as it was typed."""

Money = Annotated[float, Meta(ge=0, le=10_000)]
Seconds = Annotated[int, Meta(ge=0, le=24 * 3600)]

Kept = Literal["external_id", "answers", "prices", "words", "times"]
"""Kinds of data that a consent can name."""

Deleted = Literal["answers", "words", "games", "external_id"]
"""What a withdrawal can delete; see ``withdrawal``."""

Warmth = Literal["neutral", "warm", "cold"]
Tongue = Literal["", "english", "hinglish", "hindi"]
"""How a model speaks by a prompt: ``agents.prompted`` has the words for it."""

MOST_QUESTIONS = 60
MOST_ARMS = 12
MOST_CONDITIONS = 6


SALE = "sale"
"""In the place of a case: one thing, one price."""

Arms = Annotated[tuple[Name, ...], Meta(max_length=MOST_ARMS)]
"""Names of some arms."""


class _Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class _Question(_Value, frozen=True, kw_only=True, tag_field="type"):
    """Asked by its ``name``; in some ``arms`` only where any are named.

    Between games, ``after_games`` names those after which it is asked (none: after each).
    """

    name: Name
    ask: Said
    hint: Line = ""
    required: bool = True
    arms: Arms = ()
    after_games: Annotated[tuple[int, ...], Meta(max_length=120)] = ()


class Short(_Question, frozen=True, kw_only=True, tag="short"):
    """A line of text."""

    least: Annotated[int, Meta(ge=0, le=200)] = 0
    most: Annotated[int, Meta(ge=1, le=200)] = 200


class Long(_Question, frozen=True, kw_only=True, tag="long"):
    """Text of some lines; ``least`` and ``most`` are characters."""

    least: Annotated[int, Meta(ge=0, le=5000)] = 0
    most: Annotated[int, Meta(ge=1, le=5000)] = 2000


class Number(_Question, frozen=True, kw_only=True, tag="number"):
    """A number within a range; ``whole`` ones only unless it says otherwise."""

    least: float | None = None
    most: float | None = None
    whole: bool = True
    unit: Annotated[str, Meta(max_length=20)] = ""


Options = Annotated[
    tuple[Annotated[str, Meta(min_length=1, max_length=200)], ...],
    Meta(min_length=2, max_length=40),
]


class Choice(_Question, frozen=True, kw_only=True, tag="choice"):
    """One of some options; ``shuffled``: each participant sees them in an order of their own."""

    options: Options
    shuffled: bool = False


class Choices(_Question, frozen=True, kw_only=True, tag="choices"):
    """Any of some options, between ``least`` and ``most`` of them (0: all)."""

    options: Options
    least: Annotated[int, Meta(ge=0, le=40)] = 0
    most: Annotated[int, Meta(ge=0, le=40)] = 0
    shuffled: bool = False


class Likert(_Question, frozen=True, kw_only=True, tag="likert"):
    """A step of a scale of agreement, 1 to ``points``."""

    points: Annotated[int, Meta(ge=2, le=11)] = 7
    low: Line = ""
    high: Line = ""


class Slider(_Question, frozen=True, kw_only=True, tag="slider"):
    """A place on a line; nothing is chosen before it is touched."""

    least: float = 0
    most: float = 100
    step: Annotated[float, Meta(gt=0)] = 1
    low: Line = ""
    high: Line = ""


class Date(_Question, frozen=True, kw_only=True, tag="date"):
    """A day, as 2026-11-25, within a range ("": open)."""

    least: Annotated[str, Meta(max_length=10)] = ""
    most: Annotated[str, Meta(max_length=10)] = ""


Question = Short | Long | Number | Choice | Choices | Likert | Slider | Date


class ChoiceCheck(_Value, frozen=True, kw_only=True, tag_field="type", tag="choice"):
    """A comprehension question with options, the right one, and why it is right."""

    name: Name
    ask: Said
    options: Options
    right: str
    explain: Said
    arms: Arms = ()


class NumberCheck(_Value, frozen=True, kw_only=True, tag_field="type", tag="number"):
    """A comprehension question whose answer is a number, and why it is right."""

    name: Name
    ask: Said
    right: float
    explain: Said
    arms: Arms = ()


Check = ChoiceCheck | NumberCheck


class Questions(_Value, frozen=True, kw_only=True):
    """Comprehension questions: ``tries`` in all, then explain them and go on, or send away."""

    ask: Annotated[tuple[Check, ...], Meta(max_length=MOST_QUESTIONS)] = ()
    tries: Annotated[int, Meta(ge=1, le=10)] = 3
    then: Literal["explain", "leave"] = "explain"


class Consent(_Value, frozen=True, kw_only=True):
    """What participants are told of their data, and may decide.

    ``keeps`` are the kinds of data that are kept, for ``months`` after the last person took part.
    ``quote`` and ``train`` ask, each in a box of its own, whether words may be quoted and whether
    models may learn from the games. ``withdrawal`` is what a withdrawal deletes.
    """

    text: Text = ""
    agree: Said = "I am 18 or older, I have read this, and I take part of my own free will."
    keeps: Annotated[tuple[Kept, ...], Meta(max_length=5)] = get_args(Kept)
    months: Annotated[int, Meta(ge=1, le=240)] = 12
    quote: bool = True
    train: bool = True
    withdrawal: Annotated[tuple[Deleted, ...], Meta(max_length=4)] = ("answers", "words")
    contact: Line = ""


class Overrides(_Value, frozen=True, kw_only=True, omit_defaults=True):
    """Fields of a room's ``Plan`` that are set; the others stay the room's.

    ``case`` is one of the shelf by its id, or a whole one as its own file has it.
    """

    meeting: Meeting | UnsetType = UNSET
    partners: Partners | UnsetType = UNSET
    roles: Roles | UnsetType = UNSET
    buyer: Annotated[str, Meta(max_length=60)] | UnsetType = UNSET
    seller: Annotated[str, Meta(max_length=60)] | UnsetType = UNSET
    listings: Annotated[tuple[int, ...], Meta(max_length=1000)] | UnsetType = UNSET
    least_price: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    most_price: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    zone: Zone | UnsetType = UNSET
    rounds: Annotated[int, Meta(ge=2, le=40)] | UnsetType = UNSET
    games: Annotated[int, Meta(ge=1, le=20)] | UnsetType = UNSET
    unmet_s: Seconds | UnsetType = UNSET
    reputation: bool | UnsetType = UNSET
    clock_s: Seconds | UnsetType = UNSET
    move_s: Seconds | UnsetType = UNSET
    absent_s: Seconds | UnsetType = UNSET
    absence: Absence | UnsetType = UNSET
    chat: bool | UnsetType = UNSET
    talk: Talk | UnsetType = UNSET
    tells: bool | UnsetType = UNSET
    persona_told: bool | UnsetType = UNSET
    feelings: bool | UnsetType = UNSET
    reveal: Reveal | UnsetType = UNSET
    language: Literal["", "en-in", "hi"] | UnsetType = UNSET
    starts_itself: bool | UnsetType = UNSET
    case: Annotated[str, Meta(max_length=24)] | Case | UnsetType = UNSET
    opponent: Opponent | UnsetType = UNSET

    def over(self, plan: Plan) -> Plan:
        """Return a plan with what is set here."""
        given = {
            name: value
            for name in self.__struct_fields__
            if (value := getattr(self, name)) is not UNSET
        }
        if isinstance(case := given.get("case"), str):
            given["case"] = in_library().get(case)
        return msgspec.structs.replace(plan, **given)


class Bonus(_Value, frozen=True, kw_only=True):
    """What a participant is paid, in ``currency``.

    ``base`` is for everybody who came to the end. On top, over all games together or their mean:
    ``rate`` for each percent of the zone won (``share``), or for each rupee of surplus, of a case
    each point above no deal (``surplus``). ``cap`` is the most that base and bonus make (0: none).
    ``waited`` is paid instead where nobody came to play with; ``screened`` to who is sent away
    after the questions; ``withdrawn`` to who withdraws.
    """

    currency: Annotated[str, Meta(pattern=r"^[A-Z]{3}$")] = "GBP"
    base: Money = 0
    rule: Literal["none", "share", "surplus"] = "none"
    rate: Money = 0
    over: Literal["mean", "sum"] = "mean"
    cap: Money = 0
    waited: Money = 0
    screened: Money = 0
    withdrawn: Money = 0


class Prompt(_Value, frozen=True, kw_only=True, omit_defaults=True):
    """Who sits for the house speaks by these ``words`` through a model.

    ``backend`` is one of this site's models ("": any), ``opening`` a buyer's first bid as a part
    of the first ask (0: the model's own).
    """

    words: Annotated[str, Meta(max_length=4000)] = ""
    backend: Annotated[str, Meta(max_length=20, pattern=r"^[a-z0-9-]*$")] = ""
    temperature: Annotated[float, Meta(ge=0, le=2)] = 0.6
    opening: Annotated[float, Meta(ge=0, le=1)] = 0.0
    warmth: Warmth = "neutral"
    tongue: Tongue = ""

    def over(self, other: "Prompt") -> "Prompt":
        """Return another one with what is said here: words are added, the rest takes its place."""
        given = {
            name: value
            for name, value in msgspec.structs.asdict(self).items()
            if value != getattr(PLAIN, name)
        }
        given["words"] = "\n".join(filter(None, (other.words, self.words)))
        return msgspec.structs.replace(other, **given)


PLAIN = Prompt()


class Level(_Value, frozen=True, kw_only=True, omit_defaults=True):
    """One level of a factor: what it changes, on top of the arm that all share."""

    name: Name
    title: Line = ""
    instructions: Text = ""
    plan: Overrides = Overrides()
    prompt: Prompt | None = None


class Arm(Level, frozen=True, kw_only=True, omit_defaults=False):
    """One way to take part: what it plays, what it is told, what it is paid (None: as all are)."""

    bonus: Bonus | None = None


class Factor(_Value, frozen=True, kw_only=True):
    """Something that is varied apart from everything else; factors cross."""

    name: Name
    levels: Annotated[tuple[Level, ...], Meta(min_length=2, max_length=MOST_ARMS)]


class Condition(Level, frozen=True, kw_only=True, omit_defaults=True):
    """Rules that everybody plays under, before or after those of other conditions.

    Its instructions are read before its first game.
    """


class Belief(_Value, frozen=True, kw_only=True):
    """What somebody is asked beside a game while it is the own turn, and nobody opposite sees.

    ``about`` the other's limit, the price of a deal (both in the currency of the game; of a case in
    points: the other's without a deal, the own ones of it), or the chance of one in percent; asked
    in some ``rounds`` of each game (none: in each). ``ask`` "" asks in words of this site. Where it
    is ``required``, no move is taken before the answer. One answer, which is drawn at the end,
    ``pays`` up to so much, by a ``scoring`` (``beliefs.worth_of``); 0: nothing.
    """

    name: Name
    about: Literal["limit", "price", "deal"] = "limit"
    ask: Annotated[str, Meta(max_length=500)] = ""
    rounds: Annotated[tuple[int, ...], Meta(max_length=40)] = ()
    required: bool = False
    pays: Money = 0
    scoring: Literal["binarised", "quadratic"] = "binarised"
    arms: Arms = ()


class Link(_Value, frozen=True, kw_only=True):
    """How people come in: the ``parameter`` of the address that holds who they are.

    Without ``required``, people without one may come too, once in each browser. An id that begins
    with ``test`` is a test: its data is marked as a pilot's.
    """

    parameter: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z_]\w*$")] = (
        "PROLIFIC_PID"
    )
    required: bool = True
    test: Annotated[str, Meta(min_length=3, max_length=20, pattern=r"^\w+$")] = "test"


class Exit(_Value, frozen=True, kw_only=True):
    """How one way out ends: words, a code to hand in, an https address to go back to."""

    text: Text = ""
    code: Annotated[str, Meta(max_length=40, pattern=r"^[\w-]*$")] = ""
    url: Annotated[str, Meta(max_length=500)] = ""


class Exits(_Value, frozen=True, kw_only=True):
    """The ways out: done, sent away, nobody to play with, no consent, no place left."""

    finished: Exit = Exit()
    screened: Exit = Exit()
    waited: Exit = Exit()
    declined: Exit = Exit()
    full: Exit = Exit()


class Waiting(_Value, frozen=True, kw_only=True):
    """How long a participant waits for a partner, in seconds, and what then.

    ``policy``: the arm's policy sits down; ``end``: an end with the reason, paid as the bonus says.
    """

    most_s: Annotated[int, Meta(ge=10, le=3600)] = 180
    then: Literal["policy", "end"] = "policy"


class Design(_Value, frozen=True, kw_only=True):
    """A study. ``block`` places of the drawn order hold each arm equally often (0: once).

    ``assigned`` says when an arm is drawn: with the consent, or before the first game. ``quota``
    is how many people take part (0: no limit); who was away for ``gone_min`` minutes before the
    end gives the place, not the arm, to the next. ``factors`` cross: each level of each with each
    is an arm then, on top of the only one in ``arms``. Everybody plays all ``conditions``, each for
    ``plan.games`` games, in an ``order`` that is drawn within the arm. ``between`` games questions
    are asked, and ``beliefs`` while they go on. ``model_usd`` is the most that prompts of this
    study may spend on models, in dollars.
    """

    title: Annotated[str, Meta(min_length=1, max_length=120)]
    language: Literal["en", "hi"] = "en"
    minutes: Annotated[int, Meta(ge=1, le=240)] = 15
    information: Text = ""
    consent: Consent = Consent()
    instructions: Text = ""
    questions: Questions = Questions()
    before: Annotated[tuple[Question, ...], Meta(max_length=MOST_QUESTIONS)] = ()
    between: Annotated[tuple[Question, ...], Meta(max_length=MOST_QUESTIONS)] = ()
    beliefs: Annotated[tuple[Belief, ...], Meta(max_length=6)] = ()
    after: Annotated[tuple[Question, ...], Meta(max_length=MOST_QUESTIONS)] = ()
    plan: Overrides = Overrides()
    arms: Annotated[tuple[Arm, ...], Meta(min_length=1, max_length=MOST_ARMS)] = (Arm(name="all"),)
    factors: Annotated[tuple[Factor, ...], Meta(max_length=4)] = ()
    conditions: Annotated[tuple[Condition, ...], Meta(max_length=MOST_CONDITIONS)] = ()
    order: Order = "latin"
    model_usd: Annotated[float, Meta(ge=0, le=1000)] = 1.0
    block: Annotated[int, Meta(ge=0, le=120)] = 0
    assigned: Literal["consent", "game"] = "consent"
    link: Link = Link()
    quota: Annotated[int, Meta(ge=0, le=100_000)] = 0
    gone_min: Annotated[int, Meta(ge=5, le=1440)] = 30
    waiting: Waiting = Waiting()
    bonus: Bonus = Bonus()
    exits: Exits = Exits()
    debrief: Text = ""

    def arm(self, name: str) -> Arm | None:
        """Return the arm of that name."""
        return next((arm for arm in self.cells if arm.name == name), None)

    @property
    def paid_beliefs(self) -> tuple[Belief, ...]:
        """The questions beside a game that pay something."""
        return tuple(one for one in self.beliefs if one.pays)

    @property
    def prompts(self) -> dict[str, Prompt]:
        """The words to a model, by the arms and conditions that have some."""
        arms = {one.name: one.prompt for one in self.cells}
        conditions = {one.name: one.prompt for one in self.conditions}
        return {name: one for name, one in (arms | conditions).items() if one is not None}

    def condition(self, name: str) -> Condition | None:
        """Return the condition of that name."""
        return next((one for one in self.conditions if one.name == name), None)

    @property
    def cells(self) -> tuple[Arm, ...]:
        """The arms that are drawn: those of the design, or each level of each factor with each."""
        if not self.factors:
            return self.arms
        return tuple(
            _crossed(self.arms[0], levels)
            for levels in itertools.product(*(factor.levels for factor in self.factors))
        )


def levels_in(design: Mapping[str, Any], arm: str) -> str:
    """Say which levels an arm has, as ``tone=warm opening=high``; "" without factors.

    ``design`` as it is stored: what is exported may be older than what is a design today.
    """
    factors = [
        (one["name"], [level["name"] for level in one["levels"]])
        for one in design.get("factors", ())
    ]
    for names in itertools.product(*(levels for _, levels in factors)):
        if "_".join(names) == arm:
            return " ".join(
                f"{factor[0]}={name}" for factor, name in zip(factors, names, strict=True)
            )
    return ""


def under(shared: Arm, levels: Sequence[Level]) -> Arm:
    """Return an arm with what some levels change, under its own name and words."""
    plan = msgspec.to_builtins(shared.plan)
    for level in levels:
        plan |= msgspec.to_builtins(level.plan)
    prompt = shared.prompt
    for level in levels:
        if level.prompt is not None:
            prompt = level.prompt.over(prompt or PLAIN)
    return msgspec.structs.replace(shared, plan=msgspec.convert(plan, Overrides), prompt=prompt)


def _crossed(shared: Arm, levels: Sequence[Level]) -> Arm:
    texts = (shared.instructions, *(level.instructions for level in levels))
    return msgspec.structs.replace(
        under(shared, levels),
        name="_".join(level.name for level in levels),
        title=", ".join(level.title or level.name for level in levels),
        instructions="\n\n".join(filter(None, texts)),
    )


def asked(questions: tuple[Question, ...], arm: str, game: int = 0) -> tuple[Question, ...]:
    """Return the questions that somebody in an arm is asked, after a ``game`` (0: any)."""
    mine = (one for one in questions if not one.arms or arm in one.arms)
    return tuple(one for one in mine if not (game and one.after_games) or game in one.after_games)


def checks(design: Design, arm: str) -> tuple[Check, ...]:
    """Return the comprehension questions that somebody in an arm is asked."""
    return tuple(one for one in design.questions.ask if not one.arms or arm in one.arms)
