"""What every store must do for pairing codes, and for the state that a list of sessions shows."""

import asyncio
import hashlib
import hmac
from datetime import timedelta

from app.domain.access import Principal
from app.store.repositories import Store
from tests.contract.store.test_store import MINUTE, NOW, task

ME = Principal(tenant="a", user="u", scopes=("admin",))
HERE = "http://127.0.0.1:8787"


def expected_proof(code: str, nonce: str, origin: str) -> str:
    """As the API's description has it."""
    letters = code.replace("-", "").encode()
    hashed = hashlib.pbkdf2_hmac("sha256", letters, b"tabwright pairing code", 600_000)
    said = "\n".join(("tabwright pairing", nonce, origin))
    return hmac.new(hashed, said.encode(), "sha256").hexdigest()


class TestPairings:
    async def test_a_code_opens_once(self, store: Store) -> None:
        made, code = await store.pairings.create(ME, HERE)
        assert made.expires_at - made.created_at == timedelta(minutes=2)
        assert await store.pairings.claim(code) == made
        assert await store.pairings.claim(code) is None

    async def test_a_person_may_type_it_their_way(self, store: Store) -> None:
        made, code = await store.pairings.create(ME, HERE)
        typed = f" {code[:3].lower()} {code[3:4]}{code[5:].lower()}\n"
        assert await store.pairings.claim(typed) == made

    async def test_of_many_at_once_one_is_first(self, store: Store) -> None:
        made, code = await store.pairings.create(ME, HERE)
        found = await asyncio.gather(*(store.pairings.claim(code) for _ in range(4)))
        assert [one for one in found if one] == [made]

    async def test_what_is_no_code_opens_nothing(self, store: Store) -> None:
        for typed in ("", "ABCD", "ABCD-EFGH-JKLM", "ÄÖÜÄ-ÖÜÄÖ", "\ud800" * 8, "ABCD-EFGH"):
            assert await store.pairings.claim(typed) is None

    async def test_only_who_knows_a_code_can_tell_its_proof(self, store: Store) -> None:
        _, code = await store.pairings.create(ME, HERE)
        await store.pairings.create(ME, "https://x.example")
        first, second = [await store.pairings.prove(nonce) for nonce in ("01", "02")]
        assert len(first) == 2
        assert not {*first} & {*second}
        assert expected_proof(code, "01", HERE) in first
        assert expected_proof(code, "01", "https://evil.example") not in first

    async def test_a_code_that_was_used_is_proved_no_more(self, store: Store) -> None:
        _, code = await store.pairings.create(ME, HERE)
        await store.pairings.claim(code)
        assert await store.pairings.prove("01") == []


class TestLatestStatus:
    async def test_is_that_of_the_newest_task_of_each_session(self, store: Store) -> None:
        await store.tasks.save(task("old", status="failed"))
        await store.tasks.save(task("new", status="completed", created_at=NOW + MINUTE))
        await store.tasks.save(task("other", session_id="s2", status="interrupted"))
        await store.tasks.save(task("b's", tenant="b", session_id="s3"))
        found = await store.tasks.latest_status("a", ["s", "s2", "s3", "s4"])
        assert found == {"s": "completed", "s2": "interrupted"}
