"""What is stored as files of its own."""
