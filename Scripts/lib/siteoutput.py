"""What is asked of the finished site: that every link leads somewhere, and what a search finds.

Both read the HTML that was written, and know nothing of how it was."""

import html.parser
import pathlib
import posixpath
import urllib.parse

BLOCKS = {"p", "li", "td", "th", "tr", "pre", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "div", "figcaption"}
# Their end is not written.
VOID = {"br", "img", "input", "link", "meta", "hr", "wbr"}


class Page(html.parser.HTMLParser):
    """A page's anchors, links, and sections: the text below each heading of its main part."""

    def __init__(self, text):
        super().__init__()
        self.anchors = set()
        # (line, address) of each.
        self.links = []
        self.twice = []
        # [anchor, heading, text] of each.
        self.sections = []
        self.title = ""
        self._path = []
        # How deep it was where what is not searched began.
        self._skipped = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        if known.get("id"):
            if known["id"] in self.anchors:
                self.twice.append(known["id"])
            self.anchors.add(known["id"])
        for name in ("href", "src"):
            if known.get(name) is not None:
                self.links.append((self.getpos()[0], known[name]))
        if tag in VOID:
            return
        self._path.append(tag)
        if self._skipped is None and ("data-unsearched" in known or tag in ("button", "script", "style", "noscript")
                                      or known.get("class") == "anchor"):
            self._skipped = len(self._path)
        if "main" in self._path and self._skipped is None:
            if tag in ("h1", "h2", "h3", "h4"):
                self.sections.append([known.get("id") or "", "", ""])
            elif tag in BLOCKS:
                self._add(" ")

    def handle_endtag(self, tag):
        if tag in self._path:
            while self._path.pop() != tag:
                pass
        if self._skipped is not None and len(self._path) < self._skipped:
            self._skipped = None

    def handle_data(self, data):
        if "title" in self._path:
            self.title += data
        elif "main" in self._path and self._skipped is None:
            self._add(data)

    def _add(self, data):
        if not self.sections:
            self.sections.append(["", "", ""])
        in_heading = any(tag in ("h1", "h2", "h3", "h4") for tag in self._path)
        self.sections[-1][1 if in_heading else 2] += data


def read_pages(folder):
    """Every page below a folder by its place, but for the reference, which others have made and checked."""
    return {str(path.relative_to(folder)): Page(path.read_text())
            for path in sorted(pathlib.Path(folder).rglob("*.html"))
            if path.relative_to(folder).parts[0] != "reference"}


def broken_links(folder, pages):
    """A line for each link that leads nowhere, for each anchor that is there twice, and for what is from elsewhere."""
    for place, page in pages.items():
        for name in page.twice:
            yield f"{place}: two anchors #{name}"
        for line, address in page.links:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = posixpath.normpath(posixpath.join(
                posixpath.dirname(place), urllib.parse.unquote(parts.path))) if parts.path else place
            if target.startswith("..") or not (pathlib.Path(folder) / target).is_file():
                yield f"{place}:{line}: a link to {address}, where nothing is"
            elif parts.fragment and target in pages:
                if urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                    yield f"{place}:{line}: a link to {address}, which has no such anchor"


def search_sections(pages):
    """What can be found: [page's place, page's title, anchor, heading, text] of each section."""
    for place, page in pages.items():
        title = " ".join(page.title.removesuffix(" – Tickbird").split())
        for name, heading, text in page.sections:
            heading, text = " ".join(heading.split()), " ".join(text.split())
            if heading or text:
                yield [place, title, name, "" if heading == title else heading, text]
