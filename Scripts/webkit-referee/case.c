#include "case.h"

#include <string.h>
#include <webkit2/webkit2.h>

#include "document.h"
#include "fields.h"

// MARK: URLs

char *url_canonical(const char *url) {
  // The request object holds the URL as WebKit's own parser wrote it. It takes its text for
  // Latin-1, so that other text goes in percent-encoded, which the parser reads as the same URL.
  GString *ascii = g_string_new(NULL);
  for (const char *byte = url; *byte; byte++) {
    if ((guchar)*byte < 0x80) g_string_append_c(ascii, *byte);
    else g_string_append_printf(ascii, "%%%02X", (guchar)*byte);
  }
  WebKitURIRequest *request = webkit_uri_request_new(ascii->str);
  g_string_free(ascii, TRUE);
  char *canonical = g_strdup(webkit_uri_request_get_uri(request));
  g_object_unref(request);
  return canonical;
}

char *url_on_wire(const char *canonical) {
  const char *start = strstr(canonical, "://");
  if (!start) return g_strdup(canonical);
  const char *authority = start + 3;
  gsize length = strcspn(authority, "/?#");
  const char *rest = authority + length;
  const char *host = authority;
  for (gsize i = 0; i < length; i++)
    if (authority[i] == '@') host = authority + i + 1;
  return g_strdup_printf("%.*s%.*s%.*s", (int)(authority - canonical), canonical,
                         (int)(rest - host), host, (int)strcspn(rest, "#"), rest);
}

static gboolean is_network_url(const char *url) {
  static const char *const schemes[] = {"http://", "https://", "ws://", "wss://"};
  for (gsize i = 0; i < G_N_ELEMENTS(schemes); i++)
    if (g_str_has_prefix(url, schemes[i])) return TRUE;
  return FALSE;
}

// MARK: Reading

static void load_free(gpointer data) {
  Load *load = data;
  g_ptr_array_unref(load->children);
  g_free(load->given);
  g_free(load->href);
  g_strfreev(load->hops);
  g_free(load->method);
  g_strfreev(load->probes);
  g_free(load->html);
  g_free(load->event);
  g_free(load->blocked_url);
  if (load->request) json_object_unref(load->request);
  if (load->hidden) json_object_unref(load->hidden);
  g_free(load);
}

void case_free(Case *self) {
  g_ptr_array_unref(self->loads);
  g_free(self->from);
  g_free(self);
}

static void read_hops(Load *load) {
  GStrvBuilder *hops = g_strv_builder_new();
  char *first = url_on_wire(load->href);
  g_strv_builder_add(hops, first);
  g_free(first);
  char **redirects = field_strings(load->request, "redirects");
  for (char **redirect = redirects; *redirect; redirect++) {
    char *canonical = url_canonical(*redirect);
    char *hop = url_on_wire(canonical);
    g_strv_builder_add(hops, hop);
    g_free(hop);
    g_free(canonical);
  }
  g_strfreev(redirects);
  load->hops = g_strv_builder_end(hops);
  g_strv_builder_unref(hops);
}

enum { MAX_DEPTH = 20, MAX_LOADS = 5000 };

static Load *parse_load(Case *self, JsonObject *request, const Type *type, Load *parent,
                        guint depth, char **complaint);

static gboolean parse_children(Case *self, Load *load, guint depth, char **complaint) {
  JsonArray *children = field_array(load->request, "subresources");
  for (guint i = 0; children && i < json_array_get_length(children); i++) {
    JsonNode *node = json_array_get_element(children, i);
    JsonObject *child = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
    const char *name = child ? field_string(child, "type", NULL) : NULL;
    const Type *type = name ? type_named(name) : NULL;
    if (!type) {
      char *names = type_names();
      *complaint = g_strdup_printf("a subresource needs a \"type\", one of: %s", names);
      g_free(names);
      return FALSE;
    }
    Load *made = parse_load(self, child, type, load, depth + 1, complaint);
    if (!made) return FALSE;
    g_ptr_array_add(load->children, made);
  }
  return TRUE;
}

static Load *parse_load(Case *self, JsonObject *request, const Type *type, Load *parent,
                        guint depth, char **complaint) {
  gboolean is_page = parent == NULL;
  gboolean inner = g_str_equal(type->name, "srcdoc");
  const char *field = is_page ? "page" : "url";
  const char *given = inner ? "about:srcdoc" : field_string(request, field, NULL);
  if (!given || depth > MAX_DEPTH || self->loads->len >= MAX_LOADS) {
    *complaint = g_strdup(!given ? (is_page ? "a load needs a \"page\", a URL"
                                            : "a subresource needs a \"url\"")
                                 : "too many subresources, or frames too deep");
    return NULL;
  }
  Load *load = g_new0(Load, 1);
  load->number = self->loads->len;
  g_ptr_array_add(self->loads, load);
  load->type = type;
  load->parent = parent;
  load->children = g_ptr_array_new();
  load->request = json_object_ref(request);
  load->given = g_strdup(given);
  load->href = url_canonical(given);
  load->method = g_ascii_strup(field_string(request, "method", "GET"), -1);
  load->probes = field_strings(request, "probes");
  load->html = g_strdup(field_string(request, "html", NULL));
  load->quirks = field_boolean(request, "quirks", FALSE);
  load->sequential = field_boolean(request, "sequential", FALSE);
  read_hops(load);
  if (!inner && !is_network_url(load->href)) {
    *complaint = g_strdup_printf("only http, https, ws and wss URLs can be seen, not %s", given);
    return NULL;
  }
  if (is_page && strcmp(load->method, "GET") != 0 && strcmp(load->method, "POST") != 0) {
    *complaint = g_strdup("a page can only be loaded with the method GET or POST");
    return NULL;
  }
  if (!type->document && (load->html || *load->probes || field_array(request, "subresources"))) {
    *complaint = g_strdup_printf("a subresource of type %s has no content of its own", type->name);
    return NULL;
  }
  return parse_children(self, load, depth, complaint) ? load : NULL;
}

Case *case_parse(JsonObject *request, guint64 serial, char **complaint) {
  Case *self = g_new0(Case, 1);
  self->serial = serial;
  self->loads = g_ptr_array_new_with_free_func(load_free);
  self->from = g_strdup(field_string(request, "from", NULL));
  self->new_view = field_boolean(request, "new_view", FALSE);
  self->cookies = field_boolean(request, "cookies", FALSE);
  self->set_cookies = field_boolean(request, "set_cookies", FALSE);
  self->timeout = (guint)CLAMP(field_integer(request, "timeout_ms", 10000), 100, 600000);
  self->settle = (guint)CLAMP(field_integer(request, "settle_ms", 250), 0, 60000);
  self->page = parse_load(self, request, type_of_page(), NULL, 0, complaint);
  if (self->page && self->from && !is_network_url(self->from)) {
    *complaint = g_strdup("\"from\" must be an http or https URL");
    self->page = NULL;
  }
  if (self->page) return self;
  case_free(self);
  return NULL;
}

void case_publish(Case *self) {
  proxy_clear();
  proxy_set_cookies(self->set_cookies);
  for (guint i = 0; i < self->loads->len; i++) {
    Load *load = self->loads->pdata[i];
    char **hop = load->hops;
    for (; hop[1]; hop++) {
      Reply *reply = g_new0(Reply, 1);
      reply->media_type = g_strdup("text/plain");
      reply->body = g_bytes_new_static("", 0);
      reply->location = g_strdup(hop[1]);
      proxy_answer(*hop, reply);
    }
    Reply *reply = g_new0(Reply, 1);
    reply->media_type = g_strdup(load->type->media_type);
    if (load->type->document) {
      char *text = document_text(self, load);
      reply->body = g_bytes_new_take(text, strlen(text));
      reply->extra = document_headers(load);
    } else {
      reply->body = g_bytes_new_static(load->type->body, load->type->length);
    }
    proxy_answer(*hop, reply);
  }
}

// MARK: Listening

void case_hear(Case *self, const char *message) {
  JsonNode *root = json_from_string(message, NULL);
  JsonObject *object = root && JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : NULL;
  gint64 number = object ? field_integer(object, "load", -1) : -1;
  if (number >= 0 && number < self->loads->len &&
      field_integer(object, "case", -1) == (gint64)self->serial) {
    Load *load = self->loads->pdata[number];
    const char *event = field_string(object, "event", NULL);
    JsonNode *hidden = json_object_get_member(object, "hidden");
    if (hidden && JSON_NODE_HOLDS_OBJECT(hidden)) {
      if (load->hidden) json_object_unref(load->hidden);
      load->hidden = json_node_dup_object(hidden);
      load->probed = TRUE;
    } else if (event && strcmp(event, "running") == 0) {
      load->running = TRUE;
    } else if (event && strcmp(event, "begun") == 0) {
      load->begun = g_get_monotonic_time();
    } else if (event) {
      g_free(load->event);
      load->event = g_strdup(event);
      load->ended = strcmp(event, "sent") != 0;
    }
  }
  g_clear_pointer(&root, json_node_unref);
}

void case_hear_verdict(Case *self, ConsoleVerdict verdict, const char *url) {
  char *wire = url_on_wire(url);
  for (guint i = 0; i < self->loads->len; i++) {
    Load *load = self->loads->pdata[i];
    if (!g_strv_contains((const char *const *)load->hops, wire)) continue;
    if (verdict == CONSOLE_PROMOTED) load->promoted = TRUE;
    else if (!load->blocked_url) load->blocked_url = g_strdup(url);
  }
  g_free(wire);
}

// MARK: Judging

static Record *last_record(GPtrArray *records, const char *url) {
  for (guint i = records->len; i > 0; i--) {
    Record *record = records->pdata[i - 1];
    // A question beforehand is not the load.
    if (strcmp(record->url, url) == 0 && strcmp(record->method, "OPTIONS") != 0) return record;
  }
  return NULL;
}

static char *secure_form(const char *url) {
  if (g_str_has_prefix(url, "http:")) return g_strconcat("https", url + 4, NULL);
  if (g_str_has_prefix(url, "ws:")) return g_strconcat("wss", url + 2, NULL);
  return NULL;
}

// The record of the last hop, and whether any hop arrived in the secure form of its URL.
static Record *arrival(Load *load, GPtrArray *records, gboolean *upgraded) {
  Record *record = NULL;
  *upgraded = FALSE;
  for (char **hop = load->hops; *hop; hop++) {
    record = last_record(records, *hop);
    if (record) continue;
    char *secure = secure_form(*hop);
    record = secure ? last_record(records, secure) : NULL;
    g_free(secure);
    if (record) *upgraded = TRUE;
  }
  return record;
}

// Whether another load of the case has a URL of this one.
static gboolean shares_url(Case *self, Load *load) {
  for (guint i = 0; i < self->loads->len; i++) {
    Load *other = self->loads->pdata[i];
    if (other == load) continue;
    for (char **hop = load->hops; *hop; hop++)
      if (g_strv_contains((const char *const *)other->hops, *hop)) return TRUE;
  }
  return FALSE;
}

gboolean case_settled(Case *self, Load *load, GPtrArray *records) {
  if (load->blocked_url && !load->running) {
    // The verdict may be the other load's; the page tells how this one ends.
    gboolean tells = load->type->tells && !load->type->document;
    return load->ended || !tells || !shares_url(self, load);
  }
  if (load->type->document) {
    if (!load->running) return load->ended && strcmp(load->event, "error") == 0;
    for (guint i = 0; i < load->children->len; i++)
      if (!case_settled(self, load->children->pdata[i], records)) return FALSE;
    return TRUE;
  }
  if (load->ended) return TRUE;
  if (load->type->tells || !load->event) return FALSE;
  gboolean upgraded;
  if (arrival(load, records, &upgraded)) return TRUE;
  return g_get_monotonic_time() - load->begun > (gint64)self->settle * 1000;
}

static const char *outcome(Load *load, Record *record, gboolean upgraded) {
  const char *event = load->event ? load->event : "";
  // Two loads of one URL share their traces; then only the page can tell them apart.
  gboolean seen = record && !(load->blocked_url && strcmp(event, "error") == 0);
  if (load->parent && !load->begun) return "not-reached";
  if (seen) return upgraded ? "upgraded" : "loaded";
  if (load->blocked_url) return "blocked";
  if (load->running || strcmp(event, "load") == 0) return "loaded";
  if (strcmp(event, "error") == 0) return "failed";
  return "no-trace";
}

static void set_string(JsonObject *object, const char *name, const char *value) {
  if (value) json_object_set_string_member(object, name, value);
  else json_object_set_null_member(object, name);
}

JsonObject *case_describe(Case *self, Load *load, GPtrArray *records) {
  JsonObject *answer = json_object_new();
  gboolean upgraded;
  Record *record = arrival(load, records, &upgraded);
  set_string(answer, "url", load->given);
  set_string(answer, "href", load->href);
  set_string(answer, "type", load->type->name);
  set_string(answer, "outcome", outcome(load, record, upgraded));
  set_string(answer, "event", load->event);
  set_string(answer, "final_url", record ? record->url : NULL);
  set_string(answer, "method", record ? record->method : NULL);
  if (record) json_object_set_boolean_member(answer, "cookies", record->cookie != NULL);
  else json_object_set_null_member(answer, "cookies");
  set_string(answer, "blocked_url", load->blocked_url);
  json_object_set_boolean_member(answer, "promoted", load->promoted);
  if (!load->type->document) return answer;

  if (load->hidden) json_object_set_object_member(answer, "hidden", json_object_ref(load->hidden));
  else json_object_set_null_member(answer, "hidden");
  JsonArray *children = json_array_new();
  for (guint i = 0; i < load->children->len; i++)
    json_array_add_object_element(children,
                                  case_describe(self, load->children->pdata[i], records));
  json_object_set_array_member(answer, "subresources", children);
  return answer;
}
