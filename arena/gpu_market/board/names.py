"""Short names and plain words for blocks, money, windows and labs: one place for all sentences."""

import re
from collections.abc import Iterable, Mapping

from django.utils.translation import ngettext

from arena.gpu_market.board.titles import TITLES, player_title, rows_of, words_of
from arena.words import say
from bazaarbatna.market.blocks import Block, Job
from bazaarbatna.market.first_trade import FIRST_TRADE
from bazaarbatna.market.quantities import to_credits


def short(name: str) -> str:
    """Shorten an id.

    >>> short("block_7"), short("coalition_0"), short("job_0_1"), short("offer_2_0_1")
    ('B7', 'coalition 1', 'job 2', 'offer 2 of lab 2')
    """
    if found := _OFFER.fullmatch(name):
        return say("offer_number_of_lab_lab", number=int(found[2]) + 1, lab=found[1])
    kind, _dash, number = name.partition("_")
    if kind == "block":
        return f"B{number}"
    last = number.rpartition("_")[2]
    if kind == "job" and last.isdecimal():
        return say("job_number", number=int(last) + 1)
    if kind == "coalition" and last.isdecimal():
        return say("coalition_number", number=int(last) + 1)
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
    if not found or not sender:
        return short(name)
    return say("offer_number_of_who", number=int(found[2]) + 1, who=sender)


def window(block: Block) -> str:
    """Say when a block runs; people count rounds from 1.

    >>> from bazaarbatna.market.quantities import Cents
    >>> window(Block("block_3", 2, 2, 4, 0.9, Cents(300), "lab_1"))
    'rounds 3–4'
    """
    first, last = block.start + 1, block.end
    if last == first:
        return say("round_number", number=last)
    return say("rounds_first_last", first=first, last=last)


def block_words(block: Block) -> str:
    """Name a block by what it delivers and when.

    >>> from bazaarbatna.market.quantities import Cents
    >>> block_words(Block("block_3", 2, 2, 4, 0.9, Cents(300), "lab_1"))
    '4 GPUs in rounds 3–4'
    """
    return say("gpus_in_when", gpus=gpus_words(block.gpus), when=window(block))


def block_names(blocks: Iterable[Block], task: str) -> dict[str, str]:
    """Give every block of a market a name of its own, from what everybody sees of it."""
    if task == FIRST_TRADE:
        return dict(rows_of(TITLES.first_blocks))
    names: dict[str, str] = {}
    count: dict[str, int] = {}
    for block in blocks:
        words = block_words(block)
        count[words] = count.get(words, 0) + 1
        names[block.id] = words
        if count[words] > 1:
            names[block.id] = say("block_no_number", block=words, number=count[words])
    return names


def nights(reliability: float) -> str:
    r"""Say how reliable a block is.

    >>> nights(0.93)
    '93\xa0% reliable'
    """
    return say("count_nights_out_of_100", count=f"{100 * reliability:.4g}")


def gpus_words(count: int) -> str:
    """Count GPUs in words that fit the number."""
    return ngettext("%(count)s GPU", "%(count)s GPUs", count) % {"count": count}


def credits_text(cents: int | float) -> str:
    """Write hundredths of a credit as credits: from ten on whole ones, no more than there are.

    >>> credits_text(447), credits_text(-1250), credits_text(5672)
    ('4.47', '−13', '56')
    """
    if abs(cents) >= 1000:
        cents = round(cents) // 100 * 100
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
    return player_title(re.sub("[-_:]", " ", plays.partition("@")[0]))


def listed(parts: Iterable[str]) -> str:
    """Join with commas and a last *and*.

    >>> listed(["2 GPUs", "4 GPUs", "4 credits"])
    '2 GPUs, 4 GPUs and 4 credits'
    """
    rows = list(parts)
    if len(rows) < 2:
        return "".join(rows)
    return say("first_and_last", first=", ".join(rows[:-1]), last=rows[-1])


def blocks_text(blocks: Iterable[str], names: Mapping[str, str]) -> str:
    """Name several blocks, given by id."""
    return listed(told(name, names) for name in blocks)


def labs_text(count: int) -> str:
    """Count labs.

    >>> labs_text(1), labs_text(3)
    ('1 lab', '3 labs')
    """
    return ngettext("%(count)s lab", "%(count)s labs", count) % {"count": count}


def hours_text(count: int) -> str:
    """Count hours of GPUs."""
    return ngettext("%(count)s GPU-hour", "%(count)s GPU-hours", count) % {"count": count}


def money_text(cents: int, *, due: bool = False) -> str:
    """Write a payment in whole credits: no more than is got, where ``due`` no less than is paid.

    >>> money_text(507), money_text(507, due=True), money_text(47)
    ('5 credits', '6 credits', '0.47 credits')
    """
    whole = -(-cents // 100) if due else cents // 100
    return say("amount_credits", amount=credits_text(whole * 100 if cents >= 100 else cents))


def owned(name: str) -> str:
    """Make a name possessive.

    >>> owned("Deccan Models"), owned("Aravalli Lab")
    ('Deccan Models’', 'Aravalli Lab’s')
    """
    return (say("name") if name.endswith("s") else say("name_s")) % {"name": name}


def flaw_words(before: str, completion: float, *, late: bool) -> str:
    """Say what a run falls short of, after ``before``; "" where nothing is wrong with it.

    >>> flaw_words(", ", 0.5, late=True), flaw_words(", ", 1.0, late=False)
    (', late, 50% of it', '')
    """
    flaw = before + say("late") if late else ""
    if completion < 1:
        flaw += ", " + say("part_of_it", part=f"{completion:.0%}")
    return flaw


def job_name(job: Job) -> str:
    """Name a job as its lab would: what it is for, and how long it takes."""
    return f"{words_of(TITLES.jobs, job.note)} ({hours_text(job.hours)})"


def exchange_words(
    blocks: tuple[str, ...],
    payment: int | None,
    names: Mapping[str, str],
    nothing: str = "",
) -> str:
    """Name what one side of an offer puts in.

    >>> exchange_words(("block_3",), 400, {"block_3": "4 GPUs in round 2"})
    '4 GPUs in round 2 and 4 credits'
    """
    parts = [told(name, names) for name in blocks]
    if payment:
        parts.append(money_text(payment))
    return listed(parts) or nothing or say("nothing")
