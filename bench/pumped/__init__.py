"""How the time of every pattern and text function grows with hostile text."""
