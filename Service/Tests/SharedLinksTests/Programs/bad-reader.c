// In the place of tickbird-reader: a process that the document which it reads has taken over. Words
// in the document say what it does; for all others it answers with one item.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned char out[1 << 20];
static uint32_t used;
static void byte(int b) { out[4 + used++] = (unsigned char)b; }
static void length(uint32_t n) { for (int i = 0; i < 4; i++) byte(n >> (8 * i)); }
static void bytes(const char *s) { length(strlen(s)); memcpy(out + 4 + used, s, strlen(s)); used += strlen(s); }
static void string(const char *s) { byte(5); bytes(s); }
static void all(const void *data, size_t count) {
  for (const char *p = data; count > 0;) { ssize_t n = write(3, p, count); if (n <= 0) _exit(9); p += n; count -= n; }
}
static void answer(void) { memcpy(out, &used, 4); all(out, 4 + used); used = 0; }
static void text(const char *key, const char *value) { bytes(key); string(value); }

static int says(const char *frame, uint32_t size, const char *word) {
  size_t count = strlen(word);
  for (uint32_t i = 0; i + count <= size; i++) if (!memcmp(frame + i, word, count)) return 1;
  return 0;
}

// A message begins with its version, 1. Keys stand in the order of their bytes.
static void feed(const char *address, const char *title, uint32_t entries) {
  byte(1); byte(0x0B); length(1); bytes("feed");
  byte(0x0B); length(4);
  bytes("entries"); byte(0x0A); length(entries);
  for (uint32_t i = 0; i < entries; i++) {
    byte(0x0B); length(3);
    text("address", address); text("text", "x"); text("title", title);
  }
  text("format", "rss");
  bytes("icons"); byte(0x0A); length(1); string(address);
  text("title", title);
  answer();
}

// What the process can get at: the first thing that it should not.
static const char *reached(void) {
  if (open("/etc/passwd", O_RDONLY) >= 0 || open("/proc/1/environ", O_RDONLY) >= 0) return "files";
  if (open("/", O_RDONLY) >= 0 || open("/tmp", O_RDONLY) >= 0) return "folders";
  if (open("made", O_RDWR | O_CREAT, 0600) >= 0 || mkdir("made", 0700) == 0) return "a file of its own";
  if (open("../made", O_RDWR | O_CREAT, 0600) >= 0 || open(".", O_TMPFILE | O_RDWR, 0600) >= 0) return "a file";
  if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0) return "sockets";
  if (fork() >= 0) return "processes";
  // In a namespace of processes the parent has no number; 0 would be the process's own group.
  if (getppid() != 0 && kill(getppid(), 0) == 0) return "its parent";
  for (int i = 4; i < 64; i++) if (fcntl(i, F_GETFD) >= 0) return "descriptors";
  return "nothing";
}

int main(void) {
  answer();  // it is there
  for (;;) {
    uint32_t size = 0;
    for (uint32_t have = 0; have < 4;) { ssize_t n = read(3, (char *)&size + have, 4 - have); if (n <= 0) return 0; have += n; }
    char *frame = malloc(size + 1);
    for (uint32_t have = 0; have < size;) { ssize_t n = read(3, frame + have, size - have); if (n <= 0) return 0; have += n; }
    if (says(frame, size, "CRASH")) raise(SIGSEGV);
    else if (says(frame, size, "TRAP")) __builtin_trap();
    else if (says(frame, size, "LEAVE")) return 0;
    else if (says(frame, size, "HANG")) for (;;) pause();
    else if (says(frame, size, "MEMORY")) for (;;) memset(malloc(1 << 20), 1, 1 << 20);
    else if (says(frame, size, "LONG")) { uint32_t huge = 0xFFFFFFFF; all(&huge, 4); }
    else if (says(frame, size, "HALF")) { uint32_t some = 100; all(&some, 4); return 0; }
    else if (says(frame, size, "RUBBISH")) { byte(1); byte(0x7F); answer(); }
    else if (says(frame, size, "NOTEXT")) { byte(1); byte(0x0B); length(1); bytes("feed"); byte(5); length(2); byte(0xC3); byte(0x28); answer(); }
    else if (says(frame, size, "COUNT")) { byte(1); byte(0x0A); length(0xFFFFFFF0); answer(); }
    else if (says(frame, size, "NEST")) { byte(1); for (int i = 0; i < 10000; i++) { byte(0x0A); length(1); } byte(0); answer(); }
    else if (says(frame, size, "TWICE")) all("\2\0\0\0\1\0\2\0\0\0\1\0", 12);
    else if (says(frame, size, "LIE")) feed("javascript:alert(1)", "a\x1b[31m\xe2\x80\xae\nb", 1);
    else if (says(frame, size, "REACH")) feed("https://example.org/", reached(), 1);
    else if (says(frame, size, "MANY")) feed("https://example.org/", "x", 9000);
    else feed("https://example.org/", "an item", 1);
    free(frame);
  }
}
