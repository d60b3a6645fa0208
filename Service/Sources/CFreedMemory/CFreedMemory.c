// `dl_iterate_phdr` is declared only then.
#define _GNU_SOURCE

#include "CFreedMemory.h"

#if defined(__linux__)
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#endif

void tickbird_map_large_memory(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

void tickbird_return_freed_memory(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#elif defined(__APPLE__)
  malloc_zone_pressure_relief(NULL, 0);
#endif
}

#if defined(__linux__)

/// Whether the loader has written into the object's code, which would be lost with its pages.
static int is_relocated(const struct dl_phdr_info *object, const ElfW(Phdr) *dynamic) {
  const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + dynamic->p_vaddr);
  for (; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_TEXTREL) return 1;
    if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0) return 1;
  }
  return 0;
}

/// Unmaps what one object has that cannot be written; the loader unloads none meanwhile.
static int unmap_read_only(struct dl_phdr_info *object, size_t size, void *page_size) {
  (void)size;
  const uintptr_t page = *(const uintptr_t *)page_size;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    if (header->p_type == PT_DYNAMIC && is_relocated(object, header)) return 0;
  }
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || (header->p_flags & PF_W) != 0) continue;
    // Whole pages, since a neighbour may have the rest of the first and the last one.
    const uintptr_t begin = (object->dlpi_addr + header->p_vaddr + page - 1) / page * page;
    const uintptr_t end = (object->dlpi_addr + header->p_vaddr + header->p_memsz) / page * page;
    // Where it fails, as with pages that are locked, they stay.
    if (begin < end) (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 0;
}

void tickbird_unmap_code(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  dl_iterate_phdr(unmap_read_only, &page);
}

#else

void tickbird_unmap_code(void) {}

#endif
