// Compiles a rule list through WebKitGTK's store and prints what that cost.
//
// usage: webkit-compile LIST FOLDER

#define _GNU_SOURCE
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <webkit2/webkit2.h>

static gboolean finished;
static WebKitUserContentFilter *filter;
static GError *error;

static void saved(GObject *store, GAsyncResult *result, gpointer data) {
  (void)data;
  filter = webkit_user_content_filter_store_save_finish(WEBKIT_USER_CONTENT_FILTER_STORE(store),
                                                        result, &error);
  finished = TRUE;
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

// The most memory that was resident. Not from getrusage, which counts in the program that started
// this one.
static long peak(void) {
  char line[256];
  long kilobytes = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
  if (status) fclose(status);
  return kilobytes * 1024;
}

// The bytes of all files in a folder, where the store has put just the one list.
static gint64 size_of_files(const char *folder) {
  gint64 total = 0;
  GDir *directory = g_dir_open(folder, 0, NULL);
  const char *name;
  while (directory && (name = g_dir_read_name(directory))) {
    char *path = g_build_filename(folder, name, NULL);
    GStatBuf status;
    if (!g_stat(path, &status) && S_ISREG(status.st_mode)) total += status.st_size;
    g_free(path);
  }
  if (directory) g_dir_close(directory);
  return total;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: webkit-compile LIST FOLDER\n");
    return 64;
  }
  char *text;
  gsize length;
  if (!g_file_get_contents(argv[1], &text, &length, &error)) {
    fprintf(stderr, "webkit-compile: %s\n", error->message);
    return 66;
  }
  GBytes *source = g_bytes_new_take(text, length);
  WebKitUserContentFilterStore *store = webkit_user_content_filter_store_new(argv[2]);
  long before = peak();
  // The store compiles on threads of its own, so the time is the whole process's.
  double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
  webkit_user_content_filter_store_save(store, "list", source, NULL, saved, NULL);
  while (!finished) g_main_context_iteration(NULL, TRUE);
  cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  wall = now(CLOCK_MONOTONIC) - wall;
  if (!filter) {
    fprintf(stderr, "webkit-compile: %s\n", error ? error->message : "no error was given");
    return 1;
  }
  printf("{\"seconds\": %.6f, \"wall\": %.6f, \"peak\": %ld, \"before\": %ld, \"file\": %" G_GINT64_FORMAT
         ", \"version\": \"%u.%u.%u\"}\n",
         cpu, wall, peak(), before, size_of_files(argv[2]), webkit_get_major_version(),
         webkit_get_minor_version(), webkit_get_micro_version());
  return 0;
}
