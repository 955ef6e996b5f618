"""``Bazaar-v0`` at many tables at once, without a loop over them."""

from collections.abc import Iterable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from bazaarbatna.bargain.people.suites import people_suite
from bazaarbatna.bargain.quantities import MIN_PRICE
from bazaarbatna.envs.bargain.gymnasium_spaces import (
    MOST_BUDGETS,
    MOVES,
    PERSONAS,
    Observation,
    action_space,
    draw_number,
    observation_space,
    read_floats,
)
from bazaarbatna.envs.bargain.people.tables import PeopleTables
from bazaarbatna.envs.bargain.resets import Choice, check_number, whole
from bazaarbatna.envs.bargain.vector_tables import Ends, PinnedTables, Proposals, Tables
from bazaarbatna.fast.arrays import Flags, Floats
from bazaarbatna.fast.starts import OUTCOMES


class BazaarVectorEnv(VectorEnv[Observation, Any, Any]):
    """Many buyers, each at its own table: the same numbers as so many ``Bazaar-v0``, faster.

    Observations, rewards and ends are those of ``SyncVectorEnv`` over ``BazaarEnv`` with the same
    seeds, to the last bit. A table whose game is over starts the next one in the step after
    (``AutoresetMode.NEXT_STEP``). There are no words, so ``info`` has no ``view``, ``said`` or
    ``commitment``; it has ``bargain``, ``action_mask`` and, where a bargain has just ended,
    ``outcome``, ``price`` and ``buyer_share``, each with its mask under ``_outcome`` and so on.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        suite: str = "single_deal",
        *,
        variant: str | None = None,
        seller: str | None = None,
        grid: int | None = None,
    ) -> None:
        """Lay ``num_envs`` tables; the other arguments are those of ``BazaarEnv``.

        Raises:
            UnknownSuite, UnknownSeller: there is none of that name.
            ValueError: there is no table, or no bid on the grid.
        """
        check_number("num_envs", whole(num_envs))
        if num_envs < 1:
            raise ValueError("There must be at least one table.")
        self._choice = Choice(suite, variant, seller)
        self._choice.check()
        self.num_envs, self.grid = num_envs, grid
        self.single_observation_space = observation_space()
        self.single_action_space = action_space(grid)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._generators: list[np.random.Generator] = []
        self._tables: Tables | None = None
        self._over: Flags = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game at every table.

        ``seed`` plays game ``seed + i`` at table i, a list names each table's; ``options``
        (``suite``, ``variant``, ``seller``) hold until the next reset.

        Raises:
            ValueError: the list is of another length, or an option is unknown.
        """
        seeds = self._wanted(seed)
        choice, game = self._choice.changed(options)
        if game is not None:
            raise ValueError("Tables play different games: name them by seed, not by 'game'.")
        fresh = not self._generators
        for table, wanted in enumerate(seeds):
            if fresh:
                self._generators.append(seeding.np_random(wanted)[0])
            elif wanted is not None:
                self._generators[table] = seeding.np_random(wanted)[0]
        games = [
            self._next_game(table) if wanted is None else wanted
            for table, wanted in enumerate(seeds)
        ]
        of_kind = PinnedTables if people_suite(choice.suite_id) is None else PeopleTables
        self._tables = of_kind(choice.suite_id, choice.seller, np.array(games, np.uint64))
        self._over = np.zeros(self.num_envs, bool)
        return self._numbers(self._tables), self._info(self._tables)

    def step(self, actions: Any) -> tuple[Observation, Floats, Flags, Flags, dict[str, Any]]:
        """Make a move at every table; tables whose game was over start the next one instead."""
        tables = self._tables
        if tables is None:
            raise gymnasium.error.ResetNeeded("No game is on the tables: reset starts them.")
        again = np.flatnonzero(self._over)
        proposals = self._proposals(actions, tables)
        rewards, ends = tables.step(proposals, ~self._over)
        if len(again):
            games = [self._next_game(table) for table in again.tolist()]
            tables.open(again, np.array(games, np.uint64))
        self._over = tables.is_done.copy()
        truncated = np.zeros(self.num_envs, bool)
        info = self._info(tables) | _ended(ends)
        return self._numbers(tables), rewards, self._over.copy(), truncated, info

    def _wanted(self, seed: int | list[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        first: Any = whole(seed)
        if isinstance(first, int):
            return [first + table for table in range(self.num_envs)]
        if isinstance(first, str) or not isinstance(first, Iterable):
            raise TypeError(f"A seed is a whole number, or a list of them, not {first!r}.")
        seeds = list(map(whole, first))
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds were given for {self.num_envs} tables.")
        return seeds

    def _next_game(self, table: int) -> int:
        return draw_number(self._generators[table])

    def _proposals(self, actions: Any, tables: Tables) -> Proposals:
        budget = tables.play.budget
        if self.grid is None:
            if not isinstance(actions, Mapping):
                raise gymnasium.error.InvalidAction("Actions are {'move': [...], 'price': [...]}.")
            kinds = _moves(actions.get("move"), self.num_envs, len(MOVES))
            shares = read_floats(actions.get("price", ()), self.num_envs, "Prices are one a table")
        else:
            numbers = _moves(actions, self.num_envs, self.grid + 2)
            kinds = np.maximum(numbers - self.grid + 1, 0)
            shares = (numbers + 1) / self.grid
        with np.errstate(over="ignore"):  # a price beyond all numbers is judged like any other
            prices = np.floor(shares * budget + 0.5)
        return Proposals(prices, kinds == 1, kinds == len(MOVES) - 1)

    def _numbers(self, tables: Tables) -> Observation:
        play, n, limit, due = tables.play, self.num_envs, tables.rounds, tables.deadline
        concession = tables.ask_before - play.ask
        prices = np.stack((play.ask, play.anchor, play.bid, concession), axis=1)
        clock = np.zeros((n, 4))
        clock[:, 0], clock[:, 1] = tables.round / limit, limit - tables.round
        clock[:, 2], clock[:, 3] = due > 0, np.where(due > 0, due - tables.round, 0)
        shown = tables.tells.arrays
        return {
            "prices": np.clip(prices / play.budget[:, None], -MOST_BUDGETS, MOST_BUDGETS).astype(
                np.float32
            ),
            "budget": np.log10(play.budget / 100)[:, None].astype(np.float32),
            "clock": clock.astype(np.float32),
            "career": tables.told.astype(np.float32),
            "persona": np.full(n, PERSONAS.index(tables.persona), np.int64),
            **{
                key: array.astype(np.float32) if array.ndim > 1 else array.copy()
                for key, array in shown.items()
            },
        }

    def _info(self, tables: Tables) -> dict[str, Any]:
        bids = 1 if self.grid is None else self.grid
        mask = np.ones((self.num_envs, bids + 2), np.int8)
        mask[:, bids] = tables.play.ask <= tables.play.budget
        everybody = np.ones(self.num_envs, bool)
        return {
            "bargain": np.minimum(tables.bargain + 1, tables.row.episodes),
            "_bargain": everybody,
            "action_mask": {"move": mask, "_move": everybody.copy()} if self.grid is None else mask,
            "_action_mask": everybody.copy(),
        }


def _moves(actions: Any, tables: int, many: int) -> Any:
    moves = np.asarray(actions)
    if moves.dtype.kind not in "iub" or moves.size != tables:
        # To cut a fraction off would hide a learner's mistake for a whole training.
        told = f"Moves are {tables} whole numbers, not {moves.dtype} of shape {moves.shape}."
        raise gymnasium.error.InvalidAction(told)
    moves = moves.reshape(tables)
    wrong = moves[(moves < 0) | (moves >= many)]
    if len(wrong):
        raise gymnasium.error.InvalidAction(f"A move is 0..{many - 1}, not {wrong[0]}.")
    return moves


def _ended(ends: Ends) -> dict[str, Any]:
    if not ends.over.any():
        return {}
    names = np.array([*OUTCOMES, ""], object)
    told: dict[str, Any] = {
        "outcome": names[ends.outcome],
        "price": np.where(ends.price >= MIN_PRICE, ends.price / 100, np.nan),
        "buyer_share": ends.share,
    }
    return told | {f"_{name}": ends.over.copy() for name in tuple(told)}
