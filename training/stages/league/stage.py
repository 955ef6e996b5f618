"""The league from its settings to a network on the disk; killed anywhere, it goes on."""

import itertools
import os
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import torch

from agents.buyers.network import VERSION, Card, digest_of, features, positions_of, save_network
from negotiation.engine.people.manner import Manner
from negotiation.environment.people.games import Games, deal_many
from negotiation.environment.people.sellers import Floats, Sellers, joined
from training.runs.code_version import code_version
from training.stages.config import LeagueConfig
from training.stages.league.exploiting import Exploiter, search, with_floors_of
from training.stages.league.groups import Groups, as_on_the_site, floors_of_stock
from training.stages.league.learning import Towers, falling, learn, play, turns_of
from training.stages.league.outcomes import Played, summed_up
from training.stages.league.pieces import UNSEEN, Lining, Measuring, Taking, What, ask
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
        self.floors = floors_of_stock()
        dice = self._dice(LEARN, -1)
        opened = Games(deal_many(self.groups.everybody, 1, dice), dice)
        self.towers = Towers(features(positions_of(opened)).shape[1], config.width)
        self.optimizer = torch.optim.Adam(self.towers.parameters(), lr=config.learning_rate)
        lines = [
            Lining(kind, self._luck(LEARN, -1, kind), config.check_games // 4)
            for kind in range(len(self.groups.names))
        ]
        self.groups.lines = np.array(self._ask(lines))[:, 0]

    def take_step(self) -> None:
        """Begin a round where one begins, play, learn, check."""
        config = self.config
        if self._begins_round():
            self._search()
        rate, entropy = falling(config, self._done())
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        dice = self._dice(LEARN, self.step)
        pool = self._pool(dice)
        deals = deal_many(pool, config.games, dice, config.blind, drawn=False)
        deals = as_on_the_site(deals, config.site, self.floors, dice)
        games, rounds = play(self.towers, deals, dice)
        learn(self.towers, turns_of(games, rounds, config), self.optimizer, config, entropy, dice)
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
            name=NAME, title=TITLE, features=VERSION, digest=digest_of(arrays), stage="league",
            made_by=self.work.run.pk, commit=code_version(),
        )  # fmt: skip
        save_network(self.work.model, arrays, card)
        [played] = self._ask([Measuring(UNSEEN, self._luck(VALIDATE, 1), config.check_games, 0.0)])
        held_out = dict(zip(("share", "deal_rate", "rounds"), played, strict=True))
        return {
            "parameters": sum(one.size for one in arrays.values()),
            "lines": dict(zip(self.groups.names, self.groups.lines.tolist(), strict=True)),
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
        state = torch.load(path, weights_only=False)
        self.step, self.checks = state["step"], state["checks"]
        self.best, self.best_worth = state["best"], state["best_worth"]
        self.groups.weights = state["weights"]
        self.exploiters = msgspec.convert(state["exploiters"], list[Exploiter])
        self.towers.load_state_dict(state["towers"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.work.forget_after(self.step)
        self.work.say(f"league: goes on from step {self.step}")

    def _save(self) -> None:
        self.work.checkpoints.mkdir(parents=True, exist_ok=True)
        path = self.work.checkpoints / STATE
        beside = path.with_suffix(".new")
        torch.save(
            {
                "step": self.step,
                "checks": self.checks,
                "best": self.best,
                "best_worth": self.best_worth,
                "weights": self.groups.weights,
                "exploiters": msgspec.to_builtins(self.exploiters),
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

    def _pool(self, dice: np.random.Generator) -> Sellers:
        # Whom this step's games are played with.
        config = self.config
        each = int(config.exploiters * config.games)
        people = config.games - each * len(self.exploiters)
        found = [self.groups.draw(people, dice, config.robust)]
        for one in self.exploiters:
            goods = self.groups.everybody
            goods = goods.take(dice.integers(0, goods.count, each))
            found.append(with_floors_of(one.manner, goods))
        return joined(found)

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
        # Sellers of the training families that it never met.
        config, groups = self.config, self.groups
        luck, games = self._luck(VALIDATE, 0), config.check_games
        kinds = range(len(groups.names))
        found = self._ask([
            *(Measuring(UNSEEN, luck, games, site) for site in (0.0, 1.0)),
            *(Measuring(kind, self._luck(VALIDATE, 2, kind), games // 4) for kind in kinds),
        ])  # fmt: skip
        (played, here), by_kind = [Played(*one) for one in found[:2]], found[2:]
        groups.weigh([share for share, *_ in by_kind])
        # Half of it is the games that are learned from, half every kind alike against its own line.
        against_lines = float(np.mean(groups.shares / np.maximum(groups.lines, 0.05)))
        worths = [one.share + config.deal * one.deals for one in (played, here)]
        worth = float(np.dot((1 - config.site, config.site), worths)) + 0.5 * against_lines
        # Only what has met every exploiter of the rounds so far competes.
        if worth > self.best_worth or self._ends_round():
            self.best, self.best_worth = self.towers.arrays(), worth
        numbers = {
            "check_share": played.share,
            "check_deals": played.deals,
            "site_share": here.share,
            "site_deals": here.deals,
        }
        shares = dict(zip(groups.names, groups.shares.tolist(), strict=True))
        self.checks.append({"step": self.step, "round": self._round(), **numbers, **shares})
        self.work.measured(self.step, numbers)
        self.work.say(
            f"league: unseen sellers, share {played.share:.3f}, deals {played.deals:.3f}, "
            f"rounds {played.rounds:.0f}; as on the site {here.share:.3f}, deals {here.deals:.3f}, "
            f"rounds {here.rounds:.0f}; against the best line of each kind {against_lines:.3f}, "
            + ", ".join(f"{name} {share:.3f}" for name, share in shares.items())
        )
