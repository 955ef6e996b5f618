"""The web room of the GPU market: stored matches, who may see what of them, API and socket."""
