// The namespaces of a child, and the root folder that it sees.

#ifndef CSANDBOX_NAMESPACES_H
#define CSANDBOX_NAMESPACES_H

#include "CSandbox.h"

/// Puts the caller into new namespaces, and keeps its user and group. 0, or -errno.
///
/// A process namespace is only that of the children that follow.
long csandbox_enter_namespaces(const struct csandbox_namespaces *namespaces);

/// Gives the caller a root that holds what the steps say, and nothing else. 0, or -errno.
///
/// Tells in `failed` which step failed; the number of steps for what comes before and after them.
long csandbox_make_root(const struct csandbox_namespaces *namespaces, int32_t *failed);

/// What the first process of a process namespace needs.
struct csandbox_holder {
  /// The end for reading of a pipe whose other end closes when it is alone with its memory.
  int alone;
  /// A descriptor for the host's process.
  int host;
};

/// The first process of a process namespace, on a stack of its own in its parent's memory; takes a
/// `csandbox_holder`.
///
/// Gives all memory back once it is alone with it, and then only waits to be killed, or for the host's
/// end, with which it ends: a namespace ends with its first process, and the kernel ignores the
/// signals that such a one sends to itself, so that the program must not be it.
///
/// It looks at the host's process itself. The signal at a parent's death does not come where the
/// parent died before it was asked for, and the host's end of a socket says nothing, as other
/// processes that are being started have copies of it.
int csandbox_hold_namespace(void *holder);

#endif
