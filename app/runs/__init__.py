"""One run of a request, for the agent and the chat alike."""
