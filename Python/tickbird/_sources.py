"""Lists in whatever form they are given."""

from __future__ import annotations

import gzip
import os
from typing import Iterable, Union

from ._lists import RuleList, RuleLists, compile

Lists = Union[
    RuleList, RuleLists, bytes, str, "os.PathLike[str]",
    Iterable[Union[RuleList, RuleLists, bytes, str, "os.PathLike[str]"]],
]
"""One list or several: opened ones, the paths of files, or the bytes of such files."""

_COMPILED = b"TICKBIRD"
_GZIP = b"\x1f\x8b"
# As for every list.
_LIMIT = 1 << 30


def open_lists(lists: Lists) -> RuleLists:
    """Open lists: a ``RuleList``, a path, the bytes of a file, or several of these.

    Files and bytes hold a list's JSON text, as it is or compressed by gzip, or a compiled list; compiled
    files are mapped. A list from a file has the path as its name. Raises what ``compile``,
    ``RuleList.from_bytes`` and ``RuleList.open`` raise.
    """
    if isinstance(lists, RuleLists):
        return lists
    if isinstance(lists, (RuleList, bytes, bytearray, memoryview, str, os.PathLike)):
        return RuleLists([_opened(lists)])
    if not hasattr(lists, "__iter__"):
        raise TypeError(f"{type(lists).__name__} is no list; give a RuleList, a path, or bytes")
    found: list[RuleList] = []
    for each in lists:
        found += each.lists if isinstance(each, RuleLists) else [_opened(each)]
    return RuleLists(found)


def _opened(source: object) -> RuleList:
    if isinstance(source, RuleList):
        return source
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _of_bytes(bytes(source), "")
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"{type(source).__name__} is no list; give a RuleList, a path, or bytes")
    path = os.fspath(source)
    if isinstance(path, str) and path.lstrip()[:1] in ("[", "{"):
        raise ValueError("a text is taken for a path; give a list's JSON text as bytes, or tickbird.compile(text)")
    with open(path, "rb") as file:
        start = file.read(len(_COMPILED))
        if start == _COMPILED:
            return RuleList.open(path)
        return _of_bytes(start + file.read(_LIMIT + 1), path)


def _of_bytes(content: bytes, name: str) -> RuleList:
    if content.startswith(_COMPILED):
        return RuleList.from_bytes(content, name)
    if content.startswith(_GZIP):
        content = _unpacked(content, name)
    return compile(content, name)


def _unpacked(content: bytes, name: str) -> bytes:
    import io

    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            text = file.read(_LIMIT + 1)
    except (OSError, EOFError) as error:
        raise ValueError(f"{name or 'the list'} is not a sound gzip file: {error}") from error
    if len(text) > _LIMIT:
        raise ValueError(f"{name or 'the list'} unfolds to more than 1 GiB")
    return text
