"""What ``gymnasium.make`` finds once this is imported: ``make("bazaarbatna.gym:Bazaar-v0")``."""

import gymnasium

BAZAAR, MARKET, CASE = "Bazaar-v0", "GpuMarket-v0", "Case-v0"

gymnasium.register(
    BAZAAR,
    entry_point="bazaarbatna.envs.bargain.gymnasium_env:BazaarEnv",
    vector_entry_point="bazaarbatna.envs.bargain.vector_env:BazaarVectorEnv",
)
gymnasium.register(MARKET, entry_point="bazaarbatna.envs.market.gymnasium_env:GpuMarketEnv")
gymnasium.register(CASE, entry_point="bazaarbatna.envs.cases.gymnasium_env:CaseEnv")
