"""The names of the three servers, as in their addresses and on the command line."""

NAMES = ("capture", "review", "tabwright")
