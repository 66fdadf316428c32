"""Attacks on consent by programs that hold a key of the person's: each is judged by what the store then says."""
