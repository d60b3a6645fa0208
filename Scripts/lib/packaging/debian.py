"""Debian packages and tarballs with the same bytes whenever they are made of the same files."""

import gzip
import hashlib
import lzma
import os
import pathlib
import subprocess
import tarfile
import tempfile


def libraries(binaries):
    """What the shared libraries of programs depend on, in the words of a control file."""
    with tempfile.TemporaryDirectory() as folder:
        debian = pathlib.Path(folder) / "debian"
        debian.mkdir()
        (debian / "control").write_text("Source: tickbird\n\nPackage: tickbird\nArchitecture: any\n")
        output = subprocess.run(
            ["dpkg-shlibdeps", "-O", "--ignore-missing-info", *map(str, binaries)],
            cwd=folder, check=True, capture_output=True, text=True).stdout
    return output.strip().partition("=")[2]


def architecture():
    return subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True,
                          text=True).stdout.strip()


def build(tree, control, file, date, scripts=None):
    """Packs a tree, with a control file as {field: value} and maintainer scripts as {name: text}."""
    folder = tree / "DEBIAN"
    folder.mkdir()
    paths = sorted(path for path in tree.rglob("*")
                   if path.is_file() and not path.is_symlink() and folder not in path.parents)
    size = sum(-(-path.stat().st_size // 1024) for path in paths)
    fields = {**control, "Installed-Size": str(size)}
    (folder / "control").write_text("".join(f"{name}: {text}\n" for name, text in fields.items()))
    (folder / "md5sums").write_text("".join(
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  "
        f"{path.relative_to(tree)}\n" for path in paths))
    configuration = [path for path in paths if (tree / "etc") in path.parents]
    if configuration:
        (folder / "conffiles").write_text("".join(f"/{path.relative_to(tree)}\n"
                                                  for path in configuration))
    for name, text in (scripts or {}).items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    _set_dates(tree, date)
    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder) / "plain.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "--no-uniform-compression", "-Znone", "--build", tree,
                        plain], check=True, capture_output=True,
                       env={**os.environ, "SOURCE_DATE_EPOCH": str(date)})
        _compress(plain, file)


# What the programs of the service have in common, Foundation with its Unicode data, lies 95 MB apart. dpkg-deb's
# own xz looks back 8 MB, or 64 at most, and would pack it twice. To unpack takes as much memory.
DICTIONARIES = (8 << 20, 32 << 20, 96 << 20)


def _compress(plain, file):
    """Writes a package whose files are compressed, out of one in which they are not."""
    with open(plain, "rb") as source, open(file, "wb") as output:
        output.write(source.read(8))
        while head := source.read(60):
            size = int(head[48:58])
            content = source.read(size)
            source.read(size % 2)
            if head[:16].strip() == b"data.tar":
                dictionary = next((each for each in DICTIONARIES if each >= size), DICTIONARIES[-1])
                content = lzma.compress(content, lzma.FORMAT_XZ, lzma.CHECK_CRC64, filters=[
                    {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": dictionary}])
                head = b"data.tar.xz".ljust(16) + head[16:48] + str(len(content)).encode().ljust(10) + head[58:]
            output.write(head + content + b"\n" * (len(content) % 2))


def tarball(tree, name, file, date):
    """Packs a tree under a name, in the order of its paths."""
    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = date
        return entry
    with open(file, "wb") as output, \
            gzip.GzipFile("", "wb", 9, output, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(tree.rglob("*")):
            archive.add(path, f"{name}/{path.relative_to(tree)}", recursive=False, filter=plain)


def _set_dates(tree, date):
    for path in [tree, *tree.rglob("*")]:
        os.utime(path, (date, date), follow_symlinks=False)
