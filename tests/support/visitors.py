"""People with a session of their own."""

from django.test import Client


def a_visitor() -> Client:
    """A browser that has been here before."""
    client = Client()
    client.session.save()
    return client


def key_of(client: Client) -> str:
    """The session key of a visitor: what makes a game theirs."""
    key = client.session.session_key
    assert key
    return key
