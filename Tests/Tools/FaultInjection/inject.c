// Stands between a program and the C library's file functions, by LD_PRELOAD.
//
// Environment:
//   INJECT_ROOT   paths below it are watched; a program may change others as it likes
//   INJECT_PATH   a text; paths without it are not watched either
//   INJECT_AT     the number of the call that fails, counted from 1; 0 or absent: none
//   INJECT_ERROR  the error number; 0: the call writes half of its bytes, where it writes
//   INJECT_ONCE   1: that call alone; otherwise all calls from it on that INJECT_ERROR can meet
//   INJECT_COUNT  a file that gets a byte for each watched call
//   INJECT_LOG    a file that gets a record for each change that was made, for a model of power loss
//
// Calls are counted over all processes of a run by the length of INJECT_COUNT.
//
// A record is a line of text, which the bytes follow that it counts. Inodes are DEVICE:NUMBER, and
// names are in hexadecimal.
//   W INODE OFFSET LENGTH                bytes were written
//   T INODE LENGTH                       a file got a length
//   S INODE                              waiting for the disk has ended
//   L FOLDER NAME INODE KIND             a name was made, of a new file (f) or folder (d), or as a
//                                        further name of a file (h)
//   U FOLDER NAME                        a name was removed
//   R FOLDER NAME FOLDER NAME INODE KIND a name was moved
//   A BYTES                              bytes went to standard output: an answer
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char root[PATH_MAX];
static const char *part_of_path;
static size_t root_length;
static long fail_at;
static int fail_error, fail_once;
static int count_fd = -1, log_fd = -1;
static int ready;

#define REAL(type, name, ...)                                          \
  static type (*real)(__VA_ARGS__);                                    \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

// Moved out of the way of programs that close what they do not know.
static int own(const char *variable) {
  const char *path = getenv(variable);
  if (!path || !*path) return -1;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return -1;
  int high = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 900);
  if (high < 0) return fd;
  syscall(SYS_close, fd);
  return high;
}

__attribute__((constructor)) static void start(void) {
  const char *given = getenv("INJECT_ROOT");
  if (!given || !realpath(given, root)) return;
  root_length = strlen(root);
  part_of_path = getenv("INJECT_PATH");
  const char *text = getenv("INJECT_AT");
  fail_at = text ? atol(text) : 0;
  text = getenv("INJECT_ERROR");
  fail_error = text ? atoi(text) : EIO;
  text = getenv("INJECT_ONCE");
  fail_once = text && *text == '1';
  count_fd = own("INJECT_COUNT");
  log_fd = own("INJECT_LOG");
  ready = 1;
}

static int below(const char *path) {
  return strncmp(path, root, root_length) == 0 && (path[root_length] == 0 || path[root_length] == '/');
}

// Whether a path, or a name in a folder, is one of those that are meant.
static int meant(const char *path, const char *name) {
  if (!below(path)) return 0;
  if (!part_of_path) return 1;
  char full[PATH_MAX + NAME_MAX + 2];
  snprintf(full, sizeof full, "%s%s%s", path, name ? "/" : "", name ? name : "");
  return strstr(full + root_length, part_of_path) != NULL;
}

static int fd_path(int fd, char *buffer) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, PATH_MAX - 1);
  if (n <= 0) return 0;
  buffer[n] = 0;
  return 1;
}

static int watched_fd(int fd) {
  if (!ready || fd < 0 || fd == count_fd || fd == log_fd) return 0;
  char path[PATH_MAX];
  return fd_path(fd, path) && meant(path, NULL);
}

// The folder that a path's name is in, and the name; 0 if it is not watched.
static int place(int at, const char *path, char *folder, const char **name) {
  if (!ready || !path) return 0;
  static __thread char copy[PATH_MAX];
  if (snprintf(copy, sizeof copy, "%s", path) >= (int)sizeof copy) return 0;
  size_t n = strlen(copy);
  while (n > 1 && copy[n - 1] == '/') copy[--n] = 0;
  char *slash = strrchr(copy, '/');
  static __thread char last[NAME_MAX + 1];
  snprintf(last, sizeof last, "%.255s", slash ? slash + 1 : copy);
  *name = last;
  char part[PATH_MAX];
  if (slash) {
    *slash = 0;
    snprintf(part, sizeof part, "%s", *copy ? copy : "/");
  } else {
    strcpy(part, ".");
  }
  if (at == AT_FDCWD || part[0] == '/') {
    if (!realpath(part, folder)) return 0;
  } else {
    char base[PATH_MAX], joined[2 * PATH_MAX];
    if (!fd_path(at, base)) return 0;
    snprintf(joined, sizeof joined, "%s/%s", base, part);
    if (!realpath(joined, folder)) return 0;
  }
  return meant(folder, *name);
}

enum { PLAIN, WRITES };

// Counts a call that the error can meet. Returns 1 if it is to fail, with errno set; 2 if it is to
// write a part.
static int verdict(int kind, int needs_room) {
  if (!ready || count_fd < 0) return 0;
  if ((fail_error == ENOSPC || fail_error == EDQUOT) && !needs_room) return 0;
  if (fail_error == 0 && kind != WRITES) return 0;
  // Appending is atomic, and the offset afterwards is the number of the call.
  if (syscall(SYS_write, count_fd, "c", 1) != 1) return 0;
  long number = (long)syscall(SYS_lseek, count_fd, 0, SEEK_CUR);
  if (fail_at <= 0 || number < fail_at) return 0;
  if ((fail_once || fail_error == 0) && number > fail_at) return 0;
  if (fail_error == 0) return 2;
  errno = fail_error;
  return 1;
}

static void record(const char *line, const void *bytes, size_t length) {
  if (log_fd < 0) return;
  int saved = errno;
  struct iovec parts[2] = {{(void *)line, strlen(line)}, {(void *)bytes, length}};
  syscall(SYS_writev, log_fd, parts, bytes ? 2 : 1);
  errno = saved;
}

static void identity(struct stat *st, char *text) {
  sprintf(text, "%llx:%llx", (unsigned long long)st->st_dev, (unsigned long long)st->st_ino);
}

static int fd_identity(int fd, char *text) {
  struct stat st;
  if (fstat(fd, &st)) return 0;
  identity(&st, text);
  return 1;
}

static int path_identity(const char *path, char *text) {
  struct stat st;
  if (lstat(path, &st)) return 0;
  identity(&st, text);
  return 1;
}

static void hex(const char *text, char *out) {
  for (; *text; text++, out += 2) sprintf(out, "%02x", (unsigned char)*text);
  *out = 0;
}

static void record_name(char kind, const char *folder, const char *name, const char *inode, char type) {
  char line[2048], where[64], hexed[2 * NAME_MAX + 1];
  if (log_fd < 0 || !path_identity(folder, where)) return;
  hex(name, hexed);
  if (kind == 'L') snprintf(line, sizeof line, "L %s %s %s %c\n", where, hexed, inode, type);
  else snprintf(line, sizeof line, "U %s %s\n", where, hexed);
  record(line, NULL, 0);
}

static void record_write(int fd, off_t offset, const void *bytes, size_t length) {
  char line[256], which[64];
  if (log_fd < 0 || !length || !fd_identity(fd, which)) return;
  snprintf(line, sizeof line, "W %s %lld %zu\n", which, (long long)offset, length);
  record(line, bytes, length);
}

static void record_fd(char kind, int fd, long long length) {
  char line[256], which[64];
  if (log_fd < 0 || !fd_identity(fd, which)) return;
  if (kind == 'S') snprintf(line, sizeof line, "S %s\n", which);
  else snprintf(line, sizeof line, "T %s %lld\n", which, length);
  record(line, NULL, 0);
}

// MARK: Opening

static int open_at(int at, const char *path, int flags, mode_t mode) {
  char folder[PATH_MAX], full[2 * PATH_MAX];
  const char *name = NULL;
  struct stat st;
  int is_new = 0, cuts = 0;
  int watched = place(at, path, folder, &name);
  if (watched) {
    snprintf(full, sizeof full, "%s/%s", folder, name);
    is_new = (flags & O_CREAT) && lstat(full, &st) != 0;
    cuts = (flags & O_TRUNC) && !is_new;
    // Opening to read changes nothing, but it may fail as well.
    if (strcmp(name, "..") && verdict(PLAIN, is_new) == 1) return -1;
  }
  int fd = (int)syscall(SYS_openat, at, path, flags, mode);
  if (fd >= 0 && watched) {
    char which[64];
    if (is_new && fd_identity(fd, which)) record_name('L', folder, name, which, 'f');
    if (cuts) record_fd('T', fd, 0);
  }
  return fd;
}

static mode_t mode_of(int flags, va_list list) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

#define OPEN(name)                                   \
  int name(const char *path, int flags, ...) {       \
    va_list list;                                    \
    va_start(list, flags);                           \
    mode_t mode = mode_of(flags, list);              \
    va_end(list);                                    \
    return open_at(AT_FDCWD, path, flags, mode);     \
  }
#define OPENAT(name)                                 \
  int name(int at, const char *path, int flags, ...) { \
    va_list list;                                    \
    va_start(list, flags);                           \
    mode_t mode = mode_of(flags, list);              \
    va_end(list);                                    \
    return open_at(at, path, flags, mode);           \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
int creat(const char *path, mode_t mode) {
  return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
// fopen of the C library does not come by open.
FILE *fopen(const char *path, const char *mode) {
  REAL(FILE *, "fopen", const char *, const char *);
  char folder[PATH_MAX];
  const char *name;
  if (place(AT_FDCWD, path, folder, &name) && verdict(PLAIN, *mode != 'r') == 1) return NULL;
  return real(path, mode);
}

// MARK: Writing

// An answer is what others see: standard output, or a socket.
static void record_answer(int fd, const void *bytes, size_t length) {
  if (fd != 1 || log_fd < 0) return;
  static const char digits[] = "0123456789abcdef";
  char *line = malloc(2 * length + 4), *p = line;
  *p++ = 'A';
  *p++ = ' ';
  for (size_t i = 0; i < length; i++) {
    *p++ = digits[((const unsigned char *)bytes)[i] >> 4];
    *p++ = digits[((const unsigned char *)bytes)[i] & 15];
  }
  *p++ = '\n';
  *p = 0;
  record(line, NULL, 0);
  free(line);
}

ssize_t write(int fd, const void *bytes, size_t length) {
  if (!watched_fd(fd)) {
    // Told before, so that what is recorded after it came after it.
    record_answer(fd, bytes, length);
    return syscall(SYS_write, fd, bytes, length);
  }
  int v = verdict(WRITES, 1);
  if (v == 1) return -1;
  if (v == 2 && length > 1) length /= 2;
  ssize_t n = syscall(SYS_write, fd, bytes, length);
  if (n > 0) record_write(fd, (off_t)syscall(SYS_lseek, fd, 0, SEEK_CUR) - n, bytes, (size_t)n);
  return n;
}

static ssize_t pwrite_any(int fd, const void *bytes, size_t length, off_t offset) {
  if (!watched_fd(fd)) return syscall(SYS_pwrite64, fd, bytes, length, offset);
  int v = verdict(WRITES, 1);
  if (v == 1) return -1;
  if (v == 2 && length > 1) length /= 2;
  ssize_t n = syscall(SYS_pwrite64, fd, bytes, length, offset);
  if (n > 0) record_write(fd, offset, bytes, (size_t)n);
  return n;
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  return pwrite_any(fd, bytes, length, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) {
  return pwrite_any(fd, bytes, length, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (!watched_fd(fd)) return syscall(SYS_writev, fd, parts, count);
  ssize_t total = 0;
  for (int i = 0; i < count; i++) {
    ssize_t n = write(fd, parts[i].iov_base, parts[i].iov_len);
    if (n < 0) return total ? total : -1;
    total += n;
    if ((size_t)n < parts[i].iov_len) break;
  }
  return total;
}

// Programs go on by reading and writing, which is recorded.
ssize_t copy_file_range(int in, off_t *a, int out, off_t *b, size_t n, unsigned flags) {
  if (watched_fd(out)) {
    errno = ENOSYS;
    return -1;
  }
  return syscall(SYS_copy_file_range, in, a, out, b, n, flags);
}
static ssize_t send_any(int out, int in, off_t *offset, size_t count) {
  if (!watched_fd(out)) return syscall(SYS_sendfile, out, in, offset, count);
  static char buffer[1 << 16];
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  if (count > sizeof buffer) count = sizeof buffer;
  ssize_t n = offset ? syscall(SYS_pread64, in, buffer, count, *offset)
                     : syscall(SYS_read, in, buffer, count);
  if (n > 0) n = write(out, buffer, (size_t)n);
  if (n > 0 && offset) *offset += n;
  pthread_mutex_unlock(&lock);
  return n;
}
ssize_t sendfile(int out, int in, off_t *offset, size_t count) { return send_any(out, in, offset, count); }
ssize_t sendfile64(int out, int in, off_t *offset, size_t count) { return send_any(out, in, offset, count); }

static int truncate_any(int fd, off_t length) {
  if (!watched_fd(fd)) return (int)syscall(SYS_ftruncate, fd, length);
  if (verdict(PLAIN, 1) == 1) return -1;
  int result = (int)syscall(SYS_ftruncate, fd, length);
  if (!result) record_fd('T', fd, length);
  return result;
}
int ftruncate(int fd, off_t length) { return truncate_any(fd, length); }
int ftruncate64(int fd, off_t length) { return truncate_any(fd, length); }

int fallocate(int fd, int mode, off_t offset, off_t length) {
  if (watched_fd(fd) && verdict(PLAIN, 1) == 1) return -1;
  return (int)syscall(SYS_fallocate, fd, mode, offset, length);
}
int posix_fallocate(int fd, off_t offset, off_t length) {
  return fallocate(fd, 0, offset, length) == 0 ? 0 : errno;
}
int posix_fallocate64(int fd, off_t offset, off_t length) { return posix_fallocate(fd, offset, length); }

// MARK: Waiting for the disk

static int sync_any(int fd, long call) {
  int watched = watched_fd(fd);
  if (watched && verdict(PLAIN, 0) == 1) return -1;
  // The disk of the tests need not be waited for: what counts is that it was asked.
  int result = watched && log_fd < 0 && getenv("INJECT_FAST") ? 0 : (int)syscall(call, fd);
  if (watched && !result) record_fd('S', fd, 0);
  return result;
}
int fsync(int fd) { return sync_any(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_any(fd, SYS_fdatasync); }
int syncfs(int fd) { return sync_any(fd, SYS_syncfs); }
int msync(void *start, size_t length, int flags) {
  return (int)syscall(SYS_msync, start, length, flags);
}

// MARK: Names

static int rename_any(int from, const char *old, int to, const char *new, unsigned flags) {
  char source[PATH_MAX], target[PATH_MAX], full[2 * PATH_MAX], keep[NAME_MAX + 1], which[64];
  const char *name;
  int a = place(from, old, source, &name);
  snprintf(keep, sizeof keep, "%s", a ? name : "");
  int b = place(to, new, target, &name);
  if ((a || b) && verdict(PLAIN, 1) == 1) return -1;
  int known = 0;
  if (a) {
    snprintf(full, sizeof full, "%s/%s", source, keep);
    known = path_identity(full, which);
  }
  struct stat st;
  int folder = a && lstat(full, &st) == 0 && S_ISDIR(st.st_mode);
  int result = flags ? (int)syscall(SYS_renameat2, from, old, to, new, flags)
                     : (int)syscall(SYS_renameat, from, old, to, new);
  if (!result && a && b && known && log_fd >= 0) {
    char line[4096], one[64], two[64], hexed[2 * NAME_MAX + 1], other[2 * NAME_MAX + 1];
    path_identity(source, one);
    path_identity(target, two);
    hex(keep, hexed);
    hex(name, other);
    snprintf(line, sizeof line, "R %s %s %s %s %s %c\n", one, hexed, two, other, which,
             folder ? 'd' : 'f');
    record(line, NULL, 0);
  }
  return result;
}
int rename(const char *old, const char *new) { return rename_any(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int a, const char *old, int b, const char *new) { return rename_any(a, old, b, new, 0); }
int renameat2(int a, const char *old, int b, const char *new, unsigned flags) {
  return rename_any(a, old, b, new, flags);
}

static int unlink_any(int at, const char *path, int flags) {
  char folder[PATH_MAX];
  const char *name;
  int watched = place(at, path, folder, &name);
  if (watched && verdict(PLAIN, 0) == 1) return -1;
  int result = (int)syscall(SYS_unlinkat, at, path, flags);
  if (watched && !result) record_name('U', folder, name, NULL, 0);
  return result;
}
int unlink(const char *path) { return unlink_any(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return unlink_any(at, path, flags); }
int rmdir(const char *path) { return unlink_any(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) ? rmdir(path) : unlink(path);
}

static int mkdir_any(int at, const char *path, mode_t mode) {
  char folder[PATH_MAX], full[2 * PATH_MAX], which[64];
  const char *name;
  int watched = place(at, path, folder, &name);
  if (watched && verdict(PLAIN, 1) == 1) return -1;
  int result = (int)syscall(SYS_mkdirat, at, path, mode);
  if (watched && !result) {
    snprintf(full, sizeof full, "%s/%s", folder, name);
    if (path_identity(full, which)) record_name('L', folder, name, which, 'd');
  }
  return result;
}
int mkdir(const char *path, mode_t mode) { return mkdir_any(AT_FDCWD, path, mode); }
int mkdirat(int at, const char *path, mode_t mode) { return mkdir_any(at, path, mode); }

static int link_any(int from, const char *old, int to, const char *new, int flags) {
  char folder[PATH_MAX], full[2 * PATH_MAX], which[64];
  const char *name;
  int watched = place(to, new, folder, &name);
  if (watched && verdict(PLAIN, 1) == 1) return -1;
  int result = (int)syscall(SYS_linkat, from, old, to, new, flags);
  if (watched && !result) {
    snprintf(full, sizeof full, "%s/%s", folder, name);
    if (path_identity(full, which)) record_name('L', folder, name, which, 'h');
  }
  return result;
}
int link(const char *old, const char *new) { return link_any(AT_FDCWD, old, AT_FDCWD, new, 0); }
int linkat(int a, const char *old, int b, const char *new, int flags) {
  return link_any(a, old, b, new, flags);
}

// MARK: Reading

ssize_t read(int fd, void *bytes, size_t length) {
  if (watched_fd(fd) && verdict(PLAIN, 0) == 1)
    return -1;
  return syscall(SYS_read, fd, bytes, length);
}
static ssize_t pread_any(int fd, void *bytes, size_t length, off_t offset) {
  if (watched_fd(fd) && verdict(PLAIN, 0) == 1)
    return -1;
  return syscall(SYS_pread64, fd, bytes, length, offset);
}
ssize_t pread(int fd, void *bytes, size_t length, off_t offset) { return pread_any(fd, bytes, length, offset); }
ssize_t pread64(int fd, void *bytes, size_t length, off_t offset) { return pread_any(fd, bytes, length, offset); }
struct dirent *readdir(DIR *folder) {
  REAL(struct dirent *, "readdir", DIR *);
  if (watched_fd(dirfd(folder)) && verdict(PLAIN, 0) == 1) return NULL;
  return real(folder);
}
