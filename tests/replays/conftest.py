"""Asha sells, Chetan must never see."""

import pytest
from django.test import Client

from negotiation.models import Game
from tests.support.finished import a_haggle, store
from tests.support.visitors import a_visitor, key_of


@pytest.fixture
def asha(db: None) -> Client:
    """A visitor with a session of her own."""
    return a_visitor()


@pytest.fixture
def chetan(db: None) -> Client:
    """Another visitor."""
    return a_visitor()


@pytest.fixture
def shared(asha: Client) -> Game:
    """Asha's finished game that she agreed to share."""
    return store(a_haggle(), owner=key_of(asha), shared=True)


@pytest.fixture
def kept(asha: Client) -> Game:
    """Asha's finished game that she keeps to herself."""
    return store(a_haggle(), owner=key_of(asha), shared=False)
