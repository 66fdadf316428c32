"""What to do for one step of a plan on the page as it is now."""
