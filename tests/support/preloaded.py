"""Imported before other processes are born: nothing that reads settings or starts threads."""

import autobahn.twisted.wamp
import autobahn.twisted.websocket  # noqa: F401
import celery.app
import celery.fixups.django
import celery.loaders.app  # noqa: F401
import channels.generic.websocket
import channels.routing  # noqa: F401
import django.contrib.admin.options
import django.db.backends.sqlite3.base
import django.db.migrations.executor  # noqa: F401
import httpx  # noqa: F401
import jinja2  # noqa: F401
import kombu.transport.filesystem  # noqa: F401
import limits.aio
import limits.storage  # noqa: F401
import markdown_it  # noqa: F401
import PIL.ImageFont  # noqa: F401
import psycopg  # noqa: F401
import pydantic_settings  # noqa: F401
import redis.asyncio  # noqa: F401
import rich.progress  # noqa: F401
import segno  # noqa: F401
import service_identity  # noqa: F401
import structlog.twisted  # noqa: F401
import twisted.internet.ssl
import twisted.web.http  # noqa: F401
import whitenoise.middleware  # noqa: F401

import agents.dialects.table
import agents.sellers.listing
import agents.sellers.voice
import agents.text.acts.hear
import agents.text.tells.reader  # noqa: F401
import arena.auction.engine.events
import arena.gpu_market.dialect
import arena.gpu_market.env.seat
import arena.gpu_market.judging.reading  # noqa: F401
import replays.grade.search
import replays.transfer.reading  # noqa: F401
import training.evaluation.markets.summary
import training.stages.config  # noqa: F401
from agents.text.lazily import make_all

make_all()
