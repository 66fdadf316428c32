"""The ledger of what was sent: by numbers alone, each step once."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from app.domain.action import ActionRecord, action
from app.hitl import ledger

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def record(chain: int, index: int, status: str = "pending") -> ActionRecord:
    return ActionRecord(
        action=action("click", "1"), action_id=f"{chain}/{index}", chain_number=chain, status=status
    )


def test_a_correction_is_another_try_of_the_step():
    assert ledger.step_ids(3, 0, 2) == ("3.0.0", "3.0.1")
    assert ledger.step_ids(3, 1, 1) == ("3.1.0",)


def test_what_was_sent_is_known_whatever_came_of_it():
    sent = ledger.mark_sent({}, ledger.step_ids(0, 0, 2))
    assert ledger.was_sent(sent, ["0.0.1", "0.0.2"])
    assert not ledger.was_sent(sent, ["0.1.0", "1.0.0"])
    came = ledger.mark_settled(sent, [record(1, 0, "failure")])
    assert ledger.was_sent(came, ["0.0.0"])


def test_each_step_is_settled_by_its_own_deed_and_the_rest_of_its_chain_is_skipped():
    sent = ledger.mark_sent({"0.0.0": "success"}, ledger.step_ids(1, 1, 3))
    records = [record(1, 0, "success"), record(2, 0, "success"), record(2, 1, "failure")]
    assert ledger.mark_settled(sent, records) == {
        "0.0.0": "success",
        "1.1.0": "success",
        "1.1.1": "failure",
        "1.1.2": "skipped",
    }


def test_one_whose_fate_is_open_stays_on_its_way():
    sent = ledger.mark_sent({}, ledger.step_ids(0, 0, 1))
    assert ledger.mark_settled(sent, [record(1, 0)]) == {"0.0.0": "sent"}
    assert ledger.mark_settled(sent, [record(1, 0, "unknown")]) == {"0.0.0": "unknown"}


def test_only_what_changed_is_written_and_after_a_crash_the_last_of_it_again():
    before = {"0.0.0": "sent"}
    after = {"0.0.0": "success", "1.0.0": "sent"}
    assert ledger.changed_steps(before, after, at_most=9) == after
    assert ledger.changed_steps(after, after, at_most=9) == {}
    assert ledger.changed_steps(None, after, at_most=1) == {"1.0.0": "sent"}


def test_a_row_names_the_action_and_nothing_of_whom_it_was_about():
    records = [
        ActionRecord(action=action("setValue", "2", "Jas Patel"), action_id="a", chain_number=1),
    ]
    (row,) = ledger.executed_operations(
        {"0.0.0": "sent"},
        ledger.action_names(records),
        tenant="a",
        task_id="t",
        trace_id="tr",
        now=NOW,
    )
    assert (row.key, row.name) == ("tr:0.0.0", "setValue")
    assert "Jas" not in row.model_dump_json()


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.integers(0, 3))
def test_no_step_is_ever_forgotten(chains: list[int], reached: int) -> None:
    executed: dict = {}
    records: list[ActionRecord] = []
    for number, count in enumerate(chains):
        steps = ledger.step_ids(number, 0, count)
        assert not ledger.was_sent(executed, steps)
        executed = ledger.mark_sent(executed, steps)
        records += [record(number + 1, index, "success") for index in range(min(reached, count))]
        executed = ledger.mark_settled(executed, records)
        assert ledger.was_sent(executed, steps)
    assert len(executed) == sum(chains)
    assert "sent" not in executed.values()
