"""Audits: what lists do to all rows of a log."""

from __future__ import annotations

import json
import os
import threading
import zlib
from typing import Any, Union

from . import _native
from ._lists import RuleLists, write_file
from ._sources import Lists, open_lists

_OK = 0
_FORMS = {"text": 0, "json": 1, "csv": 2, "partial": 5}
_CSV_FORMS = {"rule": 2, "site": 3, "rule-site": 4}
_TEXT = 0


class Audit:
    """What lists do to all rows of a log, as ``tickbird audit`` reports it.

    ``tickbird.arrow.audit_batches``, ``tickbird.spark.audit`` and ``tickbird.duckdb.audit`` make audits.
    They can be pickled, and put together: ``merge``.
    """

    def __init__(self, lists: Lists, log: str = "rows") -> None:
        """Create an empty audit; ``log`` is what reports call the rows."""
        self.lists: RuleLists = open_lists(lists)
        self.log = log
        self._lock = threading.Lock()
        self._audit = _native.audit(self.lists._handles, self.lists._names, log)

    def __repr__(self) -> str:
        return f"<Audit of {self.log!r}: {self.requests} requests, {self.blocked} blocked>"

    def __reduce__(self) -> tuple[Any, tuple[RuleLists, str, bytes]]:
        return _restored, (self.lists, self.log, self.findings())

    @property
    def requests(self) -> int:
        """The number of rows that were decided."""
        return self._counts()[0]

    @property
    def bad_rows(self) -> int:
        """The number of rows that could not be decided; the reports have the first ten, and why."""
        return self._counts()[1]

    @property
    def blocked(self) -> int:
        """The number of requests that a list blocked."""
        return self._counts()[2]

    def text(self, *, top: int = 20, unmatched: bool = False) -> str:
        """Return the report for people; ``top`` is the most rows of each table."""
        return self._report(_TEXT, top, unmatched).decode(errors="replace")

    def json(self) -> bytes:
        """Return everything, as ``tickbird audit --format json`` writes it."""
        return self._report(_FORMS["json"])

    def csv(self, by: str = "rule", *, unmatched: bool = False) -> bytes:
        """Return a table of rules, of sites (``site``), or of both (``rule-site``)."""
        if by not in _CSV_FORMS:
            raise ValueError(f"there is no table by {by!r}; there are {', '.join(_CSV_FORMS)}")
        return self._report(_CSV_FORMS[by], 0, unmatched)

    @property
    def data(self) -> dict[str, Any]:
        """The content of ``json()``."""
        value: dict[str, Any] = json.loads(self.json())
        return value

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write a partial audit, which ``tickbird audit merge`` puts together with others."""
        # As the command compresses, without a time.
        packer = zlib.compressobj(6, zlib.DEFLATED, 31, 8)
        write_file(path, packer.compress(self._report(_FORMS["partial"])) + packer.flush())

    def findings(self) -> bytes:
        """Return what was found, without what follows from the lists, for ``merge`` elsewhere."""
        with self._lock:
            return _native.audit_findings(self._audit)

    def merge(self, other: Union[Audit, bytes]) -> None:
        """Add another audit by the same lists, or its findings.

        Rows that have no numbers are taken for those behind the last, so that the order of calls is that of
        the rows. Raises ``ValueError``, and adds nothing, if the audits are of different lists.
        """
        findings = other.findings() if isinstance(other, Audit) else other
        with self._lock:
            status, _, message = _native.audit_merge(self._audit, findings)
        if status != _OK:
            raise ValueError(message.decode() or _native.status_text(status))

    def _counts(self) -> tuple[int, int, int]:
        with self._lock:
            return _native.audit_count(self._audit)

    def _add(
        self, rows: int, columns: tuple[Any, ...], every_type: str, numbers: int
    ) -> int:
        with self._lock:
            return _native.audit_add(self._audit, rows, columns, every_type, numbers)

    def _report(self, form: int, top: int = 0, unmatched: bool = False) -> bytes:
        if top < 0:
            raise ValueError(f"top={top} is not possible; give 0 or more")
        with self._lock:
            status, _, report = _native.audit_report(self._audit, form, top, unmatched)
        if status != _OK:
            raise ValueError(_native.status_text(status))
        return report


def _restored(lists: RuleLists, log: str, findings: bytes) -> Audit:
    audit = Audit(lists, log)
    audit.merge(findings)
    return audit
