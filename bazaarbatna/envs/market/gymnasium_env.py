"""``GpuMarket-v0``: one lab as a Gymnasium environment. Importing this module registers it."""

from typing import Any

import gymnasium

from bazaarbatna.envs.bargain.gymnasium_spaces import RENDER_MODES, check_render_mode, draw_number
from bazaarbatna.envs.bargain.resets import whole
from bazaarbatna.envs.market.action_codec import choose
from bazaarbatna.envs.market.info import NOTHING_PAID, draw, told
from bazaarbatna.envs.market.resets import (
    FIRST_LAB,
    FIRST_TASK,
    Choice,
    Players,
    lab_number,
    seated_players,
)
from bazaarbatna.envs.market.spaces import Numbers, action_space, observation_space, to_numbers
from bazaarbatna.envs.market.table import Table
from bazaarbatna.market import Reward
from bazaarbatna.market.judging import JudgeMode
from bazaarbatna.market.scenario import RewardMix, ShockKind


class GpuMarketEnv(gymnasium.Env[Numbers, Any]):
    """A lab trades GPU blocks with others before a deadline, pools them, and lives through shocks.

    ## Description
    Two to five labs hold blocks of GPUs and private jobs. Each round every lab takes one turn; in
    its own the agent takes one of fourteen actions. The others follow hidden archetypes, or
    policies that are named. Blocks run from their start for their duration, jobs are due, blocks
    fail: what the agent earns is the value of its jobs less energy, and what trades bring. The
    worlds are those of the engine: the same task, seed and actions are the same episode everywhere
    in this project.

    ## Action Space
    A ``Dict``. An action reads the fields it needs, the others are ignored.

    | key | space | meaning |
    |---|---|---|
    | `action` | Discrete(14) | which, in the order of ``bazaarbatna.market.ACTION_NAMES`` |
    | `target` | Discrete(7) | the labs, 5 the house (bids in an auction), 6 nobody |
    | `offer` | Discrete(8) | row of `offers` that is accepted, rejected or countered |
    | `coalition` | Discrete(5) | row of `coalitions`, whose invitation is answered; 4 none |
    | `job` | Discrete(4) | row of `jobs` that is run |
    | `blocks` | MultiBinary(22) | own blocks that are given, reserved, released, pooled or used |
    | `requested` | MultiBinary(22) | blocks of the other side that are asked for |
    | `payment` | Box(1) | credits to the other side, as share of the own budget |
    | `phrase` | Discrete(6) | one of the stock phrases in ``spaces.PHRASES``; 0 says nothing |
    | `conditions` | MultiBinary(4) | what binds the blocks that change hands |

    Instead of it ``step`` takes an action in JSON, as text or decoded, with ids, credits and words
    of one's own, as the HTTP environment does: that is the face for language models. Nothing ends
    the episode for being invalid: it uses the turn up, moves nothing and costs.

    ## Observation Space
    A ``Dict`` of the lab's own view; money in credits, rows that hold nothing are 0.

    | key | space | meaning |
    |---|---|---|
    | `clock` | Box(3) | share of the rounds used, round from 0, rounds left |
    | `budget` | Box(1) | own money |
    | `pressure` | Discrete(3) | need of all labs over live supply: low, medium, high |
    | `result` | Discrete(28) | own last action: 0 none yet, 1 valid, else the code's place |
    | `jobs` | Box(4, 8) | own jobs, columns in ``spaces.JOB_COLUMNS`` |
    | `labs` | Box(5, 6) | reputation, bands of budget and demand: ``spaces.LAB_COLUMNS`` |
    | `blocks` | Box(22, 10) | every block: ``spaces.BLOCK_COLUMNS`` |
    | `status` | MultiDiscrete(22) | 0 none, 1 free, 2 reserved, 3 committed, 4 used, 5 failed |
    | `terms` | MultiBinary(22, 4) | conditions that bind a block |
    | `offers` | Box(8, 8) | open offers from and to the lab: ``spaces.OFFER_COLUMNS`` |
    | `offered` | Box(8, 22) | in these offers, 1 for a block that is given, -1 for one wanted |
    | `coalitions` | Box(4, 8) | open coalitions: ``spaces.COALITION_COLUMNS`` |
    | `shocks` | Box(7) | how often each kind has struck |
    | `heard` | Box(5) | remembered messages by lab |

    Other labs' jobs, budgets, archetypes and private words, and shocks to come are in no number.
    ``info`` holds ``view`` (the JSON observation of the HTTP environment), ``columns`` (eleven, of
    the last reward), ``last_action_result``, ``action_mask`` (for ``action_space.sample``),
    ``commitment``; at the end ``utility`` in credits.

    ## Rewards
    The engine's ``normalized_reward``, -1..1 a step. Default mix: the change of true utility over
    the value of the best plan, so that an episode's sum is what was reached; -0.10 an invalid
    action, -0.15 a malformed one, -0.05 the third repeat, -0.2 a breach. ``reward="published"``
    is the published mix with its known holes, for comparison.

    ## Starting State
    ``reset(seed=s)`` opens world ``s``; a later ``reset()`` draws the next. ``options`` may name
    ``world``, ``task``, ``reward``, ``shocks``, ``judge_mode`` and ``judge_pays`` for this reset
    alone.

    ## Episode End
    ``terminated`` after the last round, which is a rule of the game and stands in ``clock``;
    ``finish`` plays the rest without the lab. Never ``truncated``.

    ## Arguments
    ``task`` (``single_trade``, ``market_round``, ``coalition_market``), ``lab`` (name or number),
    ``reward`` (``default`` or ``published``), ``shocks`` (further ones that the task offers),
    ``judge_mode`` (``off``, or ``rule``: a pitch calls a hearing, ``judge_argument`` reports its
    bonus, ``info["view"]`` and ``info["hearing"]`` tell of it), ``judge_pays`` (the bonus is added
    in the default mix too),
    ``players`` (other labs by name: a policy's name, or a function from view to action), ``words``
    (False leaves ``view`` out of ``info``), ``render_mode`` (``ansi``).

    ## Version History
    v0: the first.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        task: str = FIRST_TASK,
        *,
        lab: str | int = FIRST_LAB,
        reward: RewardMix = "default",
        shocks: tuple[ShockKind, ...] = (),
        judge_mode: JudgeMode = "off",
        judge_pays: bool = False,
        players: Players | None = None,
        words: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self._choice = Choice(task, reward, tuple(shocks), judge_mode, judge_pays)
        self._choice.check()
        check_render_mode(render_mode)
        self.render_mode, self.words = render_mode, words
        self._lab, self._players = lab_number(lab), players
        seated_players(players, 0)
        self.observation_space = observation_space()
        self.action_space = action_space()
        self._table: Table | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Open world ``seed``, or the next; ``options`` as in the class, for this reset alone."""
        seed = whole(seed)
        super().reset(seed=seed)
        choice, world = self._choice.changed(options)
        if world is None:
            world = draw_number(self.np_random) if seed is None else seed
        # A world that nobody chose by its own number may be the next one that has the lab.
        scenario = choice.scenario(world, self._lab, is_chosen=False)
        players = seated_players(self._players, world)
        self._table = Table(
            scenario,
            (self._lab,),
            players=players,
            judge_mode=choice.judge_mode,
            judge_pays=choice.judge_pays,
        )
        return self._shown(self._table, NOTHING_PAID)

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Take the lab's turn and let the others take theirs."""
        table = self._table
        if table is None or table.is_done:
            raise gymnasium.error.ResetNeeded("No market is on the table: reset opens one.")
        table.act(choose(action, table.seen_by(self._lab)))
        columns = table.pay(self._lab)
        numbers, info = self._shown(table, columns)
        return numbers, columns.normalized_reward, table.is_done, False, info

    def render(self) -> str | None:
        """Return the lab's view as text, in the render mode ``ansi``."""
        if self.render_mode is None or self._table is None:
            return None
        return draw(self._table.seen_by(self._lab))

    def _shown(self, table: Table, columns: Reward) -> tuple[Numbers, dict[str, Any]]:
        seen = table.seen_by(self._lab)
        return to_numbers(seen), told(table, seen, columns, words=self.words)
