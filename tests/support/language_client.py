"""A client of the language server over pipes, without a library of ours: it keeps buffers as the protocol says and checks every range."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any

from rules import MODULES
from tests.support.fork_server import Forked, fork

PATIENCE = 60
"""Seconds for one message."""
LINE_END = re.compile("\r\n|\r|\n")
IMPORTED = ("advisor.cli.editing.editor_judge", "advisor.lsp.serving", *(f"rules.{name}" for name in MODULES))
"""What a server loads before it is greeted."""
CAPABILITIES = {"window": {"showDocument": {"support": True}}}


class Failed(Exception):
    """A request was answered with an error; `code` is the protocol's."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]


class Client:
    """One running server, and what it said: `shown` are the diagnostics of each file, `asked` its requests."""

    def __init__(self, process: Forked, to_server: IO[bytes], from_server: IO[bytes]) -> None:
        self.process = process
        self.to_server = to_server
        self.shown: dict[str, list[Any]] = {}
        self.versions: dict[str, int | None] = {}
        self.said: list[tuple[str, Any]] = []
        self.asked: list[tuple[str, Any]] = []
        self.answers: dict[int, Any] = {}
        self.texts: dict[str, str] = {}
        self.settings: Any = None
        self._number = 0
        self._messages: Queue[Any] = Queue()
        Thread(target=self._read, args=(from_server,), daemon=True).start()

    def _read(self, stdout: IO[bytes]) -> None:
        while header := stdout.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                header = stdout.readline()
            self._messages.put(json.loads(stdout.read(length)))
        self._messages.put(None)

    def send(self, **message: Any) -> None:
        """Send a message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.to_server.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.to_server.flush()

    def notify(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self.send(method=method, params=params)

    def start_request(self, method: str, **params: Any) -> int:
        """Send a request; returns its number."""
        self._number += 1
        self.send(id=self._number, method=method, params=params)
        return self._number

    def request(self, method: str, **params: Any) -> Any:
        """The answer to a request. Raises Failed."""
        return self.answer(self.start_request(method, **params))

    def answer(self, number: int) -> Any:
        """The answer to a request that was sent. Raises Failed."""
        self.wait(lambda: number in self.answers)
        message = self.answers.pop(number)
        if "error" in message:
            raise Failed(message["error"])
        return message["result"]

    def wait(self, until: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Take messages until something holds."""
        while not until():
            try:
                message = self._messages.get(timeout=seconds)
            except Empty:
                raise AssertionError(f"nothing came for {seconds} s; last: {self.said[-1:]}") from None
            assert message is not None, "the server went away"
            self._take(message)

    def rest(self, seconds: float) -> None:
        """Take messages until none comes for some seconds."""
        try:
            while True:
                self._take(self._messages.get(timeout=seconds))
        except Empty:
            return

    def _take(self, message: Any) -> None:
        if "method" not in message:
            self.answers[message["id"]] = message
        elif "id" in message:
            self.asked.append((message["method"], message["params"]))
            results = {"workspace/configuration": [self.settings], "window/showDocument": {"success": True}}
            self.send(id=message["id"], result=results.get(message["method"]))
        elif message["method"] == "textDocument/publishDiagnostics":
            params = message["params"]
            self.shown[params["uri"]] = params["diagnostics"]
            self.versions[params["uri"]] = params.get("version")
        else:
            self.said.append((message["method"], message["params"]))

    def open(self, path: Path, text: str | None = None) -> str:
        """Open a file with its text, or with another one; returns its URI."""
        uri = path.as_uri()
        self.texts[uri] = path.read_bytes().decode() if text is None else text
        self.shown.pop(uri, None)
        item = {"uri": uri, "languageId": "plaintext", "version": 1, "text": self.texts[uri]}
        self.notify("textDocument/didOpen", textDocument=item)
        return uri

    def change(self, uri: str, version: int, *changes: tuple[int, int, str]) -> None:
        """Change a buffer at offsets, one change after another."""
        rows = []
        for start, end, new in changes:
            text = self.texts[uri]
            rows.append({"range": range_of(text, start, end), "text": new})
            self.texts[uri] = text[:start] + new + text[end:]
        identifier = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", textDocument=identifier, contentChanges=rows)

    def replace(self, uri: str, version: int, text: str) -> None:
        """Another text in place of the whole buffer."""
        self.texts[uri] = text
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=[{"text": text}])  # fmt: skip

    def diagnostics(self, uri: str, version: int | None = 1) -> list[Any]:
        """What is shown of a version of a buffer."""
        self.wait(lambda: uri in self.shown and self.versions[uri] == version)
        return self.shown[uri]

    def codes(self, uri: str, version: int | None = 1) -> list[str]:
        """The rules of what is shown."""
        return [str(row.get("code")) for row in self.diagnostics(uri, version)]

    def at(self, method: str, uri: str, mark: str) -> Any:
        """The answer of a request at the first place of a text."""
        offset = self.texts[uri].index(mark)
        return self.request(method, textDocument={"uri": uri}, position=position_of(self.texts[uri], offset))

    def actions(self, uri: str, mark: str, only: list[str] | None = None) -> list[Any]:
        """The code actions at the first place of a text."""
        where = position_of(self.texts[uri], self.texts[uri].index(mark))
        context = {"diagnostics": [], **({"only": only} if only else {})}
        params = {"textDocument": {"uri": uri}, "range": {"start": where, "end": where}, "context": context}
        return self.request("textDocument/codeAction", **params) or []

    def execute(self, action: Any) -> None:
        """Execute the command of an action."""
        command = action["command"]
        self.request("workspace/executeCommand", command=command["command"], arguments=command["arguments"])

    def applied(self, uri: str, action: Any) -> str:
        """The text of a buffer after the edits of an action."""
        (change,) = action["edit"]["documentChanges"]
        assert change["textDocument"]["uri"] == uri
        return applied(self.texts[uri], change["edits"])


def applied(text: str, edits: list[Any]) -> str:
    """A text after edits of the protocol."""
    rows = [(*offsets_of(text, edit["range"]), edit["newText"]) for edit in edits]
    for start, end, new in sorted(rows, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def position_of(text: str, offset: int) -> dict[str, int]:
    """A position of the protocol, in units of UTF-16."""
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    line = max(number for number, start in enumerate(starts) if start <= offset)
    return {"line": line, "character": len(text[starts[line] : offset].encode("utf-16-le", "surrogatepass")) // 2}


def range_of(text: str, start: int, end: int) -> dict[str, Any]:
    """A range of the protocol."""
    return {"start": position_of(text, start), "end": position_of(text, end)}


def offsets_of(text: str, where: Any) -> tuple[int, int]:
    """The offsets of a range; fails for one that is none of the text."""
    start, end = (offset_of(text, where[side]) for side in ("start", "end"))
    assert start <= end, where
    return start, end


def offset_of(text: str, position: dict[str, int]) -> int:
    """The offset of a position; fails where the text has none, or where it parts a character."""
    starts = [0, *(match.end() for match in LINE_END.finditer(text)), len(text)]
    line, units = position["line"], position["character"]
    assert 0 <= line < len(starts) - 1, (position, len(starts) - 1)
    body = text[starts[line] : starts[line + 1]].rstrip("\r\n") if line + 2 < len(starts) else text[starts[line] :]
    encoded = body.encode("utf-16-le", "surrogatepass")
    assert 0 <= units <= len(encoded) // 2, (position, body)
    return starts[line] + len(encoded[: 2 * units].decode("utf-16-le", "surrogatepass"))


@contextmanager
def server(
    capabilities: dict[str, Any] | None = None, options: Any = None, settings: Any = None, prelude: str = ""
) -> Iterator[Client]:
    """A server that was greeted; it must end with exit code 0, and print nothing else. `prelude` is Python that it runs first."""
    with pipe() as (stdin, to_server), pipe() as (from_server, stdout), tempfile.TemporaryFile() as stderr:
        process = fork(["lsp"], IMPORTED, (stdin, stdout, stderr), prelude)
        stdin.close()
        stdout.close()
        client = Client(process, to_server, from_server)
        client.settings = settings
        try:
            client.request(
                "initialize",
                processId=None,
                rootUri=None,
                capabilities=CAPABILITIES if capabilities is None else capabilities,
                initializationOptions=options,
            )
            client.notify("initialized")
            yield client
            client.request("shutdown")
            client.notify("exit")
            assert process.wait(PATIENCE) == 0
            stderr.seek(0)
            assert (said := stderr.read()) == b"", said
        finally:
            process.kill()


@contextmanager
def pipe() -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """A pipe's end to read from, and its end to write to."""
    reading, writing = os.pipe()
    with open(reading, "rb") as out, suppress(BrokenPipeError), open(writing, "wb") as into:
        yield out, into
