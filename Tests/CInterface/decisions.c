/* Decides a log one by one and in a batch, compares both with WebKit's recorded decisions, and counts the
 * allocations of a second pass, of which there must be none.
 *
 * usage: decisions LIST LOG EXPECTED
 *
 * The log is a table whose columns are named in its first line: url, source, webkit_type and load_type
 * among them. */

#include <time.h>

#include "check.h"

/* Of CMeasuring, whose allocator counts. */
uint64_t measuring_allocations(void);

enum { COLUMNS = 5, ROWS = 30000 };

static char *contents(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  REQUIRE(file && fseek(file, 0, SEEK_END) == 0);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  REQUIRE(bytes && fread(bytes, 1, *size, file) == *size);
  bytes[*size] = 0;
  fclose(file);
  return bytes;
}

/* Columns url, source, type, webkit_type, load_type as Arrow would have them. */
static char *texts[COLUMNS];
static int32_t offsets[COLUMNS][ROWS + 1];
static size_t rows;

static tickbird_string cell(int column, size_t row) {
  return (tickbird_string){
    texts[column] + offsets[column][row],
    (size_t)(offsets[column][row + 1] - offsets[column][row])};
}

static void read_log(const char *path) {
  size_t size;
  char *log = contents(path, &size);
  for (int column = 0; column < COLUMNS; column += 1) REQUIRE((texts[column] = malloc(size + 1)));
  for (char *line = strchr(log, '\n') + 1; *line; rows += 1) {
    char *end = strchr(line, '\n');
    REQUIRE(end && rows < ROWS);
    for (int column = 0; column < COLUMNS; column += 1) {
      char *stop = column == COLUMNS - 1 ? end : memchr(line, '\t', (size_t)(end - line));
      REQUIRE(stop);
      /* A load of no page is third-party. */
      const char *text = column == 4 && *line == '-' ? "third-party" : line;
      size_t length = text == line ? (size_t)(stop - line) : strlen(text);
      memcpy(texts[column] + offsets[column][rows], text, length);
      offsets[column][rows + 1] = offsets[column][rows] + (int32_t)length;
      line = stop + 1;
    }
  }
  free(log);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static const char *letters(uint32_t flags) {
  static const char *words[] = {"-", "b", "c", "bc", "h", "bh", "ch", "bch"};
  return words[flags & 7];
}

int main(int count, char **arguments) {
  REQUIRE(count == 4);
  size_t size;
  char *json = contents(arguments[1], &size);
  tickbird_list *list;
  REQUIRE(tickbird_compile(json, size, NULL, &list, NULL) == TICKBIRD_OK);
  free(json);
  read_log(arguments[2]);
  char *expected = contents(arguments[3], &size);
  const tickbird_list *lists[] = {list};
  tickbird_decider *decider;
  REQUIRE(tickbird_decider_create(lists, 1, &decider) == TICKBIRD_OK);

  static uint32_t flags[ROWS];
  static uint8_t found[ROWS];
  tickbird_rule rules[64];
  tickbird_decision decision = {.struct_size = sizeof decision, .rules = rules, .rule_capacity = 64};
  uint64_t allocated = 0;
  uint64_t unusual = 0;
  uint64_t learning = 0;
  double seconds = 0;
  for (int pass = 0; pass < 3; pass += 1) {
    double start = now();
    for (size_t row = 0; row < rows; row += 1) {
      tickbird_load one = {.struct_size = sizeof one, .url = cell(0, row), .page = cell(1, row),
                           .type = cell(3, row), .context = string("top-frame"), .party = cell(4, row)};
      uint64_t before = measuring_allocations();
      found[row] = (uint8_t)tickbird_decide(decider, &one, &decision);
      uint64_t after = measuring_allocations();
      flags[row] = decision.flags;
      if (pass != 2) continue;
      /* Once more, now that the page is known. */
      learning += after - before;
      tickbird_decide(decider, &one, &decision);
      CHECK(decision.flags == flags[row]);
      uint64_t again = measuring_allocations() - after;
      /* Only a URL that is not written as browsers write it has to be parsed, which takes memory. */
      unusual += again > 0;
      allocated += again;
    }
    if (pass == 1) seconds = now() - start;
  }
  size_t compared = 0;
  char *line = expected;
  for (size_t row = 0; row < rows; row += 1) {
    char *end = strchr(line, '\n');
    REQUIRE(end);
    *end = 0;
    if (found[row] == TICKBIRD_OK) {
      compared += 1;
      if (strcmp(letters(flags[row]), line) != 0) {
        fprintf(stderr, "row %zu, %.*s: %s, WebKit %s\n", row, (int)cell(0, row).size,
                cell(0, row).bytes, letters(flags[row]), line);
        faults += 1;
      }
    }
    line = end + 1;
  }

  /* The same in one batch. */
  static uint32_t batch_flags[ROWS];
  static uint8_t batch_found[ROWS];
  static int32_t context_offsets[ROWS + 1];
  char *contexts = malloc(rows * 9);
  REQUIRE(contexts);
  for (size_t row = 0; row < rows; row += 1) {
    memcpy(contexts + 9 * row, "top-frame", 9);
    context_offsets[row + 1] = context_offsets[row] + 9;
  }
#define COLUMN(number) {offsets[number], 4, texts[number], (size_t)offsets[number][rows], NULL, 0}
  tickbird_batch batch = {
    .struct_size = sizeof batch, .rows = rows, .url = COLUMN(0), .page = COLUMN(1), .type = COLUMN(3),
    .context = {context_offsets, 4, contexts, rows * 9, NULL, 0}, .party = COLUMN(4),
    .flags = batch_flags, .faults = batch_found};
  double start = now();
  REQUIRE(tickbird_decide_batch(decider, &batch) == TICKBIRD_OK);
  double batch_seconds = now() - start;
  CHECK(memcmp(batch_flags, flags, rows * sizeof *flags) == 0);
  CHECK(memcmp(batch_found, found, rows) == 0);
  CHECK(compared > rows - rows / 100);
  CHECK(unusual < rows / 100 && allocated <= 16 * unusual);
  printf("%zu rows, %zu as WebKit, %zu blocked; one by one %.0f ns each, in a batch %.0f ns; "
         "allocations: %llu for new pages, %llu to parse %llu unusual URLs, no other\n",
         rows, compared, batch.blocked_rows, seconds / (double)rows * 1e9,
         batch_seconds / (double)rows * 1e9, (unsigned long long)learning,
         (unsigned long long)allocated, (unsigned long long)unusual);
  tickbird_decider_free(decider);
  tickbird_list_free(list);
  return faults ? 1 : 0;
}
