"""What a message asks for: the action, the documents, and the question as one that stands for itself."""
