"""The seller's pages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def sell(request: HttpRequest) -> HttpResponse:
    """Show what can be sold."""
    return render(request, "negotiation/sell.html")
