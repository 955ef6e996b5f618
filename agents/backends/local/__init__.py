"""A transformers model in this process; only what the thread of ``worker`` uses imports torch."""
