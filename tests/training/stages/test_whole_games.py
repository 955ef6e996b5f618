"""GRPO on whole games: how they are played, and which tokens are blamed or praised for them."""

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from agents.dialects.compact import Compact
from bazaarbatna.bargain.log import Log
from tests.support.small_stages import Left
from tests.support.spoken import a_game
from training.data.teaching import SUITE_IDS
from training.stages.games import Deal, Game, play_games
from training.stages.generation import Player, Sampling, generate
from training.stages.grpo import LEAST_DEALS
from training.stages.rounds import WORDS_BEGIN, _fitted, _rows, action_length

GREEDY = Sampling(temperature=0.0)
CAREER = "career_10@sampled-1"
DEALS = [Deal(suite, seed) for suite in SUITE_IDS[:4] for seed in (1, 2)]


class Seat:
    """The haggler, loaded."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
        self.model = AutoModelForCausalLM.from_pretrained(folder)
        self.player = Player(self.model, self.tokenizer, Compact())


@pytest.fixture(scope="module")
def seat(haggler: Path) -> Seat:
    return Seat(haggler)


@pytest.fixture(scope="module")
def together(seat: Seat) -> list[Game]:
    """Games that were played in step."""
    return play_games(seat.player, DEALS, GREEDY)


def events(log: Log) -> list[object]:
    return list(log.events)


def test_games_played_in_step_are_those_played_one_by_one(seat: Seat, together: list[Game]) -> None:
    for deal, game in zip(DEALS, together, strict=True):
        [alone] = play_games(seat.player, [deal], GREEDY)
        assert events(alone.log) == events(game.log)
        assert [turn.said.text for turn in alone.turns] == [turn.said.text for turn in game.turns]


def test_of_a_long_game_siblings_play_the_bargain_that_the_seed_names(seat: Seat) -> None:
    one, other = play_games(seat.player, [Deal(CAREER, 23)] * 2, Sampling(temperature=1.0))
    assert one.log.scenario == other.log.scenario
    firsts = [turn.seen for game in (one, other) for turn in game.turns[:1]]
    assert firsts[0] == firsts[1]
    assert firsts[0].career is not None
    assert firsts[0].career.games == 3


def test_what_the_model_says_depends_on_what_it_reads(together: list[Game]) -> None:
    """Else the test above would say nothing."""
    assert len({turn.said.text for game in together for turn in game.turns}) > 1
    assert len({len(turn.said.prompt) for game in together for turn in game.turns}) > 4
    assert max(len(game.turns) for game in together) > 1


def test_padding_on_the_left_changes_no_word(seat: Seat, together: list[Game]) -> None:
    prompts = [turn.said.prompt for game in together for turn in game.turns][:24]
    prompts = [prompt[-length:] for length, prompt in zip(range(9, 200, 8), prompts, strict=True)]
    said = generate(seat.model, seat.tokenizer, prompts, GREEDY, rows=7)
    for prompt, answer in zip(prompts, said, strict=True):
        assert [answer] == generate(seat.model, seat.tokenizer, [prompt], GREEDY)


def test_either_end_of_turn_ends_an_answer(seat: Seat) -> None:
    ends = seat.tokenizer.convert_tokens_to_ids(["<|eot_id|>", "<end_of_turn>"])
    head = seat.model.lm_head.weight
    before = head[ends].detach().clone()
    with torch.no_grad(), torch.random.fork_rng():
        head[ends[1]] = head[ends[0]]
        torch.manual_seed(1)
        said = generate(seat.model, seat.tokenizer, [[7, 8, 9]] * 40, Sampling(top_p=1.0))
        head[ends] = before
    assert {answer[-1] for answer in said} == set(ends)
    assert all(token not in ends for answer in said for token in answer[:-1])


def test_a_model_in_training_is_asked_as_in_play_and_trains_on_afterwards(seat: Seat) -> None:
    met: list[tuple[bool, bool, bool]] = []

    def note(layer: torch.nn.Module, *_: object) -> None:
        met.append((layer.training, torch.is_grad_enabled(), seat.model.config.use_cache))

    model = seat.model
    model.activation_checkpointing_enable()
    model.config.use_cache = False
    model.train()
    hook = model.model.layers[0].register_forward_pre_hook(note)
    try:
        generate(model, seat.tokenizer, [[7, 8, 9]], GREEDY)
        assert set(met) == {(False, False, True)}
        assert len(met) == len(generate(model, seat.tokenizer, [[7, 8, 9]], GREEDY)[0])
        assert model.training
        assert not model.config.use_cache
        assert model.is_activation_checkpointing
    finally:
        hook.remove()
        model.activation_checkpointing_disable()
        model.eval()


def test_deeds_reach_to_where_the_words_begin(seat: Seat, together: list[Game]) -> None:
    for turn in together[0].turns:
        length = action_length(seat.tokenizer, turn.said)
        deed = seat.tokenizer.decode(turn.said.answer[:length])
        assert WORDS_BEGIN in deed
        assert WORDS_BEGIN not in seat.tokenizer.decode(turn.said.answer[: length - 1])
        assert '"price"' in deed
        assert length < len(turn.said.answer)


def test_of_what_cannot_be_read_every_token_is_to_blame(seat: Seat) -> None:
    [turn] = a_game("nonsense").turns
    assert action_length(seat.tokenizer, turn.said) == len(turn.said.answer)


def test_every_turn_is_a_row_with_its_game_s_advantage_on_its_deed_alone(
    seat: Seat, together: list[Game]
) -> None:
    better = [0.5 * number - 1.25 for number in range(len(together))]
    pad = int(seat.tokenizer.pad_token_id)
    rows = _rows(together, better, lambda turn: action_length(seat.tokenizer, turn.said), pad)
    turns = [(turn, worth) for game, worth in zip(together, better, strict=True)
             for turn in game.turns]  # fmt: skip
    assert len(rows.prompt_ids) == len(turns)
    for row, (turn, worth) in enumerate(turns):
        asked, said = rows.prompt_mask[row].bool(), rows.completion_mask[row].bool()
        assert rows.prompt_ids[row][asked].tolist() == turn.said.prompt
        assert rows.completion_ids[row][said].tolist() == turn.said.answer
        # Prompts stand right, answers left: no gap between them.
        assert bool(rows.prompt_mask[row, -1])
        assert bool(rows.completion_mask[row, 0])
        assert (rows.prompt_ids[row][~asked] == pad).all()
        length = action_length(seat.tokenizer, turn.said)
        assert (rows.advantages[row, :length] == worth).all()
        assert (rows.advantages[row, length:] == 0).all()


def test_rows_are_shuffled_alike_for_a_seed_and_fill_equal_parts(
    seat: Seat, together: list[Game]
) -> None:
    rows = _rows(together, [1.0] * len(together), lambda turn: 1, 0)
    count, parts = len(rows.prompt_ids), len(rows.prompt_ids) - 1
    fitted = _fitted(rows, parts, seed=5)
    assert len(fitted.prompt_ids) == 2 * parts
    assert torch.equal(fitted.prompt_ids, _fitted(rows, parts, seed=5).prompt_ids)
    assert not torch.equal(fitted.prompt_ids, _fitted(rows, parts, seed=6).prompt_ids)
    # Every row is there; the few that fill up are the first ones again.
    assert torch.equal(fitted.prompt_ids[count:], fitted.prompt_ids[: 2 * parts - count])
    assert sorted(map(tuple, fitted.prompt_ids[:count].tolist())) == sorted(
        map(tuple, rows.prompt_ids.tolist())
    )


def test_the_first_step_is_no_step_away_and_later_ones_are(learned: Left) -> None:
    assert [one["step"] for one in learned.metrics] == [1, 2, 3, 4]
    assert learned.metrics[0]["kl"] == 0.0
    assert learned.metrics[-1]["kl"] > 0.0
    assert {"reward", "share", "deal_rate", "valid_json", "legal", "rounds", "loss"} <= set(
        learned.metrics[-1]
    )
    assert all(one["valid_json"] == 1.0 for one in learned.metrics)


def test_siblings_meet_the_same_seller_and_rounds_meet_new_ones(
    learned: Left, rounds: list[list[Deal]]
) -> None:
    assert len(rounds) == 2
    for played in rounds:
        groups = [set(played[at : at + 4]) for at in range(0, len(played), 4)]
        assert [len(group) for group in groups] == [1, 1]
    assert len({deal for played in rounds for deal in played}) == 4


def test_the_best_of_all_checks_is_the_run_s_model(learned: Left) -> None:
    checks = learned.summary["checks"]
    assert set(checks) == {"0", "4"}
    kept = str(learned.summary["kept_step"])
    # Whoever is chosen for its games is measured by others.
    assert learned.summary["held_out"]["games"] == checks[kept]["games"]
    assert learned.summary["held_out"] != checks[kept]
    least = LEAST_DEALS * checks["0"]["deal_rate"]["mean"]
    fit = [one for one in checks.values() if one["deal_rate"]["mean"] >= least]
    assert checks[kept]["share"]["mean"] == max(one["share"]["mean"] for one in fit)
    assert (learned.card["name"], learned.card["stage"]) == ("sauda-toy:people", "grpo")
    assert not (learned.folder / "checkpoints").exists()
    assert not (learned.folder / "best").exists()
