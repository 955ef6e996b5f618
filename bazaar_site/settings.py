"""Django settings; every choice an operator has comes from ``bazaar_site.env``."""

from functools import partial
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from pydantic import SecretStr

from bazaar_site.env import ROOT, env, is_public
from bazaar_site.env_secrets import (
    job_secrets,
    keep_private,
    lti_key,
    secret_key,
    secret_values,
    signed_before,
    signing_key,
)
from bazaar_site.env_values import items
from bazaar_site.logging import configure_logging
from bazaar_site.operating import start_times
from negotiation.secret_values import keep_secret


def plain_value(value: Any) -> Any:
    """Return a value, a secret in plain; "" for a secret that is not set."""
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    return "" if value is None else value


def variables_of(prefix: str) -> dict[str, Any]:
    """Return the variables that begin so, by the rest of their names."""
    return {
        name.removeprefix(prefix): plain_value(value)
        for name, value in env
        if name.startswith(prefix)
    }


BASE_DIR = ROOT
DATA_DIR = env.data_dir
keep_private(DATA_DIR)
DEBUG = env.debug
SECRET_KEY = secret_key(env.secret_key, env.data_dir)
SIGNING_KEY = signing_key(env.signing_key, env.data_dir)
FIND_LTI_KEY = partial(lti_key, env.lti_key)  # most sites have no course: none is made yet
SIGNING_KEYS_BEFORE = signed_before(env.signing_keys_before, env.data_dir)
keep_secret((SECRET_KEY, SIGNING_KEY, *secret_values(env)))
ALLOWED_HOSTS = items(env.allowed_hosts)
IS_PUBLIC = is_public(env)

INSTALLED_APPS = [
    "bazaar_site.apps.QuietDaphne",
    "bazaar_site.apps.StaffAdmin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "bazaar_site.static_files.OwnStaticFiles",
    "django.contrib.humanize",
    "django_htmx",
    "template_partials",
    "csp",
    "channels",
    "negotiation",
    "agents",
    "arena",
    "replays",
    "training",
    "training.leaderboard",
    "training.bots",
    "rooms",
    "bazaar_site.apps.SiteConfig",
]
STAFF_CODES = env.staff_codes
if STAFF_CODES:
    INSTALLED_APPS += ["django_otp", "django_otp.plugins.otp_totp"]
    OTP_TOTP_ISSUER = "BazaarBATNA"

MIDDLEWARE = [
    "bazaar_site.errors.ApiErrorShape",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "bazaar_site.compressing.CompressText",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "bazaar_site.visitors.VisitorMiddleware",
]

if STAFF_CODES:
    _accounts = MIDDLEWARE.index("django.contrib.auth.middleware.AuthenticationMiddleware")
    MIDDLEWARE.insert(_accounts + 1, "django_otp.middleware.OTPMiddleware")

ROOT_URLCONF = "bazaar_site.urls"
ASGI_APPLICATION = "bazaar_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "bazaar_site.context.places",
            ],
        },
    },
]

if env.database_url:
    # No persistent connections: under ASGI every request has a thread of its own, and each would
    # keep one. Live games have few threads that do keep theirs (negotiation/threads.py).
    _database = dj_database_url.parse(env.database_url, conn_health_checks=True)
    if _database["ENGINE"] == "django.db.backends.postgresql":
        _database["ENGINE"] = "bazaar_site.operating.postgresql"
        _database["OPTIONS"] = {"connect_timeout": "5", **_database.get("OPTIONS", {})}
    DATABASES = {"default": _database}
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(env.data_dir / "bazaar.sqlite3"),
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            },
            "TEST": {"NAME": str(env.data_dir / "test.sqlite3")},
        }
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

if env.redis_url:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "bazaar_site.layers.GroupLayer",
            "CONFIG": {"hosts": [env.redis_url]},
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "bazaar_site.layers.ProcessLayer"}}

QUEUE_DIR = env.data_dir / "queue"
CELERY_BROKER_URL = env.redis_url or "filesystem://localhost"
if not env.redis_url:
    # No server: letters in a folder, which a real worker reads.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(QUEUE_DIR / "letters"),
        "data_folder_out": str(QUEUE_DIR / "letters"),
        "control_folder": str(QUEUE_DIR / "control"),
        "polling_interval": 0.2,
    }
    for folder in ("letters", "control"):
        (QUEUE_DIR / folder).mkdir(parents=True, exist_ok=True)
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "bazaar"
LONG_WORK_QUEUE = "training"  # of its own, so that nobody's grades wait for it
CELERY_TASK_ROUTES = {
    name: {"queue": LONG_WORK_QUEUE}
    for name in (
        "training.tasks.play_waiting",
        "training.tasks.play_orders",
        "training.bots.tasks.play_on",
        "training.leaderboard.tasks.spar",
    )
}
# The truth about a job is its row; a broker that is away must not hold up whoever asks for it.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 60
CELERY_TASK_TIME_LIMIT = 90
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = env.worker_processes
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False

LANGUAGE_CODE = "en-in"
LANGUAGES = [("en-in", "English"), ("hi", "हिन्दी")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "bazaar_site.formats"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = env.data_dir / "static"
STATIC_ROOT.mkdir(exist_ok=True)  # WhiteNoise warns about a folder that is not there yet
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "bazaar_site.static_files.ModuleStorage"},
}
WHITENOISE_USE_FINDERS = True
# Pages name files by their hash alone; what nobody asks for need not be compressed twice.
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "rooms"
LOGOUT_REDIRECT_URL = "rooms"

SESSION_ENGINE = "negotiation.games.visitors"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 180
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "bazaar_site.errors.csrf_failure"
FRAMED_BY = items(env.framed_by)
X_FRAME_OPTIONS = "DENY"
if FRAMED_BY:
    # The older header knows no list: where somebody may frame the site, the policy below says who.
    MIDDLEWARE.remove("django.middleware.clickjacking.XFrameOptionsMiddleware")
    # In a foreign frame browsers send only such cookies; unsafe requests carry a token either way.
    SESSION_COOKIE_SAMESITE = "None"
    CSRF_COOKIE_SAMESITE = "None"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_250_000  # bytes, as at the door: bazaar_site/doorway/bodies.py
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
if env.https:
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]  # asked of this process, inside
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    # Where a host begins with a dot and means its subdomains, an origin has a star before it.
    CSRF_TRUSTED_ORIGINS = [
        f"https://{'*' if host.startswith('.') else ''}{host}"
        for host in ALLOWED_HOSTS
        if host != "*"
    ]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": FRAMED_BY or [NONE],
        "base-uri": [NONE],
    }
}

REDIS_URL = env.redis_url
WEB_PROCESSES = env.web_processes
CORPORA_DIR = env.data_dir / "corpora"
RUNS_DIR = env.data_dir / "runs"
GAMES = tuple(items(env.games))
TRAINABLE_MODELS = frozenset(items(env.trainable_models))
PHOTOS_DIR = env.data_dir / "photos"
MODELS_DIR = env.data_dir / "models"
SHIPPED_MODELS_DIR = BASE_DIR / "training" / "models"
LABS_DIR = env.data_dir / "labs"
SHIPPED_LABS_DIR = BASE_DIR / "training" / "labs"
HUB: dict[str, Any] = {
    "url": env.hf_endpoint,
    "token": plain_value(env.hf_token),
}
HUB_REPOS = tuple(items(env.hub_repos))
JOB_FLAVORS = tuple(items(env.job_flavors))
JOB_IMAGE = env.job_image
JOB_SOURCE = env.job_source
JOB_SECRETS = job_secrets(env)
COMMIT = env.commit
TRUSTED_PROXIES = env.trusted_proxies
BUYER_PAUSE_S = env.buyer_pause_s
TAKE_BACK_S = env.take_back_s
ARENA_PAUSE_S = env.arena_pause_s
ARENA_TURN_S = env.arena_turn_s
ARENA_GAP_S = env.arena_gap_s
MARKET_PACE_S = env.market_pace_s
MARKET_LEFT_HOURS = env.market_left_hours
LIMITS = variables_of("limit_")
BOT_EPISODES = env.bot_episodes
ENVIRONMENTS = env.environments
ENV_PORT = env.env_port
ENV_SESSIONS = env.env_sessions
ENV_SESSIONS_PER_CLIENT = env.env_sessions_per_client
ENV_MESSAGES = env.env_messages
ENV_GAMES = env.env_games
ENV_IDLE_MINUTES = env.env_idle_minutes
STUDY_HOSTS = env.study_hosts
SAUDA_POLICY = env.sauda_policy
SAUDA_BACKENDS = tuple(env.sauda_backends.split(","))
SAUDA_TURN_BUDGET_S = env.sauda_turn_budget_s
SAUDA_CHAT: dict[str, Any] = {
    "max_new_tokens": env.sauda_max_new_tokens,
    "temperature": env.sauda_temperature,
    "top_p": env.sauda_top_p,
}
SAUDA_HF: dict[str, Any] = {
    "url": env.sauda_hf_url,
    "token": plain_value(env.sauda_hf_token),
    "model": env.sauda_hf_model,
    "timeout_s": env.sauda_hf_timeout_s,
}
SAUDA_OLLAMA = variables_of("sauda_ollama_")
SAUDA_LOCAL = variables_of("sauda_local_")
SAUDA_MODEL_SERVERS = tuple(items(env.sauda_model_servers))
MODEL_PROCESSES = env.model_processes
SAUDA_VOICE_S = env.sauda_voice_s
SAUDA_PROBE_EVERY_S = env.sauda_probe_every_s
SAUDA_STEER = env.sauda_steer
SAUDA_MODEL_TELLS = env.sauda_model_tells
SAUDA_GATES = {
    **variables_of("sauda_gate_"),
    "daily_microusd": round(env.sauda_gate_daily_usd * 1_000_000),
    "breaker_failures": env.sauda_breaker_failures,
    "breaker_open_s": env.sauda_breaker_open_s,
}
SAUDA_PRICES = {
    "in_usd": env.sauda_hf_usd_per_million_in,
    "out_usd": env.sauda_hf_usd_per_million_out,
}
"""Dollars per million tokens, which is micro-dollars per token."""
JUDGE = variables_of("judge_") | {"anthropic_key": plain_value(env.anthropic_api_key)}
METRICS_TOKEN = plain_value(env.metrics_token)
METRICS_LOCAL = env.metrics_local
METRICS = bool(METRICS_TOKEN) or METRICS_LOCAL
METRICS_DIR = DATA_DIR / "metrics"
LOG_JSON = env.log_json
LOGGING_CONFIG = None  # Django's own set-up would print every entry twice
configure_logging(env.log_level, as_json=env.log_json)
start_times.done("settings")
