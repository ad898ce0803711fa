"""Addresses of the pages, by family."""

from django.urls import include, path

from memoryhub.web.views import (
    audit,
    chat,
    developers,
    fact,
    facts,
    home,
    jobs,
    keys,
    me,
    members,
    policy,
    privacy,
    privacy_request,
    rebuilds,
    receipts,
    review,
    subject,
    threads,
)

chat_urls = (
    [
        path("", chat.index, name="index"),
        path("undo/<str:fact_id>", chat.undo, name="undo"),
        path("stop/<str:turn_id>", chat.stop, name="stop"),
        path("retry/<str:turn_id>", chat.retry, name="retry"),
        path("<str:thread_id>", chat.thread, name="thread"),
        path("<str:thread_id>/rename", chat.rename, name="rename"),
        path("<str:thread_id>/delete", chat.delete, name="delete"),
    ],
    "chat",
)
facts_urls = (
    [
        path("", facts.index, name="list"),
        path("<str:fact_id>", fact.detail, name="detail"),
        path("<str:fact_id>/correct", fact.correct, name="correct"),
        path("<str:fact_id>/verify", fact.verify, name="verify"),
        path("<str:fact_id>/archive", fact.archive, name="archive"),
        path("<str:fact_id>/restore", fact.restore, name="restore"),
        path("<str:fact_id>/purge", fact.purge, name="purge"),
        path("<str:fact_id>/undo", fact.undo, name="undo"),
    ],
    "facts",
)
review_urls = (
    [
        path("", review.index, name="list"),
        path("<str:fact_id>", review.item, name="item"),
        path("<str:fact_id>/confirm", review.confirm, name="confirm"),
        path("<str:fact_id>/correct", review.correct, name="correct"),
        path("<str:fact_id>/archive", review.archive, name="archive"),
        path("<str:fact_id>/purge", review.purge, name="purge"),
    ],
    "review",
)
subjects_urls = (
    [
        path("<str:subject_id>", subject.detail, name="detail"),
        path("<str:subject_id>/instructions", subject.instructions_page, name="instructions"),
        path("<str:subject_id>/move", subject.move, name="move"),
        path("<str:subject_id>/rebuild", rebuilds.begin, name="rebuild"),
    ],
    "subjects",
)
rebuilds_urls = (
    [
        path("<str:rebuild_id>", rebuilds.detail, name="detail"),
        path("<str:rebuild_id>/apply", rebuilds.apply, name="apply"),
        path("<str:rebuild_id>/resume", rebuilds.resume, name="resume"),
    ],
    "rebuilds",
)
policy_urls = ([path("", policy.index, name="form"), path("change", policy.change, name="change")], "policy")
me_urls = (
    [
        path("memory", me.memory, name="memory"),
        path("memory/add", me.add, name="add"),
        path("memory/<str:fact_id>/forget", me.forget, name="forget"),
        path("memory/<str:fact_id>/correct", me.correct, name="correct"),
        path("memory/<str:fact_id>/confirm", me.confirm, name="confirm"),
        path("memory/<str:fact_id>/move", me.move, name="move"),
        path("erase", me.erase, name="erase"),
        path("requests/<str:request_id>/withdraw", me.withdraw, name="withdraw"),
        path("requests/<str:request_id>/receipt", me.receipt, name="receipt"),
    ],
    "me",
)
privacy_urls = (
    [
        path("", privacy.index, name="list"),
        path("new", privacy.new, name="new"),
        path("<str:request_id>", privacy_request.detail, name="detail"),
        path("<str:request_id>/preview", privacy_request.preview, name="preview"),
        path("<str:request_id>/approve", privacy_request.approve, name="approve"),
        path("<str:request_id>/refuse", privacy_request.refuse, name="refuse"),
        path("<str:request_id>/rerun", privacy_request.rerun, name="rerun"),
        path("<str:request_id>/receipt", receipts.receipt, name="receipt"),
        path("<str:request_id>/receipt.json", receipts.receipt_json, name="receipt_json"),
    ],
    "privacy",
)
keys_urls = (
    [
        path("", keys.index, name="list"),
        path("new", keys.create, name="create"),
        path("<str:key_id>/revoke", keys.revoke, name="revoke"),
    ],
    "keys",
)
members_urls = (
    [
        path("", members.index, name="list"),
        path("add", members.add, name="add"),
        path("<str:membership_id>/role", members.change_role, name="role"),
    ],
    "members",
)
jobs_urls = (
    [path("", jobs.index, name="list"), path("<str:job_id>/retry", jobs.retry, name="retry")],
    "jobs",
)
threads_urls = (
    [path("", threads.index, name="list"), path("<str:thread_id>", threads.detail, name="detail")],
    "threads",
)
audit_urls = ([path("", audit.index, name="list"), path("verify", audit.verify, name="verify")], "audit")

urlpatterns = [
    path("", home.home, name="home"),
    path("styleguide", home.styleguide, name="styleguide"),
    path("developers", developers.index, name="developers"),
    path("developers/api", developers.reference, name="api_reference"),
    path("developers/errors", developers.errors, name="error_codes"),
    path("chat/", include(chat_urls)),
    path("facts/", include(facts_urls)),
    path("review/", include(review_urls)),
    path("me/", include(me_urls)),
    path("privacy/", include(privacy_urls)),
    path("audit/", include(audit_urls)),
    path("jobs/", include(jobs_urls)),
    path("threads/", include(threads_urls)),
    path("keys/", include(keys_urls)),
    path("members/", include(members_urls)),
    path("policy/", include(policy_urls)),
    path("subjects/", include(subjects_urls)),
    path("rebuilds/", include(rebuilds_urls)),
]
