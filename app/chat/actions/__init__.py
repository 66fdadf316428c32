"""The actions of the chat, without a framework: what each is asked, and the reply it comes to."""
