#include "document.h"

#include <string.h>

#include "fields.h"

// Elements for probes that name just an id or a class, when the request brings no HTML.
static void append_probed(GString *text, Load *load) {
  for (char **probe = load->probes; *probe; probe++) {
    const char *name = *probe + 1;
    if (!g_regex_match_simple("^[#.][A-Za-z][A-Za-z0-9_-]*$", *probe, 0, 0)) continue;
    g_string_append_printf(text, "<div %s=\"%s\">x</div>", **probe == '#' ? "id" : "class", name);
  }
}

static JsonArray *planned_loads(Case *self, Load *load) {
  JsonArray *loads = json_array_new();
  for (guint i = 0; i < load->children->len; i++) {
    Load *child = load->children->pdata[i];
    JsonObject *plan = json_object_new();
    json_object_set_int_member(plan, "number", child->number);
    json_object_set_string_member(plan, "type", child->type->name);
    json_object_set_string_member(plan, "url", child->given);
    json_object_set_string_member(plan, "method", child->method);
    if (strcmp(child->type->name, "srcdoc") == 0) {
      char *text = document_text(self, child);
      json_object_set_string_member(plan, "text", text);
      g_free(text);
    }
    json_array_add_object_element(loads, plan);
  }
  return loads;
}

static char *plan_text(Case *self, Load *load) {
  JsonObject *plan = json_object_new();
  JsonArray *probes = json_array_new();
  for (char **probe = load->probes; *probe; probe++) json_array_add_string_element(probes, *probe);
  json_object_set_int_member(plan, "case", (gint64)self->serial);
  json_object_set_int_member(plan, "number", load->number);
  json_object_set_boolean_member(plan, "sequential", load->sequential);
  json_object_set_array_member(plan, "probes", probes);
  json_object_set_array_member(plan, "loads", planned_loads(self, load));
  char *line = line_of_object(plan);
  json_object_unref(plan);
  // No text of the plan may end the script element, or open a comment in it.
  GString *safe = g_string_new(line);
  g_string_replace(safe, "<", "\\u003c", 0);
  g_free(line);
  return g_string_free(safe, FALSE);
}

char *document_text(Case *self, Load *load) {
  GString *text = g_string_new(load->quirks ? "" : "<!DOCTYPE html>");
  g_string_append(text, "<html><head><meta charset=\"utf-8\"></head><body>");
  if (load->html) g_string_append(text, load->html);
  else append_probed(text, load);
  GBytes *script = g_resources_lookup_data("/webkit-referee/page.js", 0, NULL);
  char *plan = plan_text(self, load);
  gsize length;
  const char *source = g_bytes_get_data(script, &length);
  g_string_append(text, "<script>");
  g_string_append_len(text, source, (gssize)length);
  g_string_append_printf(text, "(%s)</script></body></html>", plan);
  g_free(plan);
  g_bytes_unref(script);
  return g_string_free(text, FALSE);
}

char *document_headers(Load *load) {
  for (guint i = 0; i < load->children->len; i++) {
    Load *child = load->children->pdata[i];
    if (strcmp(child->type->name, "csp-report") != 0) continue;
    return g_strdup_printf("Content-Security-Policy-Report-Only: style-src-attr 'none'; "
                           "report-uri %s\r\n",
                           child->href);
  }
  return NULL;
}
