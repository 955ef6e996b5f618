"""What the environment can set; a wrong value stops the start and names every bad variable."""

import ast
import inspect
import ipaddress
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import Field, SecretStr
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


class Env(BaseSettings):
    """Settings of the site that an operator may change."""

    # Whoever mistypes a key must not find it in the log of the start that failed.
    model_config = SettingsConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    debug: bool = Field(default=False, validation_alias="BAZAAR_DEBUG")
    """Show Django's error pages. Never on a public site."""

    secret_key: SecretStr | None = Field(default=None, validation_alias="BAZAAR_SECRET_KEY")
    """Signs sessions. Without it a key is made once and kept in the data folder."""

    signing_key: SigningKey | None = Field(default=None, validation_alias="BAZAAR_SIGNING_KEY")
    """Signs what is taken home: 32 bytes, base64url. Without it one is made and kept like that."""

    signing_keys_before: PublicKeys = Field(
        default="", validation_alias="BAZAAR_SIGNING_KEYS_BEFORE"
    )
    """Public keys, separated by commas, that this site signed with before: they still count."""

    lti_key: CourseKey | None = Field(default=None, validation_alias="BAZAAR_LTI_KEY")
    """Signs what course platforms are told: RSA, as PEM. Without it one is made and kept so."""

    lti_key_before: CourseKey | None = Field(default=None, validation_alias="BAZAAR_LTI_KEY_BEFORE")
    """The key that stood there before: its public half is still told, and it signs nothing."""

    secrets_dir: Path = Field(default=SECRETS_DIR, validation_alias="BAZAAR_SECRETS_DIR")
    """Folder with a file for each variable that should not stand in the environment."""

    data_dir: Path = Field(default=ROOT / "var", validation_alias="BAZAAR_DATA_DIR")
    """Folder of the SQLite file, of jobs that wait, and of the keys that were made here."""

    allowed_hosts: str = Field(
        default="127.0.0.1,localhost,[::1]", validation_alias="BAZAAR_ALLOWED_HOSTS"
    )
    """Host names the site answers to, separated by commas."""

    https: bool = Field(default=False, validation_alias="BAZAAR_HTTPS")
    """The site is served over HTTPS: secure cookies, HSTS, redirects."""

    staff_codes: bool = Field(default=False, validation_alias="BAZAAR_STAFF_CODES")
    """The admin asks for a code of six digits beside the password (needs django-otp)."""

    framed_by: Origins = Field(default="", validation_alias="BAZAAR_FRAMED_BY")
    """Origins, separated by commas, whose pages may show this site in a frame. Without: nobody."""

    database_url: str | None = Field(default=None, validation_alias="DATABASE_URL")
    """PostgreSQL as postgres://user:password@host:port/name. Without it: SQLite."""

    redis_url: str | None = Field(default=None, validation_alias="REDIS_URL")
    """Redis for the channel layer, limits and jobs. Without it: memory, and jobs in a folder."""

    web_processes: int = Field(default=1, ge=1, le=64, validation_alias="BAZAAR_WEB_PROCESSES")
    """Processes that answer on the one port of `serve`; more than one need Redis."""

    worker_processes: int = Field(
        default=1, ge=1, le=64, validation_alias="BAZAAR_WORKER_PROCESSES"
    )
    """Processes of the background worker; more of them grade more games at once."""

    commit: str = Field(default="", validation_alias="BAZAAR_COMMIT")
    """Version of the code, for receipts, where the site runs without its git repository."""

    trusted_proxies: Networks = Field(default="", validation_alias="TRUSTED_PROXIES")
    """Addresses or networks, separated by commas, whose X-Forwarded-For is believed."""

    buyer_pause_s: float = Field(default=0.6, ge=0, le=10, validation_alias="BAZAAR_BUYER_PAUSE_S")
    """Seconds the buyer takes before it answers, so that people can follow. 0 for benchmarks."""

    take_back_s: float = Field(default=2.5, ge=0, le=10, validation_alias="BAZAAR_TAKE_BACK_S")
    """Seconds in which a price read from a sentence can be taken back before the house hears it."""

    arena_pause_s: float = Field(default=5.0, ge=0, le=60, validation_alias="BAZAAR_ARENA_PAUSE_S")
    """Seconds between two rounds of a match, so that people can follow. 0 for benchmarks."""

    arena_turn_s: float = Field(
        default=45.0, ge=0.2, le=600, validation_alias="BAZAAR_ARENA_TURN_S"
    )
    """Seconds that a person in a match has for each round; then the bid is held."""

    arena_gap_s: float = Field(default=20.0, ge=0, le=600, validation_alias="BAZAAR_ARENA_GAP_S")
    """Seconds between two exhibition matches, in which people can sit down."""

    market_pace_s: float = Field(default=1.2, ge=0, le=60, validation_alias="BAZAAR_MARKET_PACE_S")
    """Seconds between two turns of a demo of the GPU market, unless its starter says otherwise."""

    market_left_hours: float = Field(default=24, gt=0, validation_alias="BAZAAR_MARKET_LEFT_HOURS")
    """Hours after which a market whose person does not act, or that is paused, is ended."""

    limit_games: Limit = Field(default="120/minute", validation_alias="BAZAAR_LIMIT_GAMES")
    """Games that one address, which a whole school may share, may start, as count/window."""

    limit_matches: Limit = Field(default="6/minute", validation_alias="BAZAAR_LIMIT_MATCHES")
    """Matches in the arena and the market that one address may start or join."""

    limit_forks: Limit = Field(default="20/minute", validation_alias="BAZAAR_LIMIT_FORKS")
    """What-ifs that one address may ask for."""

    limit_imports: Limit = Field(default="30/hour", validation_alias="BAZAAR_LIMIT_IMPORTS")
    """Replays that one address may bring in from a file."""

    limit_photos: Limit = Field(default="30/hour", validation_alias="BAZAAR_LIMIT_PHOTOS")
    """Photos of own items that one address may bring."""

    limit_grades: Limit = Field(default="30/minute", validation_alias="BAZAAR_LIMIT_GRADES")
    """Other people's games without grades whose grades one address may ask for."""

    limit_messages: Limit = Field(default="5/5seconds", validation_alias="BAZAAR_LIMIT_MESSAGES")
    """Words and moves that one visitor may send: one a second, five at once."""

    limit_highlight: Limit = Field(default="60/minute", validation_alias="BAZAAR_LIMIT_HIGHLIGHT")
    """Texts that one address may have read by /highlight."""

    limit_frames: Limit = Field(default="60/10seconds", validation_alias="BAZAAR_LIMIT_FRAMES")
    """Socket messages of any kind that one visitor may send."""

    limit_sockets: Limit = Field(default="240/minute", validation_alias="BAZAAR_LIMIT_SOCKETS")
    """Live connections that one address may open."""

    limit_names: Limit = Field(default="3/day", validation_alias="BAZAAR_LIMIT_NAMES")
    """Names for the leaderboard that one address may choose."""

    limit_bots: Limit = Field(default="5/hour", validation_alias="BAZAAR_LIMIT_BOTS")
    """Bots that one address may register."""

    limit_bot_plays: Limit = Field(default="6/hour", validation_alias="BAZAAR_LIMIT_BOT_PLAYS")
    """Plays of its bots that one address may begin or go on with."""

    limit_codes: Limit = Field(default="60/hour", validation_alias="BAZAAR_LIMIT_CODES")
    """Codes of rooms that do not exist that one address may try; right ones are not counted."""

    limit_ids: Limit = Field(default="60/hour", validation_alias="BAZAAR_LIMIT_IDS")
    """Ids of a study that one address may try to bring to another browser in vain."""

    limit_power: Limit = Field(default="40/minute", validation_alias="BAZAAR_LIMIT_POWER")
    """Studies whose size one address may have worked out."""

    limit_logins: Limit = Field(default="20/hour", validation_alias="BAZAAR_LIMIT_LOGINS")
    """Wrong passwords that may come from one address, and for one account from there."""

    limit_visitors: Limit = Field(default="120/minute", validation_alias="BAZAAR_LIMIT_VISITORS")
    """New visitors of one address of whom something is stored, such as a game."""

    bot_episodes: int = Field(default=40, ge=1, le=200, validation_alias="BAZAAR_BOT_EPISODES")
    """Bargains that a bot plays in each suite."""

    env_sessions: int = Field(default=512, ge=1, validation_alias="BAZAAR_ENV_SESSIONS")
    """Sessions of each environment that one web process holds, sockets and HTTP together."""

    env_sessions_per_client: int = Field(
        default=64, ge=1, validation_alias="BAZAAR_ENV_SESSIONS_PER_CLIENT"
    )
    """Sessions of each environment that one address may hold in one web process."""

    environments: Literal["here", "elsewhere", "only"] = Field(
        default="here", validation_alias="BAZAAR_ENVIRONMENTS"
    )
    """Where environments are served: here, beside the pages; elsewhere; or here and only they."""

    env_port: int = Field(default=0, ge=0, le=65535, validation_alias="BAZAAR_ENV_PORT")
    """Port on which `serve` gives the environments a process of their own; 0: none."""

    env_messages: float = Field(default=500, ge=0, validation_alias="BAZAAR_ENV_MESSAGES")
    """Messages a second that one address may send to environments in one process; 0: any."""

    env_games: float = Field(default=1200, ge=0, validation_alias="BAZAAR_ENV_GAMES")
    """Games a minute that one address may begin there; 0: any."""

    env_idle_minutes: float = Field(
        default=15.0, gt=0, le=1440, validation_alias="BAZAAR_ENV_IDLE_MINUTES"
    )
    """Minutes without a message after which an environment session is ended."""

    sauda_policy: str = Field(
        default="sauda-network", min_length=1, max_length=60, validation_alias="SAUDA_POLICY"
    )
    """The policy that bargains with people who choose none; sauda leaves it to the models."""

    sauda_backends: Backends = Field(
        default="hf,ollama,local,rules", validation_alias="SAUDA_BACKENDS"
    )
    """Who speaks for Sauda, in order of preference. Rules are always asked last."""

    sauda_turn_budget_s: float = Field(
        default=10.0, ge=0.5, le=60, validation_alias="SAUDA_TURN_BUDGET_S"
    )
    """Seconds that all models together may take for one turn; then the rules speak."""

    sauda_hf_url: HttpAddress = Field(default="", validation_alias="SAUDA_HF_URL")
    """Address of a Hugging Face Inference Endpoint or another OpenAI-style server."""

    sauda_hf_token: SecretStr | None = Field(default=None, validation_alias="SAUDA_HF_TOKEN")
    """Bearer token of that endpoint."""

    sauda_hf_model: str = Field(default="", validation_alias="SAUDA_HF_MODEL")
    """Model name sent to that endpoint; endpoints with one model need none."""

    sauda_hf_timeout_s: float = Field(
        default=8.0, gt=0, le=60, validation_alias="SAUDA_HF_TIMEOUT_S"
    )
    """Seconds that one call of the endpoint may take."""

    sauda_ollama_url: HttpAddress = Field(default="", validation_alias="SAUDA_OLLAMA_URL")
    """Address of an Ollama server, usually http://localhost:11434. Without it: not asked."""

    sauda_ollama_model: str = Field(default="llama3.1", validation_alias="SAUDA_OLLAMA_MODEL")
    """Name of the model that Ollama serves."""

    sauda_ollama_timeout_s: Wait = Field(default=20.0, validation_alias="SAUDA_OLLAMA_TIMEOUT_S")
    """Seconds that one call of Ollama may take."""

    sauda_voice_s: float = Field(default=1.0, ge=0, le=10, validation_alias="SAUDA_VOICE_S")
    """Seconds that the model in the box has for a line; then the bank speaks. 0: never asked."""

    sauda_local_model: str = Field(default="", validation_alias="SAUDA_LOCAL_MODEL")
    """Model in this process: folder, hub name, a shipped one or none. Empty: the shipped."""

    sauda_local_adapter: str = Field(default="", validation_alias="SAUDA_LOCAL_ADAPTER")
    """Folder or hub name of a PEFT adapter for it."""

    sauda_local_device: Literal["auto", "cpu", "cuda"] = Field(
        default="auto", validation_alias="SAUDA_LOCAL_DEVICE"
    )
    """Where the local model runs; auto takes CUDA where there is any."""

    sauda_local_precision: Literal["auto", "float32", "bfloat16", "4bit"] = Field(
        default="auto", validation_alias="SAUDA_LOCAL_PRECISION"
    )
    """Numbers of the local model; auto is bfloat16 on CUDA and float32 on a CPU."""

    sauda_local_batch: int = Field(default=32, ge=1, le=256, validation_alias="SAUDA_LOCAL_BATCH")
    """Requests that the local model answers at once."""

    sauda_local_threads: int = Field(
        default=0, ge=0, le=256, validation_alias="SAUDA_LOCAL_THREADS"
    )
    """CPU threads of the local model; 0 takes half of the cores."""

    sauda_local_timeout_s: Wait = Field(default=6.0, validation_alias="SAUDA_LOCAL_TIMEOUT_S")
    """Seconds that one answer of the local model may take, waiting included."""

    sauda_local_patience_s: Wait = Field(default=1.2, validation_alias="SAUDA_LOCAL_PATIENCE_S")
    """The same while others are answered as well; where it would take longer, nobody waits."""

    sauda_model_servers: str = Field(default="", validation_alias="SAUDA_MODEL_SERVERS")
    """Where the local models are served: paths of Unix sockets, or addresses; empty: by `serve`."""

    model_processes: int = Field(default=1, ge=0, le=16, validation_alias="BAZAAR_MODEL_PROCESSES")
    """Processes for the local models that `serve` starts; 0 keeps them in each web process."""

    sauda_max_new_tokens: int = Field(
        default=96, ge=16, le=1024, validation_alias="SAUDA_MAX_NEW_TOKENS"
    )
    """Longest answer of a model in tokens."""

    sauda_temperature: float = Field(default=0.6, ge=0, le=2, validation_alias="SAUDA_TEMPERATURE")
    """How much chance a model's words have; 0 is none."""

    sauda_top_p: float = Field(default=0.9, gt=0, le=1, validation_alias="SAUDA_TOP_P")
    """Share of the likeliest words that a model chooses from."""

    sauda_steer: bool = Field(default=True, validation_alias="SAUDA_STEER")
    """Bend what a model proposes by what the tells suggest; guards hold either way."""

    sauda_model_tells: bool = Field(default=False, validation_alias="SAUDA_MODEL_TELLS")
    """Also let a model look for tells in the seller's words; the patterns always look."""

    sauda_probe_every_s: float = Field(
        default=30.0, ge=0, le=3600, validation_alias="SAUDA_PROBE_EVERY_S"
    )
    """Seconds for which a sign of life of a model counts on the health page."""

    gate_prompt_chars: int = Field(default=4000, ge=1, validation_alias="SAUDA_GATE_PROMPT_CHARS")
    """Longest prompt in characters that a metered model is sent."""

    gate_per_minute: int = Field(default=30, ge=0, validation_alias="SAUDA_GATE_PER_MINUTE")
    """Metered calls that one address may cause in a minute."""

    gate_per_hour: int = Field(default=200, ge=0, validation_alias="SAUDA_GATE_PER_HOUR")
    """Metered calls that one address may cause in an hour."""

    gate_per_day: int = Field(default=500, ge=0, validation_alias="SAUDA_GATE_PER_DAY")
    """Metered calls that one address may cause in 24 hours."""

    gate_concurrency: int = Field(default=4, ge=0, validation_alias="SAUDA_GATE_CONCURRENCY")
    """Metered calls under way at the same time, in all processes together."""

    gate_daily_calls: int = Field(default=1500, ge=0, validation_alias="SAUDA_GATE_DAILY_CALLS")
    """Metered calls in one UTC day."""

    gate_daily_usd: float = Field(
        default=5.00, ge=0, le=1_000_000, validation_alias="SAUDA_GATE_DAILY_USD"
    )
    """Dollars that metered calls may cost in one UTC day."""

    price_in_usd: float = Field(
        default=0.50, ge=0, le=1000, validation_alias="SAUDA_HF_USD_PER_MILLION_IN"
    )
    """Dollars per million tokens that the endpoint reads."""

    price_out_usd: float = Field(
        default=1.50, ge=0, le=1000, validation_alias="SAUDA_HF_USD_PER_MILLION_OUT"
    )
    """Dollars per million tokens that the endpoint writes."""

    breaker_failures: int = Field(default=3, ge=1, validation_alias="SAUDA_BREAKER_FAILURES")
    """Failures in a row after which a model is left alone."""

    breaker_open_s: float = Field(default=300.0, gt=0, validation_alias="SAUDA_BREAKER_OPEN_S")
    """Seconds a failing model is left alone before one call tries it again."""

    trainable_models: str = Field(
        default="unsloth/Meta-Llama-3.1-8B-Instruct", validation_alias="BAZAAR_TRAINABLE_MODELS"
    )
    """Hub names, separated by commas, that staff may train besides the models of this site."""

    study_hosts: str = Field(
        default="app.prolific.com,connect.cloudresearch.com", validation_alias="BAZAAR_STUDY_HOSTS"
    )
    """Hosts, separated by commas, to which a study may send its participants back."""

    games: str = Field(default="", validation_alias="BAZAAR_GAMES")
    """Classes of further games, dotted and separated by commas; see ``docs/games.md``."""

    judge_url: HttpAddress = Field(default="", validation_alias="BAZAAR_JUDGE_URL")
    """OpenAI-style server whose model judges pairs of games for DPO. Without: Claude, or rules."""

    judge_key: SecretStr | None = Field(default=None, validation_alias="BAZAAR_JUDGE_KEY")
    """Bearer token of that server."""

    judge_model: str = Field(default="", validation_alias="BAZAAR_JUDGE_MODEL")
    """Name of the judging model; empty where the server has one, or for a Claude of our choice."""

    judge_calls: int = Field(default=4000, ge=0, validation_alias="BAZAAR_JUDGE_CALLS")
    """Questions that one run may ask a judging model; then rules judge."""

    anthropic_api_key: SecretStr | None = Field(default=None, validation_alias="ANTHROPIC_API_KEY")
    """Lets Claude judge pairs where no other judging server is set. Without: rules judge."""

    hub_token: SecretStr | None = Field(default=None, validation_alias="HF_TOKEN")
    """Token of the Hugging Face hub, for training jobs and what they make."""

    hub_url: HttpAddress = Field(default="https://huggingface.co", validation_alias="HF_ENDPOINT")
    """Address of the hub."""

    hub_repos: str = Field(default="", validation_alias="BAZAAR_HUB_REPOS")
    """Repositories, with commas, for training runs: owner/name or owner/*. Without: none."""

    job_flavors: str = Field(
        default="cpu-basic,cpu-upgrade,t4-small,l4x1,a10g-small,a10g-large,a100-large",
        validation_alias="BAZAAR_JOB_FLAVORS",
    )
    """Machines, with commas, that a training job on the hub may be started on."""

    job_image: str = Field(default="python:3.11", validation_alias="BAZAAR_JOB_IMAGE")
    """Container image of training jobs: with git and Python, or with this code in it."""

    job_source: str = Field(default="", validation_alias="BAZAAR_JOB_SOURCE")
    """Git address from which a training job gets this code. Without: it is in the image."""

    metrics_token: SecretStr | None = Field(
        default=None, min_length=16, validation_alias="BAZAAR_METRICS_TOKEN"
    )
    """Bearer token, of 16 characters or more, with which Prometheus may read /metrics."""

    metrics_local: bool = Field(default=False, validation_alias="BAZAAR_METRICS_LOCAL")
    """Without a token: this machine itself may read /metrics. With neither nothing is counted."""

    log_level: LogLevel = Field(default="INFO", validation_alias="BAZAAR_LOG_LEVEL")
    """Least severe level that is logged: DEBUG, INFO, WARNING or ERROR."""

    log_json: bool = Field(default=False, validation_alias="BAZAAR_LOG_JSON")
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
