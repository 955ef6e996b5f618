"""Imported before other processes are born: nothing that reads settings or starts threads."""

from importlib import import_module

SITE = (
    "autobahn.twisted.wamp",
    "autobahn.twisted.websocket",
    "celery.app",
    "celery.fixups.django",
    "celery.loaders.app",
    "channels.generic.websocket",
    "channels.routing",
    "django.contrib.admin.options",
    "httpx",
    "jinja2",
    "kombu.transport.filesystem",
    "limits.aio",
    "limits.storage",
    "PIL.Image",
    "psycopg",
    "pydantic_settings",
    "redis.asyncio",
    "rich.progress",
    "service_identity",
    "structlog.twisted",
    "twisted.internet.ssl",
    "twisted.web.http",
    "whitenoise.middleware",
    "agents.dialects.table",
    "agents.text.acts.hear",
    "arena.gpu_market.dialect",
    "arena.gpu_market.judging.reading",
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

CLIENTS = ("openenv.cli.__main__", "openenv.core.generic_client", "websockets.sync.client")


def site() -> None:
    """Know what every process of the site needs."""
    _know(SITE)
    import_module("agents.text.lazily").make_all()


def training() -> None:
    """Know what a stage of training needs beside that."""
    site()
    _know(TRAINING)


def clients() -> None:
    """Know what programs need that speak to a site and are none."""
    _know(CLIENTS)


def _know(names: tuple[str, ...]) -> None:
    for name in names:
        import_module(name)
