// One web view of the engine, behind the proxy, with nothing kept between loads.
#pragma once

#include <webkit2/webkit2.h>

typedef enum { NAVIGATION_RUNNING, NAVIGATION_FINISHED, NAVIGATION_FAILED } Navigation;

// Called for each message that a document's script posts.
typedef void BrowserMessage(const char *text, gpointer data);

// `folder` holds what the engine writes.
void browser_start(const char *folder);
void browser_on_message(BrowserMessage *call, gpointer data);

// A new view (and web process) in place of the present one, if any.
void browser_renew(void);

// Whether the web process is gone, and why; NULL while it lives.
const char *browser_crash(void);

void browser_add_list(WebKitUserContentFilter *filter);
void browser_remove_lists(void);

// Begin a navigation. `post` submits an empty form.
void browser_navigate(const char *url, gboolean post);
Navigation browser_navigation(void);

// The words of a failed navigation.
const char *browser_failure(void);
const char *browser_url(void);

// Begins the probing of all documents.
void browser_probe(void);

// Goes to about:blank and waits for it. FALSE when that did not work within some seconds.
gboolean browser_blank(void);

// Makes these the only cookies: one, named "c", for each host. Waits.
void browser_set_cookies(char **hosts);

// Hosts that a cookie named "stored" was kept for, sorted. Waits. Free with g_strfreev.
char **browser_stored_hosts(void);
