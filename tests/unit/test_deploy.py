"""What is deployed beside the backend names only what is there: metrics, labels, files, runbook entries."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry

from app.metrics.targets import TARGETS
from app.observability.prometheus_metrics import Metrics

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
RULES = yaml.safe_load((DEPLOY / "rules.yml").read_text("utf-8"))["groups"]
ALERTS: list[dict[str, Any]] = [rule for group in RULES for rule in group["rules"]]
DASHBOARD = json.loads((DEPLOY / "grafana/dashboards/tabwright.json").read_text("utf-8"))
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
SCRAPED = yaml.safe_load((DEPLOY / "prometheus.yml").read_text("utf-8"))
SUFFIXES = {
    "counter": ("_total",),
    "histogram": ("_bucket", "_sum", "_count"),
    "gauge": ("",),
}
OF_PROMETHEUS = {"le", "job"}


def known() -> dict[str, set[str]]:
    """Every series by its name, with its labels."""
    registry = CollectorRegistry()
    made = Metrics(registry)
    found: dict[str, set[str]] = {}
    for name in vars(made):
        metric = getattr(made, name)
        for suffix in SUFFIXES[metric._type]:
            found[metric._name + suffix] = set(metric._labelnames)
    return found


KNOWN = known()
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
EXPRESSIONS = [rule["expr"] for rule in ALERTS] + [
    target["expr"] for panel in PANELS for target in panel["targets"]
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_names_series_and_labels_that_there_are(expression):
    named = re.findall(r"\b(tabwright_\w+)(\{[^}]*\})?", expression)
    assert named or "up{" in expression
    assert {name for name, _ in named} <= set(KNOWN)
    labels = {label for name, _ in named for label in KNOWN[name]} | OF_PROMETHEUS
    used = {one for _, picked in named for one in re.findall(r"(\w+)\s*[=!]~?", picked)}
    for group in re.findall(r"\bby \(([^)]*)\)", expression):
        used |= {one.strip() for one in group.split(",")}
    assert used <= labels
    assert expression.count("(") == expression.count(")")


def test_the_alerts_have_the_thresholds_of_the_table():
    alerts = {rule["labels"].get("kpi"): rule["expr"] for rule in ALERTS}
    for target in TARGETS:
        if target.alert is None:
            assert target.key not in alerts
            continue
        sign, number = re.findall(r"([<>]) ([\d.]+)", alerts[target.key])[0]
        assert (sign, float(number)) == ("<" if target.rising else ">", target.alert)


def test_every_alert_sends_to_a_part_of_the_runbook():
    runbook = (ROOT / "docs/operations.md").read_text("utf-8")
    for rule in ALERTS:
        page, _, heading = rule["annotations"]["runbook"].partition(": ")
        assert page == "docs/operations.md"
        assert re.search(rf"^#+ {re.escape(heading)}$", runbook, re.MULTILINE), heading


def test_the_dashboard_has_the_rows_that_were_asked_for_and_no_overlap():
    rows = [panel["title"] for panel in DASHBOARD["panels"] if panel["type"] == "row"]
    assert rows == ["Real-time", "Hourly", "Daily", "Weekly"]
    taken = {
        (x, y)
        for panel in DASHBOARD["panels"]
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    }
    sizes = [panel["gridPos"]["w"] * panel["gridPos"]["h"] for panel in DASHBOARD["panels"]]
    assert len(taken) == sum(sizes)
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_every_metric_is_looked_at_somewhere():
    told = " ".join(EXPRESSIONS)
    base = {re.sub(r"_(bucket|sum|count)$", "", name) for name in KNOWN}
    assert {name for name in base if name not in told} == set()


def test_compose_starts_it_all_with_files_that_there_are_and_no_secret_in_it():
    services = COMPOSE["services"]
    watching = {name: one for name, one in services.items() if "profiles" in one}
    assert set(watching) == {"prometheus", "grafana"}
    for one in watching.values():
        assert one["profiles"] == ["monitoring"]
        assert all(port.startswith("127.0.0.1:") for port in one["ports"])
        mounted = [volume.split(":")[0] for volume in one["volumes"]]
        assert all((ROOT / place).exists() for place in mounted if place.startswith("./"))
        assert set(one["secrets"]) <= set(COMPOSE["secrets"])
    assert all("file" in secret for secret in COMPOSE["secrets"].values())


def test_prometheus_scrapes_the_backend_with_a_key_from_a_file():
    (job,) = SCRAPED["scrape_configs"]
    assert job["metrics_path"] == "/metrics"
    assert job["authorization"]["credentials_file"] == "/run/secrets/metrics_key"
    assert job["static_configs"] == [{"targets": ["backend:8787"]}]
    assert SCRAPED["rule_files"] == ["/etc/prometheus/rules.yml"]


def test_the_image_holds_every_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found = project["tool"]["setuptools"]["packages"]["find"]["include"]
    copied = re.findall(r"^COPY (\w+) \./\w+$", (ROOT / "Dockerfile").read_text("utf-8"), re.M)
    assert {name.rstrip("*") for name in found} <= set(copied)
