// What Swift cannot do itself: the steps between fork and execve, and calls that have no C function.

#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <linux/seccomp.h>
#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/types.h>

// Linux 6.6: the one who asks and the one who answers take turns on one processor.
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif

/// One instruction of a filter, laid out as the kernel's `sock_filter`.
struct csandbox_instruction {
  uint16_t code;
  uint8_t if_true;
  uint8_t if_false;
  uint32_t value;
};

/// One resource limit, as `prlimit` takes it.
struct csandbox_limit {
  int32_t resource;
  uint64_t soft;
  uint64_t hard;
};

/// What a child does before it becomes the program; all of it is prepared by the parent.
struct csandbox_plan {
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
  /// Takes failures, and the listener's descriptor. Closed by execve.
  int report;
  /// The Landlock rule set, or -1.
  int rule_set;

  const struct csandbox_limit *limits;
  size_t limit_count;

  /// Empty for no filter.
  struct csandbox_instruction *filter;
  uint16_t filter_length;
  /// The instructions whose value becomes the child's process number.
  const uint16_t *own_process;
  size_t own_process_count;
  /// Whether the filter asks the parent, so that a listener is sent to it.
  int listens;
};

/// What the child was doing when it failed.
enum csandbox_stage {
  csandbox_stage_parent = 1,
  csandbox_stage_descriptors,
  csandbox_stage_limits,
  csandbox_stage_directory,
  csandbox_stage_privileges,
  csandbox_stage_landlock,
  csandbox_stage_seccomp,
  csandbox_stage_listener,
  csandbox_stage_execute,
};

/// What the child says on `report`: a failure, or that the listener comes with this message.
struct csandbox_report {
  int32_t stage;
  int32_t error;
};

/// Makes the child. Answers its process number and a descriptor for it, or -errno.
pid_t csandbox_start(const struct csandbox_plan *plan, int *process_descriptor);

/// Reads one message with at most one descriptor. Answers the number of bytes, 0 at the end, -errno.
ssize_t csandbox_receive(int socket, struct csandbox_report *report, int *descriptor);

/// Makes a system call. Answers what the kernel does: a result, or -errno.
long csandbox_call(long number, long a, long b, long c, long d, long e);

static const unsigned long csandbox_notification_receive = SECCOMP_IOCTL_NOTIF_RECV;
static const unsigned long csandbox_notification_send = SECCOMP_IOCTL_NOTIF_SEND;
static const unsigned long csandbox_notification_set_flags = SECCOMP_IOCTL_NOTIF_SET_FLAGS;
static const unsigned long csandbox_notification_put = SECCOMP_IOCTL_NOTIF_ADDFD;
static const unsigned long csandbox_notification_valid = SECCOMP_IOCTL_NOTIF_ID_VALID;

#endif
