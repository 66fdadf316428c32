"""The nodes of the chat: each reads the state, asks one room, and returns a patch."""
