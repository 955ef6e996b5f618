"""The bazaar as an environment to step through: no Django here, so that trainers can import it."""
