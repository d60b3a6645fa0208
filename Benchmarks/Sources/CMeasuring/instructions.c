// Tells callgrind what to count. The requests are sequences of instructions that do nothing outside
// of valgrind; without its header there is nothing to tell.

#include "CMeasuring.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

int measuring_counts_instructions(void) { return RUNNING_ON_VALGRIND != 0; }

void measuring_start_counting(void) {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}

void measuring_stop_counting(const char *name) {
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
}

#else

int measuring_counts_instructions(void) { return 0; }
void measuring_start_counting(void) {}
void measuring_stop_counting(const char *name) { (void)name; }

#endif
