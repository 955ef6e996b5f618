"""How rooms answer: pages that are drawn anew each time, some with a form, and files to keep."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

View = TypeVar("View", bound=Callable[..., Any])


def shown_page(view: View) -> View:
    """Let a page be looked at alone."""
    return never_cache(require_safe(view))


def form_page(view: View) -> View:
    """Let a page be looked at, and its form be sent."""
    return never_cache(require_http_methods(["GET", "HEAD", "POST"])(view))


def attached(body: bytes | str, name: str, kind: str = "text/csv") -> HttpResponse:
    """Send a file under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(body, content_type=f"{kind}; charset=utf-8", headers=headers)
