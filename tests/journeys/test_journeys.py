"""What MemoryHub promises, walked from end to end against the running processes."""

import concurrent.futures
import os
import signal
import time
import uuid

import psycopg
import pytest
import requests

from tests.journeys.product import PASSWORD, Api, Person, Product, wait_for
from tests.journeys.provider import RulesProvider

pytestmark = pytest.mark.slow


def test_the_timezone(product: Product, provider: RulesProvider, member: Person) -> None:
    """Said today, everything killed, known tomorrow in a new thread, also from a second web process."""
    said = member.say("By the way, my timezone is Europe/Berlin.")
    assert said.remembered == ["Timezone is Europe/Berlin"]
    product.kill_everything()
    product.start()
    asked = member.say("What is my time zone?")
    assert asked.thread != said.thread
    assert asked.recalled == ["Timezone is Europe/Berlin"]
    assert "Europe/Berlin" in provider.last_prompt()
    with product.second_web_process() as other:
        member.base = other
        again = member.say("And which time zone am I in?")
        assert again.recalled == ["Timezone is Europe/Berlin"]
        assert "Europe/Berlin" in provider.last_prompt()


def test_the_incident(product: Product, api: Api) -> None:
    """Several days of an incident, a redeploy in the middle: window, facts and stored thread each do their part."""
    agent = f"oncall-{uuid.uuid4().hex[:6]}"
    thread = api.thread(agent, external_id=f"incident-{agent}", title="Incident E-4012")
    api.say(thread, "We decided to retry E-4012 with the old queue.", at="2026-11-02T09:00:00Z")
    api.say(thread, "Understood.", role="assistant", at="2026-11-02T09:01:00Z")
    api.learned(thread)
    for pid in product.pid_of("granian") + product.pid_of("celery"):
        os.kill(pid, signal.SIGKILL)
    wait_for(product.healthy, 60, "the web process to come back")
    resumed = requests.post(
        f"{product.base}/api/v1/threads",
        json={"subject": agent, "external_id": f"incident-{agent}"},
        headers={"Authorization": api.session.headers["Authorization"]},
        timeout=20,
    )
    assert (resumed.status_code, resumed.json()["id"]) == (200, thread)
    api.say(thread, "The dead letters were the cause.", at="2026-11-03T09:00:00Z")
    window = api.prompt(thread, "What now?")
    assert "retry E-4012 with the old queue" in window
    assert "The dead letters were the cause." in window
    assert [turn["seq"] for turn in api.get(f"/threads/{thread}/turns")["data"]] == [1, 2, 3]
    api.learned(thread)
    fresh = api.thread(agent)
    recalled = api.post(
        "/recall", {"subject": agent, "query": "What did we decide about E-4012?"}, expect=200
    )
    assert "old queue" in recalled["data"][0]["fact"]["statement"]
    assert recalled["data"][0]["fact"]["evidence"][0]["said_at"] == "2026-11-02T09:00:00Z"
    assert "old queue" in api.prompt(fresh, "What did we decide about E-4012?")


def test_the_shell(provider: RulesProvider, member: Person, api: Api) -> None:
    """An instruction of turn 1 is in the prompt of turn 41, word for word, after two compactions."""
    thread = member.say("Always use PowerShell, never bash.").thread
    for number in range(2, 21):
        member.say(f"How do I do step {number}?", thread)
        if number in (12, 18):
            wait_for(
                lambda seen=number: (
                    api.get(f"/threads/{thread}")["summarised_seq"] > (0 if seen == 12 else 14)
                ),
                40,
                "a compaction",
            )
    member.say("And how do I list files?", thread)
    assert api.get(f"/threads/{thread}")["turns"] == 42
    assert api.get(f"/threads/{thread}/summary")["version"] >= 2
    assert "Always use PowerShell, never bash" in provider.last_prompt()
    assert "Always use PowerShell, never bash" in provider.replies()[-1][0]["content"]


def test_the_plan(api: Api) -> None:
    """Free in March, enterprise in June: the prompt carries enterprise only; the history shows both with their times."""
    subject = f"plan-{uuid.uuid4().hex[:6]}"
    march, june = api.thread(subject), api.thread(subject)
    api.say(march, "I'm on the free plan", at="2026-03-10T10:00:00Z")
    api.learned(march)
    api.say(june, "We upgraded to the enterprise plan", at="2026-06-20T10:00:00Z")
    api.learned(june)
    prompt = api.prompt(api.thread(subject), "Which plan am I on?")
    assert "enterprise" in prompt
    assert "free" not in prompt
    current = api.get("/facts", subject=subject, status="active")["data"][0]
    history = api.get(f"/facts/{current['id']}/history")["data"]
    assert [(v["value"], v["valid_at"], v["invalid_at"]) for v in history] == [
        ("enterprise", "2026-06-20T10:00:00Z", None),
        ("free", "2026-03-10T10:00:00Z", "2026-06-20T10:00:00Z"),
    ]


def test_nothing_relevant(provider: RulesProvider, member: Person) -> None:
    """An unrelated question injects no fact."""
    thread = member.say("My timezone is Europe/Berlin and I live in Leipzig.").thread
    asked = member.say("What is the boiling point of tungsten?", thread)
    assert asked.recalled == []
    assert "<<memory:" not in provider.replies()[-1][-1]["content"]


def test_a_purge_reaches_the_next_prompt(provider: RulesProvider, member: Person, product: Product) -> None:
    """What is forgotten is in no table and no later prompt, and is not learned again from what is kept."""
    mark = f"Zanzibar{uuid.uuid4().hex[:6]}"
    said = member.say(f"I live in {mark}.")
    fact_id = next(data["facts"][0]["id"] for name, data in said.events if name == "memory")
    member.post(f"/me/memory/{fact_id}/forget", {})
    assert product.everything_holding(mark) == {}
    member.say("Where do I live?", said.thread)
    assert mark not in provider.last_prompt()
    time.sleep(3)
    assert product.everything_holding(mark) == {}


def test_two_people_erase_a_third(product: Product, member: Person, api: Api) -> None:
    """Asked for by the member, previewed and approved by an officer, verified, with a receipt."""
    mark = f"Quetzal{uuid.uuid4().hex[:6]}"
    thread = member.say(f"My name is {mark}. I live in Porto.").thread
    page = member.get("/me/memory").text
    email = page.split('data-expect="')[1].split('"')[0]
    member.post("/me/erase", {"typed": email})
    officer_email = f"{uuid.uuid4().hex[:8]}@example.com"
    product.command("create_user", officer_email, "--role", "privacy_officer", "--password", PASSWORD)
    officer = Person(product.base, officer_email)
    listed = api.get("/privacy-requests", status="received")["data"]
    request = next(
        item
        for item in listed
        if item["requested_by"].startswith("user:") and item["subject"].startswith("member:")
    )
    officer.post(f"/privacy/{request['id']}/preview", {})
    previewed = api.get(f"/privacy-requests/{request['id']}")
    assert previewed["preview"]["turns"] >= 2
    typed = officer.get(f"/privacy/{request['id']}").text.split('data-expect="')[1].split('"')[0]
    form = {"typed": typed, "digest": previewed["preview_digest"]}
    assert member.post(f"/privacy/{request['id']}/approve", form).status_code == 403
    done = officer.post(f"/privacy/{request['id']}/approve", form)
    assert "Approved" in done.text, done.text
    wait_for(
        lambda: api.get(f"/privacy-requests/{request['id']}")["status"] == "completed", 40, "the erasure"
    )
    assert product.everything_holding(mark) == {}
    receipt = api.get(f"/privacy-requests/{request['id']}/receipt")
    assert receipt["body"]["rows_erased"]["turns"] >= 2
    assert mark not in str(receipt)
    assert member.get(f"/chat/{thread}").status_code in (404, 410)


def test_the_broker_is_away_for_a_while(
    product: Product, provider: RulesProvider, member: Person, api: Api
) -> None:
    """The chat works throughout, and learning catches up."""
    (queue,) = product.pid_of("valkey")
    os.kill(queue, signal.SIGSTOP)
    try:
        said = member.say("I work at Globex as a carpenter.")
        assert said.answer
        assert said.error() is None
    finally:
        os.kill(queue, signal.SIGCONT)
    api.learned(said.thread, 60)
    asked = member.say("Where do I work?")
    assert "Works at Globex" in asked.recalled


def test_the_model_is_down(product: Product, provider: RulesProvider, member: Person, api: Api) -> None:
    """The question is kept, the page says so, and retry works."""
    thread = member.say("Hello there").thread
    provider.down = True
    failed = member.say("Is anybody home?", thread)
    error = failed.error()
    assert error is not None
    assert error["retryable"] is True
    page = member.get(f"/chat/{thread}").text
    assert "Is anybody home?" in page
    assert "Your message is kept" in page
    provider.down = False
    turn = failed.source.rsplit("/", 1)[1]
    member.post(f"/chat/retry/{turn}", {})
    events = member.read(failed.source)
    assert any(name == "done" for name, _ in events)
    assert "Is anybody home?" in member.get(f"/chat/{thread}").text
    api.learned(thread, 60)


def test_an_answer_outlives_its_web_process(
    product: Product, provider: RulesProvider, member: Person
) -> None:
    """A web process that dies in the middle of an answer leaves what was written, and a way to retry."""
    thread = member.say("Hello again").thread
    from tests.llm.server import Rule

    provider.script([Rule(when="a long story", text="word " * 200, pause=0.05)])
    page = member.post(f"/chat/{thread}", {"text": "Tell me a long story"})
    source = page.text.split('mh-stream src="')[-1].split('"')[0]
    with member.session.get(member.base + source, stream=True, timeout=30) as stream:
        for chunk in stream.iter_content(None):
            if b"event: token" in chunk and b"word" in chunk:
                break
        time.sleep(1.5)
        for pid in product.pid_of("granian"):
            os.kill(pid, signal.SIGKILL)
    wait_for(product.healthy, 60, "the web process to come back")
    provider.script([])
    events = member.read(source)
    error = next(data for name, data in events if name == "error")
    assert error["retryable"] is True
    assert "word word" in member.get(f"/chat/{thread}").text


def test_the_race(product: Product, api: Api) -> None:
    """A hundred subjects erased while workers learn from them: nothing of theirs is left, nothing comes back."""
    mark = f"Xylophone{uuid.uuid4().hex[:6]}"
    names = [f"race-{uuid.uuid4().hex[:8]}" for _ in range(100)]
    officer_email = f"{uuid.uuid4().hex[:8]}@example.com"
    product.command("create_user", officer_email, "--role", "privacy_officer", "--password", PASSWORD)
    officer = Person(product.base, officer_email)
    token = officer.get("/privacy/").text.split('name="csrf-token" content="')[1].split('"')[0]

    def live_and_be_erased(name: str) -> str:
        thread = api.thread(name)
        turns = [
            {"role": "user", "content": f"I live in {mark}{i}. My favourite colour is {mark}{i}."}
            for i in range(3)
        ]
        api.post(f"/threads/{thread}/turns", {"turns": turns})
        request = api.post("/privacy-requests", {"subject": name})
        for _ in range(40):
            # The workers are learning meanwhile, so what was previewed may have grown; then the approver looks again.
            seen = api.post(f"/privacy-requests/{request['id']}/preview", {}, expect=200)
            answer = officer.session.post(
                f"{product.base}/api/v1/privacy-requests/{request['id']}/approve",
                json={"preview_digest": seen["preview_digest"]},
                headers={"X-CSRFToken": token, "Referer": product.base},
                timeout=20,
            )
            if answer.status_code == 200:
                return str(request["id"])
            assert answer.json()["code"] == "preview_changed", answer.text
        raise AssertionError("the preview never held still")

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        ids = list(pool.map(live_and_be_erased, names))

    def done() -> bool:
        with psycopg.connect(product.urls()["MEMORYHUB_BACKUP_DATABASE_URL"]) as backup:
            row = backup.execute(
                "SELECT count(*) FROM privacy_request WHERE status = 'completed' AND id = ANY(%s)",
                [[i.split("_")[1] for i in ids]],
            ).fetchone()
            return row is not None and row[0] == len(ids)

    wait_for(done, 120, "a hundred erasures")
    assert product.everything_holding(mark) == {}
    assert all(product.everything_holding(name) == {} for name in names[:5])
    time.sleep(5)
    assert product.everything_holding(mark) == {}
    answer = api.session.post(f"{api.base}/threads", json={"subject": names[0]}, timeout=20)
    assert (answer.status_code, answer.json()["code"]) == (410, "subject_erased")
