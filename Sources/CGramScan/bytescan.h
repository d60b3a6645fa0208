// Hot: the bytes of every URL, 32 at a time, by AVX2: portable Swift cannot shuffle bytes by a vector.
// `CanonicalURL` has the same in Swift alone, which runs wherever nothing here fits; CanonicalURLTests
// compares them. Functions are static inline, so that there is nothing to link.

#ifndef TICKBIRD_BYTESCAN_H
#define TICKBIRD_BYTESCAN_H

#include "gramscan.h"

#if defined(__x86_64__)

/// The index of the first byte from `from` on that is `first` and has `second` behind it; at least `count` if
/// there is none before.
///
/// Sixteen bytes at a time, which every processor of this kind can do. All bytes up to `count` + 16 must be
/// readable. `first` and `second` must not be 0 where 0 follows the text.
static inline size_t tickbird_find_pair(
    const uint8_t *text, size_t from, size_t count, uint8_t first, uint8_t second) {
  const __m128i firsts = _mm_set1_epi8((char)first);
  const __m128i seconds = _mm_set1_epi8((char)second);
  for (; from < count; from += 16) {
    __m128i equal = _mm_and_si128(
        _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(text + from)), firsts),
        _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(text + from + 1)), seconds));
    unsigned found = (unsigned)_mm_movemask_epi8(equal);
    if (found != 0) return from + (size_t)__builtin_ctz(found);
  }
  return count;
}

/// The index of the first byte from `from` on that is the given one; `end` if there is none before.
///
/// All bytes up to `end` + 15 must be readable.
static inline size_t tickbird_find_byte(const uint8_t *text, size_t from, size_t end, uint8_t byte) {
  const __m128i bytes = _mm_set1_epi8((char)byte);
  for (; from < end; from += 16) {
    unsigned found = (unsigned)_mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(text + from)), bytes));
    if (found == 0) continue;
    size_t place = from + (size_t)__builtin_ctz(found);
    return place < end ? place : end;
  }
  return end;
}

/// The end of the run of `a` to `z`, `0` to `9`, `-`, `.` and `_` that begins at `from`; `end` at most.
///
/// All bytes up to `end` + 15 must be readable.
static inline size_t tickbird_word_end(const uint8_t *text, size_t from, size_t end) {
  for (; from < end; from += 16) {
    // Bytes above 127 are negative numbers here, below all others.
    __m128i bytes = _mm_loadu_si128((const __m128i *)(text + from));
    __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('a' - 1)),
                                    _mm_cmpgt_epi8(_mm_set1_epi8('z' + 1), bytes));
    __m128i others = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('-' - 1)),
                                   _mm_cmpgt_epi8(_mm_set1_epi8('9' + 1), bytes));
    others = _mm_andnot_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('/')), others);
    others = _mm_or_si128(others, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')));
    unsigned foreign = ~(unsigned)_mm_movemask_epi8(_mm_or_si128(letters, others)) & 0xFFFF;
    if (foreign == 0) continue;
    size_t place = from + (size_t)__builtin_ctz(foreign);
    return place < end ? place : end;
  }
  return end;
}

/// Sets of ASCII bytes: bit h of byte l stands for the character 16 h + l.
///
/// What a host, a path and a query keep as it is, `ByteSet.canonicalDomain`, `ByteSet.path` without the
/// backslash, and `ByteSet.specialQuery`.
static const uint8_t tickbird_host_bytes[16] = {
    0xC8, 0xCC, 0xCC, 0xC8, 0xCC, 0xC8, 0xCC, 0xCC, 0xCC, 0xCC, 0xC4, 0xCC, 0x44, 0xCC, 0xC4, 0x60};
static const uint8_t tickbird_path_bytes[16] = {
    0xB8, 0xFC, 0xF8, 0xF8, 0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0x7C, 0xD4, 0x7C, 0xD4, 0x74};
static const uint8_t tickbird_query_bytes[16] = {
    0xF8, 0xFC, 0xF8, 0xF8, 0xFC, 0xFC, 0xFC, 0xF8, 0xFC, 0xFC, 0xFC, 0xFC, 0xF4, 0xFC, 0xF4, 0x7C};

/// In each bit, whether one of 32 bytes is not in a set.
TICKBIRD_AVX2 static inline uint32_t tickbird_outside(__m256i bytes, __m256i set) {
  const __m256i rows = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                        1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
  // A byte above 127 selects nothing.
  __m256i found = _mm256_and_si256(_mm256_shuffle_epi8(set, bytes), _mm256_shuffle_epi8(rows, upper));
  return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256()));
}

/// The same for a path; a `.` or `%` behind a slash counts too. The byte before must be readable.
TICKBIRD_AVX2 static inline uint32_t tickbird_suspect(
    const uint8_t *text, __m256i set, int is_path) {
  __m256i bytes = _mm256_loadu_si256((const __m256i *)text);
  uint32_t outside = tickbird_outside(bytes, set);
  if (!is_path) return outside;
  __m256i before = _mm256_loadu_si256((const __m256i *)(text - 1));
  __m256i begins = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('.')),
                                   _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('%')));
  __m256i slashes = _mm256_cmpeq_epi8(before, _mm256_set1_epi8('/'));
  return outside | (uint32_t)_mm256_movemask_epi8(_mm256_and_si256(begins, slashes));
}

TICKBIRD_AVX2 static inline size_t tickbird_first_suspect(
    const uint8_t *text, size_t from, size_t count, const uint8_t *bytes, int is_path) {
  __m256i set = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
  size_t last = count - 32;
  while (from < last) {
    uint32_t found = tickbird_suspect(text + from, set, is_path);
    if (found != 0) return from + (size_t)__builtin_ctz(found);
    from += 32;
  }
  if (from >= count) return count;
  // The last block overlaps the one before.
  uint32_t found = tickbird_suspect(text + last, set, is_path) >> (from - last);
  return found != 0 ? from + (size_t)__builtin_ctz(found) : count;
}

/// The index of the first byte from `from` on that a host does not keep; `count` if there is none.
///
/// `count` must be 32 at least.
TICKBIRD_AVX2 static inline size_t tickbird_host_end(
    const uint8_t *text, size_t from, size_t count) {
  return tickbird_first_suspect(text, from, count, tickbird_host_bytes, 0);
}

/// The same for a path, also for a `.` or `%` behind a slash; `count` must be 33 and `from` 1 at least.
TICKBIRD_AVX2 static inline size_t tickbird_path_end(
    const uint8_t *text, size_t from, size_t count) {
  return tickbird_first_suspect(text, from, count, tickbird_path_bytes, 1);
}

/// The same for a query.
TICKBIRD_AVX2 static inline size_t tickbird_query_end(
    const uint8_t *text, size_t from, size_t count) {
  return tickbird_first_suspect(text, from, count, tickbird_query_bytes, 0);
}

/// What `tickbird_fold` saw.
struct tickbird_folded {
  /// A bit for each of the first 64 bytes that is an upper-case letter.
  uint64_t upper;
  /// Bit 0 says whether there is an upper-case letter anywhere, bit 1 whether a byte above 127.
  uint32_t kinds;
};

/// In each byte, whether it is an upper-case letter.
TICKBIRD_AVX2 static inline __m256i tickbird_upper(__m256i bytes) {
  return _mm256_and_si256(_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8('A' - 1)),
                          _mm256_cmpgt_epi8(_mm256_set1_epi8('Z' + 1), bytes));
}

/// Folds the 32 bytes at a place, and keeps them as they are.
TICKBIRD_AVX2 static inline void tickbird_fold_block(
    const uint8_t *from, uint8_t *exact, uint8_t *folded, size_t place, __m256i *uppers, __m256i *all) {
  __m256i bytes = _mm256_loadu_si256((const __m256i *)(from + place));
  __m256i upper = tickbird_upper(bytes);
  *uppers = _mm256_or_si256(*uppers, upper);
  *all = _mm256_or_si256(*all, bytes);
  upper = _mm256_and_si256(upper, _mm256_set1_epi8(0x20));
  _mm256_storeu_si256((__m256i *)(exact + place), bytes);
  _mm256_storeu_si256((__m256i *)(folded + place), _mm256_or_si256(bytes, upper));
}

/// A bit for each of 32 bytes that is an upper-case letter.
///
/// Of the text itself: what was folded has just been written in blocks that overlap, and a read across two of them waits
/// until both are done.
TICKBIRD_AVX2 static inline uint32_t tickbird_upper_bits(const uint8_t *text) {
  return (uint32_t)_mm256_movemask_epi8(tickbird_upper(_mm256_loadu_si256((const __m256i *)text)));
}

/// Copies a text of at least 32 bytes as it is and with its letters in lower case, each with 32 zeros behind it.
///
/// The exact text is copied even if it is the same: whether URLs have an upper-case letter is hard to predict. Both
/// copies must have room for `count` + 32 bytes.
TICKBIRD_AVX2 static inline struct tickbird_folded tickbird_fold(
    const uint8_t *from, uint8_t *exact, uint8_t *folded, size_t count) {
  __m256i uppers = _mm256_setzero_si256(), all = uppers;
  size_t last = count - 32, place = 0;
  for (; place + 32 < last; place += 64) {
    tickbird_fold_block(from, exact, folded, place, &uppers, &all);
    tickbird_fold_block(from, exact, folded, place + 32, &uppers, &all);
  }
  if (place < last) tickbird_fold_block(from, exact, folded, place, &uppers, &all);
  // The last block overlaps the one before.
  tickbird_fold_block(from, exact, folded, last, &uppers, &all);
  _mm256_storeu_si256((__m256i *)(exact + count), _mm256_setzero_si256());
  _mm256_storeu_si256((__m256i *)(folded + count), _mm256_setzero_si256());
  size_t second = last < 32 ? last : 32;
  return (struct tickbird_folded){
      .upper = tickbird_upper_bits(from) | (uint64_t)tickbird_upper_bits(from + second) << second,
      .kinds = (uint32_t)(_mm256_testz_si256(uppers, uppers) == 0) |
               (uint32_t)(_mm256_movemask_epi8(all) != 0) << 1};
}

#endif
#endif
