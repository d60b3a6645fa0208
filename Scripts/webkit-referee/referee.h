// One request in, one answer out.
#pragma once

#include <json-glib/json-glib.h>

// Starts the engine. `folder` holds what it writes.
gboolean referee_start(const char *folder, GError **error);

// The answer to one request line, as one line without its end. Free with g_free.
char *referee_answer(const char *line);

// Answers without the engine. Free with g_free.
char *referee_complaint(const char *line, const char *complaint);
