"""PEM text in properties: as it is, with the headers of an encrypted key, and pasted from programs; no piece of it is shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import run

BODY = (
    "MIIEpAIBAAKCAQEAq7Yw8Z3pXcVbNmAsDfGhJkLqWeRtYuIoPzXcVbNm12345678",
    "c2hvcnRlcnBpZWNl/+abcd==",
    "Zm9vYmFyc2hvcnQ=",
)
HEADERS = ("Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,0A1B2C3D4E5F60718293A4B5C6D7E8F9", "")
NAMES = ("RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY")
PIECES = (*BODY, "0A1B2C3D4E5F60718293A4B5C6D7E8F9", "Proc-Type", "DEK-Info")


def pem(name: str, headers: bool) -> list[str]:
    return [f"-----BEGIN {name}-----", *(HEADERS if headers else ()), *BODY, f"-----END {name}-----"]


FORMS: dict[str, Callable[[list[str]], str]] = {
    "as it is": lambda lines: "\n".join(lines),
    "behind its key": lambda lines: "ssl.keystore.key=" + "\n".join(lines),
    "indented": lambda lines: "ssl.keystore.key=" + "\n    ".join(lines),
    "continued": lambda lines: "ssl.keystore.key=" + " \\\n  ".join(lines),
    "Java": lambda lines: "ssl.keystore.key=" + " +\n    ".join(f'"{line}\\n"' for line in lines) + ";",
    "Java without a key": lambda lines: " +\n".join(f'"{line}\\n"' for line in lines) + ";",
    "Java, plus first": lambda lines: "ssl.keystore.key=" + "\n    + ".join(f'"{line}\\n"' for line in lines),
    "Java, both line ends": lambda lines: "ssl.keystore.key=" + " +\n".join(f'"{line}\\r\\n"' for line in lines),
    "Java, no line ends": lambda lines: "ssl.keystore.key=" + " +\n".join(f'"{line}"' for line in lines),
    "Java, arguments": lambda lines: "ssl.keystore.key=" + ",\n".join(f'"{line}\\n"' for line in lines) + ")",
    "JavaScript": lambda lines: "ssl.keystore.key=" + " +\n".join(f"'{line}\\n'" for line in lines),
    "Python": lambda lines: "ssl.keystore.key=(" + "\n".join(f'"{line}\\n"' for line in lines) + ")",
    "escapes on one line": lambda lines: "ssl.keystore.key=" + "\\n".join(lines),
}


@pytest.mark.parametrize("headers", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_pem_text_is_one_entry_of_which_nothing_is_shown(form: str, headers: bool, tmp_path: Path) -> None:
    path = tmp_path / "client.properties"
    for name in NAMES:
        text = FORMS[form](pem(name, headers))
        path.write_text(f"bootstrap.servers=a:1,b:1\nssl.keystore.type=PEM\n{text}\nacks=1\n")
        written = {format: tmp_path / f"report.{format}" for format in ("json", "sarif")}
        formats = ("--format=text", *(f"--format={format}={file}" for format, file in written.items()))
        for command in (("lint", "-v", "--no-config", *formats), ("effective",), ("starts",)):
            ran = run(*command, path)
            assert not [piece for piece in PIECES if piece in ran.out + ran.err]
        assert not [piece for piece in PIECES for file in written.values() if piece in file.read_text()]
        rows = json.loads(written["json"].read_text())["findings"]
        assert "KA101" in {row["rule"] for row in rows}
        unknown_keys = [row["key"] for row in rows if row["rule"] == "KA1401"]
        assert len(unknown_keys) <= 1 and set(unknown_keys) <= {"(PEM text)"}


def test_a_key_without_its_last_line_swallows_no_setting(tmp_path: Path) -> None:
    path = tmp_path / "client.properties"
    path.write_text(
        "ssl.keystore.key=" + "\n".join(pem("PRIVATE KEY", True)[:-1]) + "\nbootstrap.servers=a:1\nacks=1\n"
    )
    assert "KA101" in {row["rule"] for row in run("lint", path, "--no-config", "--format", "json").json["findings"]}


def test_a_header_elsewhere_is_a_key_like_others(tmp_path: Path) -> None:
    path = tmp_path / "client.properties"
    path.write_text("bootstrap.servers=a:1\nacks=all\nProc-Type=x\n")
    assert "Proc-Type" in run("effective", path).out
