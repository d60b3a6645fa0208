// The few C functions that compiled Swift calls, for WebAssembly without a C library. The whole engine
// (JavaScript/Module) adds more, and replaces those that are weak here.

typedef __SIZE_TYPE__ size_t;
typedef unsigned char byte;

extern byte __heap_base;

// Blocks have a power of two as their size, with eight bytes in front that hold its exponent. Free
// blocks of a size are chained. Memory is never given back to the browser, which cannot take it.
enum { header = 8, smallest = 5, sizes = 32, page = 65536 };

struct block {
  struct block *next;
};

static struct block *freeBlocks[sizes];
static size_t top;

// What posix_memalign returns when there is no memory.
__attribute__((weak)) int tickbird_out_of_memory(void) { return 12; }

static void *allocate(size_t size) {
  unsigned exponent = smallest;
  while (((size_t)1 << exponent) < size + header) {
    if (++exponent >= sizes - 1) return 0;
  }
  struct block *block = freeBlocks[exponent];
  if (block) {
    freeBlocks[exponent] = block->next;
    return block;
  }
  if (!top) top = ((size_t)&__heap_base + 15) & ~(size_t)15;
  size_t start = top;
  size_t end = start + ((size_t)1 << exponent);
  size_t limit = (size_t)__builtin_wasm_memory_size(0) * page;
  if (end < start) return 0;
  if (end > limit) {
    if (__builtin_wasm_memory_grow(0, (end - limit + page - 1) / page) == (size_t)-1) return 0;
  }
  top = end;
  *(size_t *)start = exponent;
  return (void *)(start + header);
}

// Eight is the largest alignment that the matcher's types ask for but for vectors, which are
// served by a block large enough to move on in; what stands in front then says so.
int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (size > (size_t)1 << 30 || alignment > 4096) return tickbird_out_of_memory();
  byte *block = allocate(alignment <= header ? size : size + alignment + header);
  if (!block) return tickbird_out_of_memory();
  if (alignment > header) {
    byte *aligned = (byte *)(((size_t)block + header + alignment - 1) & ~(alignment - 1));
    // An odd number is the way back to the block.
    *(size_t *)(aligned - header) = (size_t)(aligned - block) << 1 | 1;
    block = aligned;
  } else {
    *(size_t *)(block - header) <<= 1;
  }
  *memory = block;
  return 0;
}

void free(void *memory) {
  if (!memory) return;
  byte *block = memory;
  size_t mark = *(size_t *)(block - header);
  if (mark & 1) {
    block -= mark >> 1;
    mark = *(size_t *)(block - header) << 1;
  }
  *(size_t *)(block - header) = mark >> 1;
  struct block *free = (struct block *)block;
  free->next = freeBlocks[mark >> 1];
  freeBlocks[mark >> 1] = free;
}

void *memcpy(void *to, const void *from, size_t count) {
  return __builtin_memcpy(to, from, count);
}

void *memmove(void *to, const void *from, size_t count) {
  return __builtin_memmove(to, from, count);
}

void *memset(void *to, int value, size_t count) { return __builtin_memset(to, value, count); }

int memcmp(const void *left, const void *right, size_t count) {
  const byte *a = left, *b = right;
  for (size_t place = 0; place < count; place++) {
    if (a[place] != b[place]) return a[place] < b[place] ? -1 : 1;
  }
  return 0;
}

// Seeds hash tables, which the matcher has none of: nothing here needs to be hard to guess.
__attribute__((weak)) void arc4random_buf(void *memory, size_t count) {
  static unsigned long long state = 0x9E3779B97F4A7C15ull;
  for (size_t place = 0; place < count; place++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    ((byte *)memory)[place] = (byte)(state >> 56);
  }
}

void *__stack_chk_guard = (void *)0x595e9fbd;

void __stack_chk_fail(void) { __builtin_trap(); }
