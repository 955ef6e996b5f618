"""What tasks, shocks, characters and labs of a market are called, in the reader's language."""

from django.utils.translation import gettext as _

from arena.gpu_market.engine.blocks import Note
from arena.gpu_market.engine.first_trade import NEW, OLD, OWN
from arena.gpu_market.engine.scenario import ShockKind
from negotiation.marking import gettext_noop

TASK_TITLES: dict[str, str] = {
    "first_trade": gettext_noop("Your first trade"),
    "single_trade": gettext_noop("Single trade"),
    "market_round": gettext_noop("A full round"),
    "coalition_market": gettext_noop("Coalition market"),
}

SHOCK_TITLES: dict[ShockKind, str] = {
    "capacity_failure": gettext_noop("Capacity failure"),
    "energy_spike": gettext_noop("Energy spike"),
    "reliability_degradation": gettext_noop("Worn-out GPUs"),
    "demand_surge": gettext_noop("Demand surge"),
    "sudden_supply": gettext_noop("Sudden supply"),
    "deadline_acceleration": gettext_noop("Deadline acceleration"),
    "emergency_auction": gettext_noop("Emergency auction"),
}

SHOCK_WORDS: dict[ShockKind, str] = {
    "capacity_failure": gettext_noop("a live block fails for good"),
    "energy_spike": gettext_noop("energy of every live block costs a quarter more"),
    "reliability_degradation": gettext_noop("every live block runs 12 nights in 100 less"),
    "demand_surge": gettext_noop("every lab gets one more job, due in two rounds"),
    "sudden_supply": gettext_noop("a new block goes to the lab with the fewest hours left"),
    "deadline_acceleration": gettext_noop("open jobs are due a round earlier"),
    "emergency_auction": gettext_noop("the house sells a new block to the best bid"),
}

JOB_TITLES: dict[Note, str] = {
    "paper deadline": gettext_noop("paper run"),
    "customer incident": gettext_noop("customer emergency"),
    "benchmark run": gettext_noop("benchmark run"),
}

FIRST_BLOCKS: dict[str, str] = {
    OWN: gettext_noop("two GPUs tonight"),
    OLD: gettext_noop("four old GPUs tonight"),
    NEW: gettext_noop("two new GPUs tonight"),
}
"""What the first market calls its blocks."""

ARCHETYPE_WORDS: dict[str, str] = {
    "cooperative": gettext_noop("joins and shares what it can spare"),
    "selfish": gettext_noop("wants to be paid well for everything"),
    "deadline_panicked": gettext_noop("takes worse deals the closer its deadlines are"),
    "deceptive": gettext_noop("promises blocks and takes them back"),
    "retaliatory": gettext_noop("deals with nobody it has no trust in"),
}


_BANDS: dict[str, str] = {
    "low": gettext_noop("low"),
    "medium": gettext_noop("medium"),
    "high": gettext_noop("high"),
}


def band_word(band: str) -> str:
    """Return what is said of how much a lab has or needs."""
    return _(_BANDS[band]) if band in _BANDS else band


LAB_NAMES: tuple[str, ...] = (
    gettext_noop("Aravalli Lab"),
    gettext_noop("Banyan Compute"),
    gettext_noop("Chenab Research"),
    gettext_noop("Deccan Models"),
    gettext_noop("Eastern Ghats AI"),
)


def lab_name(name: str) -> str:
    """Return a lab's name as the reader's language writes it."""
    return _(name) if name in LAB_NAMES else name


def task_title(task: str) -> str:
    """Return what a task is called."""
    return _(TASK_TITLES[task])


def shock_title(kind: ShockKind) -> str:
    """Return what a shock is called."""
    return _(SHOCK_TITLES[kind])


def shock_words(kind: ShockKind) -> str:
    """Return what a shock does."""
    return _(SHOCK_WORDS[kind])


def shock_within(kind: ShockKind) -> str:
    """Return what a shock is called within a sentence."""
    return shock_title(kind).lower()


PLAYER_NAMES: tuple[str, ...] = (
    gettext_noop("accepts first"),
    gettext_noop("always accept"),
    gettext_noop("coalition spammer"),
    gettext_noop("greedy hoarder"),
    gettext_noop("honest pitcher"),
    gettext_noop("keyword pitcher"),
    gettext_noop("lab mini"),
    gettext_noop("lab mini sft"),
    gettext_noop("naive instruct"),
    gettext_noop("never act"),
    gettext_noop("no negotiation allocator"),
    gettext_noop("optimal planner"),
    gettext_noop("pitching expert"),
    gettext_noop("random valid"),
    gettext_noop("rule expert"),
)


def player_title(name: str) -> str:
    """Return a policy's name as the reader's language writes it."""
    return _(name) if name in PLAYER_NAMES else name


def archetype_words(archetype: str) -> str:
    """Return how a character behaves; "" where none is known."""
    return _(ARCHETYPE_WORDS[archetype]) if archetype in ARCHETYPE_WORDS else ""


def archetype_name(archetype: str) -> str:
    """Return what a character is called."""
    return _(_ARCHETYPES[archetype]) if archetype in _ARCHETYPES else archetype.replace("_", " ")


_ARCHETYPES: dict[str, str] = {
    "cooperative": gettext_noop("cooperative"),
    "selfish": gettext_noop("selfish"),
    "deadline_panicked": gettext_noop("deadline panicked"),
    "deceptive": gettext_noop("deceptive"),
    "retaliatory": gettext_noop("retaliatory"),
}
