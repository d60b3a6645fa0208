// What the programs that search for patterns share: their input and their clock.

#pragma once

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

struct Pattern {
  bool is_case_sensitive;
  std::string text;
};

// Lines of a letter, `c` for case-sensitive and `i` for not, a space and the pattern.
inline std::vector<Pattern> read_patterns(const char *path) {
  std::vector<Pattern> patterns;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.size() > 2) patterns.push_back({line[0] == 'c', line.substr(2)});
  return patterns;
}

inline std::vector<std::string> read_lines(const char *path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

inline double thread_time() {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

// The most memory that was resident. Not from getrusage, which counts in the program that started
// this one.
inline long peak_memory() {
  for (const std::string &line : read_lines("/proc/self/status"))
    if (line.rfind("VmHWM:", 0) == 0) return std::stol(line.substr(6)) * 1024;
  return 0;
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

// Searches all URLs once to warm up and then some times more, fewer if that takes long.
//
// Returns the median of the passes in nanoseconds a URL; `search` returns whether anything matches.
template <typename Search>
double measure(const std::vector<std::string> &urls, long &matched, Search search) {
  std::vector<double> passes;
  double begin = thread_time();
  for (int pass = 0; pass < 8; pass++) {
    matched = 0;
    double start = thread_time();
    for (const std::string &url : urls) matched += search(url) ? 1 : 0;
    double time = thread_time() - start;
    if (pass > 0 || time > 20) passes.push_back(time);
    if (!passes.empty() && thread_time() - begin > 20) break;
  }
  return median(passes) * 1e9 / urls.size();
}
