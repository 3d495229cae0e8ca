"""Texts that break out of terminals, tables and pages, and whether an output is harmless."""

from __future__ import annotations

HOSTILE = {
    "markup": "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>",
    "escapes": "a\x1b[31m\x1b]0;x\x07\x9b31mb\x7f",
    "formula": "=cmd|' /C calc'!A0",
    "newlines": "a\n::error::injected\r\n| b |\u2028c",
    "cdata": "]]>]]&gt;<!-- -->&amp;<![CDATA[",
    "command": "%0A::error::injected%0D%25",
    "direction": "\u202eevil\u2066\u200f\u061c",
    "long": "t" * 10_000,
    "odd bytes": "a\udcff\udc80\ufffe\x00b",
    "markdown": "[click](javascript:alert(1)) @everyone #1 https://evil.example www.evil.example `x` **b** ~~d~~ [y](evil) | c",
    "template": "{{ 7*7 }}{% for x in y %}{0}{1}${jndi:ldap://x}",
    "labels": '",x="1"} 1\n# TYPE evil counter\n\\',
}
