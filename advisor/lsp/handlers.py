"""What the server does at each message of the protocol."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.uris import to_fs_path

from advisor.lsp.code_actions import KINDS, OPEN_PAGE, SHOW_REASON, code_actions, resolved
from advisor.lsp.completion import TRIGGERS, completion
from advisor.lsp.diagnostics import Diagnostics
from advisor.lsp.hover import hover
from advisor.lsp.server import NAME, ContentModified, Server, ServerCancelled

WATCHED = ("**/kafka-advisor.yaml", "**/pyproject.toml", "**/*.{properties,yml,yaml,json,toml,tf,env}")
"""The files whose changes on disk the client is asked to say."""
Answer = TypeVar("Answer")


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

    _register_code_actions(server)


def _register_code_actions(server: Server) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=True),
    )
    async def on_code_action(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        return await server.ask(
            params.text_document.uri,
            lambda document, state: code_actions(
                document,
                state,
                params,
                server.session.client.unsafe_fixes,
                server.shows_documents,
                server.resolves_edits,
            ),
        )

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def on_resolve(action: types.CodeAction) -> types.CodeAction:
        answer = await server.ask(str(action.data), lambda document, state: resolved(document, state, action))
        return answer or action

    @server.command(SHOW_REASON)
    def show_reason(uri: str, line: int, character: int) -> None:
        where = types.Position(line, character)
        shown = types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(where, where))
        server.window_show_document(shown)

    @server.command(OPEN_PAGE)
    def open_page(url: str) -> None:
        server.window_show_document(types.ShowDocumentParams(url, external=True))
