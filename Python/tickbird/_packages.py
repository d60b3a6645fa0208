"""Says which package is missing, and how to get it, where one of those is needed that do not come with this one."""

import importlib.util


def require(*names: str, by: str) -> None:
    """Raise ``ModuleNotFoundError`` unless all of these packages can be imported."""
    for name in names:
        if importlib.util.find_spec(name) is None:
            raise ModuleNotFoundError(
                f"{by} needs {name}, which does not come with tickbird: pip install {name}", name=name
            )
