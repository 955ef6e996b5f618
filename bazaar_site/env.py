"""What the environment can set; a wrong value stops the start and names every bad variable."""

import ast
import inspect
import ipaddress
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import AliasGenerator, Field, SecretStr
from pydantic_settings import BaseSettings, SecretsSettingsSource, SettingsConfigDict

from bazaar_site.env_values import (
    Backends,
    CourseKey,
    HttpAddress,
    Limit,
    LogLevel,
    Networks,
    Origins,
    PublicKeys,
    SigningKey,
    Wait,
    items,
)

ROOT = Path(__file__).resolve().parent.parent
SECRETS_DIR = Path("/run/secrets")


THEIR_OWN = ("sauda_", "hf_", "database_", "redis_", "trusted_", "anthropic_")
"""How names begin that are written as they are; all others have BAZAAR before them."""


def _variable(field: str) -> str:
    return field.upper() if field.startswith(THEIR_OWN) else f"BAZAAR_{field.upper()}"


class Env(BaseSettings):
    """Settings of the site that an operator may change."""

    # Whoever mistypes a key must not find it in the log of the start that failed.
    model_config = SettingsConfigDict(
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
        alias_generator=AliasGenerator(validation_alias=_variable),
    )

    debug: bool = False
    """Show Django's error pages. Never on a public site."""

    secret_key: SecretStr | None = None
    """Signs sessions. Without it a key is made once and kept in the data folder."""

    signing_key: SigningKey | None = None
    """Signs what is taken home: 32 bytes, base64url. Without it one is made and kept like that."""

    signing_keys_before: PublicKeys = ""
    """Public keys, separated by commas, that this site signed with before: they still count."""

    lti_key: CourseKey | None = None
    """Signs what course platforms are told: RSA, as PEM. Without it one is made and kept so."""

    lti_key_before: CourseKey | None = None
    """The key that stood there before: its public half is still told, and it signs nothing."""

    secrets_dir: Path = SECRETS_DIR
    """Folder with a file for each variable that should not stand in the environment."""

    data_dir: Path = ROOT / "var"
    """Folder of the SQLite file, of jobs that wait, and of the keys that were made here."""

    allowed_hosts: str = "127.0.0.1,localhost,[::1]"
    """Host names the site answers to, separated by commas."""

    https: bool = False
    """The site is served over HTTPS: secure cookies, HSTS, redirects."""

    staff_codes: bool = False
    """The admin asks for a code of six digits beside the password (needs django-otp)."""

    framed_by: Origins = ""
    """Origins, separated by commas, whose pages may show this site in a frame. Without: nobody."""

    database_url: str | None = None
    """PostgreSQL as postgres://user:password@host:port/name. Without it: SQLite."""

    redis_url: str | None = None
    """Redis for the channel layer, limits and jobs. Without it: memory, and jobs in a folder."""

    web_processes: int = Field(default=1, ge=1, le=64)
    """Processes that answer on the one port of `serve`; more than one need Redis."""

    worker_processes: int = Field(default=1, ge=1, le=64)
    """Processes of the background worker; more of them grade more games at once."""

    commit: str = ""
    """Version of the code, for receipts, where the site runs without its git repository."""

    trusted_proxies: Networks = ""
    """Addresses or networks, separated by commas, whose X-Forwarded-For is believed."""

    buyer_pause_s: float = Field(default=0.6, ge=0, le=10)
    """Seconds the buyer takes before it answers, so that people can follow. 0 for benchmarks."""

    take_back_s: float = Field(default=2.5, ge=0, le=10)
    """Seconds in which a price read from a sentence can be taken back before the house hears it."""

    arena_pause_s: float = Field(default=5.0, ge=0, le=60)
    """Seconds between two rounds of a match, so that people can follow. 0 for benchmarks."""

    arena_turn_s: float = Field(default=45.0, ge=0.2, le=600)
    """Seconds that a person in a match has for each round; then the bid is held."""

    arena_gap_s: float = Field(default=20.0, ge=0, le=600)
    """Seconds between two exhibition matches, in which people can sit down."""

    market_pace_s: float = Field(default=1.2, ge=0, le=60)
    """Seconds between two turns of a demo of the GPU market, unless its starter says otherwise."""

    market_left_hours: float = Field(default=24, gt=0)
    """Hours after which a market whose person does not act, or that is paused, is ended."""

    limit_games: Limit = "120/minute"
    """Games that one address, which a whole school may share, may start, as count/window."""

    limit_matches: Limit = "6/minute"
    """Matches in the arena and the market that one address may start or join."""

    limit_forks: Limit = "20/minute"
    """What-ifs that one address may ask for."""

    limit_imports: Limit = "30/hour"
    """Replays that one address may bring in from a file."""

    limit_photos: Limit = "30/hour"
    """Photos of own items that one address may bring."""

    limit_grades: Limit = "30/minute"
    """Other people's games without grades whose grades one address may ask for."""

    limit_messages: Limit = "5/5seconds"
    """Words and moves that one visitor may send: one a second, five at once."""

    limit_highlight: Limit = "60/minute"
    """Texts that one address may have read by /highlight."""

    limit_frames: Limit = "60/10seconds"
    """Socket messages of any kind that one visitor may send."""

    limit_sockets: Limit = "240/minute"
    """Live connections that one address may open."""

    limit_names: Limit = "3/day"
    """Names for the leaderboard that one address may choose."""

    limit_bots: Limit = "5/hour"
    """Bots that one address may register."""

    limit_bot_plays: Limit = "6/hour"
    """Plays of its bots that one address may begin or go on with."""

    limit_codes: Limit = "60/hour"
    """Codes of rooms that do not exist that one address may try; right ones are not counted."""

    limit_ids: Limit = "60/hour"
    """Ids of a study that one address may try to bring to another browser in vain."""

    limit_power: Limit = "40/minute"
    """Studies whose size one address may have worked out."""

    limit_logins: Limit = "20/hour"
    """Wrong passwords that may come from one address, and for one account from there."""

    limit_visitors: Limit = "120/minute"
    """New visitors of one address of whom something is stored, such as a game."""

    bot_episodes: int = Field(default=40, ge=1, le=200)
    """Bargains that a bot plays in each suite."""

    env_sessions: int = Field(default=512, ge=1)
    """Sessions of each environment that one web process holds, sockets and HTTP together."""

    env_sessions_per_client: int = Field(default=64, ge=1)
    """Sessions of each environment that one address may hold in one web process."""

    environments: Literal["here", "elsewhere", "only"] = "here"
    """Where environments are served: here, beside the pages; elsewhere; or here and only they."""

    env_port: int = Field(default=0, ge=0, le=65535)
    """Port on which `serve` gives the environments a process of their own; 0: none."""

    env_messages: float = Field(default=500, ge=0)
    """Messages a second that one address may send to environments in one process; 0: any."""

    env_games: float = Field(default=1200, ge=0)
    """Games a minute that one address may begin there; 0: any."""

    env_idle_minutes: float = Field(default=15.0, gt=0, le=1440)
    """Minutes without a message after which an environment session is ended."""

    sauda_policy: str = Field(default="sauda-network", min_length=1, max_length=60)
    """The policy that bargains with people who choose none; sauda leaves it to the models."""

    sauda_backends: Backends = "hf,ollama,local,rules"
    """Who speaks for Sauda, in order of preference. Rules are always asked last."""

    sauda_turn_budget_s: float = Field(default=10.0, ge=0.5, le=60)
    """Seconds that all models together may take for one turn; then the rules speak."""

    sauda_hf_url: HttpAddress = ""
    """Address of a Hugging Face Inference Endpoint or another OpenAI-style server."""

    sauda_hf_token: SecretStr | None = None
    """Bearer token of that endpoint."""

    sauda_hf_model: str = ""
    """Model name sent to that endpoint; endpoints with one model need none."""

    sauda_hf_timeout_s: float = Field(default=8.0, gt=0, le=60)
    """Seconds that one call of the endpoint may take."""

    sauda_ollama_url: HttpAddress = ""
    """Address of an Ollama server, usually http://localhost:11434. Without it: not asked."""

    sauda_ollama_model: str = "llama3.1"
    """Name of the model that Ollama serves."""

    sauda_ollama_timeout_s: Wait = 20.0
    """Seconds that one call of Ollama may take."""

    sauda_voice_s: float = Field(default=1.0, ge=0, le=10)
    """Seconds that the model in the box has for a line; then the bank speaks. 0: never asked."""

    sauda_local_model: str = ""
    """Model of this machine: GGUF file, folder, a shipped one or none. Empty: the shipped."""

    sauda_local_batch: int = Field(default=8, ge=1, le=256)
    """Requests that the local model answers at once."""

    sauda_local_threads: int = Field(default=1, ge=1, le=256)
    """CPU threads of the local model; more than one helps a large one on a quiet machine."""

    sauda_local_timeout_s: Wait = 6.0
    """Seconds that one answer of the local model may take, waiting included."""

    sauda_local_patience_s: Wait = 1.2
    """The same while others are answered as well; where it would take longer, nobody waits."""

    sauda_model_servers: str = ""
    """Where the local models are served: paths of Unix sockets, or addresses; empty: by `serve`."""

    model_processes: int = Field(default=1, ge=0, le=16)
    """Processes for the local models that `serve` starts; 0 keeps them in each web process."""

    sauda_max_new_tokens: int = Field(default=96, ge=16, le=1024)
    """Longest answer of a model in tokens."""

    sauda_temperature: float = Field(default=0.6, ge=0, le=2)
    """How much chance a model's words have; 0 is none."""

    sauda_top_p: float = Field(default=0.9, gt=0, le=1)
    """Share of the likeliest words that a model chooses from."""

    sauda_steer: bool = True
    """Bend what a model proposes by what the tells suggest; guards hold either way."""

    sauda_model_tells: bool = False
    """Also let a model look for tells in the seller's words; the patterns always look."""

    sauda_probe_every_s: float = Field(default=30.0, ge=0, le=3600)
    """Seconds for which a sign of life of a model counts on the health page."""

    sauda_gate_prompt_chars: int = Field(default=4000, ge=1)
    """Longest prompt in characters that a metered model is sent."""

    sauda_gate_per_minute: int = Field(default=30, ge=0)
    """Metered calls that one address may cause in a minute."""

    sauda_gate_per_hour: int = Field(default=200, ge=0)
    """Metered calls that one address may cause in an hour."""

    sauda_gate_per_day: int = Field(default=500, ge=0)
    """Metered calls that one address may cause in 24 hours."""

    sauda_gate_concurrency: int = Field(default=4, ge=0)
    """Metered calls under way at the same time, in all processes together."""

    sauda_gate_daily_calls: int = Field(default=1500, ge=0)
    """Metered calls in one UTC day."""

    sauda_gate_daily_usd: float = Field(default=5.00, ge=0, le=1_000_000)
    """Dollars that metered calls may cost in one UTC day."""

    sauda_hf_usd_per_million_in: float = Field(default=0.50, ge=0, le=1000)
    """Dollars per million tokens that the endpoint reads."""

    sauda_hf_usd_per_million_out: float = Field(default=1.50, ge=0, le=1000)
    """Dollars per million tokens that the endpoint writes."""

    sauda_breaker_failures: int = Field(default=3, ge=1)
    """Failures in a row after which a model is left alone."""

    sauda_breaker_open_s: float = Field(default=300.0, gt=0)
    """Seconds a failing model is left alone before one call tries it again."""

    trainable_models: str = "Qwen/Qwen3-8B,unsloth/Meta-Llama-3.1-8B-Instruct"
    """Hub names, separated by commas, that staff may train besides the models of this site."""

    study_hosts: str = "app.prolific.com,connect.cloudresearch.com"
    """Hosts, separated by commas, to which a study may send its participants back."""

    games: str = ""
    """Classes of further games, dotted and separated by commas; see ``docs/games.md``."""

    judge_url: HttpAddress = ""
    """OpenAI-style server whose model judges pairs of games for DPO. Without: Claude, or rules."""

    judge_key: SecretStr | None = None
    """Bearer token of that server."""

    judge_model: str = ""
    """Name of the judging model; empty where the server has one, or for a Claude of our choice."""

    judge_calls: int = Field(default=4000, ge=0)
    """Questions that one run may ask a judging model; then rules judge."""

    anthropic_api_key: SecretStr | None = None
    """Lets Claude judge pairs where no other judging server is set. Without: rules judge."""

    hf_token: SecretStr | None = None
    """Token of the Hugging Face hub, for training jobs and what they make."""

    hf_endpoint: HttpAddress = "https://huggingface.co"
    """Address of the hub."""

    hub_repos: str = ""
    """Repositories, with commas, for training runs: owner/name or owner/*. Without: none."""

    job_flavors: str = "cpu-basic,cpu-upgrade,t4-small,l4x1,a10g-small,a10g-large,a100-large"
    """Machines, with commas, that a training job on the hub may be started on."""

    job_image: str = "python:3.11"
    """Container image of training jobs: with git and Python, or with this code in it."""

    job_source: str = ""
    """Git address from which a training job gets this code. Without: it is in the image."""

    metrics_token: SecretStr | None = Field(default=None, min_length=16)
    """Bearer token, of 16 characters or more, with which Prometheus may read /metrics."""

    metrics_local: bool = False
    """Without a token: this machine itself may read /metrics. With neither nothing is counted."""

    log_level: LogLevel = "INFO"
    """Least severe level that is logged: DEBUG, INFO, WARNING or ERROR."""

    log_json: bool = False
    """Log one JSON object per line instead of text for people."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: Any,
        env_settings: Any,
        dotenv_settings: Any,
        file_secret_settings: Any,
    ) -> tuple[Any, ...]:
        """Read variables first, then files in the folder of secrets, if there is one."""
        folder = Path(env_settings().get("BAZAAR_SECRETS_DIR", SECRETS_DIR))
        files = [SecretsSettingsSource(settings_cls, folder)] if folder.is_dir() else []
        return (init_settings, env_settings, *files)


def is_public(env: Env) -> bool:
    """Whether other machines can reach the site by one of its names.

    >>> is_public(Env(BAZAAR_ALLOWED_HOSTS="127.0.0.1,[::1]", BAZAAR_HTTPS="false"))
    False
    """
    return env.https or not all(map(_is_this_machine, items(env.allowed_hosts)))


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


env = Env()


def settings_table() -> str:
    """Write the table of all variables for the docs, in Markdown."""
    said = _docstrings()
    rows = ["| variable | default | what it does |", "|---|---|---|"]
    for name, field in Env.model_fields.items():
        value = "var/" if name == "data_dir" else field.default
        default = f"`{value}`" if value != "" else "empty"
        rows.append(f"| `{field.validation_alias}` | {default} | {said[name]} |")
    return "\n".join(rows)


def _docstrings() -> dict[str, str]:
    """Read what stands under each variable; pydantic's own way costs every start 70 ms."""
    [about] = [node for node in ast.parse(Path(__file__).read_text()).body if _is_env(node)]
    lines = cast("ast.ClassDef", about).body
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(lines)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


def _is_env(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef) and node.name == Env.__name__


if __name__ == "__main__":
    print(settings_table())  # noqa: T201  a command prints
