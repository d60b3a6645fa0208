"""Lists: checking, compiling, storing, deciding, explaining."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, Sequence, Union

from . import _native
from ._native import Decision

if TYPE_CHECKING:
    import pyarrow

    from ._audits import Audit

_OK = 0
_UNREADABLE = 3


@dataclass(frozen=True)
class Diagnostic:
    """A finding in a list, with its place in the text."""

    severity: str
    """``error``, ``warning`` or ``note``."""
    code: str
    """The kind of finding, which ``tickbird check --explain`` describes."""
    message: str
    line: int
    """From 1."""
    column: int
    """From 1, in bytes."""
    offset: int
    """The first byte of the place, from 0."""
    length: int
    rule: Optional[int] = None
    """The rule's position in the list, from 0; ``None`` for the list as a whole."""
    path: str = ""
    hint: Optional[str] = None

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.severity}: {self.message} [{self.code}]"


@dataclass(frozen=True)
class Report:
    """WebKit's verdict about a list, and everything that was found in it."""

    accepted: bool
    """Whether WebKit accepts the list, and it can be compiled."""
    rules: int
    """The number of elements of the list's array."""
    skipped: int
    """How many of them WebKit skips."""
    error: Optional[str]
    """WebKit's own message if it refuses the list."""
    diagnostics: list[Diagnostic] = field(default_factory=list)


class RefusedError(ValueError):
    """A list is refused; ``report`` says why."""

    def __init__(self, report: Report, name: str) -> None:
        errors = [each for each in report.diagnostics if each.severity == "error"]
        where = f"{name or 'the list'}:{errors[0]}" if errors else (name or "the list")
        super().__init__(f"{report.error or 'the list is refused'} ({where})")
        self.report = report


class CompiledListError(ValueError):
    """Bytes or a file are not a compiled list of this version."""


def _bytes(text: Union[bytes, bytearray, memoryview, str]) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _report(text: bytes) -> Report:
    value = json.loads(text)
    return Report(
        accepted=value["accepted"],
        rules=value["rules"],
        skipped=value["skipped"],
        error=value["error"]["message"] if value["error"] else None,
        diagnostics=[
            Diagnostic(
                severity=each["severity"], code=each["code"], message=each["message"],
                line=each["line"], column=each["column"], offset=each["offset"],
                length=each["length"], rule=each["rule"], path=each["path"], hint=each.get("hint"),
            )
            for each in value["diagnostics"]
        ],
    )


def report(text: Union[bytes, str], name: str = "") -> Report:
    """Check a list's JSON text.

    The verdict is WebKit's; the diagnostics are those of ``tickbird check``. Nothing is raised for a list
    that is refused.
    """
    status, _, found = _native.check(_bytes(text), name)
    if status != _OK:
        raise ValueError(_native.status_text(status))
    return _report(found)


def check(text: Union[bytes, str], name: str = "") -> list[Diagnostic]:
    """Return every finding in a list's JSON text, as ``tickbird check`` has them."""
    return report(text, name).diagnostics


def compile(text: Union[bytes, str], name: str = "") -> RuleList:
    """Compile a list's JSON text.

    Raises ``RefusedError``, with a report of everything that was found, if WebKit refuses the list or
    compiling it would cost too much.
    """
    status, handle, found = _native.compile(_bytes(text), name)
    if handle is None:
        if not found:
            raise ValueError(_native.status_text(status))
        raise RefusedError(_report(found), name)
    return RuleList(handle, name)


class _Deciding:
    """What one list and several have in common."""

    _handles: tuple[Any, ...]
    _names: tuple[str, ...]
    _decider: Any

    def _use(self, handles: Sequence[Any], names: Sequence[str]) -> None:
        self._handles = tuple(handles)
        self._names = tuple(names)
        self._decider = _native.decider(self._handles)

    def decide(
        self, url: str, page: str = "", type: str = "", *, frame: str = "", context: str = "",
        method: str = "", party: str = "",
    ) -> Decision:
        """Decide a load.

        ``url`` is what is loaded, ``page`` the URL of the main frame's document, ``type`` what the load is
        for: ``script``, ``image``, ``fetch``, ``document`` and so on. The further parts and what their
        absence means are in ``Documentation/Loads.md``: the ``frame``'s
        document, the ``context`` (``top-frame`` or ``child-frame``), the document's ``method``, and the
        ``party`` (``first-party`` or ``third-party``), which mostly follow from the others.

        Raises ``LoadError`` if a URL is not absolute or a word is unknown.
        """
        return _native.decide(self._decider, url, page, type, frame, context, method, party)

    def explain(
        self, url: str, page: str = "", type: str = "", *, frame: str = "", context: str = "",
        method: str = "", party: str = "",
    ) -> dict[str, Any]:
        """Explain the decision of a load: every rule that matched, with its place, and its fate.

        The value is what ``tickbird explain --format json`` prints. Takes as long as reading the list's
        text the first time.
        """
        line = _native.explain(
            self._decider, url, page, type, frame, context, method, party, self._names
        )
        value: dict[str, Any] = json.loads(line)
        return value

    def decide_table(self, table: pyarrow.Table, **options: Any) -> pyarrow.Table:
        """Decide all rows of a table; see ``tickbird.arrow.decide_table`` for the options."""
        from . import arrow

        return arrow.decide_table(self, table, **options)

    def decide_batches(
        self, batches: Iterable[pyarrow.RecordBatch], **options: Any
    ) -> Iterator[pyarrow.RecordBatch]:
        """Decide batches as they come; see ``tickbird.arrow.decide_batches`` for the options."""
        from . import arrow

        return arrow.decide_batches(self, batches, **options)

    def audit_batches(
        self, batches: Iterable[pyarrow.RecordBatch], **options: Any
    ) -> Audit:
        """Count what the rules do to the rows of batches; see ``tickbird.arrow.audit_batches``."""
        from . import arrow

        return arrow.audit_batches(self._lists(), batches, **options)

    def _lists(self) -> RuleLists:
        raise NotImplementedError


class RuleList(_Deciding):
    """A compiled list, which never changes.

    Any number of threads may use it. It can be pickled, and sent to other processes.
    """

    def __init__(self, handle: Any, name: str = "") -> None:
        """For this module: use ``compile``, ``RuleList.open`` or ``RuleList.from_bytes``."""
        self.name = name
        self._use([handle], [name])

    def __len__(self) -> int:
        """The number of rules."""
        return _native.rule_count(self._handles[0])

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<RuleList {self.name!r}, {len(self)} rules>"

    def __reduce__(self) -> tuple[Callable[..., RuleList], tuple[bytes, str]]:
        return RuleList.from_bytes, (self.to_bytes(), self.name)

    def _lists(self) -> RuleLists:
        return RuleLists([self])

    @property
    def source(self) -> bytes:
        """The JSON text that the list was compiled from."""
        status, _, text = _native.source(self._handles[0])
        if status != _OK:
            raise CompiledListError("the list's text is damaged; its rules still act")
        return text

    def to_bytes(self) -> bytes:
        """Return the compiled list as bytes, for ``from_bytes``."""
        return _native.compiled(self._handles[0])

    @classmethod
    def from_bytes(cls, compiled: bytes, name: str = "") -> RuleList:
        """Open a compiled list from its bytes; raises ``CompiledListError`` if they are none."""
        status, handle, message = _native.open_bytes(_bytes(compiled))
        if handle is None:
            raise CompiledListError(message.decode() or _native.status_text(status))
        return cls(handle, name)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the compiled list to a file, which is replaced as a whole."""
        write_file(path, self.to_bytes())

    @classmethod
    def open(
        cls, path: Union[str, os.PathLike[str]], name: Optional[str] = None
    ) -> RuleList:
        """Open a compiled file by mapping it: processes share its memory, and it opens at once.

        ``name`` is what reports call the list, if not by its path.

        Replace the file only by renaming another over it, as ``save`` does. Raises ``OSError`` if it
        cannot be read, ``CompiledListError`` if it is no compiled list of this version.
        """
        status, handle, message = _native.map_file(os.fsencode(path))
        if handle is None:
            words = message.decode() or _native.status_text(status)
            raise OSError(words) if status == _UNREADABLE else CompiledListError(words)
        return cls(handle, os.fspath(path) if name is None else name)


class RuleLists(_Deciding):
    """Several lists that decide together, as Safari has them: none sees another's ignore rules.

    ``Decision.lists`` has the list of each rule, by its position here.
    """

    def __init__(self, lists: Iterable[RuleList]) -> None:
        self.lists = tuple(lists)
        self._use([each._handles[0] for each in self.lists], [each.name for each in self.lists])

    def __repr__(self) -> str:
        return f"RuleLists({list(self.lists)!r})"

    def _lists(self) -> RuleLists:
        return self

    def __reduce__(self) -> tuple[Any, tuple[tuple[RuleList, ...]]]:
        return RuleLists, (self.lists,)


def write_file(path: Union[str, os.PathLike[str]], content: bytes) -> None:
    """Write a file, which is replaced as a whole."""
    folder, name = os.path.split(os.path.abspath(path))
    descriptor, new = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(new, 0o666 & ~_creation_mask())
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise


def _creation_mask() -> int:
    """The permissions that new files of this process do not get."""
    # The system's call would change the mask for other threads meanwhile.
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    return 0o022
