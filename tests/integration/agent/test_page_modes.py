"""The page in another form than the list of controls, and the same step posted once more with it."""

import pytest

from tests.fakes.clinic import ClinicPage

GOAL = "Add a new patient with name 'Jas'"
INTERACT = "/api/agent/interact"
FORMS = [("full", {"dom": "<h1>Patients</h1>"}), ("skeleton", {"skeletonDom": "<h1>Patients</h1>"})]


async def post(client, body):
    reply = await client.post(INTERACT, json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


async def steps_of(client, task_id):
    return len((await client.get(f"/api/task/{task_id}")).json()["actions"])


@pytest.mark.parametrize(("mode", "form"), FORMS)
async def test_the_same_step_in_another_form_is_neither_judged_nor_counted_again(
    client, mode, form
):
    page = ClinicPage()
    first = await post(client, page.observation() | {"query": GOAL})
    report = page.step(first)
    second = await post(client, report)
    assert second["type"] == "action"
    done = await steps_of(client, second["taskId"])
    bare = {key: value for key, value in report.items() if key != "interactiveTree"}
    for number in range(2):
        again = await post(client, bare | {"domMode": mode, "requestId": f"{mode}-{number}"} | form)
        assert [a["actionId"] for a in again["actions"]] == [
            a["actionId"] for a in second["actions"]
        ]
        assert again["stepIndex"] == second["stepIndex"]
    assert await steps_of(client, second["taskId"]) == done
    third = await post(client, page.step(second))
    assert third["stepIndex"] == second["stepIndex"] + len(second["actions"])


async def test_a_look_without_controls_is_no_proof_that_an_action_worked(client):
    page = ClinicPage()
    first = await post(client, page.observation() | {"query": GOAL})
    report = page.step(first)
    del report["interactiveTree"]
    answer = await post(client, report | {"domMode": "full", "dom": "<h1>Patients</h1>"})
    assert not (answer["verification"] or {}).get("taskCompleted")
    assert answer["status"] != "completed"


async def test_the_list_of_controls_is_required_in_its_own_mode(client):
    body = ClinicPage().observation() | {"query": GOAL}
    del body["interactiveTree"]
    reply = await client.post(INTERACT, json=body)
    assert reply.status_code == 422
    assert "interactiveTree" in reply.json()["detail"]
