"""The researcher's door: a few lines that run as they stand (a test runs them)."""

GYMNASIUM = """\
import gymnasium
import negotiation.environment.gymnasium_env  # registers Bazaar-v0

bazaar = gymnasium.make("Bazaar-v0")
seen, info = bazaar.reset(seed=7)
for bid in (0.4, 0.5, 0.6, 0.7):  # parts of the own budget
    seen, reward, over, _, info = bazaar.step({"move": 0, "price": [bid]})
    print(f"{reward:+.2f}", info["said"])
    if over:
        break
"""
"""Plays one bargain of the first suite."""
