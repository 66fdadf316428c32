"""What runs are watched with from outside: LangFuse, Prometheus, Sentry."""
