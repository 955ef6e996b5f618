"""Imported before other processes are born: nothing that reads settings or starts threads."""

import sys
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

import django

ROOT = Path(__file__).resolve().parent.parent.parent
FLOORS = ("bazaar_site", "rooms", "training", "replays", "arena", "agents", "negotiation")
LIBRARIES = ("daphne", "django/contrib", "ninja")
"""What reads settings is read from the disk here, and run by each process itself."""

SITE = (
    "autobahn.twisted.wamp",
    "autobahn.twisted.websocket",
    "celery.app",
    "celery.fixups.django",
    "celery.loaders.app",
    "channels.generic.websocket",
    "channels.routing",
    "channels.sessions",
    "csp.middleware",
    "dj_database_url",
    "django.contrib.admin.options",
    "django.core.asgi",
    "django.core.servers.basehttp",
    "django.db.backends.sqlite3.base",
    "django.db.migrations.executor",
    "httpx",
    "jinja2",
    "kombu.transport.filesystem",
    "limits.aio",
    "limits.storage",
    "markdown_it",
    "PIL.Image",
    "PIL.ImageDraw",
    "PIL.ImageFont",
    "PIL.JpegImagePlugin",
    "psycopg",
    "pydantic_settings",
    "redis.asyncio",
    "rich.progress",
    "segno",
    "service_identity",
    "structlog.twisted",
    "tomli_w",
    "tarfile",
    "twisted.internet.ssl",
    "twisted.web.http",
    "whitenoise.middleware",
    "agents.dialects.compact",
    "agents.speech.listing",
    "agents.sellers.voice",
    "agents.text.acts.hear",
    "agents.text.tells.reader",
    "bazaarbatna.auction.events",
    "arena.gpu_market.dialect",
    "bazaarbatna.envs.market.seat",
    "bazaarbatna.market.judging.reading",
    "replays.transfer.reading",
    "training.evaluation.markets.summary",
    "training.stages.config",
)

TRAINING = (
    "datasets",
    "peft",
    "torch",
    "transformers.models.auto.modeling_auto",
    "transformers.models.llama.modeling_llama",
    "trl.trainer.dpo_trainer",
    "trl.trainer.grpo_trainer",
    "trl.trainer.sft_trainer",
)

CLIENTS = ("httpx", "openenv.core.generic_client", "websockets.sync.client")


def site() -> None:
    """Know what every process of the site needs."""
    _know(SITE)
    import_module("bazaarbatna.lazily").make_all()
    # A real hash of a password is slow on purpose; one of fewer rounds can be checked anywhere.
    import_module("django.contrib.auth.hashers").PBKDF2PasswordHasher.iterations = 1_000
    _read(ROOT, FLOORS)
    _read(Path(django.__file__).parent.parent, LIBRARIES)


def training() -> None:
    """Know what a stage of training needs beside that."""
    site()
    _know(TRAINING)


def clients() -> None:
    """Know what programs need that speak to a site and are none."""
    _know(CLIENTS)


def _read(root: Path, folders: tuple[str, ...]) -> None:
    """Keep the code of modules that are not imported yet."""
    load, read = SourceFileLoader.get_code, {}
    for path in (path for folder in folders for path in (root / folder).rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        if name not in sys.modules:
            read[str(path)] = load(SourceFileLoader(name, str(path)), name)

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        return read.get(self.path) or load(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def _know(names: tuple[str, ...]) -> None:
    for name in names:
        import_module(name)
