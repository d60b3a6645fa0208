// webkit-referee: asks WebKit itself what it does with content-blocker rule lists.
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "supervisor.h"
#include "worker.h"

static const char help[] =
    "Usage: webkit-referee [--limit SECONDS] [--renew COUNT] [--verbose]\n"
    "\n"
    "Reads one JSON request a line from standard input and writes one JSON answer a line, in\n"
    "order. README.md describes both. Needs a display; xvfb-run -a gives one.\n"
    "\n"
    "  {\"id\":1,\"op\":\"compile\",\"list\":\"[...]\"}\n"
    "  {\"id\":2,\"op\":\"load\",\"lists\":[\"[...]\"],\"page\":\"http://top.test/\",\n"
    "   \"subresources\":[{\"type\":\"image\",\"url\":\"http://a.test/x.png\"}]}\n"
    "  {\"id\":3,\"op\":\"url\",\"url\":\"HTTP://A.test:80\"}\n"
    "  {\"id\":4,\"op\":\"engine\"}\n"
    "\n"
    "Options:\n"
    "  --limit SECONDS  end the engine when one request takes longer (default 120)\n"
    "  --renew COUNT    start a new engine after so many requests (default 5000)\n"
    "  --verbose        show what the engine's processes write to standard error\n"
    "  --help           print this\n";

// What the engine needs to run in a container: no sandbox of its own, no graphics card, no
// session bus, no settings of the user. Whoever sets one of these otherwise is obeyed. What it
// writes, temporary files that it leaves behind included, goes to the given folder in any case.
static void prepare_environment(const char *folder) {
  static const char *const values[][2] = {
      {"WEBKIT_DISABLE_COMPOSITING_MODE", "1"},
      {"WEBKIT_DISABLE_DMABUF_RENDERER", "1"},
      {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1"},
      {"LIBGL_ALWAYS_SOFTWARE", "1"},
      {"GDK_BACKEND", "x11"},
      {"GSETTINGS_BACKEND", "memory"},
      {"GIO_USE_VFS", "local"},
      {"GIO_USE_PROXY_RESOLVER", "dummy"},
      {"NO_AT_BRIDGE", "1"},
      {"GTK_A11Y", "none"},
      {"DBUS_SESSION_BUS_ADDRESS", "disabled:"},
      {"GST_REGISTRY_UPDATE", "no"},
  };
  static const char *const folders[] = {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
                                        "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "TMPDIR"};
  for (gsize i = 0; i < G_N_ELEMENTS(values); i++) g_setenv(values[i][0], values[i][1], FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) g_setenv(folders[i], folder, TRUE);
}

static int usage(void) {
  fputs("webkit-referee: unknown or incomplete option; see --help\n", stderr);
  return 64;
}

static gboolean read_count(const char *text, int *count) {
  char *end;
  long value = strtol(text, &end, 10);
  if (end == text || *end || value < 1 || value > 1000000) return FALSE;
  *count = (int)value;
  return TRUE;
}

int main(int count, char **words) {
  SupervisorOptions options = {.limit = 120, .renew = 5000};
  for (int i = 1; i < count; i++) {
    gboolean more = i + 1 < count;
    if (strcmp(words[i], "--help") == 0) {
      fputs(help, stdout);
      return 0;
    }
    gboolean talk = strcmp(words[i], "--talking-worker") == 0;
    if (more && (talk || strcmp(words[i], "--worker") == 0)) {
      prepare_environment(words[i + 1]);
      return worker_run(words[i + 1], talk);
    }
    if (strcmp(words[i], "--verbose") == 0) {
      options.talk = TRUE;
      continue;
    }
    int *option = strcmp(words[i], "--limit") == 0   ? &options.limit
                  : strcmp(words[i], "--renew") == 0 ? &options.renew
                                                     : NULL;
    if (!option || !more || !read_count(words[++i], option)) return usage();
  }
  return supervisor_run(&options);
}
