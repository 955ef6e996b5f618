"""The quality report: played, counted, and written for people and for programs."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import msgspec
from rich.table import Table

from agents import asking
from agents.backends.base import Message
from agents.dialects.parsing import Parsed, parse
from agents.prompts.quoting import quote
from agents.sellers.persona import PERSONAS
from agents.sellers.prompt import SELLER_PROMPT_VERSION, render
from agents.sellers.quality.criteria import Criterion, confusion, measure
from agents.sellers.quality.games import BUYERS, Episode, House, play, scenarios
from agents.sellers.rule_seller import RuleSeller, version
from agents.sellers.settling import settle, settle_talk
from negotiation.engine.moves import Move
from negotiation.engine.observe import SellerObservation


class RuleHouse:
    """The rule sellers."""

    async def act(self, observation: SellerObservation, persona: str, seed: int) -> Move:
        """Play by rule."""
        return RuleSeller(seed, persona).act(observation)

    async def reply(self, observation: SellerObservation, persona: str, seed: int) -> str:
        """Speak by rule."""
        return RuleSeller(seed, persona).reply(observation)


class ModelHouse:
    """Whatever the site's router reaches; the rules play where nobody gives a readable answer.

    ``asked`` counts turns, ``read`` those that a model answered readably.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.read = 0

    async def act(self, observation: SellerObservation, persona: str, seed: int) -> Move:
        """Play what of a model's answer may be played."""
        parsed = await self._ask(observation, persona, speak_only=False)
        return settle(observation, persona, seed, parsed)

    async def reply(self, observation: SellerObservation, persona: str, seed: int) -> str:
        """Say what of a model's words may be said."""
        parsed = await self._ask(observation, persona, speak_only=True)
        return settle_talk(observation, persona, seed, parsed)

    async def _ask(
        self, observation: SellerObservation, persona: str, *, speak_only: bool
    ) -> Parsed | None:
        chat = asking.chat_of(render(observation, PERSONAS[persona], speak_only=speak_only))
        answer = await asking.ask_text(chat)
        parsed = parse(answer) if answer else None
        self.asked += 1
        self.read += parsed is not None
        return parsed


def house(backend: str) -> House:
    """Make the house that a backend's name stands for: ``rules`` or ``router``."""
    return ModelHouse() if backend == "router" else RuleHouse()


JUDGES = ("hf", "ollama")
"""Backends that can judge; the small model of this house cannot."""

TRANSCRIPTS = 20
"""Games that are shown to the judge: what the gates let one client ask in a minute, and less."""

SHOWN_MESSAGES = 8
"""Messages of a game that are shown."""


class Verdict(msgspec.Struct, frozen=True):
    """``share`` of ``answered`` transcripts whose persona the judge named; None: no judge."""

    share: float | None
    answered: int = 0


async def recognised_by_a_model(episodes: Sequence[Episode]) -> Verdict:
    """Ask a model which persona speaks, over games picked evenly; never raises for its sake."""
    if not asking.awake(JUDGES):
        return Verdict(None)
    stride = max(len(episodes) // TRANSCRIPTS, 1)
    right = []
    for episode in episodes[::stride][:TRANSCRIPTS]:
        answer = await asking.ask(asking.chat_of(question(episode)), "local", only=JUDGES)
        if answer.backend:
            right.append(named(answer.text) == episode.persona)
    return Verdict(fmean(right) if right else None, len(right))


def question(episode: Episode) -> tuple[Message, ...]:
    """Show a seller's messages and ask for one of the persona names."""
    kinds = "\n".join(f"{p.name}: {p.guidance}" for p in PERSONAS.values())
    said = "\n".join(quote(text, 320) for text in episode.messages[:SHOWN_MESSAGES])
    system = (
        "You judge how a seller in a bazaar behaves. Answer with one word, the name of the kind "
        f"that fits best:\n{kinds}\nWhat stands between double quotes was said by the seller."
    )
    return (Message("system", system), Message("user", f"{said}\nWhich kind is this seller?"))


def named(answer: str) -> str:
    """Return the first persona that an answer names; "" when it names none."""
    places = {name: answer.lower().find(name) for name in PERSONAS}
    found = [name for name in PERSONAS if places[name] >= 0]
    return min(found, key=lambda name: places[name], default="")


class Plan(msgspec.Struct, frozen=True):
    """What is played: ``episodes`` for each of the ``personas``; ``cautious`` buyers open low."""

    episodes: int
    personas: tuple[str, ...]
    backend: str = "rules"
    seed: int = 0
    cautious: bool = False


class Report(msgspec.Struct, frozen=True):
    """What came out; ``readable`` is the share of turns a model answered readably (None: rules)."""

    plan: Plan
    criteria: tuple[Criterion, ...]
    guesses: dict[str, dict[str, int]]
    verdict: Verdict
    versions: dict[str, str]
    readable: float | None = None

    @property
    def met(self) -> bool:
        """Whether every bar is reached."""
        return all(criterion.met for criterion in self.criteria)


async def make_report(plan: Plan) -> Report:
    """Play all games one after the other, and measure them."""
    seller = house(plan.backend)
    episodes: list[Episode] = []
    for persona in plan.personas:
        for number, scenario in enumerate(scenarios(persona, plan.episodes, plan.seed)):
            buyer = BUYERS[number % len(BUYERS)]
            episodes.append(await play(scenario, buyer, seller, cautious=plan.cautious))
    readable = None
    if isinstance(seller, ModelHouse):
        readable = seller.read / max(seller.asked, 1)
    return Report(
        plan=plan,
        criteria=measure(episodes),
        guesses=confusion(episodes),
        verdict=await recognised_by_a_model(episodes),
        versions={name: version(PERSONAS[name]) for name in plan.personas},
        readable=readable,
    )


def as_numbers(report: Report) -> dict[str, Any]:
    """Return a report as JSON values."""
    return {
        "plan": msgspec.to_builtins(report.plan),
        "prompt_version": SELLER_PROMPT_VERSION,
        "versions": report.versions,
        "readable": report.readable,
        "criteria": [
            {**msgspec.to_builtins(one), "value": round(one.value, 4), "met": one.met}
            for one in report.criteria
        ],
        "guesses": report.guesses,
        "judge": msgspec.to_builtins(report.verdict),
        "met": report.met,
    }


def criteria_table(report: Report) -> Table:
    """Draw the criteria with their bars."""
    plan = report.plan
    games = plan.episodes * len(plan.personas)
    title = f"Sellers, {plan.backend}: {games} games, seed {plan.seed}"
    table = Table(title=title, title_justify="left")
    table.add_column("criterion")
    for name in ("bar", "value", "met"):
        table.add_column(name, justify="right")
    for one in report.criteria:
        sign = ">=" if one.at_least else "<="
        table.add_row(one.name, f"{sign} {one.bar:g}", f"{one.value:.3f}", _yes(one.met))
    return table


def guesses_table(report: Report) -> Table:
    """Draw what the classifier took each persona for."""
    table = Table(title="Who was taken for whom", title_justify="left")
    names: Sequence[str] = sorted(report.guesses)
    for name in ("persona", *names):
        table.add_column(name, justify="left" if name == "persona" else "right")
    for true in names:
        table.add_row(true, *(str(report.guesses[true][guess]) for guess in names))
    return table


def verdict_line(verdict: Verdict) -> str:
    """Say what the judging model found."""
    if verdict.share is None:
        return "Judge: no judge configured, or none that answered."
    return f"Judge: named {verdict.share:.2f} of {verdict.answered} sellers rightly."


def _yes(met: bool) -> str:
    return "yes" if met else "NO"
