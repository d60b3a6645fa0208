// Swift's module for the C library leaves out malloc.h, and only glibc has what it says here.

#ifndef TICKBIRD_FREED_MEMORY_H
#define TICKBIRD_FREED_MEMORY_H

#if defined(__linux__)
#include <malloc.h>
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#endif

/// Lets each block of a megabyte or more be mapped by itself, so that it goes back to the system when it is
/// freed; from now on, in the whole process.
///
/// Otherwise glibc takes larger and larger ones out of a thread's arena, whose end it never gives back.
static inline void tickbird_map_large_memory(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

/// Gives memory that has been freed back to the system, where the C library keeps it.
///
/// glibc keeps what lies between blocks in use, in each thread's arena, until it is told. Other threads
/// wait for the arena that this is at.
static inline void tickbird_return_freed_memory(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#elif defined(__APPLE__)
  malloc_zone_pressure_relief(NULL, 0);
#endif
}

#endif
