"""Attacks on consent by programs that hold one of the person's keys, judged by the resulting store."""
