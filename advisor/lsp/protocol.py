"""The protocol of pygls, which would keep a future for every notification, and trips over a request that waits at the end."""

from __future__ import annotations

from typing import Any

from lsprotocol.types import SHUTDOWN
from pygls.protocol import LanguageServerProtocol, lsp_method


class Protocol(LanguageServerProtocol):
    """Forgets what is done."""

    def _handle_notification(self, method_name: str, params: Any) -> None:
        super()._handle_notification(method_name, params)
        for id in [id for id, future in self._request_futures.items() if future.done()]:
            self._request_futures.pop(id, None)

    @lsp_method(SHUTDOWN)
    def lsp_shutdown(self, *_: Any) -> None:  # type: ignore[override]
        """Cancel what is asked for still, and take no more requests."""
        current = self.msg_id
        for id, future in list(self._request_futures.items()):
            if id != current and not future.done():
                future.cancel()
        self._shutdown = True
