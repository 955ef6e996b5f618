"""The local backend: a transformers model in this process.

``backend`` is the door and imports nothing heavy; ``worker`` is the one thread that loads the model
and answers; the rest is what that thread uses, and the only code here that imports torch.
"""
