#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A page could write forever; more lines than this are dropped.
enum { MAX_LINES = 20000 };

static int source = -1;
static int standard_error = -1;
static GString *partial;
static GPtrArray *lines;
static ConsoleListener *listener;
static gpointer listener_data;

static void hear_line(const char *line) {
  const char *start = strstr(line, "CONSOLE ");
  if (!start) {
    if (standard_error >= 0) dprintf(standard_error, "%s\n", line);
    return;
  }
  if (lines->len < MAX_LINES) g_ptr_array_add(lines, g_strdup(start));
  if (!listener) return;
  static const char blocked[] = " from loading a resource from ";
  static const char promoted[] = "CONSOLE CONTENTBLOCKER INFO Promoted URL from ";
  const char *found = strstr(start, "INFO Content blocker prevented frame displaying ");
  const char *url = found ? strstr(found, blocked) : NULL;
  if (url) listener(CONSOLE_BLOCKED, url + strlen(blocked), listener_data);
  if (!g_str_has_prefix(start, promoted)) return;
  url = start + strlen(promoted);
  char *first = g_strndup(url, strcspn(url, " "));
  listener(CONSOLE_PROMOTED, first, listener_data);
  g_free(first);
}

void console_drain(void) {
  char bytes[4096];
  for (;;) {
    ssize_t count = read(source, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    const char *start = bytes;
    const char *end = bytes + count;
    const char *stop;
    while ((stop = memchr(start, '\n', (size_t)(end - start)))) {
      g_string_append_len(partial, start, stop - start);
      hear_line(partial->str);
      g_string_truncate(partial, 0);
      start = stop + 1;
    }
    g_string_append_len(partial, start, end - start);
  }
}

static gboolean readable(gint descriptor, GIOCondition condition, gpointer data) {
  (void)descriptor, (void)condition, (void)data;
  console_drain();
  return G_SOURCE_CONTINUE;
}

gboolean console_capture(gboolean talk, GError **error) {
  int ends[2];
  if (!g_unix_open_pipe(ends, FD_CLOEXEC, error) ||
      !g_unix_set_fd_nonblocking(ends[0], TRUE, error))
    return FALSE;
  standard_error = talk ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
  source = ends[0];
  if (dup2(ends[1], STDOUT_FILENO) < 0 || dup2(ends[1], STDERR_FILENO) < 0) {
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_FAILED, "no descriptors for the console");
    return FALSE;
  }
  close(ends[1]);
  partial = g_string_new(NULL);
  lines = g_ptr_array_new_with_free_func(g_free);
  g_unix_fd_add(source, G_IO_IN, readable, NULL);
  return TRUE;
}

void console_listen(ConsoleListener *call, gpointer data) {
  listener = call;
  listener_data = data;
}

GPtrArray *console_lines(void) {
  return lines;
}

void console_clear(void) {
  g_ptr_array_set_size(lines, 0);
}
