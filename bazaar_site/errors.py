"""One shape for every error the site answers with."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that came without a valid token."""
    return render(request, "errors/403.html", status=403)
