"""Log lines: time, level, logger, request id, message. Never what was said."""

import logging

from memoryhub.tenants import scope


class LineFormatter(logging.Formatter):
    """One line an entry, with the request id of the scope in force."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(request)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        current = scope.current_or_none()
        record.request = current.request_id if current else "-"
        return super().format(record)
