"""The list of everything this room gives to the game."""

from agents.arms import ArmPolicies
from agents.buyers.network.buyer import NetworkBuyer, NetworkBuyerWithoutTells
from agents.buyers.network.live import LiveNetwork
from agents.buyers.sauda import Sauda
from agents.buyers.table import BUYERS
from agents.sauda_live import LiveSauda
from agents.seller_live import LiveSeller
from agents.sellers.people import PeoplePolicies
from agents.sellers.plug import SellerRow, sellers
from agents.speech import Speech
from agents.trained_policies import TrainedPolicies
from negotiation import policies, readers

ANY_VOICE = Sauda.name
"""The policy that takes whichever model answers."""

VOICES: dict[str, str] = {
    "hf": "Sauda through the big model",
    "ollama": "Sauda through Ollama",
    "local": "Sauda through the model on this machine",
    "rules": "Sauda by rules",
}
"""What a visitor may choose to hear alone, as policies ``sauda:<backend>``."""


def plug_in() -> None:
    """Register the policies and install the reader; safe to call twice."""
    readers.install(Speech())
    for buyer in BUYERS:
        voice = _SAUDA if buyer is Sauda else None
        policies.register(buyer.name, buyer, version=buyer.version(), title=buyer.title, live=voice)
    for made in (NetworkBuyer, NetworkBuyerWithoutTells):
        policies.register(
            made.name,
            made,
            version=made.version(),
            kind="model",
            title=made.title,
            backend="network",
            live=_NETWORK if made is NetworkBuyer else None,
        )
    for row in sellers():
        live = _SELLERS[row.name]
        policies.register(
            row.name, row.make, version=row.version, title=row.title, side="seller", live=live
        )
    for backend, title in VOICES.items():
        policies.register(
            f"{ANY_VOICE}:{backend}",
            Sauda,
            version=Sauda.version(),
            kind="rules" if backend == "rules" else "model",
            title=title,
            live=_ALONE.get(backend),
        )
    policies.install(_PEOPLE)
    policies.install(_TRAINED)
    policies.install(_ARMS)


def trained_voices() -> tuple[policies.Entry, ...]:
    """List the trained models that a visitor can sell to now."""
    there = _TRAINED.entries()
    return tuple(one for one in there if one.voice and one.live is not None and one.live.awake())


def _rules() -> policies.Entry:
    return policies.policy(Sauda.name)


def _network() -> policies.Entry:
    return policies.policy(NetworkBuyer.name)


def _seller(row: SellerRow) -> LiveSeller:
    return LiveSeller(row.persona, lambda: policies.policy(row.name))


_SAUDA = LiveSauda(_rules)
_NETWORK = LiveNetwork(_network)
_TRAINED = TrainedPolicies(_rules)
_ARMS = ArmPolicies()
_PEOPLE = PeoplePolicies()
_SELLERS = {row.name: _seller(row) for row in sellers()}
_ALONE = {name: LiveSauda(_rules, (name,)) for name in VOICES if name != "rules"}
