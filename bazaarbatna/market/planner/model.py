"""The exact model of the best plan: jobs x rounds x blocks, in the engine's own arithmetic.

For every open job and every round in which it could be run there is a choice of how it ends (how
many of its hours it gets, in time or late), worth what ``yield_of`` would pay; and a choice of each
block for it, worth less than nothing: the energy of all hours that the block still has in that
round. Limits:

* each job is run at most once, each block serves at most one job;
* each lab runs at most one job in a round, for it has one turn;
* a job that ends so has blocks with that many hours, and in time only if their windows close by
  its deadline.

A block that is in nobody's way but costs energy is never chosen, so nothing more need be said.
"""

from collections import defaultdict
from collections.abc import Sequence
from math import inf

import highspy
import msgspec
import numpy as np

from bazaarbatna.market.blocks import LATE_SHARE, Block, Job, hours_left, yield_of
from bazaarbatna.market.episode import start
from bazaarbatna.market.rounds import strike
from bazaarbatna.market.scenario import MarketScenario
from bazaarbatna.market.state import thaw


class Ahead(msgspec.Struct, frozen=True, gc=False):
    """One round: the jobs of each lab that plans (``lab -> jobs``), and the blocks they may use."""

    round: int
    jobs: dict[int, Sequence[Job]]
    blocks: Sequence[Block]


class Outlook(msgspec.Struct, frozen=True, gc=False):
    """The rounds to come, in order; ``windows``: start and duration of blocks count."""

    rounds: tuple[Ahead, ...]
    windows: bool = True


def lasting(
    jobs: Sequence[Job],
    blocks: Sequence[Block],
    round_: int,
    rounds: int,
    *,
    lab: int = 0,
    windows: bool = True,
) -> Outlook:
    """Reckon that everything stays as it is from ``round_`` on."""
    ahead = tuple(Ahead(number, {lab: jobs}, blocks) for number in range(round_, rounds))
    return Outlook(ahead, windows)


def in_hindsight(scenario: MarketScenario, labs: Sequence[int]) -> Outlook:
    """Reckon with every shock that will strike, and with all blocks of the market.

    A capacity failure is left out: which block it hits depends on what has been used up by then,
    and a lab that knew could see to it that it hits one that nobody needs.
    """
    sealed = scenario.sealed
    known = tuple(shock for shock in sealed.shocks if shock.kind != "capacity_failure")
    draft = thaw(
        start(
            msgspec.structs.replace(scenario, sealed=msgspec.structs.replace(sealed, shocks=known))
        )[0]
    )
    ahead = []
    for number in range(scenario.rounds):
        draft.round = number
        if number:
            strike(draft)
        ahead.append(Ahead(number, {lab: draft.jobs[lab] for lab in labs}, tuple(draft.blocks)))
    return Outlook(tuple(ahead), draft.windows)


def owned_by(outlook: Outlook, labs: frozenset[str]) -> Outlook:
    """Leave only the blocks that belong to some labs."""
    return Outlook(
        tuple(
            msgspec.structs.replace(
                ahead, blocks=tuple(block for block in ahead.blocks if block.owner in labs)
            )
            for ahead in outlook.rounds
        ),
        outlook.windows,
    )


UNDER_ONE = 0.5
"""Values are whole hundredths of a credit: a proven gap below one is none."""


class NoPlan(RuntimeError):
    """HiGHS gave no optimum: a mistake in a model, since doing nothing is always allowed."""


class TooLong(NoPlan):
    """HiGHS was given a time, and has not proved its answer in it."""


class Question:
    """A model that grows column by column: binary choices, worth whole numbers, under limits."""

    def __init__(self) -> None:
        self._worth: list[float] = []
        self._lower: list[float] = []
        self._upper: list[float] = []
        self._starts: list[int] = [0]
        self._columns: list[int] = []
        self._factors: list[float] = []

    def choice(self, worth: int) -> int:
        """Add a choice between 0 and 1, and give its number."""
        self._worth.append(worth)
        return len(self._worth) - 1

    def limit(self, terms: list[tuple[int, int]], *, least: float, most: float) -> None:
        """Keep a sum of choices within bounds; ``terms`` are pairs of a choice and its factor."""
        for column, factor in terms:
            self._columns.append(column)
            self._factors.append(factor)
        self._starts.append(len(self._columns))
        self._lower.append(least)
        self._upper.append(most)

    def best(self, within_s: float = inf) -> list[bool]:
        """Make the choices that are worth most together, or raise ``NoPlan`` or ``TooLong``."""
        solver = highspy.Highs()
        for name, value in (*_OPTIONS, ("time_limit", within_s)):
            solver.setOptionValue(name, value)
        solver.passModel(self._model())
        # Other threads of the process run meanwhile: HiGHS holds no lock of Python's.
        solver.run()
        status = solver.getModelStatus()
        if status == highspy.HighsModelStatus.kTimeLimit:
            raise TooLong(f"HiGHS has not proved its answer in {within_s:g} s.")
        if status != highspy.HighsModelStatus.kOptimal:
            raise NoPlan(f"HiGHS says {status}.")
        return [value > UNDER_ONE for value in solver.getSolution().col_value]

    def _model(self) -> highspy.HighsLp:
        size = len(self._worth)
        model = highspy.HighsLp()
        model.num_col_ = size
        model.num_row_ = len(self._lower)
        model.sense_ = highspy.ObjSense.kMaximize
        model.col_cost_ = np.array(self._worth, dtype=np.double)
        model.col_lower_ = np.zeros(size)
        model.col_upper_ = np.ones(size)
        model.row_lower_ = np.array(self._lower, dtype=np.double)
        model.row_upper_ = np.array(self._upper, dtype=np.double)
        model.integrality_ = [highspy.HighsVarType.kInteger] * size
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.array(self._starts, dtype=np.int32)
        model.a_matrix_.index_ = np.array(self._columns, dtype=np.int32)
        model.a_matrix_.value_ = np.array(self._factors, dtype=np.double)
        return model


_OPTIONS: tuple[tuple[str, bool | int | float | str], ...] = (
    ("output_flag", False),
    ("threads", 1),
    ("parallel", "off"),
    ("random_seed", 0),
    ("mip_rel_gap", 0.0),
    ("mip_abs_gap", UNDER_ONE),
)


class Run(msgspec.Struct, frozen=True, gc=False):
    """One job on its blocks; ``net`` is value less energy in hundredths of a credit.

    ``job`` and ``blocks`` are as they are in ``round``, the round in which the job is to be run.
    """

    lab: int
    round: int
    job: Job
    blocks: tuple[Block, ...]
    net: int


class Plan(msgspec.Struct, frozen=True, gc=False):
    """Runs in order of their rounds; ``value`` adds their nets up, in hundredths of a credit."""

    runs: tuple[Run, ...] = ()
    value: int = 0

    def of(self, lab: int) -> int:
        """Return what one lab's own runs bring, in hundredths of a credit."""
        return sum(run.net for run in self.runs if run.lab == lab)


def best_plan(outlook: Outlook, within_s: float = inf) -> Plan:
    """Find the plan that is worth most to all labs together; raises ``NoPlan`` or ``TooLong``."""
    question = _Question(outlook)
    if not question.endings:
        return Plan()
    chosen = question.best(within_s)
    runs = []
    for place, endings in question.endings.items():
        if not any(chosen[one] for one in endings):
            continue
        lab, _, number = place
        ahead, job = question.where[place]
        names = {name for name, choice in question.uses[place] if chosen[choice]}
        taken = [block for block in ahead.blocks if block.id in names]
        blocks = _without_the_useless(job, taken, number, windows=outlook.windows)
        earned = yield_of(job, blocks, number, windows=outlook.windows)
        runs.append(Run(lab, number, job, blocks, earned.net))
    runs.sort(key=lambda run: (run.round, run.lab))
    return Plan(tuple(runs), sum(run.net for run in runs))


class _Question(Question):
    """The model of one outlook; places are triples of lab, job and round."""

    def __init__(self, outlook: Outlook) -> None:
        super().__init__()
        self.where: dict[tuple[int, str, int], tuple[Ahead, Job]] = {}
        self.endings: dict[tuple[int, str, int], list[int]] = {}
        self.uses: dict[tuple[int, str, int], list[tuple[str, int]]] = {}
        of_block: dict[str, list[int]] = defaultdict(list)
        of_job: dict[tuple[int, str], list[int]] = defaultdict(list)
        of_turn: dict[tuple[int, int], list[int]] = defaultdict(list)
        for ahead in outlook.rounds:
            for lab, jobs in ahead.jobs.items():
                for job in jobs:
                    place = (lab, job.id, ahead.round)
                    if not job.done and self._add(place, ahead, job, windows=outlook.windows):
                        of_job[lab, job.id] += self.endings[place]
                        of_turn[lab, ahead.round] += self.endings[place]
                        for name, choice in self.uses[place]:
                            of_block[name].append(choice)
        for alike in (of_block, of_job, of_turn):
            for choices in alike.values():
                if len(choices) > 1:
                    self.limit([(one, 1) for one in choices], least=0, most=1)

    def _add(self, place: tuple[int, str, int], ahead: Ahead, job: Job, *, windows: bool) -> bool:
        fit = [
            (block, left, (block.end if windows else ahead.round) > job.deadline)
            for block in ahead.blocks
            if block.reliability >= job.min_reliability
            and (left := hours_left(block, ahead.round, windows=windows))
            and left * block.energy < job.value
        ]
        in_time = min(sum(left for _, left, late in fit if not late), job.hours)
        in_all = min(sum(left for _, left, _ in fit), job.hours)
        least = 1 if job.partial else job.hours
        levels = [(hours, False) for hours in range(least, in_time + 1)]
        if any(late for _, _, late in fit):
            levels += [(hours, True) for hours in range(least, in_all + 1)]
        if not levels:
            return False
        endings = [(self.choice(_worth(job, hours, late)), hours, late) for hours, late in levels]
        uses = [(block.id, self.choice(-left * block.energy)) for block, left, _ in fit]
        for timely in (True, False):
            need = [(one, -hours) for one, hours, late in endings if not (timely and late)]
            supply = [
                (choice, min(left, job.hours))
                for (_, choice), (_, left, late) in zip(uses, fit, strict=True)
                if not (timely and late)
            ]
            self.limit([*supply, *need], least=0, most=inf)
        self.where[place] = (ahead, job)
        self.endings[place] = [choice for choice, _, _ in endings]
        self.uses[place] = uses
        return True


def _worth(job: Job, hours: int, late: bool) -> int:
    # The expression of ``yield_of``, in its order: not a hundredth may be lost in between.
    completion = min(1.0, hours / job.hours)
    value = job.base_value * job.urgency * completion * (LATE_SHARE if late else 1.0)
    return int(value + 0.5)


def _without_the_useless(
    job: Job, blocks: list[Block], round_: int, *, windows: bool
) -> tuple[Block, ...]:
    """Drop blocks that cost nothing and add nothing: the model does not care about those.

    First whatever leaves most: a free block whose window closes late would cost the job its value.
    """
    kept = blocks
    net = yield_of(job, kept, round_, windows=windows).net
    while len(kept) > 1:
        without = [[one for one in kept if one is not block] for block in kept]
        yields = [(yield_of(job, rest, round_, windows=windows), rest) for rest in without]
        enough = [row for row in yields if job.partial or row[0].hours >= job.hours]
        best, rest = max(enough, key=lambda row: row[0].net, default=(None, kept))
        if best is None or best.net < net:
            break
        kept, net = rest, best.net
    return tuple(kept)
