"""Short names and plain words for blocks, money, windows and labs: one place for all sentences."""

import re
from collections.abc import Iterable, Mapping

from arena.gpu_market.engine.blocks import Block, Job
from arena.gpu_market.engine.quantities import to_credits
from arena.gpu_market.engine.scenario import ShockKind

TASK_TITLES: dict[str, str] = {
    "single_trade": "Single trade",
    "market_round": "Market round",
    "coalition_market": "Coalition market",
}

SHOCK_TITLES: dict[ShockKind, str] = {
    "capacity_failure": "Capacity failure",
    "energy_spike": "Energy spike",
    "reliability_degradation": "Reliability degradation",
    "demand_surge": "Demand surge",
    "sudden_supply": "Sudden supply",
    "deadline_acceleration": "Deadline acceleration",
    "emergency_auction": "Emergency auction",
}

SHOCK_WORDS: dict[ShockKind, str] = {
    "capacity_failure": "a live block fails for good",
    "energy_spike": "energy of every live block costs a quarter more",
    "reliability_degradation": "every live block is 0.12 less reliable",
    "demand_surge": "every lab gets one more job, due in two rounds",
    "sudden_supply": "a new block goes to the lab with the fewest hours left",
    "deadline_acceleration": "open jobs are due a round earlier",
    "emergency_auction": "the house sells a new block to the best bid",
}

ARCHETYPE_WORDS: dict[str, str] = {
    "cooperative": "joins and shares what it can spare",
    "selfish": "wants to be paid well for everything",
    "deadline_panicked": "takes worse deals the closer its deadlines are",
    "deceptive": "promises blocks and takes them back",
    "retaliatory": "deals with nobody it has no trust in",
}


def short(name: str) -> str:
    """Shorten an id.

    >>> short("block_7"), short("coalition_0"), short("job_0_1"), short("offer_2_0_1")
    ('B7', 'coalition 0', 'job 1', 'offer 2 of lab 2')
    """
    if found := _OFFER.fullmatch(name):
        return f"offer {int(found[2]) + 1} of lab {found[1]}"
    kind, _, number = name.partition("_")
    if kind == "block":
        return f"B{number}"
    return f"{kind} {number.rpartition('_')[2]}" if number else name


def offer_name(name: str, names: Mapping[str, str]) -> str:
    """Name an offer by its sender, counted from one; what is no id is only shortened.

    >>> offer_name("offer_2_0_1", {"lab_2": "Deccan Models"})
    'offer 2 of Deccan Models'
    """
    found = _OFFER.fullmatch(name)
    sender = names.get(f"lab_{found[1]}") if found else None
    return f"offer {int(found[2]) + 1} of {sender}" if found and sender else short(name)


def window(block: Block) -> str:
    """Say when a block runs.

    >>> from arena.gpu_market.engine.quantities import Cents
    >>> window(Block("block_3", 2, 2, 4, 0.9, Cents(300), "lab_1"))
    'rounds 2–3'
    """
    last = block.end - 1
    return f"round {last}" if last == block.start else f"rounds {block.start}–{last}"


def block_words(block: Block) -> str:
    """Name a block with what it delivers and when."""
    return f"{short(block.id)} ({gpus_words(block.gpus)}, {window(block)})"


def gpus_words(count: int) -> str:
    """Count GPUs in words that fit the number."""
    return "1 GPU" if count == 1 else f"{count} GPUs"


def credits_text(cents: int | float) -> str:
    """Write hundredths of a credit as credits.

    >>> credits_text(447), credits_text(-1250)
    ('4.47', '−12.50')
    """
    text = f"{abs(to_credits(round(cents))):,.2f}"
    return f"−{text}" if round(cents) < 0 else text


def signed_credits(cents: int | float) -> str:
    """Write a change of money with its sign.

    >>> signed_credits(447)
    '+4.47'
    """
    text = credits_text(cents)
    return text if text.startswith("−") or round(cents) == 0 else f"+{text}"


def plain(text: str, names: Mapping[str, str]) -> str:
    """Put short and public names in place of the ids in a sentence of the engine.

    >>> plain("block_4 does not belong to lab_0.", {"lab_0": "Aravalli Lab"})
    'B4 does not belong to Aravalli Lab.'
    """
    return _IDS.sub(lambda found: names.get(found[0]) or offer_name(found[0], names), text)


_OFFER = re.compile(r"offer_(\d)_(?:\d|house)_(\d{1,3})", re.ASCII)
_IDS = re.compile(rf"\b(?:{_OFFER.pattern}|(?:block|lab|coalition)_\d+|job_\d+_\d+)\b")


def player_name(plays: str) -> str:
    """Write the name of a policy, without the version that a trained one carries.

    >>> player_name("rule_expert"), player_name("lab-mini:sft@1#0123abcd")
    ('rule expert', 'lab mini sft')
    """
    return re.sub("[-_:]", " ", plays.partition("@")[0])


def listed(parts: Iterable[str]) -> str:
    """Join with commas and a last *and*.

    >>> listed(["B1", "B2", "4.00 credits"])
    'B1, B2 and 4.00 credits'
    """
    rows = list(parts)
    if len(rows) < 2:
        return "".join(rows)
    return f"{', '.join(rows[:-1])} and {rows[-1]}"


def blocks_text(blocks: Iterable[str]) -> str:
    """Name several blocks by id."""
    return listed(short(name) for name in blocks)


def plural(count: int, one: str, many: str = "") -> str:
    """Count things.

    >>> plural(1, "offer"), plural(3, "offer")
    ('1 offer', '3 offers')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def owned(name: str) -> str:
    """Make a name possessive.

    >>> owned("Deccan Models"), owned("Aravalli Lab")
    ('Deccan Models’', 'Aravalli Lab’s')
    """
    return f"{name}’" if name.endswith("s") else f"{name}’s"


def job_name(job: Job) -> str:
    """Name a job as its lab would: what it is for, and its number."""
    return f"{job.note} ({short(job.id)})"
