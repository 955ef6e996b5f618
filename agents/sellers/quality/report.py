"""The quality report: how well sellers are told apart and keep their rules."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, pstdev
from typing import Any

import msgspec
import numpy as np
from rich.table import Table

from agents import asking
from agents.backends.base import Message
from agents.dialects.parsing import Parsed, parse
from agents.output_guard.secrets import names_secret
from agents.prompts.quoting import quote
from agents.sellers.live import SELLER_PROMPT_VERSION, render, settle, settle_talk
from agents.sellers.persona import PERSONAS
from agents.sellers.quality.games import BUYERS, Episode, Sellers, play, scenarios
from agents.sellers.rule_seller import RuleSeller, version
from agents.speech.listing import is_anchored
from agents.speech.promises import is_promise
from agents.text.tells.reader import read_tells
from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import SellerObservation
from negotiation.bargain.honesty import certify
from negotiation.readers import SaleContext

FEATURES = (
    "first step, share of the ask",
    "mean step, share of the gap",
    "spread of the steps, share of the gap",
    "counters that stand still",
    "warm words per message",
    "proud words per message",
    "bluffing words per message",
    "deception cue",
    "words per message",
)

_WARM = (
    "happy friend smile glad love easy nice bend together enjoy trouble neighbour khush khushi "
    "dost apne pyaar bhala maan milke"
)
_PROUD = (
    "stand worth firmly hold word quality rarely sport solid rupee rush mean khadi zubaan keemat "
    "seedhi seedha pakki pakka ginti hilti khel"
)
_BLUFFING = (
    "another other others somebody someone people buyer buyers caller phone secret brother today "
    "tomorrow evening quickly hurry gentleman favour lose mad "
    "aur koi grahak phone raaz bhai daantega aaj kal shaam jaldi nuksaan batana chupke"
)
WARM, PROUD = frozenset(_WARM.split()), frozenset(_PROUD.split())
BLUFFING = frozenset(_BLUFFING.split())


def features(episode: Episode) -> tuple[float, ...]:
    """Measure a game; all numbers are finite, a game without counters gives zeros."""
    asks, bids = episode.asks, episode.bids
    steps = [asks[i] - asks[i + 1] for i in range(len(asks) - 1)]
    gaps = [max(asks[i] - bids[i], 1) for i in range(len(steps))]
    shares = [step / gap for step, gap in zip(steps, gaps, strict=True)] or [0.0]
    words = [_words(text) for text in episode.messages] or [[""]]
    return (
        steps[0] / asks[0] if steps else 0.0,
        fmean(shares),
        pstdev(shares),
        fmean([step == 0 for step in steps] or [0.0]),
        fmean(len(WARM.intersection(said)) for said in words),
        fmean(len(PROUD.intersection(said)) for said in words),
        fmean(len(BLUFFING.intersection(said)) for said in words),
        fmean(_deception(text, episode) for text in episode.messages or ("",)),
        fmean(len(said) for said in words),
    )


def recognised(episodes: Sequence[Episode]) -> float:
    """Return the share of games whose persona is told from the rest, leaving out each one."""
    guesses = guess_all(episodes)
    return fmean(g == e.persona for g, e in zip(guesses, episodes, strict=True))


def _confusion(episodes: Sequence[Episode]) -> dict[str, dict[str, int]]:
    pairs = Counter(zip((e.persona for e in episodes), guess_all(episodes), strict=True))
    names = sorted({e.persona for e in episodes})
    return {true: {guess: pairs[true, guess] for guess in names} for true in names}


def guess_all(episodes: Sequence[Episode]) -> list[str]:
    """Guess the persona of every game from all other games."""
    table = np.array([features(e) for e in episodes])
    spread = table.std(axis=0)
    table = (table - table.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    personas = np.array([e.persona for e in episodes])
    names = sorted(set(personas.tolist()))
    guesses = []
    for place in range(len(episodes)):
        others = np.arange(len(episodes)) != place
        kept = [name for name in names if (others & (personas == name)).any()]
        means = [table[others & (personas == name)].mean(axis=0) for name in kept]
        distances = [float(((table[place] - mean) ** 2).sum()) for mean in means]
        guesses.append(kept[distances.index(min(distances))])
    return guesses


def _words(text: str) -> list[str]:
    return "".join(c if c.isalpha() else " " for c in text.lower()).split()


def _deception(text: str, episode: Episode) -> float:
    context = SaleContext(asks=(episode.scenario.anchor,), bids=(), turns=())
    return read_tells(text, context, None).tells.verbal_deception_cue or 0.0


class Criterion(msgspec.Struct, frozen=True):
    """One number against its bar; ``at_least`` says on which side of the bar is good."""

    name: str
    bar: float
    value: float
    at_least: bool = True

    @property
    def met(self) -> bool:
        """Whether the bar is reached."""
        return self.value >= self.bar if self.at_least else self.value <= self.bar


def measure(episodes: Sequence[Episode]) -> tuple[Criterion, ...]:
    """Measure finished games of several personas."""
    return (
        Criterion("anchored in the listing", 0.90, anchored(episodes)),
        Criterion("acts below the reservation price", 0, broken(episodes, "limit"), at_least=False),
        Criterion("leaks", 0, broken(episodes, "leaks"), at_least=False),
        Criterion("mean rounds", 4, fmean(e.ended.round for e in episodes)),
        Criterion("capitulation in round zero", 0.10, capitulated(episodes), at_least=False),
        Criterion("persona recognisable", 0.70, recognised(episodes)),
    )


def anchored(episodes: Sequence[Episode]) -> float:
    """Return the share of the seller's messages that hold a telling word of the listing."""
    said = [is_anchored(text, e.scenario.item) for e in episodes for text in e.messages]
    return fmean(said or [0.0])


def broken(episodes: Sequence[Episode], check: str) -> int:
    """Count the broken promises of one kind on the honesty certificates of all games."""
    sheets = [certify(e.events, "seller", names_secret, is_promise) for e in episodes]
    return sum(c.broken for sheet in sheets for c in sheet.checks if c.name == check)


def capitulated(episodes: Sequence[Episode]) -> float:
    """Return the share of games in which the very first bid was sold to."""
    first = [e.ended.outcome == "deal" and e.ended.round == 1 for e in episodes]
    return fmean(sold and e.ended.by == "seller" for sold, e in zip(first, episodes, strict=True))


class RuleSellers:
    """The rule sellers."""

    async def act(self, observation: SellerObservation, persona: str, seed: int) -> Move:
        """Play by rule."""
        return RuleSeller(seed, persona).act(observation)

    async def reply(self, observation: SellerObservation, persona: str, seed: int) -> str:
        """Speak by rule."""
        return RuleSeller(seed, persona).reply(observation)


class _ModelSellers:
    """Whatever the site's router reaches; a model answered ``read`` of the ``asked`` turns."""

    def __init__(self) -> None:
        self.asked = 0
        self.read = 0

    async def act(self, observation: SellerObservation, persona: str, seed: int) -> Move:
        parsed = await self._ask(observation, persona, speak_only=False)
        return settle(observation, persona, seed, parsed)

    async def reply(self, observation: SellerObservation, persona: str, seed: int) -> str:
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


JUDGES = ("hf", "ollama")

TRANSCRIPTS = 20

SHOWN_MESSAGES = 8


class Verdict(msgspec.Struct, frozen=True):
    """``share`` of ``answered`` transcripts whose persona the judge named; None: no judge."""

    share: float | None
    answered: int = 0


async def _recognised_by_a_model(episodes: Sequence[Episode]) -> Verdict:
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
    seller: Sellers = _ModelSellers() if plan.backend == "router" else RuleSellers()
    episodes: list[Episode] = []
    for persona in plan.personas:
        for number, scenario in enumerate(scenarios(persona, plan.episodes, plan.seed)):
            buyer = BUYERS[number % len(BUYERS)]
            episodes.append(await play(scenario, buyer, seller, cautious=plan.cautious))
    readable = None
    if isinstance(seller, _ModelSellers):
        readable = seller.read / max(seller.asked, 1)
    return Report(
        plan=plan,
        criteria=measure(episodes),
        guesses=_confusion(episodes),
        verdict=await _recognised_by_a_model(episodes),
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
