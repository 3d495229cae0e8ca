"""Lines that steer a template are no settings, and what they choose between is not known."""

from __future__ import annotations

import pytest

from advisor.model import LITERAL, PLACEHOLDER
from collectors.files.syntax.properties_file import read_settings
from collectors.files.syntax.templates import steps


@pytest.mark.parametrize(
    ("line", "deeper"),
    [
        ("{% if x | length > 1 %}", 1),
        ("{%- for a in b -%}", 1),
        ("{% else %}", 0),
        ("{% endif %}", -1),
        ("{% endif %}{% if b %}", 0),
        ("{{- if .Values.x }}", 1),
        ("{{ end }}", -1),
        ("{{#if a}}", 1),
        ("{{/if}}", -1),
        ("<#list a as b>", 1),
        ("</#if>", -1),
        ("<% if @a -%>", 1),
        ("<% @a.each do |k| -%>", 1),
        ("<% end %>", -1),
        ("{# acks=1 #}", 0),
        ("{{/* acks=1 */}}", 0),
        ("<#-- acks=1 -->", 0),
        ("{{ id }}@{{ host }}:9093,", 0),
        ("{{ host }}:9092", 0),
        ("{{ prefix }}.acks=all", None),
        ("{{ key }}: {{ value }}", None),
        ("{{ more }}", None),
        ("{% include 'x' %}", None),
        ("{{ key }}={{ value }}", None),
        ("{% for k in x %}{{ k }}={{ x[k] }}{% endfor %}", None),
        ("<%= x %>", None),
    ],
)
def test_how_deep_a_line_goes(line: str, deeper: int | None) -> None:
    assert steps(line) == deeper


CHOICE = "{% if a %}\nacks=all\nretries=3\nssl.key.password=x\n{% else %}\nacks=1\nssl.key.password=y\n{% endif %}\n"


def test_only_what_is_set_twice_is_left_open() -> None:
    settings, _ = read_settings(CHOICE + "linger.ms=1\nlinger.ms=2", "x")
    assert list(settings) == ["retries", "acks", "ssl.key.password", "linger.ms"]
    assert {key: setting.shape for key, setting in settings.items()} == {
        "acks": PLACEHOLDER,
        "retries": LITERAL,
        "ssl.key.password": LITERAL,
        "linger.ms": LITERAL,
    }
    assert settings["acks"].shadowed == () and len(settings["linger.ms"].shadowed) == 1
