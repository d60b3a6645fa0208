#define _GNU_SOURCE
#include "Namespaces.h"

#include "SystemCall.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>

// From the kernel's linux/mount.h and linux/openat2.h, which conflict with some C libraries'
// headers.
enum {
  tree_clone = 1,
  tree_close_on_execute = O_CLOEXEC,
  whole_tree = 0x8000,
  empty_path = 0x1000,
  move_from_empty_path = 4,
  open_close_on_execute = 1,
  configure_string = 1,
  configure_create = 6,
  mount_close_on_execute = 1,
  resolve_no_links = 4 | 2,
  unmount_later = 2,
};

struct mount_attributes {
  uint64_t set, clear, propagation, user_namespace;
};

struct opening {
  uint64_t flags, mode, resolve;
};

static long write_file(const char *path, const char *text) {
  long file = CALL(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return file;
  size_t size = strlen(text);
  long written = CALL(SYS_write, file, text, size);
  CALL(SYS_close, file);
  return written < 0 ? written : (size_t)written == size ? 0 : -EIO;
}

long csandbox_enter_namespaces(const struct csandbox_namespaces *namespaces) {
  long result = CALL(SYS_unshare, namespaces->flags);
  if (result < 0) return result;
  // Before the group map: an ordinary user must first give up setgroups, which could drop a group
  // that denies access.
  result = write_file("/proc/self/setgroups", "deny");
  if (result == 0) result = write_file("/proc/self/uid_map", namespaces->user_map);
  if (result == 0) result = write_file("/proc/self/gid_map", namespaces->group_map);
  return result;
}

static long configure(long context, const char *key, const char *value) {
  return CALL(SYS_fsconfig, context, configure_string, key, value, 0);
}

/// Mounts `/proc` for the caller's own process namespace: processes, and nothing else of the
/// kernel.
static long mount_processes(void) {
  long context = CALL(SYS_fsopen, "proc", open_close_on_execute);
  if (context < 0) return context;
  long result = configure(context, "subset", "pid");
  // The program has no business with the namespace's first process.
  if (result == 0) result = configure(context, "hidepid", "ptraceable");
  if (result == 0) result = CALL(SYS_fsconfig, context, configure_create, 0, 0, 0);
  if (result == 0)
    result = CALL(SYS_fsmount, context, mount_close_on_execute,
                  csandbox_mount_no_user_bits | csandbox_mount_no_devices |
                      csandbox_mount_no_execution);
  CALL(SYS_close, context);
  return result;
}

static long set_attributes(long tree, const char *path, int flags, uint64_t set) {
  struct mount_attributes attributes = {.set = set};
  return CALL(SYS_mount_setattr, tree, path, flags, &attributes, sizeof attributes);
}

static long bind(const struct csandbox_step *step) {
  struct opening how = {O_PATH | O_CLOEXEC, 0, resolve_no_links};
  long found = CALL(SYS_openat2, AT_FDCWD, step->path, &how, sizeof how);
  if (found < 0) return found;
  // Binds the object that was checked, whatever its path leads to by now.
  struct stat status;
  memset(&status, 0, sizeof status);
  long result = CALL(SYS_fstat, found, &status);
  if (result == 0 && (status.st_dev != step->device || status.st_ino != step->inode))
    result = -ESTALE;
  long tree = -1;
  if (result == 0) {
    tree = CALL(SYS_open_tree, found, "",
                tree_clone | tree_close_on_execute | empty_path | whole_tree);
    if (tree < 0) result = tree;
  }
  if (result == 0) result = set_attributes(tree, "", empty_path | whole_tree, step->attributes);
  if (result == 0)
    result = CALL(SYS_move_mount, tree, "", AT_FDCWD, step->path + 1, move_from_empty_path);
  if (tree >= 0) CALL(SYS_close, tree);
  CALL(SYS_close, found);
  return result;
}

/// Paths are absolute; the root under construction is the current folder.
static long take(const struct csandbox_step *step) {
  long result;
  switch (step->kind) {
  case csandbox_step_folder:
    return CALL(SYS_mkdirat, AT_FDCWD, step->path + 1, 0755);
  case csandbox_step_file:
    result = CALL(SYS_openat, AT_FDCWD, step->path + 1, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                  0444);
    if (result < 0) return result;
    return CALL(SYS_close, result);
  case csandbox_step_link:
    return CALL(SYS_symlinkat, step->target, AT_FDCWD, step->path + 1);
  case csandbox_step_bind:
    return bind(step);
  default:
    return -EINVAL;
  }
}

long csandbox_make_root(const struct csandbox_namespaces *namespaces, int32_t *failed) {
  *failed = (int32_t)namespaces->step_count;
  long result = CALL(SYS_mount, 0, "/", 0, MS_REC | MS_PRIVATE, 0);
  if (result < 0) return result;
  // Before the old root is gone: the kernel allows a new `/proc` only to those who can see one.
  long processes = namespaces->own_processes
                       ? mount_processes()
                       : CALL(SYS_open_tree, AT_FDCWD, "/proc",
                              tree_clone | tree_close_on_execute | whole_tree);
  if (processes < 0) return processes;
  // A folder that exists on every system and is not needed again.
  result = CALL(SYS_mount, "tmpfs", "/proc", "tmpfs", MS_NOSUID | MS_NODEV,
                "mode=0755,size=4m,nr_inodes=8k");
  if (result < 0) return result;
  result = CALL(SYS_chdir, "/proc");
  if (result < 0) return result;
  for (size_t i = 0; i < namespaces->step_count; i++) {
    result = take(&namespaces->steps[i]);
    if (result < 0) {
      *failed = (int32_t)i;
      return result;
    }
  }
  result = CALL(SYS_mkdirat, AT_FDCWD, "proc", 0555);
  if (result == 0)
    result = CALL(SYS_move_mount, processes, "", AT_FDCWD, "proc", move_from_empty_path);
  CALL(SYS_close, processes);
  // pivot_root stacks the old root on the new one; it is unmounted.
  if (result == 0) result = CALL(SYS_pivot_root, ".", ".");
  if (result == 0) result = CALL(SYS_umount2, ".", unmount_later);
  if (result == 0) result = CALL(SYS_chdir, "/");
  if (result == 0)
    result = set_attributes(AT_FDCWD, "/", 0,
                            csandbox_mount_read_only | csandbox_mount_no_user_bits |
                                csandbox_mount_no_devices | csandbox_mount_no_execution);
  return result;
}

#if CSANDBOX_HAS_NAMESPACES

// The descriptors that the first process keeps.
enum { alone_place = 0, host_place = 1, first_dropped = 2, copies_above = 16 };

// Only this code and its stack are left: no function may be called from here on.
__attribute__((noinline, noreturn)) static void forget_and_wait(void) {
  // Copied to the stack, since constants beside the code are unmapped too.
  struct pollfd asked = {.fd = host_place, .events = POLLIN};
  const unsigned long grain = 1UL << 16;  // the largest page there is
  unsigned long place = (unsigned long)&forget_and_wait, top = (unsigned long)&place;
  unsigned long code = place & ~(grain - 1), code_end = (place + grain) & ~(grain - 1);
  unsigned long stack = (top & ~(grain - 1)) - grain, stack_end = stack + 3 * grain;
  // The function may begin at the end of a page.
  code_end += grain;
  unsigned long first = code < stack ? code : stack, first_end = code < stack ? code_end : stack_end;
  unsigned long last = code < stack ? stack : code, last_end = code < stack ? stack_end : code_end;
  if (first > 0) CALL(SYS_munmap, 0, first);
  if (last > first_end) CALL(SYS_munmap, first_end, last - first_end);
  // The size of the address space differs between processors and kernels.
  for (int bits = 56; bits >= 36; bits--)
    if (CALL(SYS_munmap, last_end, (1UL << bits) - grain - last_end) == 0) break;
  CALL(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  // All signals but SIGKILL stay blocked. An error must not leave the namespace without a watcher
  // either.
  while (CALL(SYS_ppoll, &asked, 1, 0, 0, 0) == -EINTR) {
  }
  for (;;) CALL(SYS_exit_group, 127);
}

int csandbox_hold_namespace(void *argument) {
  // All signals are blocked here, as in the parent.
  struct csandbox_holder holder = *(struct csandbox_holder *)argument;
  CALL(SYS_setsid);
  CALL(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  CALL(SYS_capset, &header, none);
  CALL(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  long alone = CALL(SYS_fcntl, holder.alone, F_DUPFD, copies_above);
  long host = CALL(SYS_fcntl, holder.host, F_DUPFD, copies_above);
  if (alone < 0 || host < 0) CALL(SYS_exit_group, 127);
  CALL(SYS_dup3, alone, alone_place, 0);
  CALL(SYS_dup3, host, host_place, 0);
  CALL(SYS_close_range, first_dropped, ~0U, 0);
  char byte;
  while (CALL(SYS_read, alone_place, &byte, 1) == -EINTR) {
  }
  CALL(SYS_close, alone_place);
  forget_and_wait();
}

#endif
