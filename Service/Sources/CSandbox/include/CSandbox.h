// What Swift cannot do itself: the steps between fork and execve, and calls without a C function.

#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <linux/seccomp.h>
#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/types.h>

// Linux 6.6: the asking and the answering process take turns on one processor.
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif

/// An instruction of a filter, laid out like the kernel's `sock_filter`.
struct csandbox_instruction {
  uint16_t code;
  uint8_t if_true;
  uint8_t if_false;
  uint32_t value;
};

/// A resource limit, for `prlimit`.
struct csandbox_limit {
  int32_t resource;
  uint64_t soft;
  uint64_t hard;
};

/// A step in building a root. Paths are absolute and free of links.
struct csandbox_step {
  int32_t kind;
  const char *path;
  /// The target of a link.
  const char *target;
  /// What is bound: the mount's attributes, and the file found when the path was checked.
  uint64_t attributes;
  uint64_t device;
  uint64_t inode;
};

enum csandbox_step_kind {
  csandbox_step_folder = 1,
  /// An empty file, as a mount point.
  csandbox_step_file,
  csandbox_step_link,
  csandbox_step_bind,
};

/// Attributes of a mount, for `mount_setattr`.
enum csandbox_mount {
  csandbox_mount_read_only = 1,
  csandbox_mount_no_user_bits = 2,
  csandbox_mount_no_devices = 4,
  csandbox_mount_no_execution = 8,
};

/// The namespaces that a child gets, and the root that it sees in them.
struct csandbox_namespaces {
  /// CLONE_NEW…
  uint64_t flags;
  /// Whether they include a process namespace.
  int own_processes;
  /// The lines for `uid_map` and `gid_map`.
  const char *user_map;
  const char *group_map;
  const struct csandbox_step *steps;
  size_t step_count;
};

/// What a child does before it becomes the program; prepared by the parent.
struct csandbox_plan {
  /// NULL for a rehearsal, which exits with status 0 instead of running a program.
  const char *executable;
  char *const *arguments;
  char *const *environment;
  const char *directory;

  /// Becomes descriptor 3; -1 for none.
  int channel;
  /// Becomes descriptors 1 and 2.
  int output;
  /// Becomes descriptor 0.
  int input;
  /// Receives failures and the listener's descriptor. Closed by execve.
  int report;
  /// The Landlock rule set, or -1.
  int rule_set;

  const struct csandbox_limit *limits;
  size_t limit_count;

  /// Empty without a filter.
  struct csandbox_instruction *filter;
  uint16_t filter_length;
  /// The offsets of instructions whose value becomes the child's process number.
  const uint16_t *own_process;
  size_t own_process_count;
  /// Whether the filter asks the parent, which then needs the listener.
  int listens;

  /// NULL for none.
  const struct csandbox_namespaces *namespaces;
};

/// The step at which the child failed.
enum csandbox_stage {
  csandbox_stage_namespaces = 1,
  csandbox_stage_root,
  csandbox_stage_descriptors,
  csandbox_stage_limits,
  csandbox_stage_directory,
  csandbox_stage_privileges,
  csandbox_stage_landlock,
  csandbox_stage_seccomp,
  csandbox_stage_listener,
  csandbox_stage_execute,
  /// Not a failure: the program's process exists.
  csandbox_stage_started,
};

/// A message of the child on `report`: a failure, its processes, or that it carries the listener.
struct csandbox_report {
  int32_t stage;
  int32_t error;
  /// The step at which building the root failed.
  int32_t step;
  /// The first process of the process namespace, and the program's.
  int32_t holder;
  int32_t program;
  /// The program's process number within the namespace.
  int32_t own_number;
};

/// Creates the child. Returns its process number and a descriptor for it, or -errno.
///
/// With a process namespace the child creates two others, which it reports with
/// `csandbox_stage_started`, and exits with status 127 once the program runs or has failed; the
/// caller has to wait for all three.
pid_t csandbox_start(const struct csandbox_plan *plan, int *process_descriptor);

/// Receives one message with at most one descriptor. Returns the number of bytes, 0 at the end, or
/// -errno.
ssize_t csandbox_receive(int socket, struct csandbox_report *report, int *descriptor);

/// Returns the path of the file that contains a function, as the loader named it; NULL if unknown.
const char *csandbox_origin(const char *function);

/// Makes a system call. Returns the kernel's result, or -errno.
long csandbox_call(long number, long a, long b, long c, long d, long e);

static const unsigned long csandbox_notification_receive = SECCOMP_IOCTL_NOTIF_RECV;
static const unsigned long csandbox_notification_send = SECCOMP_IOCTL_NOTIF_SEND;
static const unsigned long csandbox_notification_set_flags = SECCOMP_IOCTL_NOTIF_SET_FLAGS;
static const unsigned long csandbox_notification_put = SECCOMP_IOCTL_NOTIF_ADDFD;
static const unsigned long csandbox_notification_valid = SECCOMP_IOCTL_NOTIF_ID_VALID;

#endif
