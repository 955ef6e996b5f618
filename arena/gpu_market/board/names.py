"""Short names and plain words for blocks, money, windows and labs: one place for all sentences."""

import re
from collections.abc import Iterable, Mapping

from arena.gpu_market.engine.blocks import Block, Job, Note
from arena.gpu_market.engine.first_trade import FIRST_TRADE, NEW, OLD, OWN
from arena.gpu_market.engine.quantities import to_credits
from arena.gpu_market.engine.scenario import ShockKind

TASK_TITLES: dict[str, str] = {
    "first_trade": "Your first trade",
    "single_trade": "Single trade",
    "market_round": "A full round",
    "coalition_market": "Coalition market",
}

SHOCK_TITLES: dict[ShockKind, str] = {
    "capacity_failure": "Capacity failure",
    "energy_spike": "Energy spike",
    "reliability_degradation": "Worn-out GPUs",
    "demand_surge": "Demand surge",
    "sudden_supply": "Sudden supply",
    "deadline_acceleration": "Deadline acceleration",
    "emergency_auction": "Emergency auction",
}

SHOCK_WORDS: dict[ShockKind, str] = {
    "capacity_failure": "a live block fails for good",
    "energy_spike": "energy of every live block costs a quarter more",
    "reliability_degradation": "every live block runs 12 nights in 100 less",
    "demand_surge": "every lab gets one more job, due in two rounds",
    "sudden_supply": "a new block goes to the lab with the fewest hours left",
    "deadline_acceleration": "open jobs are due a round earlier",
    "emergency_auction": "the house sells a new block to the best bid",
}

JOB_TITLES: dict[Note, str] = {
    "paper deadline": "paper run",
    "customer incident": "customer emergency",
    "benchmark run": "benchmark run",
}

FIRST_BLOCKS: dict[str, str] = {
    OWN: "two GPUs tonight",
    OLD: "four old GPUs tonight",
    NEW: "two new GPUs tonight",
}
"""What the first market calls its blocks."""

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
    ('B7', 'coalition 1', 'job 2', 'offer 2 of lab 2')
    """
    if found := _OFFER.fullmatch(name):
        return f"offer {int(found[2]) + 1} of lab {found[1]}"
    kind, _, number = name.partition("_")
    if kind == "block":
        return f"B{number}"
    last = number.rpartition("_")[2]
    if kind in ("job", "coalition") and last.isdecimal():
        return f"{kind} {int(last) + 1}"
    return f"{kind} {last}" if number else name


def told(name: str, names: Mapping[str, str]) -> str:
    """Give the plain name of a block, lab, job or offer; what has none is shortened.

    >>> told("block_7", {"block_7": "4 GPUs in round 3"}), told("block_8", {})
    ('4 GPUs in round 3', 'B8')
    """
    return names.get(name) or offer_name(name, names)


def offer_name(name: str, names: Mapping[str, str]) -> str:
    """Name an offer by its sender, counted from one; what is no id is only shortened.

    >>> offer_name("offer_2_0_1", {"lab_2": "Deccan Models"})
    'offer 2 of Deccan Models'
    """
    found = _OFFER.fullmatch(name)
    sender = names.get(f"lab_{found[1]}") if found else None
    return f"offer {int(found[2]) + 1} of {sender}" if found and sender else short(name)


def window(block: Block) -> str:
    """Say when a block runs; people count rounds from 1.

    >>> from arena.gpu_market.engine.quantities import Cents
    >>> window(Block("block_3", 2, 2, 4, 0.9, Cents(300), "lab_1"))
    'rounds 3–4'
    """
    first, last = block.start + 1, block.end
    return f"round {last}" if last == first else f"rounds {first}–{last}"


def block_words(block: Block) -> str:
    """Name a block by what it delivers and when.

    >>> from arena.gpu_market.engine.quantities import Cents
    >>> block_words(Block("block_3", 2, 2, 4, 0.9, Cents(300), "lab_1"))
    '4 GPUs in rounds 3–4'
    """
    return f"{gpus_words(block.gpus)} in {window(block)}"


def block_names(blocks: Iterable[Block], task: str) -> dict[str, str]:
    """Give every block of a market a name of its own, from what everybody sees of it."""
    if task == FIRST_TRADE:
        return dict(FIRST_BLOCKS)
    names: dict[str, str] = {}
    count: dict[str, int] = {}
    for block in blocks:
        words = block_words(block)
        count[words] = count.get(words, 0) + 1
        names[block.id] = words if count[words] == 1 else f"{words} (no. {count[words]})"
    return names


def nights(reliability: float) -> str:
    """Say how reliable a block is.

    >>> nights(0.93)
    '93 nights out of 100'
    """
    return f"{round(100 * reliability)} nights out of 100"


def gpus_words(count: int) -> str:
    """Count GPUs in words that fit the number."""
    return "1 GPU" if count == 1 else f"{count} GPUs"


def credits_text(cents: int | float) -> str:
    """Write hundredths of a credit as credits, a whole number without decimals.

    >>> credits_text(447), credits_text(-1250), credits_text(5600)
    ('4.47', '−12.50', '56')
    """
    text = f"{abs(to_credits(round(cents))):,.2f}".removesuffix(".00")
    return f"−{text}" if round(cents) < 0 else text


def signed_credits(cents: int | float) -> str:
    """Write a change of money with its sign.

    >>> signed_credits(447)
    '+4.47'
    """
    text = credits_text(cents)
    return text if text.startswith("−") or round(cents) == 0 else f"+{text}"


def plain(text: str, names: Mapping[str, str]) -> str:
    """Put plain names in place of the ids in a sentence of the engine, and count rounds from 1.

    >>> plain("block_4 does not belong to lab_0 in round 0.", {"lab_0": "Aravalli Lab"})
    'B4 does not belong to Aravalli Lab in round 1.'
    """
    text = _ROUND.sub(lambda found: f"{found[1]}{int(found[2]) + 1}", text)
    return _IDS.sub(lambda found: told(found[0], names), text)


_OFFER = re.compile(r"offer_(\d)_(?:\d|house)_(\d{1,3})", re.ASCII)
_ROUND = re.compile(r"\b([Rr]ound )(\d{1,3})\b", re.ASCII)
_IDS = re.compile(rf"\b(?:{_OFFER.pattern}|(?:block|lab|coalition)_\d+|job_\d+_\d+)\b")


def player_name(plays: str) -> str:
    """Write the name of a policy, without the version that a trained one carries.

    >>> player_name("rule_expert"), player_name("lab-mini:sft@1#0123abcd")
    ('rule expert', 'lab mini sft')
    """
    return re.sub("[-_:]", " ", plays.partition("@")[0])


def listed(parts: Iterable[str]) -> str:
    """Join with commas and a last *and*.

    >>> listed(["2 GPUs", "4 GPUs", "4 credits"])
    '2 GPUs, 4 GPUs and 4 credits'
    """
    rows = list(parts)
    if len(rows) < 2:
        return "".join(rows)
    return f"{', '.join(rows[:-1])} and {rows[-1]}"


def blocks_text(blocks: Iterable[str], names: Mapping[str, str]) -> str:
    """Name several blocks, given by id."""
    return listed(told(name, names) for name in blocks)


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
    """Name a job as its lab would: what it is for, and how long it takes."""
    return f"{JOB_TITLES[job.note]} ({plural(job.hours, 'GPU-hour')})"
