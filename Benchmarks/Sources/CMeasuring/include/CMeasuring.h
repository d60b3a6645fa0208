#ifndef CMEASURING_H
#define CMEASURING_H

#include <stdint.h>

/// How often this thread asked for memory so far.
uint64_t measuring_allocations(void);

/// Whether the process runs under callgrind, and so the calls below do anything.
int measuring_counts_instructions(void);

/// Counts instructions from here on.
void measuring_start_counting(void);

/// Stops, and writes what was counted under a name.
void measuring_stop_counting(const char *name);

#endif
