"""Many tasks at once: who works on them, what answers as their model, and what is watched meanwhile."""
