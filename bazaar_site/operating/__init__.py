"""What an operator looks at and does: numbers of requests, counts, copies, how the site is."""
