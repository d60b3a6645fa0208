"""A model of what a disk has after a loss of power, from the records of inject.c."""

import os
import random


class Inode:
    """A file or folder, as programs see it and as it is on the disk."""

    def __init__(self, kind):
        self.kind = kind
        # Contents, or the inodes of names.
        self.seen = bytearray() if kind == "f" else {}
        self.kept = bytes() if kind == "f" else {}
        # Files: writes since the disk was last waited for.
        self.unsynced = []


class Disk:
    """A tree of files, with all that happens to it in order."""

    def __init__(self, root):
        self.inodes = {}
        self.root = self._take(root)
        # Changes of names in order, for a file system with a journal.
        self.journal = []

    def _take(self, path):
        status = os.lstat(path)
        key = f"{status.st_dev:x}:{status.st_ino:x}"
        inode = self.inodes[key] = Inode("d" if os.path.isdir(path) else "f")
        if inode.kind == "d":
            for name in os.listdir(path):
                inode.seen[os.fsencode(name)] = self._take(os.path.join(path, name))
            inode.kept = dict(inode.seen)
        elif os.path.isfile(path):
            with open(path, "rb") as file:
                inode.seen = bytearray(file.read())
            inode.kept = bytes(inode.seen)
        return inode

    # Records

    def apply(self, line, data):
        """Does what a record says; returns the bytes of an answer."""
        word = line.split(" ")
        kind = word[0]
        if kind == "A":
            return bytes.fromhex(word[1])
        if kind == "L":
            folder, name = self.inodes.get(word[1]), bytes.fromhex(word[2])
            if word[4] != "h":
                self.inodes[word[3]] = Inode(word[4])
            if folder is not None and word[3] in self.inodes:
                self._name(folder, name, self.inodes[word[3]])
        elif kind == "U":
            folder = self.inodes.get(word[1])
            if folder is not None:
                self._name(folder, bytes.fromhex(word[2]), None)
        elif kind == "R":
            source, target = self.inodes.get(word[1]), self.inodes.get(word[3])
            inode = self.inodes.get(word[5])
            if source is not None and target is not None and inode is not None:
                change = [(target, bytes.fromhex(word[4]), inode)]
                if (word[1], word[2]) != (word[3], word[4]):
                    change.append((source, bytes.fromhex(word[2]), None))
                self._change(change)
        elif word[1] in self.inodes:
            inode = self.inodes[word[1]]
            if kind == "W":
                self._write(inode, int(word[2]), data)
                inode.unsynced.append(("W", int(word[2]), data))
            elif kind == "T":
                length = int(word[2])
                self._cut(inode, length)
                inode.unsynced.append(("T", length, None))
            elif kind == "S":
                self._synchronize(inode)
        return None

    @staticmethod
    def _write(inode, offset, data):
        if len(inode.seen) < offset:
            inode.seen.extend(bytes(offset - len(inode.seen)))
        inode.seen[offset : offset + len(data)] = data

    @staticmethod
    def _cut(inode, length):
        if length < len(inode.seen):
            del inode.seen[length:]
        else:
            inode.seen.extend(bytes(length - len(inode.seen)))

    def _name(self, folder, name, inode):
        self._change([(folder, name, inode)])

    def _change(self, change):
        for folder, name, inode in change:
            self._enter(folder.seen, name, inode)
        self.journal.append(change)

    def _synchronize(self, inode):
        if inode.kind == "f":
            inode.kept = bytes(inode.seen)
            inode.unsynced = []
        else:
            left = []
            for change in self.journal:
                if not any(folder is inode for folder, _, _ in change):
                    left.append(change)
                    continue
                # A move is one step for both folders.
                for folder, name, what in change:
                    self._enter(folder.kept, name, what)
            self.journal = left
            inode.kept = dict(inode.seen)

    @staticmethod
    def _enter(names, name, inode):
        if inode is None:
            names.pop(name, None)
        else:
            names[name] = inode

    # Losses

    def trees(self, seed):
        """What the disk may have after a loss of power now, with a word for each."""
        yield "synced alone", self._tree(self._kept_names, lambda inode: inode.kept)
        yield "all", self._tree(self._seen_names, lambda inode: bytes(inode.seen))
        yield "names first", self._tree(self._seen_names, lambda inode: inode.kept)
        yield "bytes first", self._tree(self._kept_names, lambda inode: bytes(inode.seen))
        chance = random.Random(seed)
        yield "part", self._tree(self._journaled(chance), lambda inode: self._torn(inode, chance))

    @staticmethod
    def _kept_names(folder):
        return folder.kept

    @staticmethod
    def _seen_names(folder):
        return folder.seen

    def _journaled(self, chance):
        """Names with the first of the changes that nobody waited for."""
        names = {}
        for change in self.journal[: chance.randint(0, len(self.journal))]:
            for folder, name, inode in change:
                entries = names.setdefault(id(folder), dict(folder.kept))
                self._enter(entries, name, inode)
        return lambda folder: names.get(id(folder), folder.kept)

    @staticmethod
    def _torn(inode, chance):
        """A file with some of the sectors that nobody waited for."""
        result = Inode("f")
        result.seen = bytearray(inode.kept)
        for kind, where, data in inode.unsynced:
            if kind == "T":
                if chance.random() < 0.7:
                    Disk._cut(result, where)
                continue
            for start in range(0, len(data), 512):
                if chance.random() < 0.6:
                    Disk._write(result, where + start, data[start : start + 512])
        return bytes(result.seen)

    def _tree(self, names, contents):
        """A tree as a dictionary of paths; folders have None."""
        tree = {}
        stack = [(b"", self.root)]
        while stack:
            path, folder = stack.pop()
            for name, inode in names(folder).items():
                # SQLite makes its index again, and does not trust one without a process.
                if name.endswith(b"-shm"):
                    continue
                place = path + b"/" + name
                if inode.kind == "d":
                    tree[place] = None
                    stack.append((place, inode))
                else:
                    tree[place] = contents(inode)
        return tree


def records(path):
    """The records of a log."""
    with open(path, "rb") as file:
        while True:
            line = file.readline()
            if not line:
                return
            text = line.decode("ascii").rstrip("\n")
            word = text.split(" ", 4)
            data = b""
            if word[0] == "W":
                data = file.read(int(word[3]))
            yield text, data


def write_tree(tree, folder):
    """Makes a tree on the real disk."""
    os.makedirs(folder, mode=0o700)
    for path in sorted(tree):
        place = os.fsencode(folder) + path
        if tree[path] is None:
            os.makedirs(place, mode=0o700, exist_ok=True)
    for path, contents in tree.items():
        if contents is not None:
            with open(os.fsencode(folder) + path, "wb") as file:
                file.write(contents)
            os.chmod(os.fsencode(folder) + path, 0o600)
