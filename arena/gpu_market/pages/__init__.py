"""The pages of the GPU market: its front page, a match, its twins and what-ifs."""
