"""Observability: LangFuse, Prometheus and Sentry."""
