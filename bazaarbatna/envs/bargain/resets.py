"""Which game a client asks for, the suite's id that this means, and the options of a reset."""

import math
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Annotated, Any, TypeVar

import msgspec

from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.people.suites import NUMBER as PEOPLE_NUMBER
from bazaarbatna.bargain.people.suites import PATHS, people_suite, people_words
from bazaarbatna.bargain.suites import SUITES, VARIANTS, Variant, suite_id
from bazaarbatna.bargain.tasks import seller_name, suite_ids

FIRST_TASK = "single_deal"
FIRST_VARIANT: Variant = "sampled"
HIGHEST_SEED = 2**63 - 1
LONGEST_ID = 255

Seed = Annotated[int, msgspec.Meta(ge=0, le=HIGHEST_SEED)]
Played = TypeVar("Played", bound=msgspec.Struct)
EpisodeId = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_ID)]


class Reset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``reset`` takes; all of it may be missing.

    Attributes:
        seed: 0 or more; the same seed is the same game. Without it one is drawn.
        episode_id: what the client wants to call the game.
        task: a suite's name, or its full id with the variant in it; ``people`` for sellers who
            answer, ``people-halver`` for one family of them, ``paths`` for those who name what
            people named.
        variant: ``sampled`` (the default) or ``fixed``; ``people`` has none.
        seller: persona or version label of a pinned seller in place of the suite's own; with
            ``people`` a family or its label.
    """

    seed: Seed | None = None
    episode_id: EpisodeId | None = None
    task: str | None = None
    variant: str | None = None
    seller: str | None = None


def wanted_suite(reset: Reset) -> str:
    """Return the id of the suite that a client asks for.

    Raises:
        UnknownSuite: no suite has that name, or the variant says something else than the id.
    """
    task = FIRST_TASK if reset.task is None else reset.task
    for wanted in (task, f"{task}@{PEOPLE_NUMBER}"):
        if people_suite(wanted) is not None:
            return _without_variant(wanted, reset.variant)
    if task in suite_ids():
        if reset.variant is not None and f"@{reset.variant}-" not in task:
            raise UnknownSuite(
                f"The task {task!r} names its variant already; leave out {reset.variant[:40]!r}."
            )
        return task
    for variant in VARIANTS:
        wanted = suite_id(task, variant)
        if wanted in suite_ids() and variant == (reset.variant or FIRST_VARIANT):
            return wanted
    if reset.variant is not None and reset.variant not in VARIANTS:
        raise UnknownSuite(
            f"There is no variant {reset.variant[:40]!r}. Known: {', '.join(VARIANTS)}."
        )
    known = ", ".join((*(row.name for row in SUITES), *people_words()))
    kept = "" if PATHS in people_words() else " Those kept for tests need held_out.plug_in()."
    raise UnknownSuite(f"There is no task {task[:60]!r}. Known: {known}.{kept}")


def _without_variant(suite: str, variant: str | None) -> str:
    if variant is not None:
        raise UnknownSuite(f"The task {suite!r} has no variants; leave out {variant[:40]!r}.")
    return suite


OPTIONS = ("game", "suite", "variant", "seller")


class Choice(msgspec.Struct, frozen=True):
    """What is played: a suite's name or full id, a variant (default ``sampled``), a seller."""

    suite: str
    variant: str | None = None
    seller: str | None = None

    @property
    def suite_id(self) -> str:
        """The suite's full id; raises ``UnknownSuite``."""
        return wanted_suite(Reset(task=self.suite, variant=self.variant))

    def check(self) -> None:
        """Refuse what does not exist: ``UnknownSuite``, ``UnknownSeller``, or is no name."""
        check_names(self)
        wanted = self.suite_id
        if self.seller is not None:
            seller_name(wanted, self.seller)

    def changed(self, options: dict[str, Any] | None) -> tuple["Choice", int | None]:
        """Apply the options of a reset: see ``changed``."""
        choice, number = changed(self, options, OPTIONS)
        check_names(choice)
        return choice, number


def check_names(choice: msgspec.Struct, refusal: type[ValueError] = ValueError) -> None:
    """Refuse a suite, task, variant or seller that is no name at all."""
    for name in ("suite", "task", "variant", "seller"):
        said = getattr(choice, name, None)
        if not isinstance(said, str | None):
            raise refusal(f"{name!r} is a name, not {str(said)[:40]!r}.")


def changed(
    played: Played,
    options: Mapping[str, Any] | None,
    known: Sequence[str],
    *,
    most: float = math.inf,
    refusal: type[ValueError] = ValueError,
) -> tuple[Played, int | None]:
    """Apply the options of a reset to what is played.

    The first of the ``known`` names is the number of a game, at most ``most``; the others are
    fields of ``played``. One that is None is as if it were not there. Returns what is played, and
    the number if the options name one.

    Raises:
        ValueError: (as ``refusal``) an option is unknown, or the number is none from 0 up.
    """
    options = options or {}
    strange = sorted(set(options) - set(known))
    if strange:
        raise refusal(f"Unknown options {strange}. Known: {', '.join(known)}.")
    number = whole(options.get(known[0]))
    if number is not None:
        check_number(known[0], number, most, refusal)
    fields = {name: options[name] for name in known[1:] if options.get(name) is not None}
    return msgspec.structs.replace(played, **fields), number


def whole(number: Any) -> Any:
    """Return a whole number of any kind, NumPy's too, as Python's own; anything else as it is."""
    is_whole = isinstance(number, Integral) and not isinstance(number, bool)
    return int(number) if is_whole else number


def check_number(
    name: str, value: Any, most: float = math.inf, refusal: type[ValueError] = ValueError
) -> None:
    """Refuse an option that is no whole number from 0 up."""
    if type(value) is not int or not 0 <= value <= most:
        raise refusal(f"The option {name!r} is a whole number from 0 up.")
