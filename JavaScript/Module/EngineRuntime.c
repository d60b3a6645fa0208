// What the whole engine needs of the system besides what the matcher does
// (BrowserExtension/Matcher/Runtime.c), and what its callers do.

typedef __SIZE_TYPE__ size_t;
typedef unsigned long long word;

int posix_memalign(void **memory, size_t alignment, size_t size);

#define IMPORT(name) __attribute__((import_module("tickbird"), import_name(name)))

// JavaScript reads and draws numbers better than could be written here.
IMPORT("number") double tickbird_number(const char *text, size_t count);
IMPORT("random") void tickbird_random(void *memory, size_t count);

static int isAsking;
static int isOutOfMemory;

// Swift does not look whether it has got memory, and the address 0 is in the stack here.
int tickbird_out_of_memory(void) {
  if (isAsking) return 12;
  isOutOfMemory = 1;
  __builtin_trap();
}

// Whether the last trap was for want of memory; the module must not be used after one otherwise.
__attribute__((export_name("tickbird_is_out_of_memory"))) int tickbird_is_out_of_memory(void) {
  return isOutOfMemory;
}

// Returns so many bytes for the caller to fill and to free; 0 if they cannot be had.
__attribute__((export_name("tickbird_allocate"))) void *tickbird_allocate(size_t size) {
  void *memory = 0;
  isAsking = 1;
  posix_memalign(&memory, 8, size ? size : 1);
  isAsking = 0;
  return memory;
}

// Lists are strangers': what is in them must not tell which keys collide in hash tables.
void arc4random_buf(void *memory, size_t count) { tickbird_random(memory, count); }

size_t strlen(const char *text) {
  size_t count = 0;
  while (text[count]) count++;
  return count;
}

// Returns the end of the number that the text is; 0 if it is none. The engine gives it numbers of JSON.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  size_t count = strlen(text);
  double number = tickbird_number(text, count);
  if (number != number) return 0;
  *result = number;
  return text + count;
}

// The product of two numbers of 128 bits, which the compiler calls for; it must not multiply such here.
__int128 __multi3(__int128 left, __int128 right) {
  word a = (word)left, b = (word)right, half = 0xFFFFFFFF;
  word low = (a & half) * (b & half);
  word middle = (a >> 32) * (b & half) + (low >> 32);
  word other = (a & half) * (b >> 32) + (middle & half);
  word high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
  high += a * (word)((unsigned __int128)right >> 64) + b * (word)((unsigned __int128)left >> 64);
  return (__int128)((unsigned __int128)high << 64 | (other << 32 | (low & half)));
}
