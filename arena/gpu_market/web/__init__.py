"""The GPU market on the site: stored matches, who may see what of them, pages, API, socket."""
