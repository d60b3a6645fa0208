// Compiles patterns into RE2 sets, searches URLs for them, and prints the costs.
//
// usage: re2-search PATTERNS URLS

#include <re2/set.h>

#include <memory>

#include "patterns.h"

int main(int argc, char **argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: re2-search PATTERNS URLS\n"), 64;
  std::vector<Pattern> patterns = read_patterns(argv[1]);
  std::vector<std::string> urls = read_lines(argv[2]);
  // A set has one flag for letters, and so many states that all patterns need several sets.
  const size_t most = 60000;
  std::vector<std::unique_ptr<RE2::Set>> sets;
  double start = thread_time();
  for (bool is_case_sensitive : {false, true}) {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);
    options.set_case_sensitive(is_case_sensitive);
    options.set_dot_nl(true);
    options.set_max_mem(1LL << 30);
    size_t count = most;
    for (const Pattern &pattern : patterns) {
      if (pattern.is_case_sensitive != is_case_sensitive) continue;
      if (count == most) {
        sets.push_back(std::make_unique<RE2::Set>(options, RE2::UNANCHORED));
        count = 0;
      }
      std::string error;
      if (sets.back()->Add(pattern.text, &error) < 0)
        return std::fprintf(stderr, "re2-search: %s\n", error.c_str()), 1;
      count += 1;
    }
  }
  for (auto &set : sets)
    if (!set->Compile()) return std::fprintf(stderr, "re2-search: out of memory\n"), 1;
  double seconds = thread_time() - start;
  long peak = peak_memory();
  long matched = 0;
  std::vector<int> found;
  double nanoseconds = measure(urls, matched, [&](const std::string &url) {
    bool any = false;
    for (auto &set : sets) any |= set->Match(url, &found);
    return any;
  });
  std::printf("{\"patterns\": %zu, \"sets\": %zu, \"seconds\": %.6f, \"peak\": %ld, "
              "\"nanoseconds\": %.1f, \"matched\": %ld}\n",
              patterns.size(), sets.size(), seconds, peak, nanoseconds, matched);
  return 0;
}
