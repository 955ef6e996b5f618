"""A first buyer, by Gymnasium's API alone: what it keeps, beside what it must beat.

pip install '.[envs]'
python examples/quickstart.py
"""

import json

import gymnasium

env = gymnasium.make("bazaarbatna.gym:Bazaar-v0", suite="people")
shares = []
for seed in range(200):
    seen, info = env.reset(seed=seed)
    over = False
    while not over:
        bid = 0.3 + 0.6 * seen["clock"][0]
        may_accept = info["action_mask"]["move"][1]
        accepts = may_accept and seen["prices"][0] <= bid
        action = {"move": 1 if accepts else 0, "price": [bid]}
        seen, reward, over, _, info = env.step(action)
    result = json.loads(info["result"])
    if result["reservation_price"] < result["budget"]:
        shares.append(result["buyer_share"])

print(f"kept {sum(shares) / len(shares):.3f} of the zone in {len(shares)} bargains that have one")
print("to beat: python -m bazaarbatna rollout --suite people@1 --buyer line-30-90,agreeable")
