"""Many concurrent processes on the review queue, and the state they leave."""
