// The engine's own store of compiled rule lists: what it accepts, what it says when it refuses.
#pragma once

#include <webkit2/webkit2.h>

typedef struct Store Store;

// A store in a fresh folder below `folder`.
Store *store_new(const char *folder);
void store_free(Store *store);

// Compiles one list; waits for the result. NULL when it was refused, with the store's words in
// `message` (free with g_free). The compiled file is gone from the disk afterwards; the filter
// keeps what it needs.
WebKitUserContentFilter *store_compile(Store *store, GBytes *source, char **message);
