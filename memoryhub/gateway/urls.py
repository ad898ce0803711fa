"""Addresses of the streams."""

from django.urls import path

from memoryhub.gateway import views

app_name = "gateway"
urlpatterns = [path("stream/turns/<str:turn_id>", views.answer_stream, name="answer")]
