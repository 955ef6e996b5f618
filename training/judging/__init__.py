"""The judge of two games, the pairs it makes for DPO, and how often it prefers a policy."""
