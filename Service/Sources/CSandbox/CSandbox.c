#define _GNU_SOURCE
#include "CSandbox.h"

#include "Namespaces.h"
#include "SystemCall.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/securebits.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(sizeof(struct csandbox_instruction) == sizeof(struct sock_filter),
               "an instruction is laid out as the kernel's");

enum {
  landlock_path_beneath = 1,
  /// LANDLOCK_ACCESS_FS_READ_FILE and LANDLOCK_ACCESS_FS_READ_DIR.
  landlock_read = 1 << 2 | 1 << 3,
};

long csandbox_call(long number, long a, long b, long c, long d, long e) {
  return system_call(number, a, b, c, d, e, 0);
}

const char *csandbox_origin(const char *function) {
  Dl_info information;
  void *symbol = dlsym(RTLD_DEFAULT, function);
  return symbol && dladdr(symbol, &information) ? information.dli_fname : NULL;
}

static long send_report(int socket, struct csandbox_report report, int descriptor) {
  struct iovec part = {&report, sizeof report};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  return CALL(SYS_sendmsg, socket, &message, MSG_NOSIGNAL);
}

ssize_t csandbox_receive(int socket, struct csandbox_report *report, int *descriptor) {
  struct iovec part = {report, sizeof *report};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control;
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  *descriptor = -1;
  ssize_t count;
  do {
    count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return -errno;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  return count;
}

// The descriptors that the child uses until execve closes them.
enum { report_place = 4, rule_set_place = 5, first_closed = 6, first_copy = 16 };

// Moves one end of a pipe or socket out of the way of the descriptors that are filled afterwards.
static int copy_above(int descriptor) {
  return descriptor < 0 ? -1 : (int)CALL(SYS_fcntl, descriptor, F_DUPFD, first_copy);
}

static long place(int descriptor, int number, int flags) {
  return CALL(SYS_dup3, descriptor, number, flags);
}

/// What the helpers and the program share, in the memory of the first helper.
struct child {
  const struct csandbox_plan *plan;
  pid_t parent;
  /// A descriptor for the parent, if there is a process namespace.
  int host;
  /// The first process of the namespace and the program's, numbered as in the host's namespace.
  pid_t holder, program;
};

// From here on only system calls: another thread of the parent may have held any lock at the fork.

/// Moves the descriptors to their places, with the report right after the program's own.
static long place_descriptors(const struct csandbox_plan *plan, int *report) {
  int channel = copy_above(plan->channel);
  int output = copy_above(plan->output);
  int input = copy_above(plan->input);
  int rule_set = copy_above(plan->rule_set);
  int own_report = copy_above(plan->report);
  if (own_report < 0) return own_report;
  *report = own_report;
  if (input < 0) return input;
  if (output < 0) return output;
  if (plan->channel >= 0 && channel < 0) return channel;
  if (plan->rule_set >= 0 && rule_set < 0) return rule_set;
  long result = place(own_report, report_place, O_CLOEXEC);
  if (result < 0) return result;
  *report = report_place;
  if ((result = place(input, 0, 0)) < 0) return result;
  if ((result = place(output, 1, 0)) < 0) return result;
  if ((result = place(output, 2, 0)) < 0) return result;
  if (channel < 0)
    CALL(SYS_close, 3);
  else if ((result = place(channel, 3, 0)) < 0)
    return result;
  if (rule_set < 0)
    CALL(SYS_close, rule_set_place);
  else if ((result = place(rule_set, rule_set_place, O_CLOEXEC)) < 0)
    return result;
  return CALL(SYS_close_range, first_closed, ~0U, 0);
}

static long set_limits(const struct csandbox_plan *plan) {
  for (size_t i = 0; i < plan->limit_count; i++) {
    // The parent's own hard limit may be lower, and an ordinary user cannot raise it.
    uint64_t former[2], limit[2] = {plan->limits[i].soft, plan->limits[i].hard};
    int resource = plan->limits[i].resource;
    long result = CALL(SYS_prlimit64, 0, resource, 0, former);
    if (result < 0) return result;
    if (limit[1] > former[1]) limit[1] = former[1];
    if (limit[0] > limit[1]) limit[0] = limit[1];
    result = CALL(SYS_prlimit64, 0, resource, limit, 0);
    if (result < 0) return result;
  }
  return 0;
}

static long drop_privileges(const struct child *child) {
  long result = CALL(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (result < 0) return result;
  // Without a namespace an ordinary user has no capability to drop from the bounding set, and gains
  // none.
  for (int capability = 0; capability < 64; capability++)
    CALL(SYS_prctl, PR_CAPBSET_DROP, capability, 0, 0, 0);
  CALL(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  CALL(SYS_prctl, PR_SET_SECUREBITS, SECURE_ALL_BITS | SECURE_ALL_LOCKS, 0, 0, 0);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  result = CALL(SYS_capset, &header, none);
  if (result < 0) return result;
  // After dropping capabilities, since a change of credentials may reset it.
  result = CALL(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (result < 0) return result;
  // Inside a namespace the parent's number is 0; there the first process watches the parent.
  const struct csandbox_namespaces *namespaces = child->plan->namespaces;
  if (namespaces && namespaces->own_processes) return 0;
  return CALL(SYS_getppid) != child->parent ? -ESRCH : 0;
}

static long restrict_files(void) {
  // The process may read only its own entry. Foundation reads its arguments there.
  struct {
    uint64_t rights;
    int32_t folder;
  } __attribute__((packed)) rule = {landlock_read, -1};
  long folder = CALL(SYS_openat, AT_FDCWD, "/proc/self", O_PATH | O_CLOEXEC);
  if (folder < 0) return folder;
  rule.folder = (int32_t)folder;
  long result = CALL(SYS_landlock_add_rule, rule_set_place, landlock_path_beneath, &rule, 0);
  CALL(SYS_close, folder);
  if (result < 0) return result;
  return CALL(SYS_landlock_restrict_self, rule_set_place, 0);
}

/// Returns the listener's descriptor, or -errno.
static long install_filter(const struct csandbox_plan *plan) {
  uint32_t own = (uint32_t)CALL(SYS_getpid);
  for (size_t i = 0; i < plan->own_process_count; i++)
    if (plan->own_process[i] < plan->filter_length) plan->filter[plan->own_process[i]].value = own;
  struct sock_fprog program = {plan->filter_length, (struct sock_filter *)plan->filter};
  unsigned long flags = plan->listens ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
  return CALL(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/// Turns the caller into the program. Returns only on error, which it has reported.
static int become_program(void *argument) {
  const struct child *child = argument;
  const struct csandbox_plan *plan = child->plan;
  const struct csandbox_namespaces *namespaces = plan->namespaces;
  int in_namespace = namespaces && namespaces->own_processes;
  int report = plan->report;
  struct csandbox_report failure = {.stage = csandbox_stage_descriptors};
  long result = 0;

  // execve resets handlers, but not ignored and blocked signals.
  for (int number = 1; number <= 64; number++) {
    struct {
      void *handler;
      unsigned long flags;
      void *restorer;
      uint64_t mask;
    } action = {0};
    CALL(SYS_rt_sigaction, number, &action, 0, sizeof action.mask);
  }
  CALL(SYS_setsid);
  if ((result = place_descriptors(plan, &report)) < 0) goto failed;
  if (in_namespace) {
    struct csandbox_report started = {.stage = csandbox_stage_started,
                                      .holder = child->holder,
                                      .program = child->program,
                                      .own_number = (int32_t)CALL(SYS_getpid)};
    if ((result = send_report(report, started, -1)) < 0) goto failed;
  }

  if (namespaces) {
    failure.stage = csandbox_stage_root;
    if ((result = csandbox_make_root(namespaces, &failure.step)) < 0) goto failed;
  }

  failure.stage = csandbox_stage_directory;
  if ((result = CALL(SYS_chdir, plan->directory)) < 0) goto failed;
  CALL(SYS_umask, 077);

  failure.stage = csandbox_stage_limits;
  if ((result = set_limits(plan)) < 0) goto failed;

  failure.stage = csandbox_stage_privileges;
  if ((result = drop_privileges(child)) < 0) goto failed;

  if (plan->rule_set >= 0) {
    failure.stage = csandbox_stage_landlock;
    if ((result = restrict_files()) < 0) goto failed;
  }

  // Without a program this was a rehearsal.
  if (!plan->executable) CALL(SYS_exit_group, 0);

  uint64_t unblocked = 0;
  CALL(SYS_rt_sigprocmask, SIG_SETMASK, &unblocked, 0, sizeof unblocked);

  if (plan->filter_length > 0) {
    failure.stage = csandbox_stage_seccomp;
    if ((result = install_filter(plan)) < 0) goto failed;
    if (plan->listens) {
      failure.stage = csandbox_stage_listener;
      struct csandbox_report listener = {.stage = csandbox_stage_listener};
      if ((result = send_report(report, listener, (int)result)) < 0) goto failed;
    }
  }

  failure.stage = csandbox_stage_execute;
  result = CALL(SYS_execve, plan->executable, plan->arguments, plan->environment);

failed:
  failure.error = (int32_t)-result;
  send_report(report, failure, -1);
  CALL(SYS_exit_group, 127);
  return 127;
}

#if CSANDBOX_HAS_NAMESPACES

/// Creates the two processes of a process namespace, both children of the host: its first process,
/// and the program. Returns once the program runs or has failed.
static long make_processes(struct child *child) {
  // One stack each; they share this memory, which is a copy of the host's.
  static char stacks[2][1 << 18] __attribute__((aligned(1 << 16)));
  int alone[2];
  long result = CALL(SYS_pipe2, alone, O_CLOEXEC);
  if (result < 0) return result;
  static struct csandbox_holder holder;
  holder.alone = alone[0];
  holder.host = child->host;
  // The C library's function, since the stack changes; it only makes the call.
  int flags = CLONE_VM | CLONE_PARENT | CLONE_PARENT_SETTID | SIGCHLD;
  if (clone(csandbox_hold_namespace, stacks[0] + sizeof stacks[0] / 2, flags, &holder,
            &child->holder) < 0)
    return -errno;
  if (clone(become_program, stacks[1] + sizeof stacks[1], flags | CLONE_VFORK, child,
            &child->program) < 0) {
    result = -errno;
    CALL(SYS_kill, child->holder, SIGKILL);
    return result;
  }
  return 0;
}

#endif

static void run_child(const struct csandbox_plan *plan, pid_t parent) {
  static struct child child;
  child.plan = plan;
  child.parent = parent;
  if (!plan->namespaces) {
    become_program(&child);
    return;
  }
  long result = -ENOSYS;
#if CSANDBOX_HAS_NAMESPACES
  CALL(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // Before the parent's number can be reused; the check afterwards shows whether it still exists.
  result = CALL(SYS_pidfd_open, parent, 0);
  child.host = (int)result;
  if (CALL(SYS_getppid) != parent) return;
  if (result >= 0) result = csandbox_enter_namespaces(plan->namespaces);
  if (result == 0 && !plan->namespaces->own_processes) become_program(&child);
  if (result == 0) result = make_processes(&child);
  if (result == 0) return;
#endif
  struct csandbox_report failure = {.stage = csandbox_stage_namespaces, .error = (int32_t)-result};
  send_report(plan->report, failure, -1);
}

pid_t csandbox_start(const struct csandbox_plan *plan, int *process_descriptor) {
  // None of the parent's handlers may run in the child until it has reset them.
  uint64_t all = ~(uint64_t)0, former = 0;
  CALL(SYS_rt_sigprocmask, SIG_SETMASK, &all, &former, sizeof all);
  pid_t parent = getpid();
  int descriptor = -1;
  // The system call and not fork(), so that no handlers of libraries run in the child. The order of
  // the arguments after the third differs between processors; all of them are 0.
  long child = CALL(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, &descriptor, 0, 0);
  if (child == 0) {
    run_child(plan, parent);
    CALL(SYS_exit_group, 127);
    __builtin_unreachable();
  }
  CALL(SYS_rt_sigprocmask, SIG_SETMASK, &former, 0, sizeof former);
  if (child < 0) return (pid_t)child;
  *process_descriptor = descriptor;
  return (pid_t)child;
}
