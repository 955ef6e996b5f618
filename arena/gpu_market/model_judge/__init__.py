"""A language model as judge of hearings, behind the agents' gates; the rule stands in for it."""
