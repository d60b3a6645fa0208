#define _GNU_SOURCE
#include "CSandbox.h"

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

// Numbers that older headers lack; they are the same on every processor.
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

enum {
  landlock_path_beneath = 1,
  /// LANDLOCK_ACCESS_FS_READ_FILE and LANDLOCK_ACCESS_FS_READ_DIR.
  landlock_read = 1 << 2 | 1 << 3,
};

long csandbox_call(long number, long a, long b, long c, long d, long e) {
  // The last goes over the stack, where a plain 0 would fill half of its place only.
  long result = syscall(number, a, b, c, d, e, 0L);
  return result < 0 ? -(long)errno : result;
}

static ssize_t send_report(int socket, int32_t stage, int32_t error, int descriptor) {
  struct csandbox_report report = {stage, error};
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
  return syscall(SYS_sendmsg, socket, &message, MSG_NOSIGNAL);
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

// The descriptors that the child works with until execve closes them.
enum { report_place = 4, rule_set_place = 5, first_closed = 6, first_copy = 16 };

// Moves one end of a descriptor out of the way of the places that are filled afterwards.
static int copy_above(int descriptor) {
  return descriptor < 0 ? -1 : (int)syscall(SYS_fcntl, descriptor, F_DUPFD, first_copy);
}

static int place(int descriptor, int number, int flags) {
  return (int)syscall(SYS_dup3, descriptor, number, flags);
}

// From here on nothing but system calls: other threads of the parent may have held any lock.
static void run_child(const struct csandbox_plan *plan, pid_t parent) {
  int stage = csandbox_stage_parent;
  int report = plan->report;

  // Handlers do not survive execve, but "ignored" and blocked signals do.
  for (int number = 1; number <= 64; number++) {
    struct {
      void *handler;
      unsigned long flags;
      void *restorer;
      uint64_t mask;
    } action = {0};
    syscall(SYS_rt_sigaction, number, &action, 0, sizeof action.mask);
  }
  syscall(SYS_setsid);

  stage = csandbox_stage_descriptors;
  int channel = copy_above(plan->channel);
  int output = copy_above(plan->output);
  int input = copy_above(plan->input);
  int rule_set = copy_above(plan->rule_set);
  int own_report = copy_above(plan->report);
  if (own_report < 0) goto failed;
  report = own_report;
  if (input < 0 || output < 0 || (plan->channel >= 0 && channel < 0) ||
      (plan->rule_set >= 0 && rule_set < 0))
    goto failed;
  if (place(report, report_place, O_CLOEXEC) < 0) goto failed;
  report = report_place;
  if (place(input, 0, 0) < 0 || place(output, 1, 0) < 0 || place(output, 2, 0) < 0) goto failed;
  if (channel >= 0) {
    if (place(channel, 3, 0) < 0) goto failed;
  } else {
    syscall(SYS_close, 3);
  }
  if (rule_set >= 0) {
    if (place(rule_set, rule_set_place, O_CLOEXEC) < 0) goto failed;
  } else {
    syscall(SYS_close, rule_set_place);
  }
  if (syscall(SYS_close_range, first_closed, ~0U, 0) < 0) goto failed;

  stage = csandbox_stage_directory;
  if (syscall(SYS_chdir, plan->directory) < 0) goto failed;
  syscall(SYS_umask, 077);

  stage = csandbox_stage_limits;
  for (size_t i = 0; i < plan->limit_count; i++) {
    // The parent's own hard limit may be lower, and an ordinary user cannot raise it.
    uint64_t former[2], limit[2] = {plan->limits[i].soft, plan->limits[i].hard};
    int resource = plan->limits[i].resource;
    if (syscall(SYS_prlimit64, 0, resource, 0, former) < 0) goto failed;
    if (limit[1] > former[1]) limit[1] = former[1];
    if (limit[0] > limit[1]) limit[0] = limit[1];
    if (syscall(SYS_prlimit64, 0, resource, limit, 0) < 0) goto failed;
  }

  stage = csandbox_stage_privileges;
  if (syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) goto failed;
  // An ordinary user has no capability to drop from the bounding set, and gains none.
  for (int capability = 0; capability < 64; capability++)
    syscall(SYS_prctl, PR_CAPBSET_DROP, capability, 0, 0, 0);
  syscall(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  syscall(SYS_prctl, PR_SET_SECUREBITS, SECURE_ALL_BITS | SECURE_ALL_LOCKS, 0, 0, 0);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  if (syscall(SYS_capset, &header, none) < 0) goto failed;
  // After the capabilities: a change of credentials may forget it.
  if (syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) goto failed;
  if (syscall(SYS_getppid) != parent) syscall(SYS_exit_group, 127);

  if (rule_set >= 0) {
    stage = csandbox_stage_landlock;
    // What the process may know about processes: itself. Foundation reads its arguments there.
    struct {
      uint64_t rights;
      int32_t folder;
    } __attribute__((packed)) rule = {landlock_read, -1};
    rule.folder = (int32_t)syscall(SYS_openat, AT_FDCWD, "/proc/self", O_PATH | O_CLOEXEC);
    if (rule.folder < 0) goto failed;
    if (syscall(SYS_landlock_add_rule, rule_set_place, landlock_path_beneath, &rule, 0) < 0)
      goto failed;
    syscall(SYS_close, rule.folder);
    if (syscall(SYS_landlock_restrict_self, rule_set_place, 0) < 0) goto failed;
  }

  uint64_t unblocked = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &unblocked, 0, sizeof unblocked);

  if (plan->filter_length > 0) {
    stage = csandbox_stage_seccomp;
    uint32_t own = (uint32_t)syscall(SYS_getpid);
    for (size_t i = 0; i < plan->own_process_count; i++)
      if (plan->own_process[i] < plan->filter_length) plan->filter[plan->own_process[i]].value = own;
    struct sock_fprog program = {plan->filter_length, (struct sock_filter *)plan->filter};
    unsigned long flags = plan->listens ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (listener < 0) goto failed;
    if (plan->listens) {
      stage = csandbox_stage_listener;
      if (send_report(report, 0, 0, (int)listener) < 0) goto failed;
    }
  }

  stage = csandbox_stage_execute;
  syscall(SYS_execve, plan->executable, plan->arguments, plan->environment);

failed:
  send_report(report, stage, errno, -1);
  syscall(SYS_exit_group, 127);
}

pid_t csandbox_start(const struct csandbox_plan *plan, int *process_descriptor) {
  // Until the child has reset its handlers, none of the parent's may run in it.
  uint64_t all = ~(uint64_t)0, former = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &former, sizeof all);
  pid_t parent = getpid();
  int descriptor = -1;
  // The call itself rather than fork(): no handlers of libraries run in the child. The order of the
  // arguments after the third differs between processors; all of them are 0.
  long child = syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, &descriptor, 0, 0);
  int error = errno;
  if (child == 0) {
    run_child(plan, parent);
    __builtin_unreachable();
  }
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &former, 0, sizeof former);
  if (child < 0) return -error;
  *process_descriptor = descriptor;
  return (pid_t)child;
}
