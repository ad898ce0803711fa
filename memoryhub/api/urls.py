"""Addresses under ``/api/v1``."""

from django.urls import path, re_path
from drf_spectacular.views import SpectacularJSONAPIView

from memoryhub.api import errors, facts, learning, me, operations, privacy, subjects, threads

app_name = "api"
urlpatterns = [
    path("openapi.json", SpectacularJSONAPIView.as_view(), name="openapi"),
    path("subjects", subjects.SubjectList.as_view()),
    path("subjects/<str:subject_id>", subjects.SubjectDetail.as_view()),
    path("subjects/<str:subject_id>/rebuild", learning.SubjectRebuild.as_view()),
    path("subjects/<str:subject_id>/instructions", learning.InstructionList.as_view()),
    path("rebuilds/<str:rebuild_id>", learning.RebuildDetail.as_view()),
    path("rebuilds/<str:rebuild_id>/resume", learning.RebuildResume.as_view()),
    path("memory-policy", learning.MemoryPolicyView.as_view()),
    path("threads", threads.ThreadList.as_view()),
    path("threads/<str:thread_id>", threads.ThreadDetail.as_view()),
    path("threads/<str:thread_id>/turns", threads.TurnList.as_view()),
    path("threads/<str:thread_id>/context", threads.ThreadContext.as_view()),
    path("threads/<str:thread_id>/summary", threads.ThreadSummary.as_view()),
    path("facts", facts.FactList.as_view()),
    path("facts/<str:fact_id>", facts.FactDetail.as_view()),
    path("facts/<str:fact_id>/history", facts.FactHistory.as_view()),
    path("facts/<str:fact_id>/correct", facts.FactCorrection.as_view()),
    path("facts/<str:fact_id>/verify", facts.FactVerification.as_view()),
    path("facts/<str:fact_id>/archive", facts.FactArchiving.as_view()),
    path("facts/<str:fact_id>/restore", facts.FactRestoring.as_view()),
    path("facts/<str:fact_id>/undo-supersession", facts.SupersessionUndoing.as_view()),
    path("recall", facts.RecallView.as_view()),
    path("privacy-requests", privacy.PrivacyRequestList.as_view()),
    path("privacy-requests/<str:request_id>", privacy.PrivacyRequestDetail.as_view()),
    path("privacy-requests/<str:request_id>/preview", privacy.PrivacyPreview.as_view()),
    path("privacy-requests/<str:request_id>/approve", privacy.PrivacyApproval.as_view()),
    path("privacy-requests/<str:request_id>/refuse", privacy.PrivacyRefusal.as_view()),
    path("privacy-requests/<str:request_id>/receipt", privacy.PrivacyReceipt.as_view()),
    path("audit-events", operations.AuditEventList.as_view()),
    path("audit-events/verify", operations.AuditVerification.as_view()),
    path("jobs", operations.JobList.as_view()),
    path("jobs/<str:job_id>", operations.JobDetail.as_view()),
    path("jobs/<str:job_id>/retry", operations.JobRetry.as_view()),
    path("api-keys", operations.ApiKeyList.as_view()),
    path("api-keys/<str:key_id>", operations.ApiKeyDetail.as_view()),
    path("me/facts", me.MyFacts.as_view()),
    path("me/facts/<str:fact_id>", me.MyFact.as_view()),
    path("me/privacy-requests", me.MyPrivacyRequests.as_view()),
    re_path(r"^.*$", errors.not_found),
]
