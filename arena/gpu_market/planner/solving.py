"""HiGHS, asked one whole-number question at a time.

One thread, a fixed seed and no tolerance for the second best: the same question has the same
answer on every machine that runs the same version.
"""

from math import inf

import highspy
import numpy as np

UNDER_ONE = 0.5
"""Values are whole hundredths of a credit: a proven gap below one is none."""


class NoPlan(RuntimeError):
    """HiGHS gave no optimum: a mistake in a model, since doing nothing is always allowed."""


class TooLong(NoPlan):
    """HiGHS was given a time, and has not proved its answer in it."""


class Question:
    """A model that grows column by column: binary choices, worth whole numbers, under limits."""

    def __init__(self) -> None:
        """Begin with nothing to choose and nothing that limits it."""
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
        """Make the choices that are worth most together.

        Args:
            within_s: seconds that this may take, above 0. Only an answer depends on them, never
                which one it is.

        Raises:
            NoPlan: there is no optimum.
            TooLong: none was proved in that time.
        """
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
