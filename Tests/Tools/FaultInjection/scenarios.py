"""What is done while faults are injected, and how one sees the outcome."""

import hashlib
import http.server
import json
import os
import pathlib
import re
import struct
import subprocess
import threading


class Failed(Exception):
    """Something is not as it has to be; the text says what."""


class Place:
    """A folder with a home, and the programs that are run for it."""

    def __init__(self, folder, programs, environment=None):
        self.folder = pathlib.Path(folder)
        self.programs = programs
        self.added = environment or {}

    def environment(self):
        home = str(self.folder / "home")
        return {
            "HOME": home, "TICKBIRD_HOME": home, "XDG_CONFIG_HOME": home + "/config",
            "PATH": "/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8", **self.added,
        }

    def run(self, *arguments, program="tickbird-host", input=b""):
        """Runs a program to its end; returns its status, output and errors."""
        result = subprocess.run(
            [str(self.programs[program]), *map(str, arguments)],
            input=input, capture_output=True, env=self.environment(), cwd=self.folder, timeout=120,
        )
        return result.returncode, result.stdout, result.stderr.decode(errors="replace")

    def must(self, *arguments, **named):
        """Runs a program that must end well; returns its output."""
        status, output, errors = self.run(*arguments, **named)
        if status != 0:
            raise Failed(f"{' '.join(map(str, arguments))} ended with {status}: {errors.strip()}")
        return output


class Scenario:
    """A change that is tried with every fault.

    `prepare` makes what was there before, `act` does the change, as a command or otherwise, and
    `view` says what there is, as a text that is equal for equal states.
    """

    name = ""
    # Views beside that from before and that from after which are whole as well.
    between = ()
    # Whether the view reads alone, which a full disk must not keep from it.
    can_read_when_full = True
    # Whether doing it again leads to the new view.
    can_repeat = True

    def prepare(self, place):
        pass

    def act(self, place):
        """Returns status, output and errors."""
        raise NotImplementedError

    def view(self, place):
        raise NotImplementedError


RULES = [
    '[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]',
    '[{"trigger":{"url-filter":"tracker"},"action":{"type":"block"}}]',
]


def list_file(place, name, number):
    file = place.folder / f"{name}.json"
    file.write_text(RULES[number])
    return file


class Extensions(Scenario):
    """Views of extensions: which there are, and the active list."""

    identifier = "list.blocker"

    def view(self, place):
        value = json.loads(place.must("extensions", "list", "--format", "json"))
        found = []
        for entry in value:
            has = {key: entry.get(key) for key in ("identifier", "isOn", "version", "hasListInForce")}
            has["network"] = entry.get("isNetworkGranted")
            found.append(has)
        for has in found:
            # A bundle must be whole, and the active list one that can be read.
            place.must("extensions", "state", has["identifier"])
            bundle = pathlib.Path(next(e for e in value if e["identifier"] == has["identifier"])["path"])
            rules = bundle / "ContentBlocker.json"
            found_rules = [p for p in bundle.rglob("*.json")]
            has["rules"] = sorted(digest(p.read_bytes()) for p in found_rules)
            if not (bundle / "Info.plist").read_bytes().rstrip().endswith(b"</plist>"):
                raise Failed(f"{bundle} is not whole")
            has.pop("version")
        return json.dumps(found, sort_keys=True)


def digest(data):
    return hashlib.sha256(data).hexdigest()[:12]


class Install(Extensions):
    name = "install"

    def prepare(self, place):
        place.must("extensions", "list")
        list_file(place, "blocker", 0)

    def act(self, place):
        return place.run("extensions", "install", "blocker.json")


class Replace(Extensions):
    name = "replace"

    def prepare(self, place):
        list_file(place, "blocker", 0)
        place.must("extensions", "install", "--on", "blocker.json")
        list_file(place, "blocker", 1)

    def act(self, place):
        return place.run("extensions", "install", "blocker.json")


class TurnOn(Extensions):
    name = "on"

    def prepare(self, place):
        list_file(place, "blocker", 0)
        place.must("extensions", "install", "blocker.json")

    def act(self, place):
        return place.run("extensions", "on", self.identifier)

    def is_between(self, view):
        # The user's decision is kept before the list is compiled.
        return json.loads(view)[0]["isOn"]


class TurnOff(Extensions):
    name = "off"

    def prepare(self, place):
        list_file(place, "blocker", 0)
        place.must("extensions", "install", "--on", "blocker.json")

    def act(self, place):
        return place.run("extensions", "off", self.identifier)


class Grant(Extensions):
    name = "grant"

    def prepare(self, place):
        list_file(place, "blocker", 0)
        place.must("extensions", "install", "blocker.json")

    def act(self, place):
        return place.run("extensions", "grant", "network", self.identifier)


class Remove(Extensions):
    name = "remove"
    can_repeat = False

    def prepare(self, place):
        list_file(place, "blocker", 0)
        place.must("extensions", "install", "--on", "blocker.json")

    def act(self, place):
        return place.run("extensions", "remove", self.identifier)

    def is_between(self, view):
        # Turned off first, so that nothing is active of which only a part is there.
        found = json.loads(view)
        return not found or not found[0]["isOn"]


def write_bundle(place, number):
    """Writes a version of a content blocker, which has an application group."""
    bundle = place.folder / "Blocker.appex"
    bundle.mkdir(exist_ok=True)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>'
    (bundle / "Info.plist").write_text(
        head + "<key>CFBundleIdentifier</key><string>com.example.blocker</string>"
        "<key>CFBundleDisplayName</key><string>Blocker</string>"
        f"<key>CFBundleShortVersionString</key><string>{number + 1}</string>"
        f"<key>CFBundleVersion</key><string>{number + 1}</string>"
        "<key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>"
        "<string>com.apple.Safari.content-blocker</string></dict></dict></plist>\n"
    )
    (bundle / "Entitlements.plist").write_text(
        head + "<key>com.apple.security.application-groups</key>"
        "<array><string>group.com.example.blocker</string></array></dict></plist>\n"
    )
    (bundle / "blockerList.json").write_text(RULES[number])


class SetGroup(Extensions):
    """A value among the defaults of a group, beside one that is there."""

    name = "set-group"
    identifier = "com.example.blocker"

    def prepare(self, place):
        write_bundle(place, 0)
        place.must("extensions", "install", "Blocker.appex")
        place.must("extensions", "group", "set", self.identifier, "old", "1")

    def act(self, place):
        return place.run("extensions", "group", "set", self.identifier, "new", '["a", "b"]')

    def view(self, place):
        found = json.loads(place.must("extensions", "group", "show", "--format", "json", self.identifier))
        return json.dumps(found["values"], sort_keys=True)


class Package(Extensions):
    name = "update-package"

    def prepare(self, place):
        place.must("package", "key", "new", "key")
        for number in (0, 1):
            write_bundle(place, number)
            place.must("package", "make", "--key", "key", "-o", f"{number}.tickbird", "Blocker.appex")
        place.must("install", "--yes", "0.tickbird")
        place.must("extensions", "on", "com.example.blocker")

    def act(self, place):
        return place.run("install", "--yes", "1.tickbird")


class BuildGallery(Scenario):
    """A gallery with its pages; each list has its catalogue, whatever happens."""

    name = "build-gallery"

    def prepare(self, place):
        place.must("package", "key", "new", "key")
        for number in (0, 1):
            write_bundle(place, number)
            place.must("package", "make", "--key", "key", "-o", f"{number}.tickbird", "Blocker.appex")
        (place.folder / "site").mkdir()
        (place.folder / "site" / "a.tickbird").write_bytes((place.folder / "0.tickbird").read_bytes())
        place.must("gallery", "build", "--key", "key", "--name", "A", "site")
        (place.folder / "site" / "b.tickbird").write_bytes((place.folder / "1.tickbird").read_bytes())

    def act(self, place):
        return place.run("gallery", "build", "--key", "key", "site")

    def view(self, place):
        site = place.folder / "site"
        text = (site / "tickbird-gallery.txt").read_bytes()
        catalogue = site / "tickbird-gallery" / f"catalogue-{hashlib.sha256(text).hexdigest()}.txt"
        if not catalogue.read_bytes().splitlines()[-1].startswith(b"signature "):
            raise Failed(f"{catalogue} is not whole")
        for page in [site / "index.html", *(site / "tickbird-gallery").glob("*.html")]:
            if not page.read_bytes().rstrip().endswith(b"</html>"):
                raise Failed(f"{page} is not whole")
        return next(line.decode() for line in text.splitlines() if line.startswith(b"version "))


class Key(Scenario):
    name = "new-key"
    can_repeat = False

    def act(self, place):
        return place.run("package", "key", "new", "key")

    def view(self, place):
        file = place.folder / "key"
        if not file.exists():
            return "none"
        place.must("package", "key", "show", "key")
        return "a key"


class Notes(Scenario):
    def view(self, place):
        notes = json.loads(place.must("notes", "list", "--format", "json"))
        notes = notes["notes"] if isinstance(notes, dict) else notes
        return json.dumps(sorted(note["text"] for note in notes))


class AddNote(Notes):
    name = "add-note"

    def prepare(self, place):
        place.must("notes", "add", "https://one.test/", "the first")

    def act(self, place):
        return place.run("notes", "add", "https://two.test/", "the second")

    # A command that failed may have added the note, which is then said twice.
    can_repeat = False


class BrowserNote(Notes):
    """A note that a browser adds, by the port that stays open."""

    name = "browser-note"
    can_repeat = False

    def prepare(self, place):
        place.must("notes", "add", "https://one.test/", "the first")
        place.must("browser", "install", "chromium")

    def act(self, place):
        body = json.dumps({"request": "add", "url": "https://two.test/", "text": "the second"})
        frame = struct.pack("<I", len(body.encode())) + body.encode()
        # The project's own extension, as the browser's manifest names it.
        manifest = next((place.folder / "home").rglob("NativeMessagingHosts/*.json"))
        caller = json.loads(manifest.read_text())["allowed_origins"][0]
        process = subprocess.Popen(
            [str(place.programs["tickbird-host"]), caller], env=place.environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=place.folder,
        )
        try:
            process.stdin.write(frame)
            process.stdin.flush()
            answer = self._message(process.stdout)
            # Ended as a machine is that loses power: nothing is tidied up.
            process.kill()
        except BrokenPipeError:
            answer = b""
        errors = process.stderr.read().decode(errors="replace")
        process.kill()
        process.wait()
        is_good = b'"error"' not in answer and answer != b""
        return (0 if is_good else 1), answer, errors or answer.decode(errors="replace")

    @staticmethod
    def _message(stream):
        header = stream.read(4)
        return stream.read(struct.unpack("<I", header)[0]) if len(header) == 4 else b""


class Synchronize(Notes):
    """The folder of synchronisation has what was said to be synchronised."""

    name = "synchronize"
    # The view synchronises another device.
    can_read_when_full = False

    def prepare(self, place):
        (place.folder / "shared").mkdir()
        place.must("notes", "add", "https://one.test/", "the first")
        place.must("notes", "sync", "on", "shared")
        place.must("notes", "sync", "off")
        place.must("notes", "add", "https://two.test/", "the second")

    def act(self, place):
        return place.run("notes", "sync", "on", "shared")

    def view(self, place):
        # First, since listing synchronises as well.
        other = Place(place.folder, place.programs, {"TICKBIRD_HOME": str(place.folder / "other")})
        status, output, errors = place.run("notes", "key", "show")
        if status == 0:
            key = re.search(rb"tbk1-[0-9a-z-]+", output).group()
            other.must("notes", "sync", "on", place.folder / "shared", "--key", input=key)
            arrived = super().view(other)
        elif "There is no key yet" in errors and not list((place.folder / "shared").glob("*.sealed")):
            arrived = json.dumps([])
        else:
            raise Failed(f"what is in the folder has no key: {errors.strip()}")
        if json.loads(super().view(place)) != ["the first", "the second"]:
            raise Failed("a note is lost")
        return arrived


class FirstSynchronize(Synchronize):
    """As the first device, whose file is new."""

    name = "synchronize-first"

    def prepare(self, place):
        (place.folder / "shared").mkdir()
        place.must("notes", "add", "https://one.test/", "the first")
        place.must("notes", "add", "https://two.test/", "the second")


class Receive(Notes):
    """What another device wrote, read while its disk fails."""

    name = "receive"
    # Listing takes in what is new, which is written down.
    can_read_when_full = False

    def prepare(self, place):
        (place.folder / "shared").mkdir()
        other = Place(place.folder, place.programs, {"TICKBIRD_HOME": str(place.folder / "other")})
        other.must("notes", "sync", "on", place.folder / "shared")
        key = re.search(rb"tbk1-[0-9a-z-]+", other.must("notes", "key", "show")).group()
        place.must("notes", "sync", "on", "shared", "--key", input=key)
        place.must("notes", "sync", "off")
        other.must("notes", "add", "https://one.test/", "the first")

    def act(self, place):
        return place.run("notes", "sync", "on", "shared")


class ReplaceKey(Notes):
    """Another key, with which everything is sealed again."""

    name = "replace-key"
    # The view synchronises another device.
    can_read_when_full = False

    def prepare(self, place):
        (place.folder / "shared").mkdir()
        place.must("notes", "add", "https://one.test/", "the first")
        place.must("notes", "sync", "on", "shared")
        other = self.device(place, "other")
        other.must("notes", "sync", "on", place.folder / "shared", "--key", input=self.key(place))
        other.must("notes", "add", "https://two.test/", "the second")
        (place.folder / "old-key").write_bytes(self.key(place))

    @staticmethod
    def device(place, name):
        return Place(place.folder, place.programs, {"TICKBIRD_HOME": str(place.folder / name)})

    @staticmethod
    def key(place):
        return re.search(rb"tbk1-[0-9a-z-]+", place.must("notes", "key", "show")).group()

    def act(self, place):
        return place.run("notes", "key", "new")

    def view(self, place):
        # Listing goes on with what was begun.
        if json.loads(super().view(place)) != ["the first", "the second"]:
            raise Failed("a note is lost")
        key = self.key(place)
        third = self.device(place, "third")
        third.must("notes", "sync", "on", place.folder / "shared", "--key", input=key)
        kind = "old" if key == (place.folder / "old-key").read_bytes() else "new"
        return f"{kind} key, {super().view(third)}"


class TakeKey(ReplaceKey):
    """The key that another device made, for one that wrote with the old one meanwhile."""

    name = "take-key"

    def prepare(self, place):
        super().prepare(place)
        super().view(place)
        other = self.device(place, "other")
        other.must("notes", "key", "new")
        place.must("notes", "add", "https://three.test/", "the third")
        (place.folder / "new-key").write_bytes(self.key(other))

    def act(self, place):
        key = (place.folder / "new-key").read_bytes()
        return place.run("notes", "sync", "on", "shared", "--key", input=key)

    def view(self, place):
        own = json.loads(Notes.view(self, place))
        if own != ["the first", "the second", "the third"]:
            raise Failed(f"a note is lost: {own}")
        other = self.device(place, "other")
        other.must("notes", "sync", "now")
        return Notes.view(self, other)


class Compile(Scenario):
    name = "compile"

    def prepare(self, place):
        list_file(place, "list", 0)
        place.must("compile", "list.json", "-o", "list.tickbird", program="tickbird")
        list_file(place, "list", 1)

    def act(self, place):
        return place.run("compile", "list.json", "-o", "list.tickbird", program="tickbird")

    def view(self, place):
        file = place.folder / "list.tickbird"
        if not file.exists():
            return "none"
        place.must("dump", file, program="tickbird")
        return digest(file.read_bytes())


class CompileNew(Compile):
    name = "compile-new"

    def prepare(self, place):
        list_file(place, "list", 0)


class Export(Scenario):
    name = "export-notes"

    def prepare(self, place):
        place.must("notes", "add", "https://one.test/", "the first")
        place.must("notes", "export", "backup.json")
        place.must("notes", "add", "https://two.test/", "the second")

    def act(self, place):
        return place.run("notes", "export", "backup.json")

    def view(self, place):
        notes = json.loads((place.folder / "backup.json").read_text())["notes"]
        return json.dumps(sorted(note["text"] for note in notes))


class Browser(Scenario):
    name = "browser-install"

    def act(self, place):
        return place.run("browser", "install", "chromium")

    def view(self, place):
        manifests = sorted((place.folder / "home").rglob("NativeMessagingHosts/*.json"))
        return json.dumps([json.loads(file.read_text())["path"] != "" for file in manifests])


class Feed(http.server.BaseHTTPRequestHandler):
    """A feed with one item, and with a second for those who ask again."""

    def do_GET(self):
        items = "".join(
            f"<item><title>item {n}</title><link>https://links.test/{n}</link><guid>{n}</guid></item>"
            for n in range(1, self.server.items + 1)
        )
        body = (
            '<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title>'
            f"<link>http://127.0.0.1/</link><description/>{items}</channel></rss>"
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/rss+xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Refresh(Scenario):
    name = "refresh"

    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Feed)
        self.server.items = 1
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def prepare(self, place):
        self.server.items = 1
        place.must("links", "add", f"http://127.0.0.1:{self.server.server_port}/feed.xml")
        place.must("links", "refresh", "--force")
        self.server.items = 3

    def act(self, place):
        return place.run("links", "refresh", "--force")

    def view(self, place):
        value = json.loads(place.must("links", "list", "--format", "json"))
        items = value["items"] if isinstance(value, dict) else value
        return json.dumps(sorted(item["title"] for item in items))


class AddList(Scenario):
    """A subscription to a list in a file."""

    name = "add-list"
    can_repeat = False

    def prepare(self, place):
        self.write(place, 3)
        place.must("lists")

    def write(self, place, count):
        lines = ["[Adblock Plus 2.0]"] + [f"||ads{number}.example^" for number in range(count)]
        (place.folder / "ads.txt").write_text("\n".join(lines) + "\n")

    def act(self, place):
        return place.run("lists", "add", "ads.txt")

    def view(self, place):
        found = []
        for entry in json.loads(place.must("lists", "show", "--format", "json")):
            detail = json.loads(place.must("lists", "show", entry["id"], "--format", "json"))
            compiled = pathlib.Path(detail["files"]["compiled"]).read_bytes()
            if not compiled.startswith(b"TICKBIRD"):
                raise Failed("the compiled list is not whole")
            json.loads(pathlib.Path(detail["files"]["map"]).read_text())
            found.append([entry["id"], entry["isOn"], entry["rules"], digest(compiled)])
        return json.dumps(found)


class UpdateList(AddList):
    """A new list in the place of the one that acts."""

    name = "update-list"
    can_repeat = True

    def prepare(self, place):
        self.write(place, 3)
        place.must("lists", "add", "ads.txt")
        self.write(place, 5)

    def act(self, place):
        return place.run("lists", "update")


ALL = [
    Install, Replace, TurnOn, TurnOff, Grant, Remove, SetGroup, Package, BuildGallery, Key, AddNote,
    BrowserNote, Synchronize, FirstSynchronize, Receive, ReplaceKey, TakeKey, Compile, CompileNew,
    Export, Browser, Refresh, AddList, UpdateList,
]
