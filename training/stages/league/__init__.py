"""The network by policy search: whole games with the population, then rounds of exploiters."""
