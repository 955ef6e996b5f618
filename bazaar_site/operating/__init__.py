"""What an operator looks at and does: numbers of requests, counts, copies, the state of the site."""
