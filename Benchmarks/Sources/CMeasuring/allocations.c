// Stands in for the C library's allocator and counts the calls, of each thread apart, so that
// counting costs next to nothing. The calls go on to the allocator by its internal names.

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "CMeasuring.h"

static __thread uint64_t allocations;

uint64_t measuring_allocations(void) { return allocations; }

#ifdef __GLIBC__

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  allocations += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  allocations += 1;
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  allocations += 1;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocations += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  allocations += 1;
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *start = __libc_memalign(alignment, size);
  if (!start) return ENOMEM;
  *result = start;
  return 0;
}

#endif
