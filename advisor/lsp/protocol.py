"""The protocol of pygls without its buffers.

Its buffers break lines where no editor does (form feeds, U+2028), and clip the positions of changes.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol, lsp_method

Handled = Generator[Any, Any, None]


class Protocol(LanguageServerProtocol):
    """Leaves buffers to the server's own handlers."""

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Handled:
        """Hand on."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Handled:
        """Hand on."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Handled:
        """Hand on."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None
