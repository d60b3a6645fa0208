# A fresh Debian 12 without Swift, for scripts in bash that try packages there. They read it with
#
#     . "$(dirname "$0")/lib/tree.sh"
#
# after usage.sh, and need root, mmdebstrap and a mirror of Debian.

# Makes the tarball of the tree where it is absent.
tree_tarball() {
  [ "$(id -u)" = 0 ] || missing "only root can change into another system"
  [ ! -f "$1" ] || return 0
  command -v mmdebstrap >/dev/null || missing "mmdebstrap is not installed"
  # It is thrown away, so nothing has to be on the disk for good.
  timeout 900 mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --format=tar bookworm "$1.new" ||
    missing "no tree of Debian could be made"
  mv "$1.new" "$1"
}

# Unpacks the tarball into $tree, with the devices that programs want, and an empty folder /packages.
tree_unpacked() {
  mkdir "$tree"
  tar -C "$tree" -xf "$1" --exclude ./dev
  mkdir -p "$tree/dev" "$tree/packages"
  for device in null:3 zero:5 random:8 urandom:9; do
    mknod -m 666 "$tree/dev/${device%:*}" c 1 "${device#*:}"
  done
  ln -s /proc/self/fd "$tree/dev/fd"
  mkdir -m 1777 "$tree/dev/shm"
  mount -t proc proc "$tree/proc"
  # As the installer writes it.
  echo "127.0.0.1 localhost" >"$tree/etc/hosts"
  cp -L /etc/resolv.conf "$tree/etc/resolv.conf" 2>/dev/null || true
  printf 'Dpkg::Use-Pty "0";\nAPT::Get::Assume-Yes "true";\n' >"$tree/etc/apt/apt.conf.d/90tickbird"
  echo force-unsafe-io >"$tree/etc/dpkg/dpkg.cfg.d/tickbird"
}

# Removes the tree; its own systems of files go first, or they would be removed with it. A process that is just
# ending may still use them.
tree_removed() {
  umount -q "$tree/proc" 2>/dev/null || umount -q --lazy "$tree/proc" 2>/dev/null || true
  rm -rf --one-file-system "$tree"
}

# Runs a command in /packages of the tree as a new root would, for 15 minutes at most.
inside() {
  timeout 900 env -i HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    chroot "$tree" /bin/sh -ec "cd /packages; $1"
}
