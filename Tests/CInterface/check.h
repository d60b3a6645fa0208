/* What the tests of the C interface share. */

#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tickbird.h"

static int faults;

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      faults += 1; \
    } \
  } while (0)

/* Ends the test: what follows would have nothing to work on. */
#define REQUIRE(condition) \
  do { \
    CHECK(condition); \
    if (faults) exit(1); \
  } while (0)

static inline tickbird_string string(const char *text) {
  return (tickbird_string){text, strlen(text)};
}

static inline tickbird_load load(const char *url, const char *page, const char *type) {
  return (tickbird_load){
    .struct_size = sizeof(tickbird_load), .url = string(url), .page = string(page),
    .type = string(type)};
}

#endif
