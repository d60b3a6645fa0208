"""The library's reference, as DocC makes it, as a part of the site."""

import json
import re
import shutil

from sitedocuments import SiteError


def add(folder, reference):
    """Copies the reference, and returns what can be found in it, as `siteoutput.search_sections` does.

    DocC's pages begin all addresses at the root of a server; here they begin wherever the site is. They know
    themselves by their folders, and not by the file in it."""
    target = folder / "reference"
    shutil.copytree(reference, target)
    for path in target.rglob("*.html"):
        depth = len(path.relative_to(target).parts) - 1
        up = "../" * depth or "./"
        text = path.read_text()
        script = (f'var baseUrl = new URL("{up}", location.href).pathname;'
                  'if (location.protocol !== "file:" && location.pathname.endsWith("/index.html")) '
                  'history.replaceState(null, "", location.pathname.slice(0, -10) + location.hash)')
        text, count = re.subn(r'var baseUrl = "/"', lambda _: script, text)
        if count != 1:
            raise SiteError(f"{path.relative_to(folder)}: DocC has written no base address as this script knows it")
        path.write_text(re.sub(r'(src|href)="/(?!/)', rf'\1="{up}', text))
    return list(entries(target))


def entries(target):
    for path in sorted(target.glob("data/documentation/**/*.json")):
        data = json.loads(path.read_text())
        title = data.get("metadata", {}).get("title", "")
        # Members of protocols of the standard library say nothing of this one.
        words = "".join(part.get("text", part.get("code", "")) for part in data.get("abstract", []))
        if not title or not words or words.startswith("Inherited from"):
            continue
        page = path.relative_to(target / "data").with_suffix("")
        if (target / page / "index.html").is_file():
            yield [f"reference/{page}/index.html", f"{title} (reference)", "", "", words]
