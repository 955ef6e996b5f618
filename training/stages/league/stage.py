"""The league from its settings to a network on the disk; killed anywhere, it goes on."""

import itertools
import json
import os
import pickle
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np
import torch

from agents.buyers import bound
from agents.buyers.network import Card, digest_of, save_network
from agents.buyers.positions import Floats
from bazaarbatna.bargain.people.manner import Manner
from bazaarbatna.envs.bargain.people.sellers import Sellers
from negotiation.code_version import code_version
from training.stages.config import BadConfig, LeagueConfig
from training.stages.league.exploiting import Exploiter, search, with_floors_of
from training.stages.league.groups import PARTS, Groups, paid
from training.stages.league.learning import Towers, falling, learn, play, turns_of
from training.stages.league.outcomes import Played, summed_up
from training.stages.league.pieces import UNSEEN, Measuring, Ruling, Taking, What, ask
from training.stages.work import Work

LEARN, VALIDATE, SEARCH = 0, 1, 2  # Streams of luck that never meet
TOGETHER = 1_024  # Games of a search in one question, about
STATE = "state.pt"
NAME, TITLE = "sauda-network", "Sauda, by policy search and a league"


def run_league(work: Work, config: LeagueConfig) -> dict[str, Any]:
    """Train the network, and keep the state that plays the validation part best.

    Return how it plays sellers it never met, and what each round's searched seller takes.
    """
    torch.set_num_threads(config.threads or os.cpu_count() or 1)
    league = League(work, config)
    league.resume()
    while league.step < config.all_steps:
        league.take_step()
    return league.end()


class League:
    """The state of a run, step by step."""

    def __init__(self, work: Work, config: LeagueConfig) -> None:
        torch.manual_seed(config.seed)
        self.work, self.config = work, config
        self.step = 0
        self.exploiters: list[Exploiter] = []
        self.checks: list[dict[str, float]] = []
        self.best: dict[str, Floats] | None = None
        self.best_worth = -1.0
        work.expect(config.all_steps)
        self.groups = Groups(config)
        self.towers = Towers(config.width)
        self.optimizer = torch.optim.Adam(self.towers.parameters(), lr=config.learning_rate)
        rules = [
            Ruling(kind, self._luck(VALIDATE, 2, kind), config.check_games // 4)
            for kind in range(len(self.groups.names))
        ]
        self.groups.rules = np.array(self._ask(rules))[:, 0]

    def take_step(self) -> None:
        """Begin a round where one begins, play, learn, check."""
        config = self.config
        if self._begins_round():
            self._search()
        rate, entropy = falling(config, self._done())
        for group in self.optimizer.param_groups:
            group["lr"] = float(rate)
        dice = self._dice(LEARN, self.step)
        deals, of = self.groups.deal(config.games, dice, self._found(dice))
        games, rounds = play(self.towers, deals, dice)
        turns = turns_of(paid(games, of, config), rounds, config)
        learn(self.towers, turns, self.optimizer, config, entropy, dice)
        self.step += 1
        played = summed_up(games)
        self.work.measured(self.step, {"share": played.share, "deal_rate": played.deals})
        if self.step % config.check_every == 0 or self._ends_round():
            self._check()
        if self.step % config.save_every == 0 or self._ends_round():
            self._save()
        self.work.beat(self.step)

    def end(self) -> dict[str, Any]:
        """Search once more, write the best network down and sum up."""
        if self.best is not None:
            self.towers.load_arrays(self.best)
        self._search()
        config, arrays = self.config, self.towers.arrays()
        card = Card(
            name=NAME, title=TITLE, features=bound.VERSION, digest=digest_of(arrays),
            stage="league", made_by=self.work.run.pk, commit=code_version(),
        )  # fmt: skip
        save_network(self.work.model, arrays, card)
        [played] = self._ask([Measuring(UNSEEN, self._luck(VALIDATE, 1), config.check_games)])
        held_out = dict(zip(("share", "deal_rate", "rounds"), played, strict=True))
        return {
            "parameters": sum(one.size for one in arrays.values()),
            "rules": dict(zip(self.groups.names, self.groups.rules.tolist(), strict=True)),
            "weights": dict(zip(self.groups.names, self.groups.weights.tolist(), strict=True)),
            "held_out": held_out,
            "checks": self.checks,
            "exploiters": [
                {"round": number, "takes": one.takes, "games": one.games, **one.family}
                for number, one in enumerate(self.exploiters)
            ],
        }

    def resume(self) -> None:
        """Go on from the last saved state, if there is one."""
        path = self.work.checkpoints / STATE
        if not path.is_file():
            return
        try:
            # Numbers and tensors alone: what else a pickle holds could be a program.
            state = torch.load(path, weights_only=True)
        except pickle.UnpicklingError as wrong:
            raise BadConfig(
                f"{path.name} was written by an earlier version or is broken; it cannot be read "
                "safely, so this run cannot go on. Begin the run anew."
            ) from wrong
        self.step, self.checks = state["step"], state["checks"]
        best = state["best"]
        self.best = None if best is None else {name: one.numpy() for name, one in best.items()}
        self.best_worth = state["best_worth"]
        self.groups.weights = state["weights"].numpy()
        self.exploiters = msgspec.convert(state["exploiters"], list[Exploiter])
        self.towers.load_state_dict(state["towers"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.work.forget_after(self.step)
        self.work.say(f"league: goes on from step {self.step}")

    def _save(self) -> None:
        self.work.checkpoints.mkdir(parents=True, exist_ok=True)
        path = self.work.checkpoints / STATE
        beside = path.with_suffix(".new")
        arrays = None if self.best is None else self.best.items()
        best = arrays and {name: torch.from_numpy(one) for name, one in arrays}
        # By way of JSON: some of the numbers are numpy's, which only a pickle of objects holds.
        exploiters = msgspec.to_builtins(self.exploiters)
        checks, exploiters = json.loads(json.dumps((self.checks, exploiters)))
        torch.save(
            {
                "step": self.step,
                "checks": checks,
                "best": best,
                "best_worth": float(self.best_worth),
                "weights": torch.from_numpy(self.groups.weights),
                "exploiters": exploiters,
                "towers": self.towers.state_dict(),
                "optimizer": self.optimizer.state_dict(),
            },
            beside,
        )
        beside.replace(path)

    def _dice(self, stream: int, number: int) -> np.random.Generator:
        return np.random.default_rng(self._luck(stream, number))

    def _luck(self, stream: int, number: int, *parts: int) -> tuple[int, ...]:
        # Parts count from 1: a trailing 0 is the same luck as none.
        return (self.config.seed, stream, number + 1, *(part + 1 for part in parts))

    def _ask(self, questions: Sequence[What]) -> list[list[float]]:
        work = self.work
        return ask(
            self.config, self.towers.arrays(), questions, work.spread, lambda: work.beat(self.step)
        )

    def _round(self) -> int:
        # How many rounds have begun; 0 before the first.
        after = self.step - self.config.steps
        return 0 if after < 0 else 1 + after // self.config.round_steps

    def _begins_round(self) -> bool:
        return self._round() > len(self.exploiters)

    def _ends_round(self) -> bool:
        after = self.step - self.config.steps
        return after >= 0 and after % self.config.round_steps == 0

    def _done(self) -> float:
        # The part of the present stretch that is done; a round begins at half the rate.
        config, after = self.config, self.step - self.config.steps
        if after < 0:
            return self.step / config.steps
        return 0.5 + 0.5 * (after % config.round_steps) / config.round_steps

    def _found(self, dice: np.random.Generator) -> list[Sellers]:
        # Found sellers, each with as many games of its own.
        config, goods = self.config, self.groups.population.everybody
        each = int(config.exploiters * config.games)
        return [
            with_floors_of(one.manner, goods.take(dice.integers(0, goods.count, each)))
            for one in self.exploiters
        ]

    def _search(self) -> None:
        config, number = self.config, len(self.exploiters)
        generation = itertools.count()

        def takings(manners: Sequence[Manner]) -> Floats:
            begun, each = next(generation), max(1, TOGETHER // config.search_games)
            luck = [self._luck(SEARCH, number, begun, place) for place in range(len(manners))]
            questions = [
                Taking(tuple(manners[first : first + each]), tuple(luck[first : first + each]),
                       config.search_games)
                for first in range(0, len(manners), each)
            ]  # fmt: skip
            return np.array([one for took in self._ask(questions) for one in took])

        dice = self._dice(SEARCH, number)
        found = search(takings, dice, candidates=config.candidates,
                       generations=config.generations, games=config.search_games)  # fmt: skip
        self.exploiters.append(found)
        self.work.say(f"league: the seller found against round {number} takes {found.takes:.3f}")
        self.work.measured(self.step, {"exploiter_takes": found.takes})

    def _check(self) -> None:
        # Sellers of the training's kinds that it never met.
        config, groups = self.config, self.groups
        games, kinds = config.check_games, range(len(groups.names))
        found = self._ask([
            Measuring(UNSEEN, self._luck(VALIDATE, 0), games, config.site),
            *(Measuring(kind, self._luck(VALIDATE, 2, kind), games // 4) for kind in kinds),
        ])  # fmt: skip
        together, *by_kind = [Played(*one) for one in found]
        groups.weigh([one.share for one in by_kind])
        worth, numbers = self._worth(together, by_kind)
        # Only what has met every exploiter of the rounds so far competes.
        if worth > self.best_worth or self._ends_round():
            self.best, self.best_worth = self.towers.arrays(), worth
        shares = dict(zip(groups.names, groups.shares.tolist(), strict=True))
        self.checks.append({"step": self.step, "round": self._round(), **numbers, **shares})
        self.work.measured(self.step, numbers)
        self.work.say(
            f"league: worth {worth:.3f}; unseen sellers, "
            + ", ".join(f"{name} {number:.3f}" for name, number in numbers.items())
            + "; by kind "
            + ", ".join(f"{name} {share:.3f}" for name, share in shares.items())
        )

    def _worth(self, together: Played, by_kind: Sequence[Played]) -> tuple[float, dict[str, float]]:
        # What a state is chosen by: as games are paid, and the kind that is furthest behind.
        config, groups = self.config, self.groups
        of = {part: [by_kind[n] for n in groups.population.of_part(part)] for part in PARTS}
        behind = groups.shares / np.maximum(groups.rules, 0.05)
        counted = [*groups.population.of_part("families"), *groups.population.of_part("paths")]
        numbers = {
            "share": together.share,
            "deals": together.deals,
            "paths_share": _mean(one.share for one in of["paths"]),
            "paths_deals": _mean(one.deals for one in of["paths"]),
            "walls_take": max(one.taken for one in of["walls"]),
            "honest_take": _mean(one.taken for one in of["honest"]),
            "worst": float(behind[counted].min()),
        }
        worth = (
            config.families * (together.share + config.deal * together.deals)
            + config.paths * (numbers["paths_share"] + config.deal * numbers["paths_deals"])
            + config.walls * _mean(one.share - config.wall * one.taken for one in of["walls"])
            + config.honest * _mean(min(one.share, config.fair) for one in of["honest"])
            + WORST * numbers["worst"]
        )
        return worth, numbers


WORST = 0.1  # Weight, in the choice of a state, of the kind that is furthest behind its best rule


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))
