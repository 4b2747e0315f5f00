"""The forum's URLs: machina at the root."""

from django.urls import include, path

urlpatterns = [path("", include("machina.urls"))]
