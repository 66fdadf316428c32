"""What the chat understands, answers and takes: the parts of `bench.chat`."""
