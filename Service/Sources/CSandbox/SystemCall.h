// System calls without errno, which processes that share memory would share.

#ifndef CSANDBOX_SYSTEM_CALL_H
#define CSANDBOX_SYSTEM_CALL_H

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__aarch64__)
#define CSANDBOX_HAS_NAMESPACES 1
#else
#define CSANDBOX_HAS_NAMESPACES 0
#endif

// Always inlined, since one caller unmaps all other code.
__attribute__((always_inline)) static inline long system_call(long number, long a, long b, long c,
                                                              long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
#else
  long result = syscall(number, a, b, c, d, e, f);
  return result < 0 ? -(long)errno : result;
#endif
}

/// `CALL(number, …)`: up to six arguments; missing ones are 0. Returns a result or -errno.
#define CALL(...) CALL_PADDED(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
#define CALL_PADDED(number, a, b, c, d, e, f, ...) \
  system_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

// Numbers that older headers lack; they are equal on every processor.
#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#ifndef SYS_move_mount
#define SYS_move_mount 429
#endif
#ifndef SYS_fsopen
#define SYS_fsopen 430
#endif
#ifndef SYS_fsconfig
#define SYS_fsconfig 431
#endif
#ifndef SYS_fsmount
#define SYS_fsmount 432
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

#endif
