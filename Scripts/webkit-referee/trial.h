// Runs one load case in the browser.
#pragma once

#include "case.h"

// Navigates to the case's page with these filters (elements WebKitUserContentFilter) and waits
// until the fate of every load is known. The answer has no "id" yet.
JsonObject *trial_run(Case *self, GPtrArray *filters);
