// What the engine's processes write: console lines are kept.
#pragma once

#include <glib.h>

// From here on standard output and standard error of this process, and of the engine's processes
// that it starts, are read by this file.
// `talk`: pass on what is not a console line to the standard error of before.
gboolean console_capture(gboolean talk, GError **error);

// What the console says of one URL: a load was blocked, or made secure.
typedef enum { CONSOLE_BLOCKED, CONSOLE_PROMOTED } ConsoleVerdict;
typedef void ConsoleListener(ConsoleVerdict verdict, const char *url, gpointer data);
void console_listen(ConsoleListener *listener, gpointer data);

// Reads everything that was written so far.
void console_drain(void);

// The console lines since the last console_clear, in order, without their place in the source.
GPtrArray *console_lines(void);
void console_clear(void);
