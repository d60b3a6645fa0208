// Hot: the scan of a URL's grams by vectors, the one loop of the engine that is not in Swift: portable
// Swift cannot shuffle bytes by a vector, nor use AVX2 where the processor has it. The same is there in
// Swift alone (`ScanCode.plain`), which runs wherever nothing here fits; GramScanTests compares them.
// Functions are static inline, so that there is nothing to link. Documentation/Performance.md has what
// each design gave.

#ifndef TICKBIRD_GRAMSCAN_H
#define TICKBIRD_GRAMSCAN_H

#include <stddef.h>
#include <stdint.h>
#if __STDC_HOSTED__ && !defined(__wasm__)
#include <stdlib.h>
#include <string.h>
#endif

/// What a scan reads, and how far it has come.
///
/// `FilterIndex`, `GramBucket` and `GramEntry` draw the tables. All fields have eight bytes: what is written in one
/// size and read in another waits until the write is done.
struct tickbird_gram_scan {
  /// The folded URL. The sixteen bytes before it, and all up to `count` + 32, must be readable.
  const uint8_t *text;
  uint64_t count;
  /// The place behind the last gram, at most `count` - 2.
  uint64_t end;
  /// The distance of the places that are looked at, 1 to 4.
  uint64_t stride;
  /// The bit filter, of 2^(32 - `shift`) words of four bytes.
  const uint8_t *filter;
  /// How far to shift the upper half of a hash for the number of its word, 13 to 30.
  uint64_t shift;
  /// Each of `bucket_count` buckets, and one more.
  const uint8_t *buckets;
  uint64_t bucket_count;
  const uint8_t *entries;
  uint64_t entry_count;
  /// How many entries' bytes may be read from the first entry on, whatever they are.
  uint64_t readable_count;
  /// The buckets from `next` to `waiting_count` are left; there is room for 64.
  struct tickbird_waiting_bucket *waiting;
  uint64_t next;
  uint64_t waiting_count;
};

/// A bucket that waits to be looked into: its entries that are left, and the place of the gram.
struct tickbird_waiting_bucket {
  /// Until the bucket is read, its number.
  uint32_t entry;
  uint32_t end;
  uint32_t place;
};

/// Entries whose checks passed, and the place of their gram.
struct tickbird_found_entries {
  /// Bit i is entry `first` + `tickbird_entry_order`(i).
  uint32_t passing;
  uint32_t first;
  intptr_t place;
};

/// The upper and the lower half of the multiplier of `FilterIndex.upperHash`.
#define TICKBIRD_MULTIPLIER_UPPER 0x9E3779B9u
#define TICKBIRD_MULTIPLIER_LOWER 0x7F4A7C15u

/// Whether TICKBIRD_GRAM_SCAN in the environment asks for the scan in plain Swift, for tests.
static inline int tickbird_wants_plain_scan(void) {
#if __STDC_HOSTED__ && !defined(__wasm__)
  const char *name = getenv("TICKBIRD_GRAM_SCAN");
  return name != NULL && strcmp(name, "plain") == 0;
#else
  return 0;
#endif
}

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#define TICKBIRD_AVX2 __attribute__((target("avx2")))

/// Whether processor and system can run what is built for AVX2.
static inline int tickbird_has_avx2(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  // OSXSAVE and AVX.
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & 0x18000000u) != 0x18000000u) return 0;
  // The system must save the registers when it switches threads.
  unsigned saved = 0, unused = 0;
  __asm__("xgetbv" : "=a"(saved), "=d"(unused) : "c"(0));
  if ((saved & 6) != 6) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 0x20u) != 0;
}

/// Where in sixteen bytes the four grams of a stride stand.
static const uint8_t tickbird_gram_shuffles[4][16] = {
    {0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6},
    {0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7, 8, 9},
    {0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
};

/// 2^16 over each stride, rounded up: a quotient below 32 * 4 by a multiplication is exact.
static const uint32_t tickbird_inverses[8] = {65536, 65536, 32768, 21846, 16384, 65536, 65536, 65536};

/// The upper halves of the hashes of the eight grams from a place on.
TICKBIRD_AVX2 static inline __m256i tickbird_gram_hashes(
    const uint8_t *text, size_t stride, __m256i shuffle) {
  const __m256i upper = _mm256_set1_epi32((int)TICKBIRD_MULTIPLIER_UPPER);
  const __m256i lower = _mm256_set1_epi64x(TICKBIRD_MULTIPLIER_LOWER);
  __m128i first = _mm_loadu_si128((const __m128i *)text);
  __m128i second = _mm_loadu_si128((const __m128i *)(text + 4 * stride));
  __m256i grams = _mm256_shuffle_epi8(_mm256_set_m128i(second, first), shuffle);
  // Of a product of 32 and 64 bits the bits 32 to 63.
  __m256i even = _mm256_mul_epu32(grams, lower);
  __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(grams, 32), lower);
  __m256i carried = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
  return _mm256_add_epi32(carried, _mm256_mullo_epi32(grams, upper));
}

/// The word of the bit filter that begins at an offset.
static inline int tickbird_filter_word(const uint8_t *filter, uint32_t offset) {
  int word;
  __builtin_memcpy(&word, filter + offset, 4);
  return word;
}

/// The words of the bit filter at eight offsets; read one by one, since gathers are not faster where they are fast.
TICKBIRD_AVX2 static inline __m256i tickbird_words(const uint8_t *filter, __m256i offsets) {
  __m128i low = _mm256_castsi256_si128(offsets), high = _mm256_extracti128_si256(offsets, 1);
  uint64_t a = (uint64_t)_mm_cvtsi128_si64(low), b = (uint64_t)_mm_extract_epi64(low, 1);
  uint64_t c = (uint64_t)_mm_cvtsi128_si64(high), d = (uint64_t)_mm_extract_epi64(high, 1);
  return _mm256_set_epi32(
      tickbird_filter_word(filter, d >> 32), tickbird_filter_word(filter, (uint32_t)d),
      tickbird_filter_word(filter, c >> 32), tickbird_filter_word(filter, (uint32_t)c),
      tickbird_filter_word(filter, b >> 32), tickbird_filter_word(filter, (uint32_t)b),
      tickbird_filter_word(filter, a >> 32), tickbird_filter_word(filter, (uint32_t)a));
}

/// Sets a bit in `words` for each place whose gram passes the bit filter, in the order of the places, and returns the
/// number of words that have them, filled up with zeros.
TICKBIRD_AVX2 static inline size_t tickbird_passing(const struct tickbird_gram_scan *scan, uint64_t *words) {
  const uint8_t *text = scan->text, *filter = scan->filter;
  const size_t end = scan->end, stride = scan->stride;
  const __m256i shuffle = _mm256_broadcastsi128_si256(
      _mm_loadu_si128((const __m128i *)tickbird_gram_shuffles[(stride - 1) & 3]));
  // The number of a word, times four, is where it begins.
  const __m128i shift = _mm_cvtsi64_si128((long long)scan->shift - 2);
  const __m256i fours = _mm256_set1_epi32(~3), five = _mm256_set1_epi32(31);
  const size_t step = 8 * stride;
  size_t place = 0, count = 0;
  uint64_t word = 0;
  uint32_t width = 0;
  for (; place < end; place += step) {
    // Stored as a whole: read again as one, it would wait for eight single bytes.
    if (width == 64) {
      words[count++] = word;
      word = width = 0;
    }
    __m256i hashes = tickbird_gram_hashes(text + place, stride, shuffle);
    __m256i found = tickbird_words(filter, _mm256_and_si256(_mm256_srl_epi32(hashes, shift), fours));
    __m256i bits = _mm256_and_si256(
        _mm256_srlv_epi32(found, _mm256_and_si256(_mm256_srli_epi32(hashes, 8), five)),
        _mm256_srlv_epi32(found, _mm256_and_si256(_mm256_srli_epi32(hashes, 3), five)));
    uint64_t passing =
        (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(bits, 31)));
    word |= passing << width;
    width += 8;
  }
  if (width == 0) return 0;
  // Of the last eight, those that are before the end.
  size_t beyond = ((place - end) * tickbird_inverses[stride & 7]) >> 16;
  words[count++] = word & UINT64_MAX >> (64 - width + beyond);
  return count;
}

/// Which of the eight entries from an address on pass their checks; see `GramEntry.passes`.
///
/// A check begins −9 to 9 bytes from its gram. Bit i is entry `tickbird_entry_order`(i).
TICKBIRD_AVX2 static inline unsigned tickbird_checked(
    const struct tickbird_gram_scan *scan, size_t place, const uint8_t *entries, uint64_t left) {
  const __m256i spread = _mm256_setr_epi8(
      0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
  __m256 first = _mm256_loadu_ps((const float *)entries);
  __m256 second = _mm256_loadu_ps((const float *)(entries + 32));
  __m256i fields = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0x88));
  __m256i bytes = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0xDD));
  // Where the check begins, counted from nine bytes before the gram.
  __m256i begin = _mm256_add_epi32(
      _mm256_sub_epi32(
          _mm256_srli_epi32(fields, 28),
          _mm256_and_si256(_mm256_srli_epi32(fields, 22), _mm256_set1_epi32(3))),
      _mm256_set1_epi32(3));
  __m256i numbers = _mm256_add_epi8(
      _mm256_shuffle_epi8(begin, spread), _mm256_set1_epi32(0x03020100));
  const uint8_t *around = scan->text + (intptr_t)place - 9;
  __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)around));
  __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(around + 16)));
  // A number with bit 7 gives 0: in the first half those from 16 on, in the second those below.
  __m256i found = _mm256_or_si256(
      _mm256_shuffle_epi8(low, _mm256_add_epi8(numbers, _mm256_set1_epi8(0x70))),
      _mm256_shuffle_epi8(high, _mm256_sub_epi8(numbers, _mm256_set1_epi8(16))));
  // The bytes beyond the check are shifted out.
  __m256i others = _mm256_sub_epi32(
      _mm256_set1_epi32(24), _mm256_and_si256(_mm256_srli_epi32(fields, 23), _mm256_set1_epi32(24)));
  __m256i passes = _mm256_cmpeq_epi32(
      _mm256_sllv_epi32(_mm256_xor_si256(found, bytes), others), _mm256_setzero_si256());
  // Checks begin within the URL, and the entries belong to the bucket.
  __m256i is_inside = _mm256_and_si256(
      _mm256_cmpgt_epi32(begin, _mm256_set1_epi32(place < 9 ? 8 - (int)place : -1)),
      _mm256_cmpgt_epi32(
          _mm256_set1_epi32(scan->count - place < 64 ? 9 + (int)(scan->count - place) : 64),
          begin));
  __m256i is_own = _mm256_cmpgt_epi32(
      _mm256_set1_epi32(left < 8 ? (int)left : 8), _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7));
  return (unsigned)_mm256_movemask_ps(
      _mm256_castsi256_ps(_mm256_and_si256(_mm256_and_si256(passes, is_inside), is_own)));
}

/// Where the bits of `tickbird_found_entries` stand among eight entries.
static inline uint32_t tickbird_entry_order(unsigned bit) { return 0x76325410u >> (4 * bit) & 15; }

/// Notes the buckets of the grams at the places of some bits, of which the lowest stands for the place `first`, and has
/// them read into the cache.
static inline void tickbird_find_buckets(struct tickbird_gram_scan *scan, size_t first, uint64_t bits) {
  const uint8_t *text = scan->text, *buckets = scan->buckets;
  const uint64_t stride = scan->stride, bucket_count = scan->bucket_count;
  struct tickbird_waiting_bucket *waiting = scan->waiting;
  size_t count = 0;
  while (bits) {
    size_t place = first + (size_t)__builtin_ctzll(bits) * stride;
    bits &= bits - 1;
    uint32_t gram;
    __builtin_memcpy(&gram, text + place, 4);
    uint64_t product =
        gram * ((uint64_t)TICKBIRD_MULTIPLIER_UPPER << 32 | TICKBIRD_MULTIPLIER_LOWER);
    uint64_t bucket = ((product ^ product >> 32) & 0xFFFFFFFFu) * bucket_count >> 32;
    __builtin_prefetch(buckets + 8 * bucket);
    waiting[count].entry = (uint32_t)bucket;
    waiting[count++].place = (uint32_t)place;
  }
  scan->waiting_count = count;
}

/// Reads the noted buckets, drops those that the bytes next to their gram rule out, and has the entries of the others
/// read into the cache.
///
/// The loop that looks into buckets is often mispredicted: if it read the buckets as well, it would begin to read the
/// next only then.
static inline void tickbird_read_buckets(struct tickbird_gram_scan *scan) {
  const uint8_t *text = scan->text, *buckets = scan->buckets, *entries = scan->entries;
  const uint32_t entry_count = (uint32_t)scan->entry_count;
  struct tickbird_waiting_bucket *waiting = scan->waiting;
  const size_t found = scan->waiting_count;
  size_t count = 0;
  for (size_t number = 0; number < found; number++) {
    uint32_t place = waiting[number].place;
    const uint8_t *bucket = buckets + 8 * (uint64_t)waiting[number].entry;
    uint32_t entry, neighbours, end;
    __builtin_memcpy(&entry, bucket, 4);
    __builtin_memcpy(&neighbours, bucket + 4, 4);
    __builtin_memcpy(&end, bucket + 8, 4);
    // Checked again: entries are read without a check.
    end = end < entry_count ? end : entry_count;
    uint32_t previous = text[(intptr_t)place - 1], next = text[(size_t)place + 4];
    uint32_t admitted = (neighbours >> (next & 31) | neighbours >> ((previous ^ 16) & 31)) & 1;
    waiting[count] = (struct tickbird_waiting_bucket){entry, end, place};
    __builtin_prefetch(entries + 8 * (uint64_t)entry);
    count += admitted & (entry < end);
  }
  scan->next = 0;
  scan->waiting_count = count;
}

/// Looks into the buckets that wait, and gives the entries whose checks pass.
///
/// Returns how many of `found` it has filled, of which there are `room`. Buckets are left only if they may not suffice.
TICKBIRD_AVX2 static inline size_t tickbird_look_up(
    struct tickbird_gram_scan *scan, struct tickbird_found_entries *found, size_t room) {
  const uint8_t *all = scan->entries;
  const uint64_t readable_count = scan->readable_count;
  struct tickbird_waiting_bucket *waiting = scan->waiting;
  const size_t waiting_count = scan->waiting_count;
  size_t next = scan->next, count = 0;
  // Eight entries a turn, whichever bucket they belong to, and no branch on what passes: hardly any does, but which is
  // not to be predicted.
  while (next < waiting_count && count < room) {
    struct tickbird_waiting_bucket *bucket = waiting + next;
    uint32_t first = bucket->entry, left = bucket->end - first, place = bucket->place;
    const uint8_t *entries = all + 8 * (uint64_t)first;
    uint8_t last[64];
    if (__builtin_expect((uint64_t)first + 8 > readable_count, 0)) {
      __builtin_memset(last, 0, 64);
      __builtin_memcpy(last, entries, left < 8 ? 8 * left : 64);
      entries = last;
    }
    unsigned passing = tickbird_checked(scan, place, entries, left);
    found[count] = (struct tickbird_found_entries){passing, first, (intptr_t)place};
    count += passing != 0;
    bucket->entry = first + 8;
    next += left <= 8;
  }
  scan->next = next;
  return count;
}

#endif

#endif
