// The kinds of loads that a page can be asked to make, and what the proxy answers to each.
#pragma once

#include <glib.h>

typedef struct {
  const char *name;
  const char *media_type;
  const char *body;
  gsize length;
  // The page is told how the load ended. Without it only the console and the proxy can say.
  gboolean tells;
  // The answer is a document that makes loads of its own.
  gboolean document;
} Type;

const Type *type_named(const char *name);

// All names, separated by a space, for an error message. Free with g_free.
char *type_names(void);

// The type of the page itself.
const Type *type_of_page(void);
