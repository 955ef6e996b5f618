"""A client of BazaarBATNA's environments for those who use ``openenv``: see ``client``."""

from bazaar_env.client import BazaarAction, BazaarEnv, BazaarObservation, MarketAction, MarketEnv

__all__ = ["BazaarAction", "BazaarEnv", "BazaarObservation", "MarketAction", "MarketEnv"]
