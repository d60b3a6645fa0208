#include "trial.h"

#include <string.h>

#include "browser.h"
#include "console.h"

typedef struct {
  Case *subject;
  gboolean late;
} Trial;

static gboolean expired(gpointer data) {
  ((Trial *)data)->late = TRUE;
  return G_SOURCE_CONTINUE;
}

// Wakes the loop, for waits that end by time alone.
static gboolean tick(gpointer data) {
  (void)data;
  return G_SOURCE_CONTINUE;
}

static void hear_message(const char *text, gpointer data) {
  case_hear(data, text);
}

static void hear_verdict(ConsoleVerdict verdict, const char *url, gpointer data) {
  case_hear_verdict(data, verdict, url);
}

static gboolean loads_settled(Case *subject) {
  Load *page = subject->page;
  if (!page->running) return browser_navigation() != NAVIGATION_RUNNING;
  GPtrArray *records = proxy_records();
  gboolean settled = case_settled(subject, page, records);
  g_ptr_array_unref(records);
  return settled;
}

static gboolean probes_answered(Case *subject) {
  for (guint i = 0; i < subject->loads->len; i++) {
    Load *load = subject->loads->pdata[i];
    if (load->running && !load->probed) return FALSE;
  }
  return TRUE;
}

typedef gboolean Condition(Case *subject);

static void wait_for(Trial *trial, Condition *condition) {
  while (!trial->late && !browser_crash() && !condition(trial->subject))
    g_main_context_iteration(NULL, TRUE);
}

static char *host_of(const char *url) {
  const char *start = strstr(url, "://");
  if (!start) return NULL;
  start += 3;
  return g_strndup(start, strcspn(start, ":/?#"));
}

static void set_cookies(Case *subject) {
  GHashTable *hosts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; subject->cookies && i < subject->loads->len; i++) {
    Load *load = subject->loads->pdata[i];
    for (char **hop = load->hops; *hop; hop++) {
      char *host = host_of(*hop);
      if (host) g_hash_table_add(hosts, host);
    }
  }
  char **names = (char **)g_hash_table_get_keys_as_array(hosts, NULL);
  browser_set_cookies(names);
  g_free(names);
  g_hash_table_unref(hosts);
}

static void navigate(Trial *trial) {
  Case *subject = trial->subject;
  if (subject->from) {
    browser_navigate(subject->from, FALSE);
    while (!trial->late && !browser_crash() && browser_navigation() == NAVIGATION_RUNNING)
      g_main_context_iteration(NULL, TRUE);
    proxy_clear();
    console_clear();
  }
}

static JsonArray *describe_records(GPtrArray *records) {
  JsonArray *array = json_array_new();
  for (guint i = 0; i < records->len; i++) {
    Record *record = records->pdata[i];
    JsonObject *object = json_object_new();
    json_object_set_string_member(object, "method", record->method);
    json_object_set_string_member(object, "url", record->url);
    if (record->cookie) json_object_set_string_member(object, "cookie", record->cookie);
    json_array_add_object_element(array, object);
  }
  return array;
}

static JsonArray *describe_console(void) {
  JsonArray *array = json_array_new();
  GPtrArray *lines = console_lines();
  for (guint i = 0; i < lines->len; i++) json_array_add_string_element(array, lines->pdata[i]);
  return array;
}

static JsonArray *describe_stored(void) {
  JsonArray *array = json_array_new();
  char **hosts = browser_stored_hosts();
  for (char **host = hosts; *host; host++) json_array_add_string_element(array, *host);
  g_strfreev(hosts);
  return array;
}

static JsonObject *describe(Trial *trial, gint64 begun) {
  Case *subject = trial->subject;
  GPtrArray *records = proxy_records();
  JsonObject *answer = json_object_new();
  JsonObject *page = case_describe(subject, subject->page, records);
  // For the page the address bar says where it ended, redirects and upgrades included.
  const char *url = browser_url();
  if (subject->page->running && url) json_object_set_string_member(page, "final_url", url);
  if (browser_failure()) json_object_set_string_member(page, "failure", browser_failure());
  json_object_set_object_member(answer, "page", page);
  json_object_set_array_member(answer, "requests", describe_records(records));
  json_object_set_array_member(answer, "console", describe_console());
  if (subject->set_cookies) json_object_set_array_member(answer, "stored", describe_stored());
  json_object_set_boolean_member(answer, "timed_out", trial->late);
  json_object_set_int_member(answer, "milliseconds", (g_get_monotonic_time() - begun) / 1000);
  g_ptr_array_unref(records);
  return answer;
}

static JsonObject *describe_crash(void) {
  JsonObject *answer = json_object_new();
  json_object_set_string_member(answer, "error", browser_crash());
  return answer;
}

JsonObject *trial_run(Case *subject, GPtrArray *filters) {
  gint64 begun = g_get_monotonic_time();
  Trial trial = {.subject = subject};
  guint timer = g_timeout_add(subject->timeout, expired, &trial);
  guint ticks = g_timeout_add(20, tick, NULL);
  if (subject->new_view || browser_crash()) browser_renew();
  console_drain();
  console_clear();
  proxy_clear();
  navigate(&trial);

  browser_on_message(hear_message, subject);
  console_listen(hear_verdict, subject);
  case_publish(subject);
  set_cookies(subject);
  for (guint i = 0; i < filters->len; i++) browser_add_list(filters->pdata[i]);
  browser_navigate(subject->page->href, strcmp(subject->page->method, "POST") == 0);
  wait_for(&trial, loads_settled);
  if (browser_navigation() == NAVIGATION_FAILED && !subject->page->running) {
    g_free(subject->page->event);
    subject->page->event = g_strdup("error");
  }
  if (subject->page->running) {
    browser_probe();
    wait_for(&trial, probes_answered);
  }
  g_source_remove(timer);
  g_source_remove(ticks);
  console_drain();
  JsonObject *answer = browser_crash() ? describe_crash() : describe(&trial, begun);

  console_listen(NULL, NULL);
  browser_on_message(NULL, NULL);
  browser_remove_lists();
  if (browser_crash() || !browser_blank()) browser_renew();
  return answer;
}
