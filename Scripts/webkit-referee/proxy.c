#include "proxy.h"

#include <string.h>
#include <sys/socket.h>

enum { MAX_HEAD = 1 << 18, MAX_BODY = 1 << 24, IDLE_SECONDS = 20 };

static GSocketService *service;
static guint16 port;
static GTlsCertificate *identity;

// Guards everything below; connections run on threads of their own.
static GMutex lock;
static GHashTable *replies;
static GPtrArray *records;
static gboolean cookies_wanted;

typedef struct {
  GInputStream *input;
  GOutputStream *output;
  const char *scheme;  // inside a tunnel; NULL outside
  char *authority;     // inside a tunnel
} Channel;

typedef struct {
  char *method;
  char *target;
  GHashTable *headers;
} Request;

static void record_free(gpointer data) {
  Record *record = data;
  g_free(record->method);
  g_free(record->url);
  g_free(record->cookie);
  g_free(record);
}

static Record *record_new(const char *method, const char *url, const char *cookie) {
  Record *record = g_new0(Record, 1);
  record->method = g_strdup(method);
  record->url = g_strdup(url);
  record->cookie = g_strdup(cookie);
  return record;
}

static void reply_free(gpointer data) {
  Reply *reply = data;
  g_free(reply->media_type);
  g_bytes_unref(reply->body);
  g_free(reply->location);
  g_free(reply->extra);
  g_free(reply);
}

static void remember(const char *method, const char *url, const char *cookie) {
  g_mutex_lock(&lock);
  g_ptr_array_add(records, record_new(method, url, cookie));
  g_mutex_unlock(&lock);
  g_main_context_wakeup(NULL);
}

// MARK: Reading

static gboolean read_line(GInputStream *input, GString *line, gsize *budget) {
  g_string_truncate(line, 0);
  for (;;) {
    char byte;
    gssize count = g_input_stream_read(input, &byte, 1, NULL, NULL);
    if (count != 1 || (*budget)-- == 0) return FALSE;
    if (byte == '\n') break;
    g_string_append_c(line, byte);
  }
  if (line->len && line->str[line->len - 1] == '\r') g_string_truncate(line, line->len - 1);
  return TRUE;
}

static void request_clear(Request *request) {
  g_free(request->method);
  g_free(request->target);
  g_hash_table_unref(request->headers);
}

static gboolean read_headers(GInputStream *input, GHashTable *headers, gsize *budget) {
  GString *line = g_string_new(NULL);
  gboolean complete = FALSE;
  while (read_line(input, line, budget)) {
    if (line->len == 0) {
      complete = TRUE;
      break;
    }
    char *colon = strchr(line->str, ':');
    if (!colon) continue;
    char *name = g_ascii_strdown(line->str, colon - line->str);
    g_hash_table_replace(headers, name, g_strstrip(g_strdup(colon + 1)));
  }
  g_string_free(line, TRUE);
  return complete;
}

static gboolean skip_body(GInputStream *input, GHashTable *headers) {
  const char *length = g_hash_table_lookup(headers, "content-length");
  guint64 left = length ? g_ascii_strtoull(length, NULL, 10) : 0;
  if (left > MAX_BODY) return FALSE;
  while (left) {
    gssize count = g_input_stream_skip(input, left, NULL, NULL);
    if (count <= 0) return FALSE;
    left -= (guint64)count;
  }
  return TRUE;
}

static gboolean read_request(GInputStream *input, Request *request) {
  gsize budget = MAX_HEAD;
  GString *line = g_string_new(NULL);
  gboolean found = read_line(input, line, &budget);
  char **words = g_strsplit(line->str, " ", 3);
  g_string_free(line, TRUE);
  if (!found || g_strv_length(words) != 3) {
    g_strfreev(words);
    return FALSE;
  }
  request->method = g_strdup(words[0]);
  request->target = g_strdup(words[1]);
  request->headers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  g_strfreev(words);
  if (read_headers(input, request->headers, &budget) && skip_body(input, request->headers))
    return TRUE;
  request_clear(request);
  return FALSE;
}

// MARK: Answering

static gboolean is_websocket(Request *request) {
  const char *upgrade = g_hash_table_lookup(request->headers, "upgrade");
  return upgrade && g_ascii_strcasecmp(upgrade, "websocket") == 0;
}

static char *request_url(Channel *channel, Request *request) {
  if (!channel->scheme) return g_strdup(request->target);
  gboolean secure = strcmp(channel->scheme, "https") == 0;
  const char *scheme = is_websocket(request) ? (secure ? "wss" : "ws") : channel->scheme;
  const char *default_port = secure ? ":443" : ":80";
  char *host = g_strdup(channel->authority);
  if (g_str_has_suffix(host, default_port)) host[strlen(host) - strlen(default_port)] = '\0';
  char *url = g_strconcat(scheme, "://", host, request->target, NULL);
  g_free(host);
  return url;
}

// A URL without an answer of its own is answered like the one it was upgraded from.
static Reply *reply_for(const char *url) {
  Reply *reply = g_hash_table_lookup(replies, url);
  if (reply) return reply;
  char *plain = NULL;
  if (g_str_has_prefix(url, "https:")) plain = g_strconcat("http", url + 5, NULL);
  if (g_str_has_prefix(url, "wss:")) plain = g_strconcat("ws", url + 3, NULL);
  if (plain) reply = g_hash_table_lookup(replies, plain);
  g_free(plain);
  return reply;
}

static void append_access(GString *head, Request *request) {
  const char *origin = g_hash_table_lookup(request->headers, "origin");
  if (!origin) return;
  g_string_append_printf(head,
                         "Access-Control-Allow-Origin: %s\r\n"
                         "Access-Control-Allow-Credentials: true\r\n",
                         origin);
  if (strcmp(request->method, "OPTIONS") != 0) return;
  const char *headers = g_hash_table_lookup(request->headers, "access-control-request-headers");
  g_string_append(head,
                  "Access-Control-Allow-Methods: GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS\r\n");
  if (headers) g_string_append_printf(head, "Access-Control-Allow-Headers: %s\r\n", headers);
}

static void answer(Channel *channel, Request *request, const char *url) {
  GString *text = g_string_new(NULL);
  g_mutex_lock(&lock);
  Reply *reply = reply_for(url);
  const char *key = g_hash_table_lookup(request->headers, "sec-websocket-key");
  if (is_websocket(request) && key) {
    char *joined = g_strconcat(key, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", NULL);
    GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA1);
    g_checksum_update(checksum, (const guchar *)joined, -1);
    guint8 digest[20];
    gsize length = sizeof digest;
    g_checksum_get_digest(checksum, digest, &length);
    char *accept = g_base64_encode(digest, length);
    g_string_append_printf(text,
                           "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                           "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n",
                           accept);
    if (cookies_wanted) g_string_append(text, "Set-Cookie: stored=1; Path=/\r\n");
    g_string_append(text, "\r\n");
    // A close frame at once: the opening is all that matters.
    g_string_append_len(text, "\x88\x00", 2);
    g_free(accept);
    g_free(joined);
    g_checksum_free(checksum);
  } else {
    gsize length = 0;
    const char *body = reply ? g_bytes_get_data(reply->body, &length) : "";
    gboolean redirect = reply && reply->location;
    g_string_append(text, redirect ? "HTTP/1.1 302 Found\r\n" : "HTTP/1.1 200 OK\r\n");
    if (redirect) {
      g_string_append_printf(text, "Location: %s\r\n", reply->location);
      length = 0;
    }
    g_string_append_printf(text,
                           "Content-Type: %s\r\nContent-Length: %" G_GSIZE_FORMAT
                           "\r\nCache-Control: no-store\r\nConnection: close\r\n",
                           reply ? reply->media_type : "text/html", length);
    if (cookies_wanted) g_string_append(text, "Set-Cookie: stored=1; Path=/\r\n");
    if (reply && reply->extra) g_string_append(text, reply->extra);
    append_access(text, request);
    g_string_append(text, "\r\n");
    if (strcmp(request->method, "HEAD") != 0) g_string_append_len(text, body, (gssize)length);
  }
  g_mutex_unlock(&lock);
  g_output_stream_write_all(channel->output, text->str, text->len, NULL, NULL, NULL);
  g_string_free(text, TRUE);
}

// Waits for the other side to close, so that it reads the answer before the connection goes.
static void linger(GInputStream *input) {
  char scrap[512];
  while (g_input_stream_read(input, scrap, sizeof scrap, NULL, NULL) > 0) continue;
}

// One request, one answer, and the connection is closed: no answer can belong to another case.
static void serve_request(Channel *channel, Request *request) {
  char *url = request_url(channel, request);
  remember(request->method, url, g_hash_table_lookup(request->headers, "cookie"));
  answer(channel, request, url);
  if (is_websocket(request)) linger(channel->input);
  g_free(url);
}

static void serve_stream(GIOStream *stream, const char *scheme, const char *authority) {
  Channel channel = {
      .input = g_buffered_input_stream_new(g_io_stream_get_input_stream(stream)),
      .output = g_io_stream_get_output_stream(stream),
      .scheme = scheme,
      .authority = g_strdup(authority),
  };
  // Closing the buffer would close the stream below it, which has an owner already.
  g_filter_input_stream_set_close_base_stream(G_FILTER_INPUT_STREAM(channel.input), FALSE);
  Request request;
  if (read_request(channel.input, &request)) {
    serve_request(&channel, &request);
    request_clear(&request);
  }
  g_object_unref(channel.input);
  g_free(channel.authority);
}

static void serve_tunnel(GSocketConnection *connection, const char *authority) {
  GSocket *socket = g_socket_connection_get_socket(connection);
  char first;
  gint64 patience = IDLE_SECONDS * G_USEC_PER_SEC;
  if (!g_socket_condition_timed_wait(socket, G_IO_IN, patience, NULL, NULL)) return;
  if (recv(g_socket_get_fd(socket), &first, 1, MSG_PEEK) != 1) return;
  if (first != 0x16) {  // not the first byte of a TLS handshake
    serve_stream(G_IO_STREAM(connection), "http", authority);
    return;
  }
  GIOStream *secure = g_tls_server_connection_new(G_IO_STREAM(connection), identity, NULL);
  if (!secure) return;
  if (g_tls_connection_handshake(G_TLS_CONNECTION(secure), NULL, NULL)) {
    serve_stream(secure, "https", authority);
    g_io_stream_close(secure, NULL, NULL);
  }
  g_object_unref(secure);
}

// The head of a CONNECT is read byte by byte: what follows belongs to the tunnel.
static void serve_connect(GSocketConnection *connection) {
  static const char agreed[] = "HTTP/1.1 200 Connection established\r\n\r\n";
  GOutputStream *output = g_io_stream_get_output_stream(G_IO_STREAM(connection));
  Request request;
  if (!read_request(g_io_stream_get_input_stream(G_IO_STREAM(connection)), &request)) return;
  remember("CONNECT", request.target, NULL);
  if (g_output_stream_write_all(output, agreed, sizeof agreed - 1, NULL, NULL, NULL))
    serve_tunnel(connection, request.target);
  request_clear(&request);
}

static gpointer serve(gpointer data) {
  GSocketConnection *connection = data;
  GSocket *socket = g_socket_connection_get_socket(connection);
  g_socket_set_timeout(socket, IDLE_SECONDS);
  char start[8];
  gint64 patience = IDLE_SECONDS * G_USEC_PER_SEC;
  if (g_socket_condition_timed_wait(socket, G_IO_IN, patience, NULL, NULL)) {
    gssize count = recv(g_socket_get_fd(socket), start, sizeof start, MSG_PEEK | MSG_WAITALL);
    if (count == sizeof start && memcmp(start, "CONNECT ", sizeof start) == 0)
      serve_connect(connection);
    else
      serve_stream(G_IO_STREAM(connection), NULL, NULL);
  }
  g_io_stream_close(G_IO_STREAM(connection), NULL, NULL);
  g_object_unref(connection);
  return NULL;
}

static gboolean incoming(GSocketService *source, GSocketConnection *connection, GObject *object,
                         gpointer data) {
  (void)source, (void)object, (void)data;
  g_thread_unref(g_thread_new("proxy", serve, g_object_ref(connection)));
  return TRUE;
}

static GTlsCertificate *load_identity(GError **error) {
  GBytes *pem = g_resources_lookup_data("/webkit-referee/identity.pem", 0, error);
  if (!pem) return NULL;
  gsize length;
  const char *text = g_bytes_get_data(pem, &length);
  GTlsCertificate *certificate = g_tls_certificate_new_from_pem(text, (gssize)length, error);
  g_bytes_unref(pem);
  return certificate;
}

static gpointer run_service(gpointer data) {
  g_main_context_push_thread_default(data);
  service = g_socket_service_new();
  GSocketAddress *effective = NULL;
  GInetAddress *loopback = g_inet_address_new_loopback(G_SOCKET_FAMILY_IPV4);
  GSocketAddress *address = g_inet_socket_address_new(loopback, 0);
  if (g_socket_listener_add_address(G_SOCKET_LISTENER(service), address, G_SOCKET_TYPE_STREAM,
                                    G_SOCKET_PROTOCOL_TCP, NULL, &effective, NULL)) {
    g_signal_connect(service, "incoming", G_CALLBACK(incoming), NULL);
    g_mutex_lock(&lock);
    port = g_inet_socket_address_get_port(G_INET_SOCKET_ADDRESS(effective));
    g_mutex_unlock(&lock);
    g_object_unref(effective);
  }
  g_object_unref(address);
  g_object_unref(loopback);
  if (!port) return NULL;
  for (;;) g_main_context_iteration(data, TRUE);
  return NULL;
}

gboolean proxy_start(GError **error) {
  identity = load_identity(error);
  if (!identity) return FALSE;
  replies = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, reply_free);
  records = g_ptr_array_new_with_free_func(record_free);
  // The page's own loop is busy while a list is compiled; answers must not wait for it.
  g_thread_unref(g_thread_new("proxy-listener", run_service, g_main_context_new()));
  for (int tries = 0; tries < 1000 && !proxy_port(); tries++) g_usleep(1000);
  if (proxy_port()) return TRUE;
  g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "no loopback socket for the proxy");
  return FALSE;
}

guint16 proxy_port(void) {
  g_mutex_lock(&lock);
  guint16 result = port;
  g_mutex_unlock(&lock);
  return result;
}

void proxy_clear(void) {
  g_mutex_lock(&lock);
  g_hash_table_remove_all(replies);
  g_ptr_array_set_size(records, 0);
  cookies_wanted = FALSE;
  g_mutex_unlock(&lock);
}

void proxy_answer(const char *url, Reply *reply) {
  g_mutex_lock(&lock);
  g_hash_table_replace(replies, g_strdup(url), reply);
  g_mutex_unlock(&lock);
}

void proxy_set_cookies(gboolean wanted) {
  g_mutex_lock(&lock);
  cookies_wanted = wanted;
  g_mutex_unlock(&lock);
}

GPtrArray *proxy_records(void) {
  GPtrArray *copy = g_ptr_array_new_with_free_func(record_free);
  g_mutex_lock(&lock);
  for (guint i = 0; i < records->len; i++) {
    Record *record = records->pdata[i];
    g_ptr_array_add(copy, record_new(record->method, record->url, record->cookie));
  }
  g_mutex_unlock(&lock);
  return copy;
}
