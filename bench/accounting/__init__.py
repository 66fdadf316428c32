"""Two thousand calls that cost, and what is on record of them."""
