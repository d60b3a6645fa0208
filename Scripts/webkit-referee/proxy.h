// A loopback HTTP proxy that answers every host, https included, and remembers what reached it.
#pragma once

#include <gio/gio.h>

typedef struct {
  char *method;
  char *url;     // scheme, host, path and query; CONNECT: host and port
  char *cookie;  // the Cookie header, or NULL
} Record;

typedef struct {
  char *media_type;
  GBytes *body;
  char *location;  // answer 302 to there
  char *extra;     // further header lines, each ended by CR LF
} Reply;

// FALSE with the error set when there is no socket or no identity.
gboolean proxy_start(GError **error);
guint16 proxy_port(void);

// Forgets records and answers.
void proxy_clear(void);

// Answers this URL (and its https form, where that has no answer of its own) so. Takes `reply`.
void proxy_answer(const char *url, Reply *reply);

// With it every answer sets a cookie named "stored".
void proxy_set_cookies(gboolean wanted);

// A copy of what reached the proxy, in order. Elements are Record; free with g_ptr_array_unref.
GPtrArray *proxy_records(void);
