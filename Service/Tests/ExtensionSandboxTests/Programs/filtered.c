// Starts a program in a filter about one system call:
//
//   filtered kill CALL PROGRAM …         ends whoever makes it
//   filtered skip CALL FIRST PROGRAM …   does nothing and says "done" where its first argument is this
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count < 5) return 2;
  int skips = !strcmp(arguments[1], "skip");
  int first = skips ? atoi(arguments[3]) : 0;
  char **program = arguments + (skips ? 4 : 3);
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, atoi(arguments[2]), 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | (skips ? BPF_JEQ : BPF_JGE) | BPF_K, first, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, skips ? SECCOMP_RET_ERRNO : SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &filter)) return 2;
  execv(program[0], program);
  return 2;
}
