"""Labelled messages, for the measurement `python -m bench.chat held`."""

from bench.chat.messages import SETS, labelled


def test_the_files_hold_what_they_say():
    for file in SETS.values():
        messages = labelled(file)
        assert all(one.actions and one.documents for one in messages)
        tagged = [one for one in messages if "@" in one.text]
        assert tagged
        assert all(one.tagged.mentions for one in tagged)
