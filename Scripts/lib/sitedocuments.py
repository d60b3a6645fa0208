"""The documents of the site: Markdown files, and what they link to, as pages."""

import html
import pathlib
import posixpath
import re
import struct
import subprocess

import markdown
from markdown.treeprocessors import Treeprocessor

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a page of a text file shows at most, in bytes.
SHOWN = 64 << 10


class SiteError(Exception):
    """A fault of a document; its text names the file."""


def page_of(source):
    """The site's page for a file or folder of the repository, both as relative paths."""
    path = pathlib.PurePosixPath(source)
    if source.endswith(".md") and (len(path.parts) == 1 or path.parts[0] == "Documentation"):
        return path.stem + ".html"
    if path.name == "README.md":
        return f"files/{path.parent}/index.html"
    if (ROOT / source).is_dir():
        return f"files/{path}/index.html"
    return f"files/{path}.html"


def anchor(text):
    """The anchor of a heading, as GitHub makes it, so that links work in both places."""
    kept = "".join(c for c in text.lower() if c.isalnum() or c in " -_")
    return kept.strip().replace(" ", "-")


class Document:
    """A page to be: its title, its HTML, and its headings."""

    def __init__(self, source):
        self.source = source
        self.page = page_of(source)
        self.title = ""
        self.body = ""
        # (level, anchor, text) of each.
        self.headings = []
        # The files of the repository that it links to, in their order.
        self.linked = []
        # The pictures that it shows.
        self.pictures = []

    def relative(self, place):
        """A page or file of the site, as this page refers to it."""
        return posixpath.relpath(place, posixpath.dirname(self.page) or ".")


class _Links(Treeprocessor):
    """Gives headings anchors, lets links lead to pages of the site, and pictures know their size."""

    def __init__(self, md, document):
        super().__init__(md)
        self.document = document

    def run(self, root):
        seen = {}
        for element in root.iter():
            if re.fullmatch("h[1-6]", element.tag):
                self.heading(element, seen)
            elif element.tag == "a":
                self.link(element)
            elif element.tag == "img":
                self.picture(element)
            elif element.tag in ("td", "th"):
                # In tables alone, a stroke needs a backslash, in code as well.
                for code in element.iter("code"):
                    code.text = markdown.util.AtomicString((code.text or "").replace("\\|", "|"))
                # What heads a column without a word is no heading to those who hear it.
                if element.tag == "th" and not "".join(element.itertext()).strip() and len(element) == 0:
                    element.tag = "td"

    def heading(self, element, seen):
        text = html.unescape("".join(element.itertext())).strip()
        name = anchor(text)
        number = seen.get(name, 0)
        seen[name] = number + 1
        name = f"{name}-{number}" if number else name
        element.set("id", name)
        if element.tag == "h1" and not self.document.title:
            self.document.title = text
            return
        self.document.headings.append((int(element.tag[1]), name, text))

    def link(self, element):
        address = html.unescape(element.get("href", ""))
        if re.match("[a-z]+:", address):
            if not address.startswith(("https:", "http:", "mailto:")):
                raise SiteError(f"{self.document.source}: a link to {address}")
            element.set("rel", "noreferrer")
            return
        path, mark, fragment = address.partition("#")
        if not path:
            return
        target = self.file(path)
        if target.endswith(".png"):
            self.document.pictures.append(target)
            element.set("href", self.document.relative(picture_place(target)))
            return
        self.document.linked.append(target)
        element.set("href", self.document.relative(page_of(target)) + mark + fragment)

    def picture(self, element):
        target = self.file(element.get("src", ""))
        self.document.pictures.append(target)
        width, height = png_size(ROOT / target)
        element.set("src", self.document.relative(picture_place(target)))
        element.set("width", str(width))
        element.set("height", str(height))
        element.set("loading", "lazy")
        if not element.get("alt"):
            raise SiteError(f"{self.document.source}: the picture {target} has no words in its place")

    def file(self, path):
        """The file of the repository that a link of the document names."""
        target = posixpath.normpath(posixpath.join(posixpath.dirname(self.document.source), path))
        if target.startswith("..") or not (ROOT / target).exists():
            raise SiteError(f"{self.document.source}: a link to {path}, which is not there")
        return target


def picture_place(source):
    """Where the site has a picture of the repository."""
    return f"pictures/{pathlib.PurePosixPath(source).name}"


def png_size(path):
    head = path.read_bytes()[:24]
    if head[:8] != b"\x89PNG\r\n\x1a\n":
        raise SiteError(f"{path}: pictures of the site are PNG files")
    return struct.unpack(">II", head[16:24])


def without_comments(text):
    """The text without comments of HTML, which mark what scripts write; code keeps its own."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else re.sub("<!--.*?-->\n?", "", part, flags=re.DOTALL)
                   for part in parts)


def converted(document, text):
    """Fills in a document from its Markdown."""
    md = markdown.Markdown(extensions=["tables", "fenced_code", "sane_lists"], output_format="html")
    # No HTML of a document's own: what looks like it is text.
    md.preprocessors.deregister("html_block")
    md.inlinePatterns.deregister("html")
    # After what is in a line is read, before the tree is written.
    md.treeprocessors.register(_Links(md, document), "site-links", 15)
    body = md.convert(without_comments(text))
    body = re.sub(r'<pre><code(?: class="language-([\w-]+)")?>(.*?)</code></pre>', code_block, body,
                  flags=re.DOTALL)
    body = re.sub(r"<table>.*?</table>", lambda found: f'<div class="wide">{found[0]}</div>', body,
                  flags=re.DOTALL)
    document.body = re.sub(r'<h([2-6]) id="([^"]*)">(.*?)</h\1>', heading, body, flags=re.DOTALL)
    return document


def heading(found):
    level, name, text = found.groups()
    said = html.escape(html.unescape(re.sub("<[^>]*>", "", text)), quote=True)
    link = f'<a class="anchor" href="#{name}" aria-label="Link to “{said}”">#</a>'
    return f'<h{level} id="{name}">{text} {link}</h{level}>'


def code_block(found):
    language, text = found.groups()
    kind = f' data-language="{language}"' if language else ""
    return (f'<div class="code"><pre><code{kind}>{text}</code></pre>'
            '<button type="button" class="copy" hidden>Copy</button></div>')


def tracked(folder):
    """The files below a folder that belong to the repository."""
    try:
        found = subprocess.run(["git", "ls-files", "-z", "--", folder], cwd=ROOT, check=True,
                               capture_output=True, text=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        found = [str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(filter(None, found))


def shown_text(path):
    """A file's text if a page can show it, or None."""
    if path.stat().st_size > SHOWN:
        return None
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def folder_page(source):
    """The page of a folder: its README, and its files."""
    readme = ROOT / source / "README.md"
    if readme.is_file():
        document = converted(Document(f"{source}/README.md"), readme.read_text())
    else:
        document = Document(source)
        document.title = source
    rows = []
    for name in tracked(source):
        said = html.escape(posixpath.relpath(name, source))
        if name == f"{source}/README.md":
            continue
        if shown_text(ROOT / name) is None:
            rows.append(f"<li><code>{said}</code></li>")
            continue
        document.linked.append(name)
        rows.append(f'<li><a href="{html.escape(document.relative(page_of(name)))}"><code>{said}</code></a></li>')
    if not rows:
        return document
    if readme.is_file():
        document.headings.append((2, "files", "Files"))
        document.body += '<h2 id="files">Files</h2>'
    else:
        document.body += f'<h1 id="files">{html.escape(source)}</h1>'
    document.body += '<ul class="files">' + "".join(rows) + "</ul>"
    return document


def text_page(source):
    """The page of a text file: what is in it."""
    text = shown_text(ROOT / source)
    if text is None:
        raise SiteError(f"{source}: linked, but no text of at most {SHOWN >> 10} KiB")
    document = Document(source)
    document.title = source
    block = code_block(re.fullmatch("()(.*)", html.escape(text, quote=False), flags=re.DOTALL))
    document.body = f'<h1 id="file"><code>{html.escape(source)}</code></h1>{block}'
    return document


def all_documents():
    """Every document: those of the root and of Documentation, and what they lead to."""
    names = [name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
             if (ROOT / name).is_file()]
    folder = ROOT / "Documentation"
    names += sorted(str(path.relative_to(ROOT)) for path in [*folder.glob("*.md"), *folder.glob("Guides/*.md")])
    documents = {}
    while names:
        name = names.pop(0)
        page = page_of(name)
        if page in documents:
            if documents[page].source != name and not page.startswith("files/"):
                raise SiteError(f"{name}: its page {page} is also that of {documents[page].source}")
            continue
        path = ROOT / name
        if path.is_dir():
            documents[page] = folder_page(name)
        elif name.endswith("/README.md") and not name.startswith("Documentation/"):
            documents[page] = folder_page(posixpath.dirname(name))
        elif name.endswith(".md"):
            documents[page] = converted(Document(name), path.read_text())
            if not documents[page].title:
                raise SiteError(f"{name}: it has no title")
        else:
            documents[page] = text_page(name)
        names += documents[page].linked
    return documents
