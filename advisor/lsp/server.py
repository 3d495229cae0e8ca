"""The server: what the protocol asks, answered from a session. Nothing is logged on standard output, and no file is written."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, BinaryIO, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from advisor import __version__
from advisor.errors import UserError, printable
from advisor.lsp.code_actions import KINDS, OPEN_PAGE, SHOW_REASON, code_actions
from advisor.lsp.completion import TRIGGERS, completion
from advisor.lsp.diagnostics import Diagnostics
from advisor.lsp.hover import hover
from advisor.lsp.judged import BadClientSettings, Judge, client_settings
from advisor.lsp.protocol import Protocol
from advisor.lsp.session import Document, Session, State
from advisor.secrets.masking import mask

NAME = "kafka-advisor"
QUIET = 0.15
"""Seconds without a change after which a buffer is judged."""
WATCHED = ("**/kafka-advisor.yaml", "**/pyproject.toml", "**/*.{properties,yml,yaml,json,toml,tf,env}")
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
        register(self)

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


def register(server: Server) -> None:
    """Register what the server answers."""
    _register_documents(server)
    _register_settings(server)
    _register_requests(server)


def _register_documents(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        path = to_fs_path(params.text_document.uri)
        if path and params.text_document.uri.startswith("file:"):
            server.session.open(params.text_document.uri, path, params.text_document.text, params.text_document.version)
            server.changed(path)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        document = server.document(params.text_document.uri)
        if document is None:
            return
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                document.text = document.text.changed(change.range.start, change.range.end, change.text)
            else:
                document.text = document.text.replaced(change.text)
        document.version = params.text_document.version
        server.changed(document.path)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        server.everything_changed()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        document = server.document(params.text_document.uri)
        if document is not None:
            server.closed(document.path)


def _register_settings(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.session.encoding = types.PositionEncodingKind(server.workspace.position_encoding).value
        server.take_settings(params.initialization_options)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        await watch(server)
        await pull_settings(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        if isinstance(params.settings, dict) and params.settings:
            server.take_settings(params.settings)
        await pull_settings(server)
        server.everything_changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        server.everything_changed()


async def watch(server: Server) -> None:
    """Ask the client to say when configuration or files beside the buffers change."""
    workspace = server.client_capabilities.workspace
    if not (
        workspace and workspace.did_change_watched_files and workspace.did_change_watched_files.dynamic_registration
    ):
        return
    watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration("watched", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    await refusable(server.client_register_capability_async(types.RegistrationParams([registration])))


async def pull_settings(server: Server) -> None:
    """Ask the client for its settings, where it can be asked."""
    workspace = server.client_capabilities.workspace
    if workspace and workspace.configuration:
        items = [types.ConfigurationItem(section=NAME)]
        values = await refusable(server.workspace_configuration_async(types.ConfigurationParams(items)))
        if values and values[0]:
            server.take_settings(values[0])
            server.everything_changed()


async def refusable(request: Awaitable[Answer]) -> Answer | None:
    """The client's answer; None where it refuses."""
    try:
        return await request
    except JsonRpcException:
        return None


def _register_requests(server: Server) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=NAME),
    )
    async def diagnostic(params: types.DocumentDiagnosticParams) -> types.RelatedFullDocumentDiagnosticReport:
        try:
            rows = await server.ask(
                params.text_document.uri,
                lambda document, state: Diagnostics(state.judged, state.buffers).of_file(document.path),
            )
        except ContentModified:
            raise ServerCancelled(data=types.DiagnosticServerCancellationData(retrigger_request=True)) from None
        return types.RelatedFullDocumentDiagnosticReport(rows or [])

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: types.HoverParams) -> types.Hover | None:
        return await server.ask(
            params.text_document.uri, lambda document, state: hover(document, state, params.position)
        )

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=list(TRIGGERS)))
    async def on_completion(params: types.CompletionParams) -> types.CompletionList | None:
        document = server.document(params.text_document.uri)
        if document is None:
            return None
        text = document.text
        result = await server.session.in_thread(completion, server.session, document.path, text, params.position)
        if not server.is_current(document, text):
            raise ContentModified()
        return result

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=list(KINDS)))
    async def on_code_action(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        return await server.ask(
            params.text_document.uri,
            lambda document, state: code_actions(
                document, state, params, server.session.client.unsafe_fixes, server.shows_documents
            ),
        )

    @server.command(SHOW_REASON)
    def show_reason(uri: str, line: int, character: int) -> None:
        where = types.Position(line, character)
        shown = types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(where, where))
        server.window_show_document(shown)

    @server.command(OPEN_PAGE)
    def open_page(url: str) -> None:
        server.window_show_document(types.ShowDocumentParams(url, external=True))


def serve(judge: Judge, stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve one client until it says goodbye or goes away."""
    for name in ("pygls", "asyncio"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    server = Server(judge)
    try:
        server.start_io(stdin, stdout)
    finally:
        server.session.end()
