#include "referee.h"

#include <string.h>
#include <webkit2/webkit2.h>

#include "browser.h"
#include "console.h"
#include "fields.h"
#include "store.h"
#include "trial.h"

static Store *store;
static guint64 serial;
static char *browser_folder;

gboolean referee_start(const char *folder, GError **error) {
  if (!proxy_start(error)) return FALSE;
  store = store_new(folder);
  browser_folder = g_build_filename(folder, "browser", NULL);
  return TRUE;
}

static JsonObject *complaint_of(const char *text) {
  JsonObject *answer = json_object_new();
  json_object_set_string_member(answer, "error", text);
  return answer;
}

// The list of a compile request: text, or exact bytes in base 64.
static GBytes *list_of(JsonObject *request) {
  const char *text = field_string(request, "list", NULL);
  if (text) return g_bytes_new(text, strlen(text));
  const char *coded = field_string(request, "list_base64", NULL);
  if (!coded) return NULL;
  gsize length;
  guchar *bytes = g_base64_decode(coded, &length);
  return g_bytes_new_take(bytes, length);
}

static JsonObject *answer_compile(JsonObject *request) {
  GBytes *list = list_of(request);
  if (!list) return complaint_of("compile needs a \"list\", a string of JSON text");
  char *message = NULL;
  gint64 begun = g_get_monotonic_time();
  WebKitUserContentFilter *filter = store_compile(store, list, &message);
  JsonObject *answer = json_object_new();
  json_object_set_boolean_member(answer, "accepted", filter != NULL);
  json_object_set_string_member(answer, "message", message ? message : "");
  json_object_set_int_member(answer, "microseconds", g_get_monotonic_time() - begun);
  g_clear_pointer(&filter, webkit_user_content_filter_unref);
  g_free(message);
  g_bytes_unref(list);
  return answer;
}

static GPtrArray *compile_lists(JsonObject *request, char **complaint) {
  GPtrArray *filters =
      g_ptr_array_new_with_free_func((GDestroyNotify)webkit_user_content_filter_unref);
  char **lists = field_strings(request, "lists");
  for (guint i = 0; lists[i]; i++) {
    char *message = NULL;
    GBytes *list = g_bytes_new(lists[i], strlen(lists[i]));
    WebKitUserContentFilter *filter = store_compile(store, list, &message);
    g_bytes_unref(list);
    if (filter) {
      g_ptr_array_add(filters, filter);
      continue;
    }
    *complaint = g_strdup_printf("list %u was refused: %s", i, message);
    g_free(message);
    break;
  }
  g_strfreev(lists);
  if (!*complaint) return filters;
  g_ptr_array_unref(filters);
  return NULL;
}

static JsonObject *answer_load(JsonObject *request) {
  static gboolean started;
  char *complaint = NULL;
  Case *subject = case_parse(request, ++serial, &complaint);
  GPtrArray *filters = subject ? compile_lists(request, &complaint) : NULL;
  JsonObject *answer = NULL;
  if (filters) {
    if (!started) browser_start(browser_folder);
    started = TRUE;
    answer = trial_run(subject, filters);
    g_ptr_array_unref(filters);
  } else {
    answer = complaint_of(complaint);
  }
  g_free(complaint);
  if (subject) case_free(subject);
  return answer;
}

static JsonObject *answer_url(JsonObject *request) {
  const char *url = field_string(request, "url", NULL);
  if (!url) return complaint_of("url needs a \"url\", a string");
  char *canonical = url_canonical(url);
  JsonObject *answer = json_object_new();
  if (canonical) json_object_set_string_member(answer, "href", canonical);
  else json_object_set_null_member(answer, "href");
  g_free(canonical);
  return answer;
}

static JsonObject *answer_engine(void) {
  char *version = g_strdup_printf("WebKitGTK %u.%u.%u", webkit_get_major_version(),
                                  webkit_get_minor_version(), webkit_get_micro_version());
  JsonObject *answer = json_object_new();
  json_object_set_string_member(answer, "engine", version);
  g_free(version);
  return answer;
}

static JsonObject *answer_request(JsonObject *request) {
  const char *operation = field_string(request, "op", "");
  if (strcmp(operation, "compile") == 0) return answer_compile(request);
  if (strcmp(operation, "load") == 0) return answer_load(request);
  if (strcmp(operation, "url") == 0) return answer_url(request);
  if (strcmp(operation, "engine") == 0) return answer_engine();
  return complaint_of("\"op\" must be one of: compile load url engine");
}

static char *finish(JsonObject *answer, JsonObject *request) {
  JsonNode *identifier = request ? json_object_get_member(request, "id") : NULL;
  if (identifier) json_object_set_member(answer, "id", json_node_copy(identifier));
  else json_object_set_null_member(answer, "id");
  char *line = line_of_object(answer);
  json_object_unref(answer);
  return line;
}

static JsonNode *parse(const char *line, JsonObject **request) {
  JsonNode *root = json_from_string(line, NULL);
  *request = root && JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : NULL;
  return root;
}

char *referee_answer(const char *line) {
  JsonObject *request;
  JsonNode *root = parse(line, &request);
  char *answer = finish(request ? answer_request(request)
                                : complaint_of("a request must be one JSON object on one line"),
                        request);
  g_clear_pointer(&root, json_node_unref);
  return answer;
}

char *referee_complaint(const char *line, const char *complaint) {
  JsonObject *request;
  JsonNode *root = parse(line, &request);
  char *answer = finish(complaint_of(complaint), request);
  g_clear_pointer(&root, json_node_unref);
  return answer;
}
