"""``Idempotency-Key``: a write that is sent again happens once."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.db import connection

from memoryhub import clock
from memoryhub.audit import trail
from memoryhub.memory import tasks
from memoryhub.memory.models import Fact, IdempotentAnswer, Subject, Thread, Turn
from memoryhub.privacy import requests
from memoryhub.privacy.models import Identity, PrivacyRequest
from memoryhub.tenants.models import Tenant
from memoryhub.tenants.permissions import Role
from tests.api.conftest import Api, code_of, signed_in
from tests.api.world import World
from tests.api.writes import WRITES, Write
from tests.conftest import add_member, issue_key
from tests.tenants.conftest import inside
from tests.tenants.owner import everything, fingerprints, search_everywhere

pytestmark = pytest.mark.django_db
#: A decision on a request has a test of its own, since only one can be made.
_OTHERWISE = ("recall", "api-keys", "approve", "refuse")
REPEATABLE = [w for w in WRITES if w.method == "POST" and not w.pattern.endswith(_OTHERWISE)]
SECRET = "zanzibar-every-morning"


def kept(tenant: Tenant) -> int:
    with inside(tenant):
        return int(IdempotentAnswer.objects.count())


def count(tenant: Tenant, model: Any) -> int:
    with inside(tenant):
        return int(model.objects.count())


@pytest.fixture
def thread(api: Api) -> str:
    """The id of a thread of Alice's."""
    return str(api.post("threads", {"subject": "alice"}).json()["id"])


def turns(text: str = "Hello") -> dict[str, Any]:
    return {"turns": [{"role": "user", "content": text}, {"role": "assistant", "content": "Hi."}]}


def test_a_hundred_repeats_write_one_set_of_rows(api: Api, tenant: Tenant, thread: str) -> None:
    first = api.post(f"threads/{thread}/turns", turns(), Idempotency_Key="k1")
    assert first.status_code == 201
    assert not first.has_header("Idempotent-Replayed")
    for _ in range(100):
        again = api.post(f"threads/{thread}/turns", turns(), Idempotency_Key="k1")
        assert (again.status_code, again.content) == (201, first.content)
        assert again["Idempotent-Replayed"] == "true"
    assert count(tenant, Turn) == 2
    assert kept(tenant) == 1


def test_client_ids_alone_make_a_repeat_harmless(api: Api, tenant: Tenant, thread: str) -> None:
    body = {"turns": [{"role": "user", "content": "Hello", "client_id": "c1"}]}
    answers = {api.post(f"threads/{thread}/turns", body).content for _ in range(20)}
    assert len(answers) == 1
    assert count(tenant, Turn) == 1
    changed = {
        "turns": [
            {"role": "user", "content": "Other", "client_id": "c1"},
            {"role": "user", "content": "More"},
        ]
    }
    answer = api.post(f"threads/{thread}/turns", changed)
    assert (answer.status_code, code_of(answer)) == (409, "client_id_reused")
    assert count(tenant, Turn) == 1


def test_another_body_under_the_same_key_is_refused(api: Api, tenant: Tenant, thread: str) -> None:
    first = api.post(f"threads/{thread}/turns", turns(), Idempotency_Key="k1")
    answer = api.post(f"threads/{thread}/turns", turns("Other"), Idempotency_Key="k1")
    assert (answer.status_code, code_of(answer)) == (422, "idempotency_key_reused")
    assert count(tenant, Turn) == 2
    assert api.post(f"threads/{thread}/turns", turns(), Idempotency_Key="k1").content == first.content


def test_the_order_of_members_makes_no_other_body(api: Api) -> None:
    one = api.send("POST", "subjects", b'{"external_id": "x", "display_name": "X"}', Idempotency_Key="k1")
    two = api.send(
        "POST", "subjects", b'{"display_name":"X",\n"external_id":"\\u0078"}', Idempotency_Key="k1"
    )
    assert two["Idempotent-Replayed"] == "true"
    assert one.content == two.content


def test_a_key_counts_for_one_address_and_one_caller(api: Api, tenant: Tenant) -> None:
    made = [
        caller.post(path, body, Idempotency_Key="k1")
        for caller in (api, Api(issue_key(tenant)))
        for path, body in (("subjects", {"external_id": "x"}), ("threads", {"subject": "x"}))
    ]
    assert [answer.status_code for answer in made] == [201] * 4
    assert not any(answer.has_header("Idempotent-Replayed") for answer in made)
    assert count(tenant, Thread) == 2


def test_a_refused_request_keeps_nothing_and_can_be_mended(api: Api, tenant: Tenant, thread: str) -> None:
    for body in ({"turns": []}, turns(""), turns("\x00")):
        assert api.post(f"threads/{thread}/turns", body, Idempotency_Key="k1").status_code == 400
    assert api.post("threads/thr_x/turns", turns(), Idempotency_Key="k1").status_code == 404
    assert kept(tenant) == 0
    assert count(tenant, Turn) == 0
    assert api.post(f"threads/{thread}/turns", turns(), Idempotency_Key="k1").status_code == 201


def test_a_refused_thread_leaves_no_subject_behind(api: Api, tenant: Tenant) -> None:
    for headers in ({}, {"Idempotency_Key": "k1"}):
        for body in (
            {"subject": "new", "title": "\x00"},
            {"subject": "new", "metadata": {"a": "\x00"}},
            {"subject": "new", "external_id": " "},
        ):
            assert api.post("threads", body, **headers).status_code == 400
    assert count(tenant, Subject) == 0
    assert kept(tenant) == 0


def test_a_twin_that_comes_while_the_first_is_at_work_is_told_so(
    api: Api, tenant: Tenant, thread: str
) -> None:
    api.post(f"threads/{thread}/turns", turns(), Idempotency_Key="k1")
    with inside(tenant):
        IdempotentAnswer.objects.update(status=0, body=b"", created_at=clock.now())
    answer = api.post(f"threads/{thread}/turns", turns(), Idempotency_Key="k1")
    assert (answer.status_code, code_of(answer)) == (409, "idempotency_in_progress")
    assert count(tenant, Turn) == 2


def test_a_first_that_never_came_back_does_not_block_for_ever(api: Api, tenant: Tenant, thread: str) -> None:
    """Its write and its answer are one transaction: without an answer nothing was written."""
    api.post(f"threads/{thread}/turns", turns(), Idempotency_Key="k1")
    with inside(tenant):
        Turn.objects.all().delete()
        IdempotentAnswer.objects.update(status=0, body=b"", created_at=clock.now() - timedelta(seconds=61))
    assert api.post(f"threads/{thread}/turns", turns(), Idempotency_Key="k1").status_code == 201
    assert count(tenant, Turn) == 2


@pytest.mark.parametrize("key", ["x" * 256, "a\nb", "a\x00b", "é\x7f"])
def test_a_key_that_is_none_is_refused(api: Api, tenant: Tenant, key: str) -> None:
    answer = api.post("subjects", {"external_id": "x"}, Idempotency_Key=key)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/Idempotency-Key"
    assert count(tenant, Subject) == 0


def test_a_stored_answer_lasts_a_day(api: Api, tenant: Tenant) -> None:
    api.post("subjects", {"external_id": "x"}, Idempotency_Key="k1")
    for hours, left in ((23, 1), (25, 0)):
        with time_machine.travel(clock.now() + timedelta(hours=hours), tick=False):
            tasks.sweep.apply(throw=True)
        assert kept(tenant) == left


# --- personal data ------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_stored_answer_can_not_be_read_in_the_database(tenant: Tenant) -> None:
    api = Api(issue_key(tenant))
    thread = api.post("threads", {"subject": "alice"}).json()["id"]
    made = api.post(f"threads/{thread}/turns", turns(SECRET), Idempotency_Key="k1")
    assert SECRET in made.content.decode()
    hits = {hit.partition(":")[0] for hit in search_everywhere([SECRET, SECRET.encode().hex()])}
    assert hits == {"turn"}
    with everything() as connection:
        row = connection.execute(
            "SELECT body, headers::text, fingerprint, key, route FROM idempotent_answer"
        ).fetchone()
    assert row is not None
    assert SECRET.encode() not in bytes(row[0])
    assert SECRET not in str(row[1:])


def test_a_stored_answer_goes_with_its_fact_its_thread_and_its_subject(api: Api, tenant: Tenant) -> None:
    fact = api.post("facts", {"subject": "alice", "statement": SECRET}, Idempotency_Key="k1").json()
    assert kept(tenant) == 1
    api.send("DELETE", f"facts/{fact['id']}?reason=wrong", If_Match="*")
    assert kept(tenant) == 0
    made = api.post("threads", {"subject": "alice"}, Idempotency_Key="k2").json()
    api.post(f"threads/{made['id']}/turns", turns(SECRET), Idempotency_Key="k3")
    assert kept(tenant) == 2
    api.send("DELETE", f"threads/{made['id']}")
    assert kept(tenant) == 0


@pytest.mark.parametrize("path", ["subjects", "threads", "facts", "privacy-requests"])
def test_every_stored_answer_about_somebody_hangs_on_them(api: Api, tenant: Tenant, path: str) -> None:
    api.post("subjects", {"external_id": "alice"})
    body = {"external_id": "alice"} if path == "subjects" else {"subject": "alice"}
    body |= {"statement": "Likes tea"} if path == "facts" else {}
    assert api.post(path, body, Idempotency_Key="k1").status_code == 201
    with inside(tenant):
        assert IdempotentAnswer.objects.get().subject.external_id == "alice"


def test_a_preview_is_not_changed_by_its_own_stored_answer(api: Api, tenant: Tenant) -> None:
    api.post("subjects", {"external_id": "alice"})
    opened = api.post("privacy-requests", {"subject": "alice"}, Idempotency_Key="k1").json()
    seen = api.post(f"privacy-requests/{opened['id']}/preview", {}, Idempotency_Key="k2").json()
    with inside(tenant):
        request = requests.open_for(Subject.objects.get(external_id="alice").id)
        assert request is not None
        assert requests.look(request, at=clock.now()).digest == seen["preview_digest"]
        assert request.identity == Identity.ATTESTED


# --- many at once -------------------------------------------------------------------------------------------------


def at_once(clients: int, act: Callable[[int], Any]) -> list[Any]:
    start = threading.Barrier(clients)

    def one(number: int) -> Any:
        try:
            start.wait(20)
            return act(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(clients) as workers:
        return list(workers.map(one, range(clients)))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["turns", "facts", "threads", "subjects"])
def test_eight_clients_at_once_write_one_row(tenant: Tenant, path: str) -> None:
    secret = issue_key(tenant)
    thread = Api(secret).post("threads", {"subject": "alice"}).json()["id"]
    address, body, model = {
        "turns": (f"threads/{thread}/turns", {"turns": [{"role": "user", "content": "Hello"}]}, Turn),
        "facts": ("facts", {"subject": "alice", "statement": "Likes tea"}, Fact),
        "threads": ("threads", {"subject": "bob"}, Thread),
        "subjects": ("subjects", {"external_id": "bob"}, Subject),
    }[path]
    before = count(tenant, model)
    for _ in range(3):
        answers = at_once(8, lambda _: Api(secret).post(address, body, Idempotency_Key="k1"))
        assert {answer.status_code for answer in answers} <= {201, 409}
        assert {code_of(answer) for answer in answers if answer.status_code == 409} <= {
            "idempotency_in_progress"
        }
        assert len({answer.content for answer in answers if answer.status_code == 201}) == 1
    assert count(tenant, model) == before + 1
    assert kept(tenant) == 1


@pytest.mark.django_db(transaction=True)
def test_twenty_equal_facts_at_once_are_one_fact(tenant: Tenant) -> None:
    secret = issue_key(tenant)
    body = {"subject": "alice", "statement": "Likes tea"}
    answers = at_once(10, lambda _: [Api(secret).post("facts", body) for _ in range(2)])
    assert {answer.status_code for pair in answers for answer in pair} == {201}
    assert len({answer.json()["id"] for pair in answers for answer in pair}) == 1
    assert count(tenant, Fact) == 1


@pytest.mark.django_db(transaction=True)
def test_twenty_turns_at_once_are_twenty_turns_in_a_row(tenant: Tenant) -> None:
    secret = issue_key(tenant)
    thread = Api(secret).post("threads", {"subject": "alice"}).json()["id"]

    def append(number: int) -> Any:
        said = {"turns": [{"role": "user", "content": f"number {number}-{n}"} for n in range(2)]}
        return Api(secret).post(f"threads/{thread}/turns", said)

    assert {answer.status_code for answer in at_once(10, append)} == {201}
    listed = Api(secret).get(f"threads/{thread}/turns").json()["data"]
    assert [turn["seq"] for turn in listed] == list(range(1, 21))
    assert len({turn["content"] for turn in listed}) == 20


@pytest.mark.django_db(transaction=True)
def test_two_people_correct_one_fact_at_once_and_one_is_told(tenant: Tenant) -> None:
    secret = issue_key(tenant)
    fact = Api(secret).post("facts", {"subject": "alice", "statement": "Likes tea"}).json()
    answers = at_once(
        6,
        lambda n: Api(secret).post(
            f"facts/{fact['id']}/correct",
            {"statement": f"Likes tea {n}", "reason": "x"},
            If_Match=fact["etag"],
        ),
    )
    assert sorted(answer.status_code for answer in answers) == [200, *[412] * 5]


# --- every write --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", REPEATABLE, ids=lambda w: w.name)
def test_every_write_takes_a_key(world: World, callers: dict[str, Api], write: Write) -> None:
    """Sent three times it is done once; the three answers are one. Each write stands on what those before left."""
    body = {**write.body, "preview_digest": world.digest} if "preview_digest" in write.body else write.body
    send = callers[write.by].send
    first = send(write.method, write.path(world), body, If_Match="*", Idempotency_Key=f"key of {write.name}")
    assert first.status_code in (200, 201, 202), first.content
    before = fingerprints(world.tenant.id)
    for _ in range(2):
        again = send(
            write.method, write.path(world), body, If_Match="*", Idempotency_Key=f"key of {write.name}"
        )
        assert again.content == first.content
        assert again["Idempotent-Replayed"] == "true"
        assert again.get("ETag") == first.get("ETag")
    assert fingerprints(world.tenant.id) == before
    assert settings.MEMORYHUB_LEDGER.exists()


@pytest.mark.parametrize("path", ["subjects", "threads", "turns", "privacy-requests"])
def test_a_write_whose_answer_can_not_be_stored_is_not_done(
    api: Api, tenant: Tenant, thread: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError

    monkeypatch.setattr("memoryhub.api.idempotency._cipher", fail)
    address, body = {
        "subjects": ("subjects", {"external_id": "bob"}),
        "threads": ("threads", {"subject": "bob"}),
        "turns": (f"threads/{thread}/turns", turns()),
        "privacy-requests": ("privacy-requests", {"subject": "alice"}),
    }[path]
    assert api.post(address, body, Idempotency_Key="k1").status_code == 500
    counts = [count(tenant, model) for model in (Subject, Thread, Turn, PrivacyRequest)]
    assert counts == [1, 1, 0, 0]
    assert kept(tenant) == 0


@pytest.mark.parametrize("verb", ["approve", "refuse"])
def test_a_decision_that_is_sent_again_is_made_once(api: Api, tenant: Tenant, verb: str) -> None:
    owner = signed_in(add_member(tenant, "ann@example.org", Role.OWNER).user)
    api.post("subjects", {"external_id": "alice"})
    opened = api.post("privacy-requests", {"subject": "alice"}).json()["id"]
    digest = api.post(f"privacy-requests/{opened}/preview").json()["preview_digest"]
    body = {"preview_digest": digest} if verb == "approve" else {"reason": "legal_claims"}
    with inside(tenant):
        # The officer opened it with a key that nobody here issued.
        PrivacyRequest.objects.update(requested_by="user:somebody-else")
    first, again = (
        owner.post(f"privacy-requests/{opened}/{verb}", body, Idempotency_Key="k1") for _ in range(2)
    )
    assert first.status_code == again.status_code == 200
    assert first.content == again.content
    assert again["Idempotent-Replayed"] == "true"
    assert owner.post(f"privacy-requests/{opened}/{verb}", body).status_code == 409
    with inside(tenant):
        assert [e.action for e in trail.events()].count(f"privacy.{verb}") == 1
