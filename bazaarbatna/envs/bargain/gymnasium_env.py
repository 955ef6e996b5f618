"""``Bazaar-v0``: the bazaar as a Gymnasium environment. Importing this module registers it."""

from typing import Any

import gymnasium
import msgspec
import numpy as np

from bazaarbatna.bargain.graders import grade, is_solved
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.envs.bargain.gymnasium_spaces import (
    RENDER_MODES,
    Observation,
    action_mask,
    action_space,
    check_render_mode,
    draw_number,
    observation_space,
    to_numbers,
    to_proposal,
)
from bazaarbatna.envs.bargain.resets import Choice, whole
from bazaarbatna.envs.bargain.suite_game import Stepped, SuiteGame
from bazaarbatna.envs.bargain.views import to_result, to_view
from bazaarbatna.money import rupees_text


class BazaarEnv(gymnasium.Env[Observation, Any]):
    """A buyer bargains with a seller over one item, several times in a row where the suite says so.

    ## Description
    The seller opens with an ask. Each round the buyer offers a price, accepts the standing ask or
    walks away; then the seller, an opponent by rule, answers. The buyer does not know the
    seller's reservation price; it sees twelve noisy tells. One episode is one game of a suite: one
    bargain, or five or ten with a seller who remembers. The games are those of the engine: the
    same suite, seed and moves give the same bargain everywhere in this project.

    ## Observation Space
    A ``Dict``; prices are in units of the buyer's own budget.

    | key | space | meaning |
    |---|---|---|
    | `prices` | Box(4) | standing ask, opening ask, own last bid (0: none), last concession |
    | `budget` | Box(1) | the budget itself, as common logarithm of rupees |
    | `clock` | Box(4) | share of rounds used, rounds left, has a deadline (0, 1), rounds to it |
    | `career` | Box(4) | games, deals, capitulation rate, mean buyer share; -1: no career |
    | `persona` | Discrete(5) | 0 hidden, then default, deceptive, impatient, collaborative |
    | `levels` | Box(5) | urgency, confidence, deception cue, fidgeting, escalation |
    | `counts` | Box(2) | repeated phrases, topic changes |
    | `goods` | Box(2) | condition score, depreciation score |
    | `rounding` | Discrete(3) | 1 round, 2 precise prices |
    | `speed` | Discrete(4) | 1 instant, 2 normal, 3 deliberate |
    | `pattern` | Discrete(5) | 1 steady, 2 erratic, 3 front loaded, 4 stalling |
    | `eyes` | Discrete(4) | 1 steady, 2 avoidant, 3 intense |
    | `posture` | Discrete(5) | 1 neutral, 2 leaning in, 3 leaning back, 4 arms crossed |
    | `condition` | Discrete(7) | 1 new, 2 like new, 3 very good, 4 good, 5 acceptable, 6 junk |

    The last nine are the tells of the seller's last turn: a number that cannot be observed is -1,
    a category that cannot is 0.

    ``info`` holds what is not a number: ``view`` (the JSON observation of the HTTP environment,
    with the last six turns and their words), ``said`` (the seller's last words), ``commitment``,
    ``action_mask``, ``reward_terms``, ``bargain`` (counted from 1).

    ## Action Space
    A ``Dict`` of ``move`` (0 offer, 1 accept, 2 walk) and ``price`` (the bid in budgets, 0..1; only
    read with an offer). With ``grid=n`` instead one ``Discrete(n + 2)``: ``n`` bids laid out evenly
    up to the budget, then accept and walk. Nothing ends the episode for being illegal: the move is
    repaired, and the reward says so.

    ## Starting State
    ``reset(seed=s)`` plays game ``s`` of the suite; a later ``reset()`` draws the next game.
    ``options`` may name ``game``, ``suite``, ``variant`` and ``seller`` for this reset alone.

    ## Rewards
    A deal pays its normalised surplus (0..1) times a time discount; 0.05 in all is paid for
    narrowing the gap; -0.3 the buyer walked, -0.2 the seller did, -0.15 the rounds ran out (all 0
    where no price could suit both, in the sampled variant); -0.2 for a bid outside 0..budget, -0.1
    for the third repeat of one, -0.1 for accepting what is not allowed, and in a career up to
    -0.1 for capitulating as a habit. ``info["reward_terms"]`` names each term.

    ## Episode End
    ``terminated`` when the last bargain is over: a deal, a walk, or its rounds ran out, which is a
    rule of the game and visible in ``clock``. Never ``truncated``: a limit of steps is a wrapper's
    matter. After each bargain ``info`` has its ``outcome``, ``price``, ``buyer_share`` and
    ``result`` (JSON, with the sealed values opened), after the last one ``score`` and ``solved``.

    ## Arguments
    ``suite`` (a name such as ``career_10``, or a full id; ``people`` for sellers who answer,
    ``people-halver`` for a family of them), ``variant`` (``sampled`` or ``fixed``; not with
    ``people``), ``seller`` (a persona or version label in place of the suite's own; a family with
    ``people``), ``grid`` (see Action Space),
    ``words`` (False leaves ``view`` and ``said`` out of ``info``), ``render_mode``
    (``ansi``).

    ## References
    Faratin, Sierra and Jennings (1998), Negotiation decision functions for autonomous agents;
    Baarslag and others (2013), Evaluating practical negotiating agents.

    ## Version History
    v0: the first. The rules' version is part of a suite's id (``single_deal@sampled-1``), the
    seller's is the label in ``result``; a table of results never mixes either.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        suite: str = "single_deal",
        *,
        variant: str | None = None,
        seller: str | None = None,
        grid: int | None = None,
        words: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self._choice = Choice(suite, variant, seller)
        self._choice.check()
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.grid, self.words = grid, words
        self.observation_space = observation_space()
        self.action_space = action_space(grid)
        self._game: SuiteGame | None = None
        self._seen: BuyerObservation | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game of the suite.

        ``seed`` plays the game of this number and seeds the choice of later ones; ``options``
        (``game``, ``suite``, ``variant``, ``seller``) are for this reset alone.

        Raises:
            UnknownSuite, UnknownSeller: there is none of that name.
            ValueError: an option is unknown, or the game's number is negative.
        """
        seed = whole(seed)
        super().reset(seed=seed)
        choice, number = self._choice.changed(options)
        if number is None:
            number = draw_number(self.np_random) if seed is None else seed
        self._game = SuiteGame(choice.suite_id, number, choice.seller)
        self._seen = self._game.observation
        assert self._seen is not None
        return to_numbers(self._seen), self._info(self._game, self._seen)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make the buyer's move and let the seller answer; ``ResetNeeded`` or ``InvalidAction``."""
        game = self._game
        if game is None or self._seen is None or game.done:
            raise gymnasium.error.ResetNeeded("No game is on the table: reset starts one.")
        stepped = game.step(to_proposal(action, self._seen.budget, self.grid))
        self._seen = seen = game.observation or stepped.observation
        info = self._info(game, seen) | _told(game, stepped)
        return to_numbers(seen), stepped.reward.total, game.done, False, info

    def render(self) -> str | None:
        """Return the table as text, in the render mode ``ansi``."""
        if self.render_mode is None or self._game is None or self._seen is None:
            return None
        return draw(self._seen, self._game.game + 1, self._game.games)

    def _info(self, game: SuiteGame, seen: BuyerObservation) -> dict[str, Any]:
        info: dict[str, Any] = {
            "bargain": game.game + 1,
            "commitment": game.commitment,
            "action_mask": action_mask(seen, self.grid),
        }
        if self.words:
            view = to_view(seen, game.game + 1, game.games, game.done)
            said = [turn.text for turn in seen.turns if turn.actor == "seller"]
            info["view"] = msgspec.json.encode(view).decode()
            info["said"] = said[-1] if said else ""
        return info


def _told(game: SuiteGame, stepped: Stepped) -> dict[str, Any]:
    told: dict[str, Any] = {"reward_terms": stepped.reward.terms()}
    if stepped.log is not None:
        result = to_result(stepped.log, len(game.logs))
        told |= {
            "outcome": result.outcome,
            "price": np.nan if result.price is None else result.price,
            "buyer_share": result.buyer_share,
            "result": msgspec.json.encode(result).decode(),
        }
    if game.done:
        score = grade(game.suite_id, game.logs)
        told |= {"score": score, "solved": is_solved(game.suite_id, score)}
    return told


def draw(seen: BuyerObservation, bargain: int, bargains: int) -> str:
    """Draw what the buyer sees as lines of text; bargains are counted from 1."""

    def money(paise: int) -> str:
        return rupees_text(to_rupees(paise), seen.item.currency)

    words = {turn.round: turn.text for turn in seen.turns if turn.actor == "seller"}
    head = f"{seen.item.title} | {seen.suite} | bargain {bargain} of {bargains}"
    lines = [head, f"  the seller opens at {money(seen.opening_ask)}"]
    for round_, bid in enumerate(seen.bids, start=1):
        answer = f"seller asks {money(seen.asks[round_])}" if round_ < len(seen.asks) else ""
        said = f"  {words[round_]}" if words.get(round_) else ""
        lines.append(f"  {round_:>2}  you bid {money(bid):<12}{answer:<24}{said}".rstrip())
    if seen.outcome:
        lines.append(f"  over: {seen.outcome} in round {seen.round}")
    else:
        budget = money(seen.budget)
        lines.append(f"  round {seen.round} of {seen.max_rounds}; your budget is {budget}")
    return "\n".join(lines)
