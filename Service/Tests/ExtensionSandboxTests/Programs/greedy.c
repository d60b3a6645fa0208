// A program that uses up one thing, and hides it as well as it can: greedy WHAT [NUMBER].
//
// It prints "alive" when it was let have all of it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long megabytes;

static void say(const char *text) { printf("%s\n", text); fflush(stdout); }

// Comes back only if nothing has ended the process for a second.
static void survive(void) { sleep(1); say("alive"); _exit(0); }

static void *shared_memory(void *unused) {
  for (long i = 0; i < megabytes / 16; i++) {
    char *memory = mmap(0, 16 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) { printf("refused at %ld MB\n", i * 16); fflush(stdout); survive(); }
    memset(memory, 1, 16 << 20);
  }
  survive();
  return unused;
}

static void small_mappings(int flags, int file) {
  for (long i = 0; i < megabytes * 16; i++) {
    char *memory = mmap(0, 64 << 10, PROT_READ | PROT_WRITE, flags, file, 0);
    if (memory == MAP_FAILED) { say("refused"); survive(); }
    memset(memory, 1, 64 << 10);
    // A mapping between two others keeps the kernel from joining them.
    mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  survive();
}

static void *sleeper(void *unused) { for (;;) sleep(1000); return unused; }
static void *storm(void *unused) {
  pthread_attr_t attributes; pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 16384);
  for (long i = 0; i < megabytes; i++) { pthread_t thread; pthread_create(&thread, &attributes, storm, 0); }
  return sleeper(unused);
}

static void mapped_file(long size) {
  int file = open("mapped", O_RDWR | O_CREAT, 0600);
  if (ftruncate(file, size) < 0) { say("refused"); survive(); }
  char *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file); unlink("mapped");
  for (long i = 0; i < size; i += 4096) memory[i] = 1;
  survive();
}

static char block[1 << 20];
static int fill(const char *name, long size) {
  int file = open(name, O_RDWR | O_CREAT, 0600);
  if (file < 0) return file;
  for (; size > 0; size--) if (write(file, block, sizeof block) < 0) break;
  return file;
}

static void keep_on(const char *what) {
  char name[64];
  memset(block, 7, sizeof block);
  for (long i = 0;; i++) {
    snprintf(name, sizeof name, "f%ld", i);
    if (!strcmp(what, "big")) { if (i * 8 >= megabytes) break; close(fill(name, 8)); }
    else if (!strcmp(what, "tiny")) { if (i >= megabytes) break; close(open(name, O_RDWR | O_CREAT, 0600)); }
    else if (!strcmp(what, "links")) { if (i >= megabytes) break; if (!i) close(fill("f", 8)); link("f", name); }
    else if (!strcmp(what, "sparse")) { if (i >= megabytes) break; int f = open(name, O_RDWR | O_CREAT, 0600); ftruncate(f, 16 << 20); close(f); }
    else if (!strcmp(what, "allocated")) { if (i * 8 >= megabytes) break; int f = open(name, O_RDWR | O_CREAT, 0600); posix_fallocate(f, 0, 8 << 20); close(f); }
    else if (!strcmp(what, "unnamed")) { if (i * 8 >= megabytes) break; fill(name, 8); unlink(name); }
    else if (!strcmp(what, "folders")) { if (i >= megabytes) break; mkdir("d", 0700); if (chdir("d") < 0) break; }
    else if (!strcmp(what, "wide")) { if (i >= megabytes) break; mkdir(name, 0700); }
    else if (!strcmp(what, "symlinks")) { if (i >= megabytes) break; symlink("/", name); }
    else { say("unknown"); _exit(2); }
  }
  sleep(1);
  survive();
}

int main(int count, char **words) {
  // As an extension it gets no arguments, and fills its container.
  const char *what = count > 1 ? words[1] : "big";
  if (count == 1 && strstr(words[0], "/spin")) for (;;) {}
  megabytes = count > 2 ? atol(words[2]) : 400;
  if (count > 3) {
    // The name of the process, in hexadecimal digits.
    char name[17] = ""; unsigned byte;
    for (int i = 0; i < 15 && sscanf(words[3] + 2 * i, "%2x", &byte) == 1; i++) name[i] = (char)byte;
    prctl(PR_SET_NAME, name);
  }
  pthread_t thread;
  if (!strcmp(what, "shared")) shared_memory(0);
  // The main thread ends, and another goes on: by the system call, and as the C library does it.
  if (!strcmp(what, "leader")) { pthread_create(&thread, 0, shared_memory, 0); syscall(SYS_exit, 0); }
  if (!strcmp(what, "leader-late")) { pthread_create(&thread, 0, shared_memory, 0); usleep(20000); pthread_exit(0); }
  if (!strcmp(what, "leader-storm")) { pthread_create(&thread, 0, storm, 0); syscall(SYS_exit, 0); }
  if (!strcmp(what, "small")) small_mappings(MAP_SHARED | MAP_ANONYMOUS, -1);
  if (!strcmp(what, "zero")) small_mappings(MAP_SHARED, open("/dev/zero", O_RDWR));
  if (!strcmp(what, "private")) small_mappings(MAP_PRIVATE | MAP_ANONYMOUS, -1);
  if (!strcmp(what, "file")) mapped_file(megabytes << 20);
  if (!strcmp(what, "memfd")) { printf("%d\n", syscall(SYS_memfd_create, "x", 0) < 0 ? errno : 0); return 0; }
  if (!strcmp(what, "storm")) storm(0);
  if (!strcmp(what, "some-threads")) { for (long i = 0; i < megabytes; i++) pthread_create(&thread, 0, sleeper, 0); survive(); }
  if (!strcmp(what, "reserve")) { // address space alone
    void *memory = mmap(0, (size_t)megabytes << 20, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    say(memory == MAP_FAILED ? "refused" : "reserved"); return 0; }
  if (!strcmp(what, "in-flight")) { // files without name and descriptor, on their way between two sockets
    int ends[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    memset(block, 7, sizeof block);
    for (long i = 0; i < megabytes / 8; i++) {
      int file = fill("gone", 8); unlink("gone");
      char control[CMSG_SPACE(sizeof file)]; memset(control, 0, sizeof control);
      struct iovec part = {"", 1};
      struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
      struct cmsghdr *header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET; header->cmsg_type = SCM_RIGHTS; header->cmsg_len = CMSG_LEN(sizeof file);
      memcpy(CMSG_DATA(header), &file, sizeof file);
      if (sendmsg(ends[0], &message, MSG_DONTWAIT) < 0) break;
      close(file);
    }
    sleep(1); survive(); }
  if (!strcmp(what, "timers")) { // of which a user has a number for all processes together
    struct sigevent none = {.sigev_notify = SIGEV_NONE}; timer_t timer; long made = 0;
    while (made < megabytes && syscall(SYS_timer_create, CLOCK_MONOTONIC, &none, &timer) == 0) made++;
    printf("%ld\n", made); return 0; }
  if (!strcmp(what, "pipes")) { // so many pages, too
    int ends[2]; pipe(ends);
    printf("%d %d\n", fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0 ? errno : 0, fcntl(ends[1], F_GETPIPE_SZ) > 0);
    return 0; }
  if (!strcmp(what, "allocation")) { // takes room without writing
    int file = open("room", O_RDWR | O_CREAT, 0600);
    int flags[] = {0, FALLOC_FL_KEEP_SIZE, FALLOC_FL_ZERO_RANGE};
    for (int i = 0; i < 3; i++) printf("%d ", fallocate(file, flags[i], 0, 128 << 20) < 0 ? errno : 0);
    printf("%d\n", posix_fallocate(file, 0, 1 << 20)); return 0; }
  if (!strcmp(what, "priority")) {
    struct sched_param one = {1};
    for (int policy = SCHED_FIFO; policy <= SCHED_RR; policy++)
      printf("%d ", sched_setscheduler(0, policy, &one) < 0 ? errno : 0);
    errno = 0; int nice = setpriority(PRIO_PROCESS, 0, -5) < 0 ? errno : 0;
    printf("%d\n", nice); return 0; }
  if (!strcmp(what, "closed")) { mkdir("closed", 0700); close(fill("closed/f", 1)); chmod("closed", 0); sleep(2); survive(); }
  keep_on(what);
}
