// Fields of a JSON object that came from outside: a wrong type is the default, never a trap.
#pragma once

#include <json-glib/json-glib.h>

const char *field_string(JsonObject *object, const char *name, const char *otherwise);
gboolean field_boolean(JsonObject *object, const char *name, gboolean otherwise);
gint64 field_integer(JsonObject *object, const char *name, gint64 otherwise);

// The array under this name, or NULL. The object keeps it.
JsonArray *field_array(JsonObject *object, const char *name);

// The strings of an array as a NULL-terminated list, never NULL; members of other types are left
// out. Free with g_strfreev.
char **field_strings(JsonObject *object, const char *name);

// One line of JSON text. Free with g_free.
char *line_of_object(JsonObject *object);
