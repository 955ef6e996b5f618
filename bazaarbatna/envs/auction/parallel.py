"""A match of two to four learning buyers as a PettingZoo environment: spaces, views, moves."""

import functools
import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from bazaarbatna.auction.events import SIGNALS, ArenaMove, Bid, Hold, Leave, Signal, Take
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.match import ArenaState, place, start
from bazaarbatna.auction.observe import ArenaObservation, observe
from bazaarbatna.auction.scenario import FEWEST_BUYERS, MOST_BUYERS, ArenaScenario, Seat
from bazaarbatna.bargain.goods import SAMPLE_LISTINGS, ListingPrices
from bazaarbatna.bargain.quantities import clamp_price, to_rupees
from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.envs.auction.agents import Agents
from bazaarbatna.envs.bargain.gymnasium_spaces import (
    LOG_PRICES,
    MOST_BUDGETS,
    MOST_ROUNDS,
    PERSONAS,
    RENDER_MODES,
    Observation,
    box,
    check_grid,
    held,
    price_share,
    tell_numbers,
    tell_spaces,
    whole_number,
)
from bazaarbatna.envs.bargain.resets import check_number, whole
from bazaarbatna.money import rupees_text

MOVES = ("bid", "take", "hold", "leave")

SIGNS: tuple[Signal | None, ...] = (None, *SIGNALS)


def observation_space() -> spaces.Dict:
    """Return the space of what one buyer sees: never another's bid or budget."""
    return spaces.Dict(
        {
            "prices": box(0.0, MOST_BUDGETS, 3),
            "budget": box(*LOG_PRICES, 1),
            "clock": box(0.0, MOST_ROUNDS, 2),
            "rivals": box(0.0, MOST_ROUNDS, 5),
            "persona": spaces.Discrete(len(PERSONAS)),
            **tell_spaces(),
        }
    )


def action_space(grid: int | None) -> spaces.Space[Any]:
    """Return the space of a move; ``grid`` lays so many bids out evenly up to the budget."""
    if grid is None:
        price = spaces.Box(0.0, 1.0, (1,), np.float64)
        move, signal = spaces.Discrete(len(MOVES)), spaces.Discrete(len(SIGNS))
        return spaces.Dict({"move": move, "price": price, "signal": signal})
    check_grid(grid)
    return spaces.MultiDiscrete([grid + len(MOVES) - 1, len(SIGNS)])


BID, TAKE, HOLD, LEAVE = range(len(MOVES))


def to_numbers(seen: ArenaObservation) -> Observation:
    """Write a buyer's view as numbers: prices in units of its own budget."""
    prices = (seen.standing_ask, seen.asks[0], seen.own_bid or 0)
    return {
        "prices": held([price / seen.budget for price in prices], MOST_BUDGETS),
        "budget": np.array([np.log10(seen.budget / 100)], np.float32),
        "clock": np.array([seen.round / seen.max_rounds, seen.rounds_left], np.float32),
        "rivals": np.array(
            [
                seen.rivals,
                seen.outbid,
                seen.outbid_rounds,
                seen.signals.count("cooperate"),
                seen.signals.count("compete"),
            ],
            np.float32,
        ),
        "persona": np.int64(PERSONAS.index(seen.persona)),
        **tell_numbers(seen.tells),
    }


def to_move(action: Any, seen: ArenaObservation, grid: int | None) -> ArenaMove:
    """Read an action and make it legal: what no rule allows becomes the nearest thing that is.

    A bid above the budget is held there, a bid below the own standing one and a price that is no
    number hold the bid, an acceptance beyond the budget does too.
    """
    move, share, signal = _read(action, grid)
    if move == TAKE:
        return Take("", signal) if seen.standing_ask <= seen.budget else Hold("", signal)
    if move == LEAVE:
        return Leave("", signal)
    if move == HOLD or not math.isfinite(share):
        return Hold("", signal)
    price = clamp_price(min(max(share, 0.0), 1.0) * seen.budget, high=seen.budget)
    if seen.own_bid is not None and price <= seen.own_bid:
        return Hold("", signal)
    return Bid(price, "", signal)


def action_mask(seen: ArenaObservation, grid: int | None) -> Any:
    """Return what a buyer may do, in the form that ``sample`` of the action space takes."""
    bids = 1 if grid is None else grid
    moves, signals = np.ones(bids + len(MOVES) - 1, np.int8), np.ones(len(SIGNS), np.int8)
    moves[bids] = seen.standing_ask <= seen.budget
    if grid is not None:
        return moves, signals
    return {"move": moves, "price": None, "signal": signals}


def _read(action: Any, grid: int | None) -> tuple[int, float, Signal | None]:
    if grid is None:
        if not isinstance(action, Mapping):
            raise InvalidAction(
                "An action is {'move': 0 to 3, 'price': [share], 'signal': 0 to 3}."
            )
        share = price_share(action.get("price", ()))
        move, sign = whole_number(action.get("move")), whole_number(action.get("signal"))
    else:
        if np.shape(action) != (2,):
            raise InvalidAction("An action of the grid is two numbers: a bid or move, a signal.")
        number, sign = (whole_number(part) for part in action)
        share = (number + 1) / grid
        move = BID if 0 <= number < grid else number - grid + 1
    if not 0 <= move < len(MOVES) or not 0 <= sign < len(SIGNS):
        raise InvalidAction(
            f"A move is 0..{len(MOVES) - 1} and a signal 0..{len(SIGNS) - 1}; "
            f"this action says {move} and {sign}."
        )
    return move, share, SIGNS[sign]


NAMES = tuple(f"buyer_{seat + 1}" for seat in range(MOST_BUYERS))


class ArenaParallelEnv(Agents, ParallelEnv[str, Observation, Any]):  # type: ignore[misc]  # no types
    """Two to four buyers compete for one unit of one seller, with sealed bids in every round.

    ## Description
    The seller opens with an ask. In each of twelve rounds every buyer that is still there closes
    an envelope with one move; all are opened together. The seller sells when the best bid reaches
    98 % of its ask, or late and by chance a good one; otherwise it lowers its ask, the less the
    harder two buyers rival each other. Nobody sees another's bid or budget: a buyer learns that
    somebody offered more, how many rivals are left and what they signalled.

    ## Observation Space
    A ``Dict`` for each agent; prices are in units of the agent's own budget.

    | key | space | meaning |
    |---|---|---|
    | `prices` | Box(3) | standing ask, opening ask, own standing bid (0: none) |
    | `budget` | Box(1) | the budget itself, as common logarithm of rupees |
    | `clock` | Box(2) | share of the rounds used, rounds left |
    | `rivals` | Box(5) | rivals left, outbid (0, 1), rounds outbid in a row, signals heard |
    | `persona` | Discrete(5) | 0 hidden, then default, deceptive, impatient, collaborative |
    | `levels` ... `condition` | Box, Discrete | the seller's tells, as in ``Bazaar-v0`` |

    The two signals heard are counted: cooperate, compete; a bluff looks like competing.

    ## Action Space
    A ``Dict`` of ``move`` (0 bid, 1 take, 2 hold, 3 leave), ``price`` (of a bid, in budgets, 0..1)
    and ``signal`` (0 none, 1 cooperate, 2 compete, 3 bluff). With ``grid=n`` a
    ``MultiDiscrete([n + 3, 4])``: ``n`` bids up to the budget, then take, hold, leave; and the
    signal. What a rule forbids becomes the nearest move it allows: a bid cannot fall or pass the
    budget.

    ## Starting State
    ``reset(seed=s)`` plays match ``s``; a later ``reset()`` draws the next. ``options`` may name
    ``match`` and ``persona`` for this reset alone; what else is in it is ignored.

    ## Rewards
    0 until the match ends. Then the winner gets its share of what lies between the seller's
    reservation price and its own budget, 0..1; all others get 0.

    ## Episode End
    An agent that leaves is terminated and gone. The others are when somebody buys, nobody is left
    or the rounds run out. Never truncated. ``infos`` then hold ``outcome``, ``winner`` (a name, or
    an empty text), ``sold_for`` in rupees and the opened ``reservation_price``.

    ## Arguments
    ``buyers`` (2 to 4), ``persona`` (of the seller; None takes each in turn), ``listings`` (goods,
    one match after the other), ``persona_visible``, ``grid`` (see Action Space), ``render_mode``
    (``ansi``: a spectator's view, with the opened envelopes).

    ## References
    Vickrey (1961), Counterspeculation, auctions, and competitive sealed tenders; Terry and others
    (2021), PettingZoo.

    ## Version History
    v0: the first. The seller's version label is in ``infos`` at the end.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "bazaar_arena_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        buyers: int = MOST_BUYERS,
        *,
        persona: str | None = None,
        listings: tuple[ListingPrices, ...] = SAMPLE_LISTINGS,
        persona_visible: bool = False,
        grid: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if whole(buyers) not in range(FEWEST_BUYERS, MOST_BUYERS + 1):
            raise ValueError(f"A match has {FEWEST_BUYERS} to {MOST_BUYERS} buyers, not {buyers}.")
        if not listings:
            raise ValueError("There must be goods to sell.")
        super().__init__(
            NAMES[:buyers], observation_space, functools.partial(action_space, grid), render_mode
        )
        self.grid = grid
        self._persona, self._persona_visible, self._listings = persona, persona_visible, listings
        self._state: ArenaState | None = None

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start match ``seed``, or the next; ``options`` may name ``match`` and ``persona``."""
        number = self._wanted_number(seed, options, "match")
        check_number("match", number)
        persona = (options or {}).get("persona") or self._persona
        self._state, _ = start(self._scenario(number, persona))
        self.agents = [*self.possible_agents]
        return self._observations(self._state), self._infos(self._state)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Close every envelope and open them together; who names no action holds its bid."""
        state = self._state
        if state is None or not self.agents:
            return {}, {}, {}, {}, {}
        moves = {
            name: to_move(actions[name], observe(state, self._seat(name)), self.grid)
            for name in self.agents
            if name in actions
        }
        for name in self.agents:
            state, _ = place(state, self._seat(name), moves.get(name, Hold()))
        self._state = state
        over = state.ended is not None
        ends = {name: over or not state.present[self._seat(name)] for name in self.agents}
        answer = (
            self._observations(state),
            {name: self._reward(state, name) for name in self.agents},
            ends,
            dict.fromkeys(self.agents, False),
            self._infos(state),
        )
        self.agents = [name for name in self.agents if not ends[name]]
        return answer

    def render(self) -> str | None:
        """Return the match as text, in the render mode ``ansi``."""
        return None if self.render_mode is None or self._state is None else draw(self._state)

    def _scenario(self, number: int, persona: str | None) -> ArenaScenario:
        goods, times = number % len(self._listings), number // len(self._listings)
        seats = tuple(Seat(name, "learner", "learner") for name in self.possible_agents)
        return make_match(
            self._listings[goods],
            seats,
            [*SELLERS][times % len(SELLERS)] if persona is None else persona,
            number,
            persona_visible=self._persona_visible,
        )

    def _seat(self, name: str) -> int:
        return self.possible_agents.index(name)

    def _observations(self, state: ArenaState) -> dict[str, Observation]:
        return {name: to_numbers(observe(state, self._seat(name))) for name in self.agents}

    def _reward(self, state: ArenaState, name: str) -> float:
        return state.ended.shares[self._seat(name)] if state.ended else 0.0

    def _infos(self, state: ArenaState) -> dict[str, dict[str, Any]]:
        infos: dict[str, dict[str, Any]] = {}
        for name in self.agents:
            seen = observe(state, self._seat(name))
            infos[name] = {
                "action_mask": action_mask(seen, self.grid),
                "ask": to_rupees(seen.standing_ask),
                "said": state.words[-1] if state.words else "",
                **_opened(state),
            }
        return infos


def parallel_env(**arguments: Any) -> ArenaParallelEnv:
    """Make the environment, as PettingZoo's own are made."""
    return ArenaParallelEnv(**arguments)


def env(**arguments: Any) -> "AECEnv[str, Observation, Any]":
    """Make the environment for agents that act one after the other; envelopes stay sealed."""
    return parallel_to_aec(ArenaParallelEnv(**arguments))


def _opened(state: ArenaState) -> dict[str, Any]:
    ended = state.ended
    if ended is None:
        return {}
    return {
        "outcome": ended.outcome,
        "winner": "" if ended.winner is None else NAMES[ended.winner],
        "sold_for": np.nan if ended.price is None else to_rupees(ended.price),
        "reservation_price": to_rupees(ended.opened.reservation),
        "seller": state.scenario.seller,
    }


def draw(state: ArenaState) -> str:
    """Draw a match as a spectator sees it: envelopes that are not open yet stay closed."""
    scenario = state.scenario

    def money(paise: int | None) -> str:
        return "-" if paise is None else rupees_text(to_rupees(paise), scenario.item.currency)

    lines = [f"{scenario.item.title} | {scenario.suite} | {len(scenario.seats)} buyers"]
    for number, opened in enumerate(state.rounds, start=1):
        ask = f"  {number:>2}  ask {money(state.asks[number - 1]):<12}"
        bids = (
            f"{scenario.seats[bid.buyer].name} {_told(bid.action, bid.price)}" for bid in opened
        )
        lines.append(ask + "  ".join(bids))
    if state.ended is None:
        lines.append(f"  round {state.round} of {scenario.max_rounds}, ask {money(state.ask)}")
    elif state.ended.winner is None:
        lines.append(f"  over: {state.ended.outcome} in round {state.ended.round}")
    else:
        winner = scenario.seats[state.ended.winner].name
        lines.append(f"  sold to {winner} for {money(state.ended.price)}")
    return "\n".join(lines)


def _told(action: str, price: int | None) -> str:
    if action == "walk":
        return "leaves"
    return "waits" if price is None else f"{price / 100:.2f}"
