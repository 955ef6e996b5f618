"""Sauda's words in played sales: what is true of a thousand lines, and how long they take.

Sellers say hand-labelled lines that were never tuned on (``agents/scoring/lines``) and come down
now and then; the network plays, the bank speaks. Beside the bank, the voice that listens to nobody.

    python -m tests.benchmarks.talk --lines 1000
"""

import argparse
import os
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import django
import msgspec

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django.setup()

from agents.buyers.network_buyer import NetworkBuyer  # noqa: E402
from agents.output_guard.secrets import names_secret  # noqa: E402
from agents.scoring.labelled import ActsLine, acts_lines, only  # noqa: E402
from agents.speech.checks import faults  # noqa: E402
from agents.speech.plan import plan_of  # noqa: E402
from agents.speech.promises import is_promise  # noqa: E402
from agents.speech.sides import language_of  # noqa: E402
from agents.speech.speaker import Speaker  # noqa: E402
from agents.speech.voice import Voice  # noqa: E402
from agents.text.acts.acts import is_question  # noqa: E402
from agents.text.languages import Register  # noqa: E402
from bazaarbatna.bargain.events import Ended  # noqa: E402
from bazaarbatna.bargain.moves import Move  # noqa: E402
from bazaarbatna.bargain.observe import BuyerObservation  # noqa: E402
from negotiation.bargain.honesty import certify  # noqa: E402
from tests.support.talks import Spoken, Talk, as_read, play, sale  # noqa: E402

LANGUAGES: tuple[Register, ...] = ("english", "hinglish", "hindi")


class OldVoice(NetworkBuyer):
    """The same moves with the words that listen to nobody, and without what binds them."""

    def act(self, observation: BuyerObservation) -> Move:
        """Move as the network does."""
        move = self.decide(observation)
        return msgspec.structs.replace(move, text=Voice(self.seed).line(observation, move))

    def reply(self, observation: BuyerObservation) -> str:
        """Answer from the old lines."""
        return Voice(self.seed).reply(observation)


def talks(
    make: type[NetworkBuyer], language: Register, lines: int
) -> Iterator[tuple[Talk, Sequence[ActsLine]]]:
    """Play games in one language until she has said so many lines."""
    pool = [one for one in only(acts_lines(), "held-out") if one.language == language]
    said = seed = 0
    while said < lines:
        script = Random(seed).sample(pool, 12)
        talk = play(sale(seed), make(seed), [one.text for one in script], as_read)
        said += len(talk.spoken)
        yield talk, script
        seed += 1


def figures(make: type[NetworkBuyer], lines: int) -> dict[str, str]:
    """Count what is wrong with the lines of a voice."""
    wrong: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    count = due = broken = repeats = asked = answered = told = right = 0
    for language in LANGUAGES:
        for talk, script in talks(make, language, lines // len(LANGUAGES)):
            labels = {one.text: one for one in script}
            earlier: list[str] = []
            for one in talk.spoken:
                count += 1
                repeats += one.text in earlier
                plan = plan_of(one.seen, one.move)
                spoken_in = language_of(one.seen)
                if one.seen.turns:
                    told += 1
                    right += "language" not in faults(
                        one.text, plan, one.seen, one.move, language=spoken_in
                    )
                wrong.update(faults(one.text, plan, one.seen, one.move, said=earlier))
                earlier.append(one.text)
                acts, is_met = _question(make, talk, one, labels)
                kinds.update(acts)
                asked += bool(acts)
                answered += is_met
            if isinstance(talk.events[-1], Ended):
                sheet = certify(talk.events, "buyer", names_secret, is_promise)
                check = next(check for check in sheet.checks if check.name == "promises")
                due, broken = due + check.checked, broken + check.broken
    return {
        "lines": f"{count}",
        "false claims": f"{wrong['false step'] + wrong['false last word']}",
        "promises due / broken": f"{due} / {broken}",
        "said twice / opened alike": f"{repeats} / {wrong['repeated opening']}",
        "in the seller's language": f"{right / told:.3f} of {told}",
        "questions answered": f"{answered / asked:.3f} of {asked}" if asked else "not known",
        "a blind rule, always of one kind": (
            f"{max(kinds.values()) / asked:.3f}" if asked else "not known"
        ),
        "other faults": ", ".join(
            f"{name} {number}"
            for name, number in sorted(wrong.items())
            if name not in ("false step", "false last word", "repeated", "repeated opening")
        )
        or "0",
    }


def _question(
    make: type[NetworkBuyer], talk: Talk, one: Spoken, labels: dict[str, ActsLine]
) -> tuple[set[str], bool]:
    """Return what the seller's line asks, and whether the bank's line speaks to it."""
    last = one.seen.turns[-1] if one.seen.turns else None
    if last is None or last.actor != "seller" or last.text not in labels or make is OldVoice:
        return set(), False
    acts: set[str] = {act for act in labels[last.text].names if is_question(act)}
    speaker = Speaker(talk.seed)
    found = next(speaker.of_the_bank(one.seen, one.move), None) if acts else None
    return acts, found is not None and bool(acts & set(found[1].speaks_to))


def times(lines: int) -> dict[str, str]:
    """Measure hearing, planning and checking a line, and the bank's whole answer, in ms."""
    ear, answer = [], []
    for language in LANGUAGES:
        for talk, _ in talks(NetworkBuyer, language, lines // len(LANGUAGES)):
            for number, one in enumerate(talk.spoken):
                began = time.perf_counter()
                plan = plan_of(one.seen, one.move)
                list(faults(one.text, plan, one.seen, one.move, language=language))
                ear.append(1000 * (time.perf_counter() - began))
                speaker = Speaker(number)
                began = time.perf_counter()
                _ = (
                    speaker.reply(one.seen)
                    if one.move is None
                    else speaker.line(one.seen, one.move)
                )
                answer.append(1000 * (time.perf_counter() - began))
    return {
        "hear, plan, check (ms)": _spread(ear),
        "the bank's answer, with them (ms)": _spread(answer),
    }


def _spread(values: list[float]) -> str:
    cuts = statistics.quantiles(values, n=20)
    return f"median {statistics.median(values):.1f}, p95 {cuts[-1]:.1f}"


def main() -> None:
    """Print the figures."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--lines", type=int, default=1000)
    lines = arguments.parse_args().lines
    for name, make in (("the bank", NetworkBuyer), ("the voice before", OldVoice)):
        print(f"{name}:")
        for label, value in figures(make, lines).items():
            print(f"  {label}: {value}")
    for label, value in times(lines).items():
        print(f"{label}: {value}")


if __name__ == "__main__":
    main()
