"""The actions of the chat: each turns an `ActionRequest` into a `Reply`, independently of the graph."""
