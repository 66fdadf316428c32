"""What is left of a chain that stopped half-way, and when a failure is believed."""
