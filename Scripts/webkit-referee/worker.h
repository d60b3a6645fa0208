// The process that holds the engine. It may abort or hang; the supervisor answers for it then.
#pragma once

#include <glib.h>

// Reads requests from standard input and answers on standard output, after one line "ready".
// Returns the exit status. `folder` holds what the engine writes; `talk` lets its
// complaints reach standard error.
int worker_run(const char *folder, gboolean talk);
