#include "browser.h"

#include <gtk/gtk.h>
#include <libsoup/soup.h>
#include <string.h>

#include "proxy.h"

static WebKitWebContext *context;
static GtkWidget *window;
static WebKitWebView *view;
static WebKitUserContentManager *content;
static GPtrArray *popups;

static BrowserMessage *on_message;
static gpointer on_message_data;

static Navigation navigation;
static gboolean started;
static gboolean committed;
static char *failure;
static char *crash;
static gboolean cookies_dirty;

// MARK: Signals

static void message_received(WebKitUserContentManager *manager, WebKitJavascriptResult *result,
                             gpointer data) {
  (void)manager, (void)data;
  char *text = jsc_value_to_string(webkit_javascript_result_get_js_value(result));
  if (text && on_message) on_message(text, on_message_data);
  g_free(text);
}

static void load_changed(WebKitWebView *source, WebKitLoadEvent event, gpointer data) {
  (void)source, (void)data;
  // The end of the page before may still be told after this navigation was asked for.
  if (event == WEBKIT_LOAD_STARTED) started = TRUE;
  if (event == WEBKIT_LOAD_COMMITTED && started) committed = TRUE;
  if (event == WEBKIT_LOAD_FINISHED && committed && navigation == NAVIGATION_RUNNING)
    navigation = NAVIGATION_FINISHED;
}

static gboolean load_failed(WebKitWebView *source, WebKitLoadEvent event, const char *url,
                            GError *error, gpointer data) {
  (void)source, (void)event, (void)url, (void)data;
  if (!started) return TRUE;
  g_free(failure);
  failure = g_strdup(error->message);
  navigation = NAVIGATION_FAILED;
  return TRUE;  // no error page
}

static void web_process_ended(WebKitWebView *source, WebKitWebProcessTerminationReason reason,
                              gpointer data) {
  (void)source, (void)data;
  g_free(crash);
  crash = g_strdup(reason == WEBKIT_WEB_PROCESS_EXCEEDED_MEMORY_LIMIT
                       ? "web process exceeded its memory limit"
                       : "web process crashed");
}

static gboolean refuse_navigation(WebKitWebView *source, WebKitPolicyDecision *decision,
                                  WebKitPolicyDecisionType type, gpointer data) {
  (void)source, (void)type, (void)data;
  webkit_policy_decision_ignore(decision);
  return TRUE;
}

// Opening is all that is asked of a pop-up: it never gets to load its page.
static GtkWidget *create_popup(WebKitWebView *opener, WebKitNavigationAction *action,
                               gpointer data) {
  (void)action, (void)data;
  GtkWidget *popup = webkit_web_view_new_with_related_view(opener);
  g_signal_connect(popup, "decide-policy", G_CALLBACK(refuse_navigation), NULL);
  g_ptr_array_add(popups, g_object_ref_sink(popup));
  return popup;
}

// MARK: The view

static WebKitSettings *make_settings(void) {
  return webkit_settings_new_with_settings(
      "enable-write-console-messages-to-stdout", TRUE, "enable-page-cache", FALSE,
      "enable-hyperlink-auditing", TRUE, "javascript-can-open-windows-automatically", TRUE,
      "enable-dns-prefetching", FALSE, "hardware-acceleration-policy",
      WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER, "enable-webgl", FALSE, "enable-smooth-scrolling",
      FALSE, "media-playback-requires-user-gesture", FALSE, NULL);
}

void browser_renew(void) {
  g_clear_pointer(&crash, g_free);
  g_ptr_array_set_size(popups, 0);
  if (view) gtk_widget_destroy(GTK_WIDGET(view));
  g_clear_object(&view);
  g_clear_object(&content);
  content = webkit_user_content_manager_new();
  g_signal_connect(content, "script-message-received::referee", G_CALLBACK(message_received), NULL);
  webkit_user_content_manager_register_script_message_handler(content, "referee");
  WebKitSettings *settings = make_settings();
  view = g_object_ref_sink(g_object_new(WEBKIT_TYPE_WEB_VIEW, "web-context", context,
                                        "user-content-manager", content, "settings", settings,
                                        NULL));
  g_object_unref(settings);
  g_signal_connect(view, "load-changed", G_CALLBACK(load_changed), NULL);
  g_signal_connect(view, "load-failed", G_CALLBACK(load_failed), NULL);
  g_signal_connect(view, "web-process-terminated", G_CALLBACK(web_process_ended), NULL);
  g_signal_connect(view, "create", G_CALLBACK(create_popup), NULL);
  gtk_container_add(GTK_CONTAINER(window), GTK_WIDGET(view));
  gtk_widget_show_all(window);
}

void browser_start(const char *folder) {
  // Not an ephemeral one: such a session keeps its console to itself.
  WebKitWebsiteDataManager *data = webkit_website_data_manager_new(
      "base-data-directory", folder, "base-cache-directory", folder, NULL);
  context = webkit_web_context_new_with_website_data_manager(data);
  g_object_unref(data);
  webkit_web_context_set_cache_model(context, WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER);
  webkit_website_data_manager_set_itp_enabled(data, FALSE);
  webkit_website_data_manager_set_tls_errors_policy(data, WEBKIT_TLS_ERRORS_POLICY_IGNORE);
  char *proxy = g_strdup_printf("http://127.0.0.1:%u", proxy_port());
  WebKitNetworkProxySettings *settings = webkit_network_proxy_settings_new(proxy, NULL);
  webkit_website_data_manager_set_network_proxy_settings(data, WEBKIT_NETWORK_PROXY_MODE_CUSTOM,
                                                         settings);
  webkit_network_proxy_settings_free(settings);
  g_free(proxy);
  webkit_cookie_manager_set_accept_policy(webkit_website_data_manager_get_cookie_manager(data),
                                          WEBKIT_COOKIE_POLICY_ACCEPT_ALWAYS);
  popups = g_ptr_array_new_with_free_func((GDestroyNotify)gtk_widget_destroy);
  // A page that is not on a screen is throttled.
  window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  gtk_window_set_default_size(GTK_WINDOW(window), 800, 600);
  browser_renew();
}

void browser_on_message(BrowserMessage *call, gpointer data) {
  on_message = call;
  on_message_data = data;
}

const char *browser_crash(void) {
  return crash;
}

void browser_add_list(WebKitUserContentFilter *filter) {
  webkit_user_content_manager_add_filter(content, filter);
}

void browser_remove_lists(void) {
  webkit_user_content_manager_remove_all_filters(content);
}

// MARK: Navigations

static void evaluate(const char *script) {
  webkit_web_view_evaluate_javascript(view, script, -1, NULL, NULL, NULL, NULL, NULL);
}

static void submit_form(const char *url) {
  GString *script = g_string_new("const form = document.createElement('form');"
                                 "form.method = 'POST'; form.action = decodeURIComponent('");
  char *escaped = g_uri_escape_string(url, NULL, FALSE);
  g_string_append(script, escaped);
  g_string_append(script, "'); document.documentElement.append(form); form.submit();");
  evaluate(script->str);
  g_free(escaped);
  g_string_free(script, TRUE);
}

void browser_navigate(const char *url, gboolean post) {
  navigation = NAVIGATION_RUNNING;
  started = committed = FALSE;
  g_clear_pointer(&failure, g_free);
  if (post) submit_form(url);
  else webkit_web_view_load_uri(view, url);
}

Navigation browser_navigation(void) {
  return navigation;
}

const char *browser_failure(void) {
  return failure;
}

const char *browser_url(void) {
  return webkit_web_view_get_uri(view);
}

void browser_probe(void) {
  evaluate("postMessage('referee', '*')");
}

static gboolean expired(gpointer data) {
  *(gboolean *)data = TRUE;
  return G_SOURCE_CONTINUE;
}

gboolean browser_blank(void) {
  g_ptr_array_set_size(popups, 0);
  gboolean late = FALSE;
  guint timer = g_timeout_add_seconds(10, expired, &late);
  browser_navigate("about:blank", FALSE);
  while (!late && !crash && navigation == NAVIGATION_RUNNING)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(timer);
  return navigation == NAVIGATION_FINISHED && !crash;
}

// MARK: Cookies

static WebKitCookieManager *cookie_manager(void) {
  return webkit_website_data_manager_get_cookie_manager(
      webkit_web_context_get_website_data_manager(context));
}

static void replaced(GObject *manager, GAsyncResult *result, gpointer data) {
  webkit_cookie_manager_replace_cookies_finish(WEBKIT_COOKIE_MANAGER(manager), result, NULL);
  *(gboolean *)data = TRUE;
}

void browser_set_cookies(char **hosts) {
  if (!*hosts && !cookies_dirty) return;
  // The engine never answers to an empty list, so there is always one that no page sees.
  GList *cookies = g_list_prepend(NULL, soup_cookie_new("c", "1", "nowhere.invalid", "/", 3600));
  for (char **host = hosts; *host; host++)
    cookies = g_list_prepend(cookies, soup_cookie_new("c", "1", *host, "/", 3600));
  gboolean finished = FALSE;
  webkit_cookie_manager_replace_cookies(cookie_manager(), cookies, NULL, replaced, &finished);
  while (!finished) g_main_context_iteration(NULL, TRUE);
  g_list_free_full(cookies, (GDestroyNotify)soup_cookie_free);
  cookies_dirty = *hosts != NULL;
}

typedef struct {
  gboolean finished;
  GList *cookies;
} Jar;

static void listed(GObject *manager, GAsyncResult *result, gpointer data) {
  Jar *jar = data;
  jar->cookies =
      webkit_cookie_manager_get_all_cookies_finish(WEBKIT_COOKIE_MANAGER(manager), result, NULL);
  jar->finished = TRUE;
}

static int compare_strings(gconstpointer left, gconstpointer right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

char **browser_stored_hosts(void) {
  Jar jar = {0};
  webkit_cookie_manager_get_all_cookies(cookie_manager(), NULL, listed, &jar);
  while (!jar.finished) g_main_context_iteration(NULL, TRUE);
  GPtrArray *hosts = g_ptr_array_new();
  for (GList *link = jar.cookies; link; link = link->next) {
    if (strcmp(soup_cookie_get_name(link->data), "stored") != 0) continue;
    g_ptr_array_add(hosts, g_strdup(soup_cookie_get_domain(link->data)));
  }
  cookies_dirty = cookies_dirty || jar.cookies;
  g_list_free_full(jar.cookies, (GDestroyNotify)soup_cookie_free);
  g_ptr_array_sort(hosts, compare_strings);
  g_ptr_array_add(hosts, NULL);
  return (char **)g_ptr_array_free(hosts, FALSE);
}
