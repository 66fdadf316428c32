"""The chat does not follow instructions in documents, even with a model that does."""

from tests.attacks.chat.stage import play_attacks
from tests.attacks.chat.table import ATTACKS
from tests.attacks.gaps import CHAT_GAPS
from tests.integration.chat.chat_desk import chat_desk
from tests.integration.desk import Served


def test_no_attack_by_documents_on_the_chat_succeeds_but_those_that_are_known(
    served: Served,
) -> None:
    with chat_desk(served) as desk:
        found = play_attacks(desk, served.gemini, served.tavily, ATTACKS)
    harmed = {f"{one.family}/{one.name}": harm for one, harm in found if harm}
    assert harmed.keys() == CHAT_GAPS, harmed
    assert served.gemini.failures == []
