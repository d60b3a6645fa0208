#!/usr/bin/env python3
"""What still has to be possible on a disk that cannot be written, on a small real file system.

usage: unshare [--map-root-user] --mount full_disk.py HOST VARIANT

VARIANT: `blocks` (no room), `inodes` (no room for more files), `read-only` (mounted again so),
`closed` (files and folders that their owner may not write), each also as `VARIANT-log`: the databases have changes in their write-ahead logs alone, left by programs
that were ended, and no index of them. Mounts a tmpfs in the private namespace, and ends with status 0
if all is as it has to be.
"""

import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

LIST = '[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]'
NAME = "list.blocker"
OTHER = "abcdefghijklmnopabcdefghijklmnop"


class Disk:
    def __init__(self, host, folder):
        self.host, self.folder = host, pathlib.Path(folder)
        self.home = self.folder / "home"
        self.data = self.home / "data"
        self.prefix = []

    def run(self, *arguments):
        result = subprocess.run(
            [*self.prefix, self.host, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=120,
            env={"HOME": str(self.home), "TICKBIRD_HOME": str(self.home), "PATH": "/usr/bin:/bin",
                 "TZ": "UTC", "LC_ALL": "C.UTF-8"},
        )
        return result.returncode, result.stdout, result.stderr

    def must(self, *arguments):
        status, output, errors = self.run(*arguments)
        check(status == 0, f"{' '.join(arguments)} ended with {status}: {errors.strip()}")
        return output

    def refused(self, words, *arguments):
        status, _, errors = self.run(*arguments)
        name = " ".join(arguments)
        check(0 < status < 128, f"{name} ended with {status}")
        check(words in errors, f"{name} does not say “{words}”: {errors.strip()}")
        check("disk I/O error" not in errors.replace(f"({words}", ""), f"{name}: {errors.strip()}")

    def notes(self):
        value = json.loads(self.must("notes", "list", "--format", "json"))
        notes = value["notes"] if isinstance(value, dict) else value
        return sorted(note["text"] for note in notes)

    def is_on(self):
        return json.loads(self.must("extensions", "list", "--format", "json"))[0]["isOn"]

    def feeds(self):
        return self.must("links", "export").count("<outline")


def check(is_right, words):
    if not is_right:
        print(words, file=sys.stderr)
        sys.exit(1)


def leave_in_log(file, statement):
    """Changes a database by a program that is ended, so that the change is in the log alone."""
    child = os.fork()
    if child == 0:
        connection = sqlite3.connect(file, isolation_level=None)
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute(statement)
        os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    check(os.path.getsize(f"{file}-wal") > 0, "the log is empty")
    os.remove(f"{file}-shm")


def fill(folder):
    with open(folder / "fill", "wb", buffering=0) as file:
        size = 1 << 20
        while size:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2


def prepare_more(disk):
    """A feed whose removal at once needs a larger log than there is room for, and a gallery."""
    with sqlite3.connect(disk.data / "links.sqlite") as connection:
        # What the index takes words from.
        connection.create_function("searchText", 1, lambda text: text)
        text = " ".join(f"word{number}" for number in range(150))
        for number in range(350):
            connection.execute(
                "INSERT INTO item (source, identity, tag, address, date, isDated, title, text, firstSeen,"
                " changed) VALUES (1, ?, ?, 'https://one.test/', 0, 0, 'Title', ?, 0, 0)",
                (str(number), str(number), f"{text} {number}"),
            )
    connection.close()
    gallery = {
        "name": "G", "url": "https://the.gallery/tickbird-gallery.txt", "counter": 1, "epoch": 0,
        "digest": "", "issued": "2026-01-01T00:00:00Z", "expires": "2126-01-01T00:00:00Z",
        "pin": {"key": "b9" * 32, "retired": []},
    }
    state = {
        "format": 2, "galleries": [gallery], "identities": {}, "schedule": {"failures": 0}, "trials": {},
    }
    (disk.data / "gallery").mkdir(exist_ok=True)
    (disk.data / "gallery" / "State.json").write_text(json.dumps(state))
    check("the.gallery" in "".join(disk.run("gallery", "list")[1:]), "the gallery is not there")


def take_back(disk, key):
    """What may be deleted or revoked; returns the notes that are left."""
    # A question about who may ask for what is answered from the file.
    check("pageNotes" in (disk.data / "browser" / "grants.json").read_text(), "nothing is granted")
    disk.must("browser", "disallow", OTHER)
    check("pageNotes" not in (disk.data / "browser" / "grants.json").read_text(), "it is granted still")
    disk.must("notes", "key", "new")
    check(disk.must("notes", "key", "show") != key, "the key is the old one")
    number = json.loads(disk.must("notes", "list", "--format", "json"))
    number = (number["notes"] if isinstance(number, dict) else number)[0]["id"]
    disk.must("notes", "delete", number)
    check(disk.notes() == [], "the note is there")
    disk.must("gallery", "remove", "G")
    check("the.gallery" not in "".join(disk.run("gallery", "list")[1:]), "the gallery is there")
    # Its removal at once needs a log that is larger than the reserve.
    disk.must("links", "remove", "1")
    check(disk.feeds() == 0, "the feed is there")
    return []


def main():
    host, variant = sys.argv[1], sys.argv[2]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="full-disk-"))
    options = "size=6m,nr_inodes=300,mode=700"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(folder)], check=True)
    disk = Disk(host, folder)
    (folder / "blocker.json").write_text(LIST)
    (folder / "feeds.opml").write_text(
        '<opml version="2.0"><body><outline type="rss" text="Feed" xmlUrl="https://feed.test/"/>'
        "</body></opml>"
    )
    disk.must("extensions", "install", "--on", "blocker.json")
    disk.must("notes", "add", "https://one.test/", "the first")
    disk.must("links", "import", "feeds.opml")
    (folder / "shared").mkdir()
    disk.must("notes", "sync", "on", str(folder / "shared"))
    key = disk.must("notes", "key", "show")
    disk.must("browser", "install", "chromium", "--allow", OTHER, "--with-page-notes")
    kind = variant.removesuffix("-log")
    if kind == "blocks":
        prepare_more(disk)
    text = "the first"
    if kind == "read-only":
        # As a backup is that another machine reads.
        with sqlite3.connect(disk.data / "notes.sqlite") as connection:
            connection.execute("UPDATE device SET machine = 'another'")
        connection.close()
    if variant.endswith("-log"):
        text = "the last"
        leave_in_log(disk.data / "notes.sqlite", "UPDATE note SET text = 'the last'")
        leave_in_log(disk.data / "links.sqlite", "UPDATE source SET customTitle = 'the last'")
    if kind == "blocks":
        fill(folder)
    elif kind == "inodes":
        (folder / "many").mkdir()
        try:
            for number in range(1000):
                (folder / "many" / str(number)).touch()
        except OSError:
            pass
    elif kind == "closed":
        for path in (disk.data, *disk.data.rglob("*")):
            path.chmod(0o500 if path.is_dir() else 0o400)
        # Root as well, when nothing lets it bypass permissions.
        disk.prefix = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    else:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)

    # What is kept can be read, and is what was committed last.
    check(disk.notes() == [text], f"other notes: {disk.notes()}")
    check(disk.feeds() == 1, "other feeds")
    disk.must("links", "list")
    if variant.endswith("-log"):
        check("the last" in disk.must("links", "export"), "old links are shown")
    check(disk.is_on(), "the extension is not on")
    disk.must("extensions", "state", NAME)
    check(disk.must("notes", "key", "show") == key, "another key is shown")
    disk.must("notes", "sync", "status")

    # What cannot be done is said in words.
    words = {"read-only": "is read-only", "closed": "permission denied"}.get(kind, "the disk is full")
    is_full = kind in ("blocks", "inodes")
    if not is_full or not variant.endswith("-log"):
        # Reading has given the logs' room back otherwise.
        disk.refused(words, "notes", "add", "https://two.test/", "refused")
    if not is_full:
        disk.refused(words, "links", "import", "feeds.opml")
    disk.refused(words, "extensions", "install", "blocker.json")
    check(disk.notes() == [text], "a refused note is there")

    left = [text]
    if not is_full:
        disk.refused(words, "extensions", "off", NAME)
        disk.prefix = []
        if kind == "read-only":
            subprocess.run(["mount", "-o", "remount,bind,rw", str(folder)], check=True)
        for path in (disk.data, *disk.data.rglob("*")):
            path.chmod(0o700 if path.is_dir() else 0o600)
    else:
        # The reserve is there for this, and what is refused does not take it.
        check((disk.data / ".reserve").exists(), "there is no reserve")
        if kind == "blocks":
            left = take_back(disk, key)
        disk.must("extensions", "off", NAME)
        check(not disk.is_on(), "the extension is on")
        if kind == "blocks":
            check(not (disk.data / ".reserve").exists(), "the reserve was not needed")
        shutil.rmtree(folder / "many", ignore_errors=True)
        (folder / "fill").unlink(missing_ok=True)

    # With room all goes on, and the reserve is made again.
    disk.must("notes", "add", "https://two.test/", "the second")
    check(disk.notes() == sorted([*left, "the second"]), f"other notes: {disk.notes()}")
    disk.must("extensions", "on", NAME)
    disk.must("extensions", "off", NAME)
    check((disk.data / ".reserve").exists(), "the reserve was not made again")
    os.chdir("/")
    subprocess.run(["umount", str(folder)], check=False)
    folder.rmdir()


main()
