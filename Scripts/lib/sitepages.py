"""The pages of the site: what is around a document, the first page, the list of all documents, the search."""

import html
import json
import pathlib
import posixpath
import shutil
import string

from sitedocuments import ROOT, SiteError

SITE = ROOT / "Site"
COLOURS = ROOT / "Service/Sources/PageTexts/Resources/colours.css"
GUIDES = ["ListAuthor", "AppDeveloper", "BrowserUser", "Administrator"]
# The guide for those who change Tickbird itself orders documents as well, but is none of the first page.
ALL_GUIDES = [*GUIDES, "Contributor"]
# What pages may use: nothing but the site's own.
POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
# The playground's module is compiled, in a worker that the page makes of a script of its own.
PLAYGROUND_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'; worker-src blob:")


def escaped(text):
    return html.escape(text, quote=True)


class Site:
    """Writes pages into a folder."""

    def __init__(self, folder, documents, has_playground, has_reference):
        self.folder = folder
        self.documents = documents
        self.has_playground = has_playground
        self.has_reference = has_reference
        self.template = string.Template((SITE / "page.html").read_text())
        self.guides = [self.guide(name) for name in ALL_GUIDES]
        self.neighbours = {}
        for guide in self.guides:
            self.order(guide)

    def guide(self, name):
        guide = self.documents.get(name + ".html")
        if guide is None or not guide.source.startswith("Documentation/Guides/"):
            raise SiteError(f"Documentation/Guides/{name}.md is missing")
        return guide

    def order(self, guide):
        """Lets each document that this guide is the first to name know which comes before and after it."""
        chain = [guide.page]
        for source in guide.linked:
            page = next((page for page, each in self.documents.items() if each.source == source), None)
            if page and page not in chain and page not in self.neighbours and "/" not in page \
                    and page not in {each.page for each in self.guides}:
                chain.append(page)
        for place, page in enumerate(chain):
            before = chain[place - 1] if place else None
            after = chain[place + 1] if place + 1 < len(chain) else None
            self.neighbours[page] = (guide, before, after)

    def write(self):
        for document in self.documents.values():
            self.write_document(document)
        self.write_start()
        self.write_all()
        self.put("search.html", "Search", (SITE / "search.html").read_text(), scripts=["results"])
        self.copy_files()

    def copy_files(self):
        (self.folder / "site").mkdir()
        for path in [*SITE.glob("scripts/*.js"), *SITE.glob("styles/*.css")]:
            shutil.copyfile(path, self.folder / "site" / path.name)
        # One sheet, so that a page waits for one.
        sheet = self.folder / "site/site.css"
        sheet.write_text(COLOURS.read_text() + sheet.read_text())
        shutil.copyfile(ROOT / "Service/Sources/LocalApp/Resources/icon.svg", self.folder / "site/icon.svg")
        pictures = sorted({picture for each in self.documents.values() for picture in each.pictures})
        names = [pathlib.PurePosixPath(picture).name for picture in pictures]
        if len(names) != len(set(names)):
            raise SiteError("two pictures of different folders have one name")
        if pictures:
            (self.folder / "pictures").mkdir()
        for picture, name in zip(pictures, names):
            shutil.copyfile(ROOT / picture, self.folder / "pictures" / name)

    def write_document(self, document):
        headings = [each for each in document.headings if each[0] in (2, 3)]
        contents = ""
        if len(headings) > 1:
            items = "".join(
                f'<li class="level-{level}"><a href="#{name}">{escaped(text)}</a></li>'
                for level, name, text in headings)
            contents = ('<nav class="contents" aria-labelledby="on-this-page" data-unsearched>'
                        '<details><summary id="on-this-page">On this page</summary>'
                        f'<ul>{items}</ul></details></nav>')
        article = f'<article class="document">{document.body}</article>'
        self.put(document.page, document.title, contents + article + self.around(document))

    def around(self, document):
        """Links to the document's guide and its neighbours there."""
        guide, before, after = self.neighbours.get(document.page, (None, None, None))
        parts = []
        for page, word in ((before, "Before"), (after, "Next")):
            if page:
                title = escaped(self.documents[page].title)
                parts.append(f'<a class="{word.lower()}" href="{document.relative(page)}">'
                             f'<span class="quiet">{word}</span> {title}</a>')
        source = f'<p class="quiet">This page is <code>{escaped(document.source)}</code> of the repository.</p>'
        links = ""
        if parts:
            links = (f'<nav class="around" aria-label="{escaped(guide.title)}: order of reading">'
                     + "".join(parts) + "</nav>")
        return f'<div class="after" data-unsearched>{links}{source}</div>'

    def write_start(self):
        parts = string.Template((SITE / "start.html").read_text())
        readme = self.documents["README.html"]
        cards = "".join(
            f'<li class="card"><h3><a href="{guide.page}">{escaped(guide.title)}</a></h3>'
            f"<p>{escaped(first_sentence(guide))}</p></li>" for guide in self.guides[:len(GUIDES)])
        playground = ((SITE / "playground.html").read_text() if self.has_playground else
                      '<p class="notice">This copy of the site was built without the engine’s module, and has no '
                      "playground; <code>Scripts/build-site --module</code> adds it.</p>")
        reference = ('<li><a href="reference/documentation/contentblocking/index.html">Reference of the library</a>'
                     "</li>" if self.has_reference else "")
        body = parts.substitute(cards=cards, playground=playground, readme=readme.page, reference=reference)
        self.put("index.html", "Tickbird", body, policy=PLAYGROUND_POLICY if self.has_playground else POLICY,
                 scripts=["playground-words", "playground-link", "playground-editor", "playground-examples",
                          "playground"] if self.has_playground else [],
                 styles=["playground"] if self.has_playground else [])

    def write_all(self):
        """The list of all documents, by the guide that names them first."""
        body = "<h1>All documents</h1>"
        listed = set()
        for guide in self.guides:
            pages = [page for page, (of, _, _) in self.neighbours.items() if of is guide]
            listed.update(pages)
            items = "".join(f'<li><a href="{page}">{escaped(self.documents[page].title)}</a></li>' for page in pages)
            name = pathlib.PurePosixPath(guide.page).stem.lower()
            body += f'<h2 id="{name}">{escaped(guide.title)}</h2><ul>{items}</ul>'
        others = [each for page, each in sorted(self.documents.items())
                  if page not in listed and "/" not in page and page != "README.html"]
        if others:
            items = "".join(f'<li><a href="{each.page}">{escaped(each.title)}</a></li>' for each in others)
            body += f'<h2 id="others">Others</h2><ul>{items}</ul>'
        self.put("documents.html", "All documents", body)

    def write_index(self, sections):
        """The index of the search: a script, so that pages from files may load it as well."""
        text = json.dumps(sections, ensure_ascii=False, separators=(",", ":"))
        (self.folder / "site/search-index.js").write_text(f"tickbirdSearchIndex({text});\n")

    def put(self, page, title, body, policy=POLICY, scripts=(), styles=()):
        root = posixpath.relpath(".", posixpath.dirname(page) or ".")
        root = "" if root == "." else root + "/"
        links = [(guide.page, guide.title.removeprefix("For ").capitalize()) for guide in self.guides[:len(GUIDES)]]
        links.append(("documents.html", "All documents"))
        navigation = "".join(
            f'<li><a href="{root}{target}"{" aria-current=" + chr(34) + "page" + chr(34) if target == page else ""}>'
            f"{escaped(word)}</a></li>" for target, word in links)
        text = self.template.substitute(
            title=escaped(title if title == "Tickbird" else f"{title} – Tickbird"), policy=policy, root=root,
            navigation=navigation, body=body,
            scripts="".join(f'<script defer src="{root}site/{name}.js"></script>\n' for name in scripts),
            styles="".join(f'<link rel="stylesheet" href="{root}site/{name}.css">\n' for name in styles))
        path = self.folder / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def first_sentence(document):
    """The paragraph that a guide begins with, without its marks."""
    start = document.body.find("<p>")
    end = document.body.find("</p>", start)
    if start < 0:
        raise SiteError(f"{document.source}: it begins with no paragraph")
    text = document.body[start + 3:end]
    parts = text.split("<")
    return html.unescape(" ".join((parts[0] + "".join(part.partition(">")[2] for part in parts[1:])).split()))
