"""The open buffers, and what is known of them: each is judged together with the files of its cluster, in a thread of its own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from lsprotocol.types import PositionEncodingKind

from advisor.analysis.fixes.fixing import Fixing
from advisor.errors import UnreadableInput
from advisor.lsp.judged import ClientSettings, Judge, Judged
from advisor.lsp.positions import Text
from advisor.lsp.settings_at import Buffer, data_of
from collectors.files.reader import content
from collectors.files.syntax.properties import decode

WORKERS = 8
"""Files that are judged at the same time."""
Answer = TypeVar("Answer")
Key = tuple[str, int, tuple[Text, ...]]


class Document:
    """An open buffer: `version` is the client's; `together` the files that it is judged with."""

    def __init__(self, uri: str, path: str, text: Text, version: int | None) -> None:
        self.uri = uri
        self.path = path
        self.text = text
        self.version = version
        self.together: Sequence[str] | None = None


class State:
    """What was judged, and the texts of the buffers as they were then."""

    def __init__(self, judged: Judged, texts: Mapping[str, Text], encoding: str) -> None:
        self.judged = judged
        self.buffers = Buffers(texts, encoding)
        self.fixed: dict[object, Fixing] = {}
        """Fixes that were tried, by what was to be fixed: editors ask at every move of the cursor."""


class Buffers(dict[str, Buffer]):
    """Buffers by their path; a file that is not open is read when it is asked for."""

    def __init__(self, texts: Mapping[str, Text], encoding: str) -> None:
        super().__init__()
        self.texts, self.encoding = texts, encoding

    def __missing__(self, path: str) -> Buffer:
        text = self.texts.get(path) or Text(text_of(path), self.encoding)
        self[path] = Buffer(path, text)
        return self[path]

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and (super().__contains__(path) or path in self.texts or os.path.isfile(path))


def text_of(path: str) -> str:
    """The text of a file on disk; empty where it cannot be read."""
    try:
        return decode(content(path))
    except UnreadableInput:
        return ""


class Session:
    """The open documents by their paths, and what was judged of them."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.client = ClientSettings()
        self.encoding: str = PositionEncodingKind.Utf16
        self.documents: dict[str, Document] = {}
        self.generation = 0
        """Counts what changes the judgement of all buffers: settings, files on disk."""
        self._threads = ThreadPoolExecutor(WORKERS, "judge")
        self._running: dict[Key, asyncio.Future[State]] = {}

    def open(self, uri: str, path: str, text: str, version: int | None) -> Document:
        """A buffer is opened."""
        self.documents[path] = Document(uri, path, Text(text, self.encoding, path.endswith(".properties")), version)
        return self.documents[path]

    def close(self, path: str) -> None:
        """A buffer is closed."""
        document = self.documents.pop(path, None)
        if document is not None:
            self._drop_older(document)

    def forget(self) -> None:
        """Everything is to be judged anew: settings or files on disk are others now."""
        self.generation += 1
        for document in self.documents.values():
            document.together = None

    def dependents(self, path: str) -> list[Document]:
        """The open documents that are judged together with a file, its own included."""
        return [each for each in self.documents.values() if each.path == path or path in (each.together or ())]

    async def in_thread(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """Call a function that takes time."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def state(self, document: Document) -> State:
        """What is known of a document as it is now. Raises UserError."""
        texts = {path: each.text for path, each in self.documents.items()}
        key = self._key(document, texts)
        if key not in self._running:
            self._drop_older(document)
            self._running[key] = asyncio.ensure_future(self._judge(document, texts))
        return await asyncio.shield(self._running[key])

    def known(self, document: Document) -> State | None:
        """What is known of a document as it is now, where it was judged already."""
        texts = {path: each.text for path, each in self.documents.items()}
        judged = self._running.get(self._key(document, texts))
        is_known = judged is not None and judged.done() and not judged.cancelled() and judged.exception() is None
        return judged.result() if judged is not None and is_known else None

    def _key(self, document: Document, texts: Mapping[str, Text]) -> Key:
        """What a judgement of a document rests on."""
        files = document.together or (document.path,)
        open_texts = tuple(texts[path] for path in files if path in texts)
        return document.path, self.generation, open_texts

    def _drop_older(self, document: Document) -> None:
        """Forget what is known of a document's older texts."""
        for key in [key for key in self._running if key[0] == document.path]:
            del self._running[key]

    async def _judge(self, document: Document, texts: Mapping[str, Text]) -> State:
        data = {os.path.realpath(path): data_of(text.text) for path, text in texts.items()}
        return await self.in_thread(self._state, document, texts, data)

    def _state(self, document: Document, texts: Mapping[str, Text], data: Mapping[str, bytes]) -> State:
        if document.together is None:
            document.together, judged = self.judge.first(document.path, data, self.client)
        else:
            judged = self.judge.judge(document.together, data, self.client)
        return State(judged, texts, self.encoding)

    def end(self) -> None:
        """Judge nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
