"""The server: what the protocol asks, answered from a session. Nothing is logged on standard output, and no file is written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from advisor import __version__
from advisor.errors import UserError, printable
from advisor.lsp.diagnostics import Diagnostics
from advisor.lsp.judged import BadClientSettings, Judge, client_settings
from advisor.lsp.protocol import Protocol
from advisor.lsp.session import Document, Session, State
from advisor.secrets.masking import mask

NAME = "kafka-advisor"
QUIET = 0.15
"""Seconds without a change after which a buffer is judged."""
Answer = TypeVar("Answer")


class ContentModified(JsonRpcException):
    """The buffer has changed since the request."""

    CODE = types.LSPErrorCodes.ContentModified
    MESSAGE = "the buffer has changed"


class ServerCancelled(JsonRpcException):
    """The buffer has changed since its diagnostics were asked for: ask again."""

    CODE = types.LSPErrorCodes.ServerCancelled
    MESSAGE = "the buffer has changed"


class Server(LanguageServer):
    """A language server for Kafka's configuration."""

    def __init__(self, judge: Judge) -> None:
        super().__init__(
            NAME,
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
        )
        self.session = Session(judge)
        self.said: set[str] = set()
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._shown: dict[str, set[str]] = {}
        """The files that have diagnostics because of an open buffer, by its path."""

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A fault of the server is a line in the client's log."""
        if not isinstance(error, ContentModified | ServerCancelled):
            self.log(f"internal error {type(error).__name__}: {error}; please report it")

    def log(self, line: str, kind: types.MessageType = types.MessageType.Error) -> None:
        """Say a line in the client's log."""
        text = printable(mask(" ".join(line.split())))[:1000]
        self.window_log_message(types.LogMessageParams(kind, text))

    def say_once(self, line: str) -> None:
        """Show a line to the user, once."""
        if line not in self.said:
            self.said.add(line)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, printable(mask(line))[:1000]))

    def document(self, uri: str) -> Document | None:
        """The open document of a URI; None for what is no file or not open."""
        return self.session.documents.get(to_fs_path(uri) or "") if uri.startswith("file:") else None

    @property
    def pulls(self) -> bool:
        """Whether the client asks for diagnostics itself; to those that do nothing is pushed of open buffers."""
        capabilities = self.client_capabilities.text_document
        return capabilities is not None and capabilities.diagnostic is not None

    @property
    def shows_documents(self) -> bool:
        """Whether the client opens pages and selects a range on demand."""
        window = self.client_capabilities.window
        return window is not None and window.show_document is not None and window.show_document.support

    @property
    def resolves_edits(self) -> bool:
        """Whether the client asks for the edit of a code action when the user takes it."""
        text_document = self.client_capabilities.text_document
        actions = text_document.code_action if text_document else None
        support = actions.resolve_support if actions and actions.data_support else None
        return support is not None and "edit" in support.properties

    def take_settings(self, values: object) -> None:
        """Take the client's settings; what is wrong with them is shown."""
        try:
            self.session.client = client_settings(values)
        except BadClientSettings as bad:
            self.say_once(f"kafka-advisor: {bad}")

    def changed(self, path: str) -> None:
        """A buffer has changed: it, and those that are judged together with it, are judged after some quiet."""
        for document in self.session.dependents(path):
            self.judge_later(document)

    def everything_changed(self) -> None:
        """Settings or files on disk have changed: judge all buffers anew."""
        self.session.forget()
        for document in self.session.documents.values():
            self.judge_later(document)
        workspace = self.client_capabilities.workspace
        if self.pulls and workspace and workspace.diagnostics and workspace.diagnostics.refresh_support:
            self.workspace_diagnostic_refresh(None)

    def judge_later(self, document: Document) -> None:
        """Judge a buffer after some quiet."""
        waiting = self._waiting.pop(document.path, None)
        if waiting is not None:
            waiting.cancel()
        task = asyncio.ensure_future(self._judge_after_quiet(document))
        self._waiting[document.path] = task
        task.add_done_callback(self._report_fault)

    def _report_fault(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.report_server_error(error, type(error))

    async def _judge_after_quiet(self, document: Document) -> None:
        await asyncio.sleep(QUIET)
        text = document.text
        state = await self.state_of(document)
        for line in state.judged.complaints if state else ():
            if line not in self.said:
                self.said.add(line)
                self.log(line)
        if self.is_current(document, text):
            await self._publish(document, state)

    def is_current(self, document: Document, text: object) -> bool:
        """Whether a document is open with that very text."""
        return self.session.documents.get(document.path) is document and document.text is text

    async def state_of(self, document: Document) -> State | None:
        """What is known of a document; None where its settings are wrong, which is shown."""
        try:
            state = await self.session.state(document)
        except UserError as error:
            self.say_once(f"kafka-advisor: {error}")
            return None
        return state

    async def _publish(self, document: Document, state: State | None) -> None:
        """Push what was found, in the other files of the cluster, too, as far as they are not open."""
        before = self._shown.get(document.path, set())
        others = state.judged.beside(document.path) - self.session.documents.keys() if state else set()
        self._shown[document.path] = others
        if not self.pulls:
            self._push(document.path, await self._diagnostics(state, document.path), document.version)
        for path in others:
            self._push(path, await self._diagnostics(state, path))
        self._clear(before - others)

    async def _diagnostics(self, state: State | None, path: str) -> list[types.Diagnostic]:
        if state is None:
            return []
        return await self.session.in_thread(Diagnostics(state.judged, state.buffers).of_file, path)

    def _push(self, path: str, rows: list[types.Diagnostic], version: int | None = None) -> None:
        uri = from_fs_path(path) or ""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, rows, version))

    def _clear(self, paths: set[str]) -> None:
        """Take the diagnostics of files away that no open buffer shows any more."""
        still = {path for paths in self._shown.values() for path in paths}
        for path in paths - still - self.session.documents.keys():
            self._push(path, [])

    def closed(self, path: str) -> None:
        """A buffer is closed: nothing of it is shown any more."""
        waiting = self._waiting.pop(path, None)
        if waiting is not None:
            waiting.cancel()
        dependents = [each for each in self.session.dependents(path) if each.path != path]
        self.session.close(path)
        self._push(path, [])
        self._clear(self._shown.pop(path, set()))
        for document in dependents:
            self.judge_later(document)

    async def ask(self, uri: str, answer: Callable[[Document, State], Answer]) -> Answer | None:
        """The answer to a request about a buffer as it is now. Raises ContentModified where it changes meanwhile."""
        document = self.document(uri)
        if document is None:
            return None
        text = document.text
        state = await self.state_of(document)
        result = None if state is None else await self.session.in_thread(answer, document, state)
        if not self.is_current(document, text):
            raise ContentModified()
        return result
