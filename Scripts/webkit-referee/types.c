#include "types.h"

#include <string.h>

// One black pixel.
static const char gif[] =
    "GIF89a\1\0\1\0\200\0\0\0\0\0\377\377\377,\0\0\0\0\1\0\1\0\0\2\2D\1\0;";

// 8-bit mono silence, eight samples at 8 kHz.
static const char wav[] =
    "RIFF\54\0\0\0WAVEfmt \20\0\0\0\1\0\1\0\100\37\0\0\100\37\0\0\1\0\10\0data\10\0\0\0"
    "\200\200\200\200\200\200\200\200";

#define TEXT(text) (text), sizeof(text) - 1

static const Type page = {"page", "text/html", TEXT(""), TRUE, TRUE};

static const Type types[] = {
    {"image", "image/gif", gif, sizeof gif - 1, TRUE, FALSE},
    {"css-image", "image/gif", gif, sizeof gif - 1, FALSE, FALSE},
    {"script", "text/javascript", TEXT(""), TRUE, FALSE},
    {"module", "text/javascript", TEXT(""), TRUE, FALSE},
    {"import", "text/javascript", TEXT(""), TRUE, FALSE},
    {"worker", "text/javascript", TEXT("postMessage(0)"), TRUE, FALSE},
    {"style-sheet", "text/css", TEXT(""), TRUE, FALSE},
    {"css-import", "text/css", TEXT(""), TRUE, FALSE},
    {"font", "font/woff2", TEXT(""), TRUE, FALSE},
    {"svg-document", "image/svg+xml",
     TEXT("<svg xmlns='http://www.w3.org/2000/svg'><g id='a'/></svg>"), FALSE, FALSE},
    {"media", "audio/wav", wav, sizeof wav - 1, TRUE, FALSE},
    {"track", "text/vtt", TEXT("WEBVTT\n\n"), TRUE, FALSE},
    {"fetch", "text/plain", TEXT("ok"), TRUE, FALSE},
    {"xhr", "text/plain", TEXT("ok"), TRUE, FALSE},
    {"xhr-sync", "text/plain", TEXT("ok"), TRUE, FALSE},
    {"event-source", "text/event-stream", TEXT("data: ok\n\n"), TRUE, FALSE},
    {"websocket", "text/plain", TEXT(""), TRUE, FALSE},
    {"beacon", "text/plain", TEXT(""), FALSE, FALSE},
    {"ping", "text/plain", TEXT(""), FALSE, FALSE},
    {"csp-report", "text/plain", TEXT(""), FALSE, FALSE},
    {"preload-fetch", "text/plain", TEXT("ok"), TRUE, FALSE},
    {"popup", "text/html", TEXT("<!DOCTYPE html>"), TRUE, FALSE},
    {"child-document", "text/html", TEXT(""), TRUE, TRUE},
    {"srcdoc", "text/html", TEXT(""), TRUE, TRUE},
};

const Type *type_named(const char *name) {
  for (gsize i = 0; i < G_N_ELEMENTS(types); i++)
    if (strcmp(types[i].name, name) == 0) return &types[i];
  return NULL;
}

char *type_names(void) {
  GString *names = g_string_new(NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(types); i++)
    g_string_append_printf(names, "%s%s", i ? " " : "", types[i].name);
  return g_string_free(names, FALSE);
}

const Type *type_of_page(void) {
  return &page;
}
