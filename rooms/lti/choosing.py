"""A teacher chooses a room in the course's own page (deep linking): the answer is a signed form."""

from typing import Any

from pylti1p3.deep_link import DeepLink
from pylti1p3.deep_link_resource import DeepLinkResource
from pylti1p3.lineitem import LineItem

from rooms.lti.browser import Refused
from rooms.lti.launching import registration_of
from rooms.lti_models import LtiLaunch, origin_of
from rooms.models import Room

FULL_MARK = 100


def return_address(launch: LtiLaunch) -> str:
    """Return where the answer goes: to the platform itself, as staff has named it."""
    address = (launch.told["choice"] or {}).get("deep_link_return_url")
    if not isinstance(address, str) or origin_of(address) not in launch.platform.origins():
        raise Refused("unreadable")
    return address


def answer_of(launch: LtiLaunch, room: Room, launch_url: str) -> str:
    """Return the signed answer: a link that opens this room in a new window, with a mark."""
    link = DeepLinkResource().set_url(launch_url).set_title(room.name).set_target("window")
    link.set_custom_params({"room": room.code})
    link.set_lineitem(_place(room))
    asked: Any = launch.told["choice"]
    asked_by = DeepLink(registration_of(launch.platform), launch.told["deployment"], asked)
    message = asked_by.get_message_jwt([_InAWindow(link)])
    data = "https://purl.imsglobal.org/spec/lti-dl/claim/data"
    if message.get(data) is None:  # to be left out where the platform gave none
        message.pop(data, None)
    return str(asked_by.encode_jwt(message))


def _place(room: Room) -> LineItem:
    place = LineItem().set_label(room.name).set_tag(f"bazaar-{room.pk}")
    return place.set_score_maximum(FULL_MARK)


class _InAWindow(DeepLinkResource):
    """The library keeps a target and does not send it."""

    def __init__(self, link: DeepLinkResource) -> None:
        self._link = link

    def to_dict(self) -> dict[str, object]:
        return {**self._link.to_dict(), "window": {"targetName": "bazaarbatna"}}
