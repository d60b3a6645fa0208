// What the engine's processes write: console lines are kept, everything else goes to standard error.
#pragma once

#include <glib.h>

// From here on standard output and standard error of this process, and of the engine's processes
// that it starts, are read by this file.
gboolean console_capture(GError **error);

// Called for each URL that the console says was blocked.
typedef void ConsoleBlock(const char *url, gpointer data);
void console_on_block(ConsoleBlock *call, gpointer data);

// Reads everything that was written so far.
void console_drain(void);

// The console lines since the last console_clear, in order, without their place in the source.
GPtrArray *console_lines(void);
void console_clear(void);
