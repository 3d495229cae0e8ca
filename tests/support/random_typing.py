"""A random editor: it types, cuts and pastes in buffers, asks for everything, and checks every range and that nothing stays unanswered."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support.language_client import Client, Failed, offsets_of, position_of

ALLOWED = (-32800, -32801, -32802)
"""Errors that say that a buffer has changed meanwhile."""
SNIPPETS = ("a", "acks=1\n", "acks: all\n", "\n", "\r\n", "\r", "\t", " ", "  - ", "# kafka-advisor: ignore[KA101] so\n", "😀", "é",
            "\u2028", "\x85", "\x0b", "\x0c", "\ufeff", "\\", "\\\n", "\"", "'", "{", "}", "[", "]", ": ", "=", "&a ", "*a", "<<EOF\n", "EOF\n", "${X}",
            "{{ .Values.x }}", "KAFKA_AUTO_CREATE_TOPICS_ENABLE: true\n", "min.insync.replicas=2\n", "\ud83d", "\0", "---\n", "|\n")  # fmt: skip
REQUESTS = ("hover", "completion", "codeAction", "diagnostic")
MOST_OPEN_REQUESTS = 20


class RandomTyping:
    """Types at random in some buffers of one server."""

    def __init__(self, client: Client, seed: int) -> None:
        self.client = client
        self.random = random.Random(seed)
        self.versions: dict[str, int] = {}
        self.history: dict[tuple[str, int | None], str] = {}
        self.waiting: list[tuple[int, str, str, str]] = []
        self.edits = self.answered = self.cancelled = 0

    def open(self, path: Path, text: str) -> None:
        """Open a buffer."""
        uri = self.client.open(path, text)
        self.versions[uri] = 1
        self.history[uri, 1] = text

    def play(self, edits: int) -> None:
        """Edit so many times, and ask between edits."""
        uris = sorted(self.versions)
        while self.edits < edits:
            uri = self.random.choice(uris)
            self.edit(uri)
            if self.random.random() < 0.4:
                self.ask(uri)
            if self.random.random() < 0.05:
                self.client.rest(0.01)
            if len(self.waiting) > MOST_OPEN_REQUESTS:
                self.collect()
        self.collect()

    def edit(self, uri: str) -> None:
        """One change, of several parts at times."""
        self.versions[uri] += 1
        self.edits += 1
        if self.random.random() < 0.02:
            self.client.replace(uri, self.versions[uri], self.history[uri, 1])
        else:
            for_all = self.random.randint(1, 3)
            self.client.change(uri, self.versions[uri], *self.parts(uri, for_all))
        self.history[uri, self.versions[uri]] = self.client.texts[uri]

    def parts(self, uri: str, count: int) -> Sequence[tuple[int, int, str]]:
        """Parts of a change, each of the text after those before it."""
        text, rows = self.client.texts[uri], []
        for _ in range(count):
            start = whole(text, self.random.randint(0, len(text)))
            end = whole(text, min(len(text), start + self.random.choice((0, 0, 0, 1, 2, 10, 60))))
            new = self.random.choice(SNIPPETS)
            rows.append((start, end, new))
            text = text[:start] + new + text[end:]
        return rows

    def ask(self, uri: str) -> None:
        """Ask for something at some place; now and then take the question back."""
        text, what = self.client.texts[uri], self.random.choice(REQUESTS)
        document = {"uri": uri}
        where = position_of(text, self.random.randint(0, len(text)))
        params: dict[str, Any] = {"textDocument": document}
        if what == "codeAction":
            params |= {"range": {"start": where, "end": where}, "context": {"diagnostics": []}}
        elif what != "diagnostic":
            params |= {"position": where}
        number = self.client.start_request(f"textDocument/{what}", **params)
        self.waiting.append((number, what, uri, text))
        if self.random.random() < 0.05:
            self.client.notify("$/cancelRequest", id=number)

    def collect(self) -> None:
        """Take the answers that are due, and check their ranges."""
        for number, what, _, text in self.waiting:
            try:
                answer = self.client.answer(number)
            except Failed as failed:
                assert failed.code in ALLOWED, (failed, what)
                self.cancelled += 1
                continue
            self.answered += 1
            check(what, answer, text)
        self.waiting.clear()

    def conclude(self) -> None:
        """What is shown in the end is what a server shows that opens the same text."""
        for uri, version in self.versions.items():
            shown = self.client.diagnostics(uri, version)
            check_rows(shown, self.history[uri, version])
            self.client.notify("textDocument/didClose", textDocument={"uri": uri})
            self.client.diagnostics(uri, None)
            item = {"uri": uri, "languageId": "x", "version": 1, "text": self.client.texts[uri]}
            self.client.notify("textDocument/didOpen", textDocument=item)
            again = self.client.diagnostics(uri, 1)
            assert again == shown, (uri, self.client.texts[uri], again, shown)


def whole(text: str, offset: int) -> int:
    """An offset that does not part an end of line, which no editor does."""
    return offset + 1 if text[offset - 1 : offset + 1] == "\r\n" else offset


def check(what: str, answer: Any, text: str) -> None:
    """Check the ranges of an answer."""
    if not answer:
        return
    if what == "hover":
        offsets_of(text, answer["range"])
    elif what == "completion":
        for item in answer["items"]:
            offsets_of(text, item["textEdit"]["range"])
    elif what == "diagnostic":
        check_rows(answer["items"], text)
    else:
        edits = [edit for row in answer for change in row.get("edit", {}).get("documentChanges", ()) for edit in change["edits"]]  # fmt: skip
        for edit in edits:
            offsets_of(text, edit["range"])


def check_rows(rows: Sequence[Mapping[str, Any]], text: str) -> None:
    """Check the ranges of diagnostics."""
    for row in rows:
        offsets_of(text, row["range"])
