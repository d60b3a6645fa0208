// The namespaces of a child, and the root folder that it sees.

#ifndef CSANDBOX_NAMESPACES_H
#define CSANDBOX_NAMESPACES_H

#include "CSandbox.h"

/// Moves the caller into new namespaces, keeping its user and group. Returns 0 or -errno.
///
/// A process namespace applies only to children created afterwards.
long csandbox_enter_namespaces(const struct csandbox_namespaces *namespaces);

/// Gives the caller a root that holds only what the steps say. Returns 0 or -errno.
///
/// Stores in `failed` which step failed, or the number of steps if it failed before or after them.
long csandbox_make_root(const struct csandbox_namespaces *namespaces, int32_t *failed);

/// The parameters of the first process of a process namespace.
struct csandbox_holder {
  /// The read end of a pipe, whose write end closes when the process is alone with its memory.
  int alone;
  /// A descriptor for the host's process.
  int host;
};

/// Runs the first process of a process namespace, on a stack of its own in its parent's memory;
/// takes a `csandbox_holder`.
///
/// It unmaps all memory once it is alone with it, and then only waits to be killed, or for the
/// host's end, with which it exits. The program cannot be the first process: a namespace ends with
/// its first process, and the kernel ignores the signals that such a process sends to itself.
///
/// It watches the host's process by itself. The signal at a parent's death is not sent if the
/// parent died before it was requested, and the host's end of a socket proves nothing, since other
/// processes being started have copies of it.
int csandbox_hold_namespace(void *holder);

#endif
