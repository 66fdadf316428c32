"""From what a person asked for to the lines of a plan."""
