"""What to do for one step of a plan on the current page."""
