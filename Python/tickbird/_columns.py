"""Which columns of a table have which part of a load, and where their texts are."""

from __future__ import annotations

from typing import Optional

import pyarrow as pa

# The parts of a load in the order of the native call, and the names that their columns may have, the best
# first, as in Documentation/Loads.md.
NAMES = {
    "url": ("url",),
    "page": ("top_url", "page", "source"),
    "type": ("resource_type", "webkit_type", "type"),
    "frame": ("frame_url",),
    "context": ("load_context",),
    "method": ("method",),
    "party": ("load_type",),
}


class Columns:
    """Which columns have which part of a load."""

    def __init__(
        self, schema: pa.Schema, chosen: dict[str, Optional[str]], every_type: Optional[str]
    ) -> None:
        # The parts of a load, and the place of each one's column.
        self.parts = tuple(NAMES)
        self.places: list[Optional[int]] = []
        self.every_type = every_type or ""
        unknown = sorted(set(chosen) - set(NAMES))
        if unknown:
            raise TypeError(f"there is no part {unknown[0]!r} of a load; the parts are {', '.join(NAMES)}")
        for part, names in NAMES.items():
            if part == "type" and every_type:
                self.places.append(None)
                continue
            name = chosen[part] if part in chosen else next(
                (each for each in names if each in schema.names), None
            )
            needed = part in ("url", "type") or part == "page" and part not in chosen
            if name is None and needed:
                way_out = {
                    "page": "; page=None says that there is none",
                    "type": "; every_type=\"script\" gives all rows one",
                }.get(part, "")
                raise ValueError(
                    f"there is no column {' or '.join(names)} among {', '.join(schema.names)}; say "
                    f"{part}=NAME{way_out}"
                )
            if name is None:
                self.places.append(None)
                continue
            place = schema.get_field_index(name)
            if place < 0:
                raise ValueError(f"there is no column {name!r}, or several; the columns are "
                                 f"{', '.join(schema.names)}")
            self.places.append(place)


def texts(array: pa.Array, name: str) -> Optional[pa.Array]:
    """Returns a column as strings with offsets; None if all of it is null."""
    if isinstance(array, pa.DictionaryArray):
        array = array.dictionary_decode()
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    kind = array.type
    if pa.types.is_null(kind):
        return None
    if any(test(kind) for test in (
        pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary
    )):
        return array
    if kind in (pa.string_view(), pa.binary_view()):
        return array.cast(pa.large_string() if kind == pa.string_view() else pa.large_binary())
    raise TypeError(f"column {name!r} is {kind}; it must be of strings")


def described(array: pa.Array) -> tuple[int, int, int, int, int, int]:
    """Returns where the native call finds a column of strings."""
    validity, offsets, data = array.buffers()
    is_large = pa.types.is_large_string(array.type) or pa.types.is_large_binary(array.type)
    return (
        offsets.address, 8 if is_large else 4, data.address if data else 0, data.size if data else 0,
        validity.address if validity else 0, array.offset,
    )
