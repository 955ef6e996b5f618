"""The OpenEnv protocol, spoken natively: what its clients send, the bazaar answers."""
