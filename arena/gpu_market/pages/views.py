"""stub"""

from django.http import HttpRequest, HttpResponse


def front(request):
    return HttpResponse("")


def match(request, match_id):
    return HttpResponse("")


def board(request, match_id):
    return HttpResponse("")


def act(request, match_id):
    return HttpResponse("")
