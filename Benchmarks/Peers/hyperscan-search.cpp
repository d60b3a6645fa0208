// Compiles patterns with Hyperscan or Vectorscan, searches URLs for them, and prints the costs.
//
// usage: hyperscan-search PATTERNS URLS

#include <hs/hs.h>

#include "patterns.h"

static int note_match(unsigned, unsigned long long, unsigned long long, unsigned, void *context) {
  *static_cast<bool *>(context) = true;
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: hyperscan-search PATTERNS URLS\n"), 64;
  std::vector<Pattern> patterns = read_patterns(argv[1]);
  std::vector<std::string> urls = read_lines(argv[2]);
  std::vector<const char *> texts;
  std::vector<unsigned> flags, numbers;
  for (size_t number = 0; number < patterns.size(); number++) {
    texts.push_back(patterns[number].text.c_str());
    flags.push_back(HS_FLAG_SINGLEMATCH | HS_FLAG_DOTALL |
                    (patterns[number].is_case_sensitive ? 0 : HS_FLAG_CASELESS));
    numbers.push_back(number);
  }
  hs_database_t *database = nullptr;
  hs_compile_error_t *error = nullptr;
  double start = thread_time();
  if (hs_compile_multi(texts.data(), flags.data(), numbers.data(), texts.size(), HS_MODE_BLOCK,
                       nullptr, &database, &error) != HS_SUCCESS)
    return std::fprintf(stderr, "hyperscan-search: %s (pattern %d)\n", error->message,
                        error->expression),
           1;
  double seconds = thread_time() - start;
  long peak = peak_memory();
  size_t size = 0;
  hs_database_size(database, &size);
  hs_scratch_t *scratch = nullptr;
  if (hs_alloc_scratch(database, &scratch) != HS_SUCCESS)
    return std::fprintf(stderr, "hyperscan-search: no memory\n"), 1;
  long matched = 0;
  double nanoseconds = measure(urls, matched, [&](const std::string &url) {
    bool found = false;
    hs_scan(database, url.data(), url.size(), 0, scratch, note_match, &found);
    return found;
  });
  std::printf("{\"patterns\": %zu, \"seconds\": %.6f, \"peak\": %ld, \"file\": %zu, "
              "\"nanoseconds\": %.1f, \"matched\": %ld, \"version\": \"%s\"}\n",
              patterns.size(), seconds, peak, size, nanoseconds, matched, hs_version());
  return 0;
}
