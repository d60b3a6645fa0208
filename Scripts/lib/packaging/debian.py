"""Debian packages and tarballs with the same bytes whenever they are made of the same files."""

import gzip
import hashlib
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
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, file], check=True,
                   capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(date)})


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
