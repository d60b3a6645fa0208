#include "store.h"

struct Store {
  WebKitUserContentFilterStore *engine;
  guint64 serial;
};

typedef struct {
  gboolean finished;
  WebKitUserContentFilter *filter;
  GError *error;
} Compilation;

Store *store_new(const char *folder) {
  Store *store = g_new0(Store, 1);
  char *path = g_build_filename(folder, "lists", NULL);
  store->engine = webkit_user_content_filter_store_new(path);
  g_free(path);
  return store;
}

void store_free(Store *store) {
  g_object_unref(store->engine);
  g_free(store);
}

static void saved(GObject *engine, GAsyncResult *result, gpointer data) {
  Compilation *compilation = data;
  compilation->filter = webkit_user_content_filter_store_save_finish(
      WEBKIT_USER_CONTENT_FILTER_STORE(engine), result, &compilation->error);
  compilation->finished = TRUE;
}

static void removed(GObject *engine, GAsyncResult *result, gpointer data) {
  (void)data;
  // A file that cannot be removed goes with the whole folder at the end.
  webkit_user_content_filter_store_remove_finish(WEBKIT_USER_CONTENT_FILTER_STORE(engine), result,
                                                 NULL);
}

WebKitUserContentFilter *store_compile(Store *store, GBytes *source, char **message) {
  // A name that was never used cannot be answered from an earlier compilation.
  char *name = g_strdup_printf("list-%" G_GUINT64_FORMAT, ++store->serial);
  Compilation compilation = {0};
  webkit_user_content_filter_store_save(store->engine, name, source, NULL, saved, &compilation);
  while (!compilation.finished) g_main_context_iteration(NULL, TRUE);

  if (compilation.filter)
    webkit_user_content_filter_store_remove(store->engine, name, NULL, removed, NULL);
  else
    *message = g_strdup(compilation.error ? compilation.error->message : "no error was given");
  g_clear_error(&compilation.error);
  g_free(name);
  return compilation.filter;
}
