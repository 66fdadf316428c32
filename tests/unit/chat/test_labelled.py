"""Messages that people labelled, as far as the rules were made with them: what they make of them stays right.
Those that are kept apart are only measured: `python -m bench.chat held`.
"""

from bench.chatting.labelled import SETS, labelled
from bench.chatting.understanding import SHARES, TUNED, made_of, outcomes

MEASURED = ("action", "documents", "web")


async def test_as_many_messages_are_understood_as_is_promised():
    messages = labelled(SETS[TUNED])
    found = [outcomes(one, await made_of(one)) for one in messages]
    for name, told in zip(MEASURED, zip(*found, strict=True), strict=True):
        judged = [one for one in told if one is not None]
        wrong = [
            f"{message.text[:60]}: {one.found}"
            for message, one in zip(messages, told, strict=True)
            if one is not None and not one.right
        ]
        assert len(wrong) <= (1 - SHARES.get(name, 0.95)) * len(judged), (name, wrong)


def test_the_files_hold_what_they_say():
    for file in SETS.values():
        messages = labelled(file)
        assert all(one.actions and one.documents for one in messages)
        tagged = [one for one in messages if "@" in one.text]
        assert tagged
        assert all(one.tagged.mentions for one in tagged)
