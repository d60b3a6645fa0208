// One load case: the tree of loads that was asked for, and what was seen of each.
#pragma once

#include <json-glib/json-glib.h>

#include "console.h"
#include "proxy.h"
#include "types.h"

typedef struct Load Load;

// The page, a document in a frame, or a subresource.
struct Load {
  guint number;
  const Type *type;
  Load *parent;
  GPtrArray *children;

  char *given;      // as the request wrote it
  char *href;       // as the engine's URL parser writes it
  char **hops;      // what the proxy is asked for: first URL, then redirects; never empty
  char *method;
  char **probes;
  char *html;
  gboolean quirks;
  gboolean sequential;
  JsonObject *request;

  gint64 begun;        // when the page started it, 0 before
  char *event;         // the last thing the page said of it
  gboolean ended;      // that event was the last one
  gboolean running;    // documents: their script runs
  gboolean probed;     // documents: probes were answered
  JsonObject *hidden;  // documents: answers by selector
  char *blocked_url;   // from the console
  gboolean promoted;   // from the console
};

typedef struct {
  guint64 serial;
  Load *page;
  GPtrArray *loads;  // all of them by number, the page is 0
  char *from;
  gboolean new_view;
  gboolean cookies;
  gboolean set_cookies;
  guint timeout;  // milliseconds
  guint settle;   // milliseconds
} Case;

// NULL with a sentence in `complaint` (free with g_free) when the request makes no sense.
Case *case_parse(JsonObject *request, guint64 serial, char **complaint);
void case_free(Case *self);

// Gives the proxy the answers for this case.
void case_publish(Case *self);

// The engine's spelling of a URL. Free with g_free.
char *url_canonical(const char *url);

// What a proxy is asked for when this canonical URL is loaded: without user name, password and
// fragment. Free with g_free.
char *url_on_wire(const char *canonical);

// What the page's script, or a frame's, said. Messages of earlier cases are dropped.
void case_hear(Case *self, const char *message);

// What a console line about a blocked or promoted load said.
void case_hear_verdict(Case *self, ConsoleVerdict verdict, const char *url);

// Whether the fate of this load and everything below it is known.
gboolean case_settled(Case *self, Load *load, GPtrArray *records);

// The answer for one load and everything below it.
JsonObject *case_describe(Case *self, Load *load, GPtrArray *records);
