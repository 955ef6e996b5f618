"""The bazaar for ``verifiers`` 0.4 (its v1 stack) and what trains with it, such as prime-rl.

```bash
pip install '.[verifiers]'
vf-eval bazaarbatna -m MODEL --client.base-url http://127.0.0.1:8000/v1 --env.taskset.suite people
```

A task is one game of a suite. The harness plays it in its own process: the model acts by the tools
of ``tools.BazaarEnv``, and no program, container or tool server is started. The reward is the share
of the zone of possible agreement that the buyer kept.
"""

import inspect
import json
from collections.abc import Iterator
from typing import Any, Self

import verifiers.v1 as vf
from openai import APIStatusError, AsyncOpenAI
from pydantic import model_validator
from verifiers.v1.dialects.chat import message_to_wire

from bazaarbatna.bargain.people import held_out
from bazaarbatna.bargain.tasks import suite
from bazaarbatna.envs.bargain.resets import Reset, wanted_suite
from bazaarbatna.envs.bargain.tools import BazaarEnv
from bazaarbatna.envs.bargain.words import RULES

LINE = {"type": "string", "description": "One short line to the seller."}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "offer": {"price": {"type": "number", "description": "Your bid in rupees."}, "message": LINE},
    "say": {"message": LINE},
    "accept": {},
    "walk": {},
}
NEEDED = {"offer": ["price"], "say": ["message"]}

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": (inspect.getdoc(getattr(BazaarEnv, name)) or "").partition("\n")[0],
            "parameters": {
                "type": "object",
                "properties": arguments,
                "required": NEEDED.get(name, []),
            },
        },
    }
    for name, arguments in ARGUMENTS.items()
]
"""The moves as a chat completion takes them."""

PLAYED = "bazaar"
"""Where a trace's ``info`` keeps how its game went."""


class BazaarTasksetConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which games are played.

    ``suite``, ``variant`` and ``seller`` are as in a reset of the environment; ``held_out`` lets
    families be met that no training may meet. Games are ``first_seed`` and those that follow it.
    """

    suite: str = "people"
    variant: str | None = None
    seller: str | None = None
    held_out: bool = False
    first_seed: int = 0
    games: int = 1000

    @model_validator(mode="after")
    def _is_played(self) -> Self:
        # Before a run begins: a game that does not exist is a sentence, and no traceback.
        if self.held_out:
            held_out.plug_in()
        opened(self.suite_id, self.seller, self.first_seed)
        return self

    @property
    def suite_id(self) -> str:
        """The suite in full; ``GameError`` where there is none of the name."""
        return wanted_suite(Reset(task=self.suite, variant=self.variant))


class BazaarData(vf.TaskData):  # type: ignore[misc]
    """One game; what is hidden in it is not here, but follows from the seed."""

    suite: str
    seller: str | None
    seed: int


class BazaarTask(vf.Task[BazaarData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    """Bargain for an item, or for several in a row."""

    @vf.reward  # type: ignore[untyped-decorator]
    async def share_of_zone(self, trace: Any) -> float:
        """Return the mean share of the zone over the game's bargains; one not played counts 0."""
        shares = trace.info.get(PLAYED, {}).get("shares", [])
        return float(sum(shares) / suite(self.data.suite).episodes)

    @vf.metric  # type: ignore[untyped-decorator]
    async def game(self, trace: Any) -> dict[str, float]:
        """Return the sum of the environment's own rewards, and how many bargains were played."""
        played = trace.info.get(PLAYED, {})
        shares = played.get("shares", [])
        return {"environment_reward": played.get("reward", 0.0), "bargains": float(len(shares))}


class BazaarTaskset(vf.Taskset[BazaarTask, BazaarTasksetConfig]):  # type: ignore[misc]
    """Games of a suite by their seeds."""

    def load(self) -> Iterator[BazaarTask]:
        """Give the games."""
        config = self.config
        if config.held_out:  # again, in a process of its own
            held_out.plug_in()
        played = config.suite_id
        for seed in range(config.first_seed, config.first_seed + config.games):
            yield BazaarTask(
                BazaarData(
                    name=f"{played}#{seed}",
                    prompt=opened(played, config.seller, seed)[1],
                    system_prompt=RULES,
                    suite=played,
                    seller=config.seller,
                    seed=seed,
                ),
                config.task,
            )


def opened(suite_id: str, seller: str | None, seed: int) -> tuple[BazaarEnv, str]:
    """Open a game; return it and what its buyer sees."""
    env = BazaarEnv()
    return env, env.reset(seed=seed, task=suite_id, seller=seller)


class BazaarHarness(vf.Harness[vf.HarnessConfig]):  # type: ignore[misc]
    """Plays a game with a model that calls tools; a model that calls none has walked away."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: Any,
        runtime: Any,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: BazaarData,
    ) -> Any:
        """Play the game to its end, or to where a limit of the rollout stops the model."""
        env, _ = opened(data.suite, data.seller, data.seed)
        system, prompt = self.resolve_prompt(data)
        messages: list[Any] = [{"role": "system", "content": system}] if system else []
        if isinstance(prompt, str):
            messages.append({"role": "user", "content": prompt})
        else:
            messages += [message_to_wire(message) for message in prompt or []]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0) as model:
            try:
                while calls := await asked(model, ctx.model, messages):
                    messages += [answered(env, call) for call in calls]
                    if env.is_over:
                        break
            except APIStatusError:
                # A limit of the rollout refuses the next turn that way: the game ends here.
                if trace.stop_condition is None:
                    raise
        reward = env.get_reward()
        trace.info[PLAYED] = {"shares": env.shares, "reward": reward}
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


async def asked(model: AsyncOpenAI, name: str, messages: list[Any]) -> list[Any]:
    """Ask the model for its next turn, note it, and return the tools that it calls."""
    answer = await model.chat.completions.create(
        model=name,
        messages=messages,
        tools=TOOLS,  # type: ignore[arg-type]
    )
    if not answer.choices:
        return []
    said = answer.choices[0].message
    messages.append(said.model_dump(exclude_none=True))
    return list(said.tool_calls or [])


def answered(env: BazaarEnv, call: Any) -> dict[str, str]:
    """Make the move that a tool call asks for; what is wrong with it is told to the model."""
    name = call.function.name
    try:
        if name not in ARGUMENTS:
            raise ValueError(f"There is no tool {name[:40]!r}: {', '.join(ARGUMENTS)}.")
        arguments = json.loads(call.function.arguments or "{}")
        if not isinstance(arguments, dict):
            raise TypeError("The arguments of a tool are a JSON object.")
        told = getattr(env, name)(**arguments)
    except (ValueError, TypeError) as wrong:
        told = f"Not done: {wrong}"
    return {"role": "tool", "tool_call_id": call.id, "content": told}


class BazaarTableConfig(vf.EnvConfig):  # type: ignore[misc]
    """One buyer, whose games need no machine of their own."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class BazaarTable(vf.Env[BazaarTableConfig]):  # type: ignore[misc]
    """A model at a table."""

    async def run(self, task: BazaarTask, agents: Any) -> None:
        """Play one game."""
        await agents.agent.run(task)
