"""The stages of training, from nothing to the voice of the site: base, SFT, GRPO, DPO."""
