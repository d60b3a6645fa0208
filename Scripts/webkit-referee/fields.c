#include "fields.h"

static JsonNode *value_of_type(JsonObject *object, const char *name, GType type) {
  JsonNode *node = json_object_get_member(object, name);
  if (!node || !JSON_NODE_HOLDS_VALUE(node) || json_node_get_value_type(node) != type) return NULL;
  return node;
}

const char *field_string(JsonObject *object, const char *name, const char *otherwise) {
  JsonNode *node = value_of_type(object, name, G_TYPE_STRING);
  return node ? json_node_get_string(node) : otherwise;
}

gboolean field_boolean(JsonObject *object, const char *name, gboolean otherwise) {
  JsonNode *node = value_of_type(object, name, G_TYPE_BOOLEAN);
  return node ? json_node_get_boolean(node) : otherwise;
}

gint64 field_integer(JsonObject *object, const char *name, gint64 otherwise) {
  JsonNode *node = value_of_type(object, name, G_TYPE_INT64);
  return node ? json_node_get_int(node) : otherwise;
}

JsonArray *field_array(JsonObject *object, const char *name) {
  JsonNode *node = json_object_get_member(object, name);
  return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

char **field_strings(JsonObject *object, const char *name) {
  GStrvBuilder *builder = g_strv_builder_new();
  JsonArray *array = field_array(object, name);
  for (guint i = 0; array && i < json_array_get_length(array); i++) {
    JsonNode *node = json_array_get_element(array, i);
    if (JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING)
      g_strv_builder_add(builder, json_node_get_string(node));
  }
  char **strings = g_strv_builder_end(builder);
  g_strv_builder_unref(builder);
  return strings;
}

char *line_of_object(JsonObject *object) {
  JsonNode *root = json_node_alloc();
  json_node_init_object(root, object);
  char *line = json_to_string(root, FALSE);
  json_node_unref(root);
  return line;
}
