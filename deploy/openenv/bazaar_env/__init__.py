"""A client of BazaarBATNA's environments for those who use the ``openenv`` package."""

from bazaar_env.client import BazaarAction, BazaarEnv, BazaarObservation, MarketAction, MarketEnv

__all__ = ["BazaarAction", "BazaarEnv", "BazaarObservation", "MarketAction", "MarketEnv"]
