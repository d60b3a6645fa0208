/* Calls every function with what no caller should give it. Run under the address sanitizer, whose memory
 * has exact ends: nothing beyond a buffer may be read or written, and nothing may end the process. */

#include "check.h"

static const char block[] =
  "[{\"trigger\":{\"url-filter\":\"ads\"},\"action\":{\"type\":\"block\"}}]";

/* A copy of exactly so many bytes, so that reading one more is noticed. */
static char *exact(const void *bytes, size_t size) {
  char *copy = malloc(size ? size : 1);
  REQUIRE(copy);
  if (size) memcpy(copy, bytes, size);
  return copy;
}

static void null_pointers(tickbird_decider *decider, tickbird_list *list) {
  tickbird_text text;
  tickbird_list *made;
  tickbird_decider *decided;
  const void *bytes;
  size_t size;
  tickbird_load one = load("https://a.test/", "", "script");
  tickbird_decision decision = {.struct_size = sizeof decision};
  CHECK(tickbird_check(NULL, 5, NULL, &text) == TICKBIRD_BAD_ARGUMENT && !text.bytes);
  CHECK(tickbird_check(block, sizeof block - 1, NULL, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_check(NULL, 0, NULL, &text) == TICKBIRD_OK);
  tickbird_text_free(text);
  CHECK(tickbird_check(block, (size_t)-1, NULL, &text) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_check(block, (size_t)1 << 40, NULL, &text) == TICKBIRD_TOO_LONG);
  CHECK(tickbird_compile(NULL, 5, NULL, &made, NULL) == TICKBIRD_BAD_ARGUMENT && !made);
  CHECK(tickbird_compile(block, sizeof block - 1, NULL, NULL, &text) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_list_open(NULL, 5, &made, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_list_open(block, 5, NULL, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_list_map(NULL, &made, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_list_map("/", NULL, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_list_map("/dev/zero", &made, NULL) == TICKBIRD_UNREADABLE);
  CHECK(tickbird_list_compiled(NULL, &bytes, &size) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_list_compiled(list, NULL, &size) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_list_source(NULL, &text) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_list_source(list, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_list_rule_count(NULL) == 0);
  CHECK(tickbird_decider_create(NULL, 1, &decided) == TICKBIRD_BAD_ARGUMENT && !decided);
  const tickbird_list *none[] = {list, NULL};
  CHECK(tickbird_decider_create(none, 2, &decided) == TICKBIRD_BAD_ARGUMENT && !decided);
  CHECK(tickbird_decider_create(none, (size_t)-1, &decided) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_decide(NULL, &one, &decision) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_decide(decider, NULL, &decision) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_decide(decider, &one, NULL) == TICKBIRD_BAD_ARGUMENT);
  decision.rule_capacity = 3;
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_BAD_ARGUMENT);
  decision = (tickbird_decision){.struct_size = 8};
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_BAD_ARGUMENT);
  decision.struct_size = sizeof decision;
  one.struct_size = 16;
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_BAD_ARGUMENT);
  one = load("https://a.test/", "", "script");
  one.page = (tickbird_string){NULL, 4};
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_BAD_ARGUMENT);
  one.page = (tickbird_string){"", (size_t)-4};
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_decide_batch(decider, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_decide_batch(NULL, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_explain(decider, &one, NULL, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_explain(NULL, &one, NULL, &text) == TICKBIRD_BAD_ARGUMENT);
}

/* Loads of bytes that are no words, URLs or UTF-8. */
static void odd_loads(tickbird_decider *decider) {
  tickbird_decision decision = {.struct_size = sizeof decision};
  tickbird_text json;
  tickbird_load one = load("", "", "script");
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_MISSING);
  CHECK(tickbird_explain(decider, &one, NULL, &json) == TICKBIRD_MISSING && json.size > 0);
  tickbird_text_free(json);
  one = load("ads", "", "script");
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_BAD_URL && decision.flags == 0);
  one = load("https://a.test/", "nowhere", "script");
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_BAD_URL);
  one = load("https://a.test/", "", "a-word-that-is-longer-than-all-known-ones");
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_BAD_WORD);
  one = load("https://a.test/", "", "script");
  one.context = string("no-frame");
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_BAD_WORD);
  one.context = string("");
  one.party = string("second-party");
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_BAD_WORD);
  one.party = string("");
  one.method = string("BREW");
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_OK);
  one = load("", "", "texttrack");
  static const char zeros[] = "https://a.test/ads\0\0\xFF\xFE#x";
  one.url = (tickbird_string){zeros, sizeof zeros - 1};
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_OK && decision.flags == 1);
  CHECK(tickbird_explain(decider, &one, NULL, &json) == TICKBIRD_OK);
  tickbird_text_free(json);
  one.type = (tickbird_string){"scr\0ipt", 7};
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_BAD_WORD);
  /* As long as is allowed, and one byte longer. */
  size_t size = TICKBIRD_TEXT_LIMIT;
  char *long_url = malloc(size + 1);
  REQUIRE(long_url);
  memset(long_url, 'a', size + 1);
  memcpy(long_url, "https://a.test/", 15);
  memcpy(long_url + size - 4, "/ads", 4);
  one = load("", "", "script");
  one.url = (tickbird_string){long_url, size};
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_OK && decision.flags == 1);
  one.url.size = size + 1;
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_TOO_LONG);
  CHECK(tickbird_explain(decider, &one, NULL, &json) == TICKBIRD_TOO_LONG);
  tickbird_text_free(json);
  free(long_url);
}

/* Offsets that leave the bytes or go backwards, wrong sizes, and counts that overflow. */
static void odd_batches(tickbird_decider *decider) {
  static const int32_t offsets[][3] = {
    {0, 18, 12}, {0, 18, 37}, {-1, 18, 36}, {0, -1, 36}, {36, 18, 0}, {0, 2147483647, 36}};
  static const char urls[] = "https://a.test/adshttps://b.test/ads";
  char *bytes = exact(urls, 36);
  for (size_t each = 0; each < sizeof offsets / sizeof *offsets; each += 1) {
    char *places = exact(offsets[each], sizeof *offsets);
    uint8_t *blocked = (uint8_t *)exact("\7\7", 2);
    tickbird_batch batch = {
      .struct_size = sizeof batch, .rows = 2, .url = {places, 4, bytes, 36, NULL, 0},
      .every_type = string("script"), .blocked = blocked};
    CHECK(tickbird_decide_batch(decider, &batch) == TICKBIRD_BAD_ARGUMENT);
    CHECK(batch.done <= 1 && blocked[1] == 7);
    free(blocked);
    free(places);
  }
  static const int64_t right[] = {0, 18, 36};
  tickbird_batch good = {
    .struct_size = sizeof good, .rows = 2, .url = {right, 8, bytes, 36, NULL, 0},
    .every_type = string("script")};
  CHECK(tickbird_decide_batch(decider, &good) == TICKBIRD_OK && good.blocked_rows == 2);
  tickbird_batch bad = good;
  bad.done = 3;
  CHECK(tickbird_decide_batch(decider, &bad) == TICKBIRD_BAD_ARGUMENT);
  bad = good; bad.done = 0; bad.url.offset_size = 2;
  CHECK(tickbird_decide_batch(decider, &bad) == TICKBIRD_BAD_ARGUMENT);
  bad = good; bad.done = 0; bad.url.first = (size_t)-1;
  CHECK(tickbird_decide_batch(decider, &bad) == TICKBIRD_BAD_ARGUMENT);
  bad = good; bad.done = 0; bad.url.first = ((size_t)-1 >> 1) - 1;
  CHECK(tickbird_decide_batch(decider, &bad) == TICKBIRD_BAD_ARGUMENT);
  bad = good; bad.done = 0; bad.url.bytes = NULL;
  CHECK(tickbird_decide_batch(decider, &bad) == TICKBIRD_BAD_ARGUMENT);
  bad = good; bad.done = 0; bad.rows = (size_t)-1;
  CHECK(tickbird_decide_batch(decider, &bad) == TICKBIRD_BAD_ARGUMENT);
  bad = good; bad.done = 0; bad.struct_size = 0;
  CHECK(tickbird_decide_batch(decider, &bad) == TICKBIRD_BAD_ARGUMENT);
  int64_t ends[3] = {0, 99, 0};
  bad = good; bad.done = 1; bad.rule_offsets = ends;
  CHECK(tickbird_decide_batch(decider, &bad) == TICKBIRD_BAD_ARGUMENT);
  bad = good; bad.done = 0; bad.rule_offsets = ends; bad.rule_capacity = 0;
  CHECK(tickbird_decide_batch(decider, &bad) == TICKBIRD_FULL && bad.done == 0);
  free(bytes);
}

/* Rows that are none, numbers that are none, and findings that are damaged or of other lists. */
static void odd_audits(const tickbird_list *list) {
  const tickbird_list *lists[] = {list, NULL};
  tickbird_audit *audit, *other;
  tickbird_text text;
  tickbird_audit_counts counts = {.struct_size = sizeof counts};
  static const int64_t offsets[] = {0, 18, 36};
  char *bytes = exact("https://a.test/adshttps://a.test/ads", 36);
  tickbird_batch good = {
    .struct_size = sizeof good, .rows = 2, .url = {offsets, 8, bytes, 36, NULL, 0},
    .every_type = string("script")};
  CHECK(tickbird_audit_create(NULL, NULL, 1, NULL, &audit) == TICKBIRD_BAD_ARGUMENT && !audit);
  CHECK(tickbird_audit_create(lists, NULL, 2, NULL, &audit) == TICKBIRD_BAD_ARGUMENT && !audit);
  CHECK(tickbird_audit_create(lists, NULL, (size_t)-1, NULL, &audit) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_audit_create(lists, NULL, 1, NULL, NULL) == TICKBIRD_BAD_ARGUMENT);
  REQUIRE(tickbird_audit_create(lists, NULL, 1, "\xFF", &audit) == TICKBIRD_OK);
  REQUIRE(tickbird_audit_create(NULL, NULL, 0, NULL, &other) == TICKBIRD_OK);
  CHECK(tickbird_audit_add(NULL, &good, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_audit_add(audit, NULL, NULL) == TICKBIRD_BAD_ARGUMENT);
  tickbird_batch bad = good;
  bad.struct_size = 8;
  CHECK(tickbird_audit_add(audit, &bad, NULL) == TICKBIRD_BAD_ARGUMENT);
  bad = good; bad.url.byte_count = 35;
  CHECK(tickbird_audit_add(audit, &bad, NULL) == TICKBIRD_BAD_ARGUMENT);
  bad = good; bad.rows = (size_t)-1;
  CHECK(tickbird_audit_add(audit, &bad, NULL) == TICKBIRD_BAD_ARGUMENT);
  for (int64_t wrong = -1; wrong < 1; wrong += 1) {
    int64_t numbers[] = {7, wrong};
    CHECK(tickbird_audit_add(audit, &good, numbers) == TICKBIRD_BAD_ARGUMENT);
  }
  CHECK(tickbird_audit_count(audit, &counts) == TICKBIRD_OK && counts.requests + counts.bad_rows == 0);
  int64_t numbers[] = {9, 7};
  CHECK(tickbird_audit_add(audit, &good, numbers) == TICKBIRD_OK);
  CHECK(tickbird_audit_add(audit, &good, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_audit_count(audit, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_audit_count(NULL, &counts) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_audit_count(audit, &counts) == TICKBIRD_OK && counts.requests == 2);
  CHECK(tickbird_audit_findings(NULL, &text) == TICKBIRD_BAD_ARGUMENT && !text.bytes);
  CHECK(tickbird_audit_findings(audit, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_audit_report(audit, 6, 0, 0, &text) == TICKBIRD_BAD_ARGUMENT && !text.bytes);
  CHECK(tickbird_audit_report(audit, -1, 0, 0, &text) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_audit_report(audit, 0, (size_t)-1, 0, &text) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_audit_report(NULL, 0, 0, 0, &text) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_audit_report(audit, 0, 0, 0, NULL) == TICKBIRD_BAD_ARGUMENT);
  tickbird_text findings;
  REQUIRE(tickbird_audit_findings(audit, &findings) == TICKBIRD_OK);
  CHECK(tickbird_audit_merge(other, findings.bytes, findings.size, NULL) == TICKBIRD_DAMAGED);
  CHECK(tickbird_audit_merge(audit, NULL, 5, NULL) == TICKBIRD_BAD_ARGUMENT);
  CHECK(tickbird_audit_merge(audit, findings.bytes, (size_t)1 << 40, NULL) == TICKBIRD_TOO_LONG);
  CHECK(tickbird_audit_merge(NULL, findings.bytes, findings.size, NULL) == TICKBIRD_BAD_ARGUMENT);
  for (size_t cut = 0; cut + 1 < findings.size; cut += 1) {
    char *copy = exact(findings.bytes, cut);
    CHECK(tickbird_audit_merge(audit, copy, cut, NULL) == TICKBIRD_DAMAGED);
    free(copy);
  }
  for (size_t place = 0; place < findings.size; place += 1) {
    char *copy = exact(findings.bytes, findings.size);
    copy[place] = (char)(copy[place] ^ 0x11);
    tickbird_audit_merge(audit, copy, findings.size, NULL);
    free(copy);
  }
  REQUIRE(tickbird_audit_report(audit, TICKBIRD_AUDIT_JSON, 0, 0, &text) == TICKBIRD_OK);
  tickbird_text_free(text);
  tickbird_text_free(findings);
  tickbird_audit_free(audit);
  tickbird_audit_free(other);
  tickbird_audit_free(NULL);
  free(bytes);
}

/* Compiled bytes that are cut off, and ones with each byte changed. */
static void damaged(const tickbird_list *list) {
  const void *bytes;
  size_t size;
  REQUIRE(tickbird_list_compiled(list, &bytes, &size) == TICKBIRD_OK);
  tickbird_list *made;
  for (size_t cut = 0; cut < size; cut += cut < 256 ? 1 : 37) {
    char *copy = exact(bytes, cut);
    tickbird_text message;
    CHECK(tickbird_list_open(copy, cut, &made, &message) == TICKBIRD_DAMAGED && !made);
    CHECK(message.size > 0);
    tickbird_text_free(message);
    free(copy);
  }
  for (size_t place = 0; place < size; place += 7) {
    char *copy = exact(bytes, size);
    copy[place] = (char)(copy[place] ^ 0x5A);
    if (tickbird_list_open(copy, size, &made, NULL) == TICKBIRD_OK) tickbird_list_free(made);
    free(copy);
  }
  static const char *texts[] = {
    "", "[", "[]", "{}", "null", "[{}]", "\xFF\xFE", "[\"\\ud800\"]", "[[[[[[[[[[[[[[[[[[[[[[[[[[[["};
  for (size_t each = 0; each < sizeof texts / sizeof *texts; each += 1) {
    char *copy = exact(texts[each], strlen(texts[each]));
    tickbird_text report;
    CHECK(tickbird_compile(copy, strlen(texts[each]), "\xFF", &made, &report) == TICKBIRD_REFUSED);
    CHECK(strstr(report.bytes, "\"accepted\":false"));
    tickbird_text_free(report);
    free(copy);
  }
}

int main(void) {
  tickbird_list *list;
  REQUIRE(tickbird_compile(block, sizeof block - 1, NULL, &list, NULL) == TICKBIRD_OK);
  const tickbird_list *lists[] = {list};
  tickbird_decider *decider;
  REQUIRE(tickbird_decider_create(lists, 1, &decider) == TICKBIRD_OK);
  null_pointers(decider, list);
  odd_loads(decider);
  odd_batches(decider);
  damaged(list);
  odd_audits(list);
  tickbird_decider_free(decider);
  tickbird_list_free(list);
  if (!faults) puts("faults: every wrong call gets its status");
  return faults ? 1 : 0;
}
