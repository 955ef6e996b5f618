"""A client of BazaarBATNA's environments for those who use ``openenv``: see ``client``."""
