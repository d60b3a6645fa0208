/* Uses every function of the interface as its documentation says. */

#include "check.h"

static const char ads[] =
  "[{\"trigger\": {\"url-filter\": \"/ads/\"}, \"action\": {\"type\": \"block\"}},\n"
  " {\"trigger\": {\"url-filter\": \"/ads/ours/\"}, \"action\": {\"type\": \"ignore-previous-rules\"}},\n"
  " {\"trigger\": {\"url-filter\": \"/track\"}, \"action\": {\"type\": \"block-cookies\"}},\n"
  " {\"trigger\": {\"url-filter\": \"^http:\"}, \"action\": {\"type\": \"make-https\"}},\n"
  " {\"trigger\": {\"url-filter\": \"/track\", \"load-context\": [\"child-frame\"]},\n"
  "  \"action\": {\"type\": \"css-display-none\", \"selector\": \".ad\"}}]\n";

static void versions(void) {
  CHECK(tickbird_abi_version() == TICKBIRD_ABI_VERSION);
  CHECK(tickbird_list_format() > 0);
  CHECK(strchr(tickbird_version(), '.'));
  for (tickbird_status status = -1; status <= 10; status += 1) {
    CHECK(strlen(tickbird_status_text(status)) > 3);
  }
}

static void checking(void) {
  tickbird_text report;
  REQUIRE(tickbird_check(ads, strlen(ads), "ads.json", &report) == TICKBIRD_OK);
  CHECK(strncmp(report.bytes, "{\"file\":\"ads.json\",\"accepted\":true,", 35) == 0);
  CHECK(report.bytes[report.size] == 0 && strlen(report.bytes) == report.size);
  tickbird_text_free(report);
  const char *bad = "[{\"trigger\": {\"url-filter\": \"(\"}, \"action\": {\"type\": \"block\"}}]";
  REQUIRE(tickbird_check(bad, strlen(bad), NULL, &report) == TICKBIRD_OK);
  CHECK(strstr(report.bytes, "\"accepted\":false"));
  CHECK(strstr(report.bytes, "\"severity\":\"error\""));
  CHECK(strstr(report.bytes, "\"line\":1,\"column\":"));
  tickbird_text_free(report);
  tickbird_list *list = (tickbird_list *)&faults;
  REQUIRE(tickbird_compile(bad, strlen(bad), NULL, &list, &report) == TICKBIRD_REFUSED);
  CHECK(!list && strstr(report.bytes, "\"accepted\":false"));
  tickbird_text_free(report);
}

static tickbird_list *compiled(void) {
  tickbird_list *list;
  tickbird_text report;
  REQUIRE(tickbird_compile(ads, strlen(ads), "ads.json", &list, &report) == TICKBIRD_OK);
  CHECK(strstr(report.bytes, "\"accepted\":true"));
  tickbird_text_free(report);
  CHECK(tickbird_list_rule_count(list) == 5);
  tickbird_text source;
  REQUIRE(tickbird_list_source(list, &source) == TICKBIRD_OK);
  CHECK(source.size == strlen(ads) && memcmp(source.bytes, ads, source.size) == 0);
  tickbird_text_free(source);
  return list;
}

/* Opens a list from its bytes and from a file. */
static void opening(const tickbird_list *list, const char *folder) {
  const void *bytes;
  size_t size;
  REQUIRE(tickbird_list_compiled(list, &bytes, &size) == TICKBIRD_OK && size > 0);
  tickbird_list *copy;
  tickbird_text message;
  REQUIRE(tickbird_list_open(bytes, size, &copy, &message) == TICKBIRD_OK && message.size == 0);
  CHECK(tickbird_list_rule_count(copy) == 5);
  tickbird_text_free(message);
  tickbird_list_free(copy);

  char path[4096];
  snprintf(path, sizeof path, "%s/ads.tickbird", folder);
  FILE *file = fopen(path, "wb");
  REQUIRE(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
  REQUIRE(tickbird_list_map(path, &copy, NULL) == TICKBIRD_OK);
  const void *mapped;
  size_t mapped_size;
  REQUIRE(tickbird_list_compiled(copy, &mapped, &mapped_size) == TICKBIRD_OK);
  CHECK(mapped_size == size && memcmp(mapped, bytes, size) == 0);
  tickbird_list_free(copy);
  snprintf(path, sizeof path, "%s/none", folder);
  CHECK(tickbird_list_map(path, &copy, &message) == TICKBIRD_UNREADABLE && !copy);
  CHECK(strstr(message.bytes, path));
  tickbird_text_free(message);
  CHECK(tickbird_list_map(folder, &copy, &message) == TICKBIRD_UNREADABLE && message.size > 0);
  tickbird_text_free(message);
}

static void deciding(tickbird_decider *decider) {
  tickbird_rule rules[4];
  tickbird_decision decision = {
    .struct_size = sizeof decision, .rules = rules, .rule_capacity = 4};
  tickbird_load one = load("https://cdn.test/ads/a.js", "https://news.test/", "script");
  REQUIRE(tickbird_decide(decider, &one, &decision) == TICKBIRD_OK);
  CHECK(decision.flags == TICKBIRD_BLOCKED && decision.rule_count == 1);
  CHECK(rules[0].list == 0 && rules[0].rule == 0 && rules[0].action == TICKBIRD_ACTION_BLOCK);

  one = load("https://cdn.test/ads/ours/a.js", "https://news.test/", "script");
  REQUIRE(tickbird_decide(decider, &one, &decision) == TICKBIRD_OK);
  CHECK(decision.flags == TICKBIRD_EXCEPTED && decision.rule_count == 1);
  CHECK(rules[0].rule == 1 && rules[0].action == TICKBIRD_ACTION_IGNORE_PREVIOUS_RULES);

  one = load("http://cdn.test/track", "https://news.test/", "xhr");
  one.context = string("child-frame");
  REQUIRE(tickbird_decide(decider, &one, &decision) == TICKBIRD_OK);
  CHECK(decision.flags == (TICKBIRD_BLOCKS_COOKIES | TICKBIRD_MAKES_HTTPS | TICKBIRD_HIDES));
  CHECK(decision.hiding_rules == 1 && decision.attached_sheets == 0);
  CHECK(decision.rule_count == 2 && rules[0].rule == 2 && rules[1].rule == 3);

  /* Less room than rules: those that there is room for, and the number of all. */
  decision.rule_capacity = 1;
  rules[1].rule = 77;
  REQUIRE(tickbird_decide(decider, &one, &decision) == TICKBIRD_OK);
  CHECK(decision.rule_count == 2 && rules[0].rule == 2 && rules[1].rule == 77);
}

/* Columns of 64-bit and 32-bit offsets, with nulls, and beginning in the middle of their arrays. */
static void batches(tickbird_decider *decider) {
  static const char urls[] =
    "xxxhttps://a.test/ads/1https://a.test/ads/ours/2no-urlhttps://a.test/3http://a.test/track";
  static const int64_t url_offsets[] = {0, 3, 23, 48, 54, 54, 70, 89};
  static const uint8_t url_validity[] = {0x7F - 0x10};
  static const char pages[] = "https://news.test/";
  static const int32_t page_offsets[] = {0, 18, 18, 18, 18, 18, 18};
  uint8_t blocked[6], found[6];
  uint32_t flags[6], lists[2], numbers[2], actions[2];
  int64_t ends[7];
  tickbird_batch batch = {
    .struct_size = sizeof batch,
    .rows = 6,
    .url = {url_offsets, 8, urls, sizeof urls - 1, url_validity, 1},
    .page = {page_offsets, 4, pages, sizeof pages - 1, NULL, 0},
    .every_type = string("script"),
    .blocked = blocked,
    .flags = flags,
    .faults = found,
    .rule_offsets = ends,
    .rule_lists = lists,
    .rule_numbers = numbers,
    .rule_actions = actions,
    .rule_capacity = 2,
  };
  CHECK(tickbird_decide_batch(decider, &batch) == TICKBIRD_FULL && batch.done == 5);
  CHECK(numbers[0] == 0 && numbers[1] == 1);
  uint32_t more[4] = {numbers[0], numbers[1], 0, 0};
  batch.rule_numbers = more;
  batch.rule_lists = batch.rule_actions = NULL;
  batch.rule_capacity = 4;
  REQUIRE(tickbird_decide_batch(decider, &batch) == TICKBIRD_OK && batch.done == 6);
  static const uint8_t wanted_blocked[] = {1, 0, 0, 0, 0, 0};
  static const uint8_t wanted_faults[] = {0, 0, TICKBIRD_BAD_URL, TICKBIRD_MISSING, 0, 0};
  static const int64_t wanted_ends[] = {0, 1, 2, 2, 2, 2, 4};
  CHECK(memcmp(blocked, wanted_blocked, 6) == 0 && memcmp(found, wanted_faults, 6) == 0);
  CHECK(memcmp(ends, wanted_ends, sizeof ends) == 0);
  CHECK(more[2] == 2 && more[3] == 3);
  CHECK(flags[0] == TICKBIRD_BLOCKED && flags[1] == TICKBIRD_EXCEPTED && flags[4] == 0);
  CHECK(batch.blocked_rows == 1 && batch.missing_rows == 1 && batch.bad_rows == 1);
  /* Nothing left, and nothing wanted. */
  CHECK(tickbird_decide_batch(decider, &batch) == TICKBIRD_OK && batch.done == 6);
  tickbird_batch empty = {.struct_size = sizeof empty};
  CHECK(tickbird_decide_batch(decider, &empty) == TICKBIRD_OK);
}

static void explaining(tickbird_decider *decider) {
  tickbird_load one = load("https://cdn.test/ads/ours/a.js", "https://news.test/", "script");
  tickbird_text json;
  REQUIRE(tickbird_explain(decider, &one, NULL, &json) == TICKBIRD_OK);
  CHECK(strstr(json.bytes, "\"file\":\"ads.json\",\"line\":1,\"column\":2"));
  CHECK(strstr(json.bytes, "\"fate\":\"cancelled\",\"by\":{\"list\":0,\"rule\":1}"));
  tickbird_text_free(json);
  const char *names[] = {"mine.json"};
  REQUIRE(tickbird_explain(decider, &one, names, &json) == TICKBIRD_OK);
  CHECK(strstr(json.bytes, "\"file\":\"mine.json\""));
  tickbird_text_free(json);
  one.type = string("skript");
  CHECK(tickbird_explain(decider, &one, NULL, &json) == TICKBIRD_BAD_WORD);
  CHECK(strstr(json.bytes, "did you mean script?"));
  tickbird_text_free(json);
}

/* Three rows, of which one is bad: as a whole, in two parts, and by their numbers in another order. */
static void auditing(const tickbird_list *list) {
  static const char urls[] = "https://a.test/ads/1no-urlhttps://a.test/3";
  static const int64_t offsets[] = {0, 20, 26, 42};
  static const int64_t numbers[] = {1, 2, 3};
  static const size_t order[] = {2, 0, 1};
  tickbird_batch batch = {
    .struct_size = sizeof batch, .rows = 3, .url = {offsets, 8, urls, sizeof urls - 1, NULL, 0},
    .every_type = string("script")};
  const tickbird_list *lists[] = {list};
  const char *names[] = {"mine.json"};
  tickbird_audit *whole, *part, *merged, *sorted;
  REQUIRE(tickbird_audit_create(lists, names, 1, "crawl", &whole) == TICKBIRD_OK);
  REQUIRE(tickbird_audit_create(lists, names, 1, "crawl", &merged) == TICKBIRD_OK);
  REQUIRE(tickbird_audit_create(lists, names, 1, "crawl", &sorted) == TICKBIRD_OK);
  REQUIRE(tickbird_audit_add(whole, &batch, NULL) == TICKBIRD_OK);
  tickbird_audit_counts counts = {.struct_size = sizeof counts};
  REQUIRE(tickbird_audit_count(whole, &counts) == TICKBIRD_OK);
  CHECK(counts.requests == 2 && counts.bad_rows == 1 && counts.blocked == 1);
  for (size_t first = 0; first < 3; first += 2) {
    tickbird_text findings, message;
    batch.url.first = first;
    batch.rows = first == 0 ? 2 : 1;
    REQUIRE(tickbird_audit_create(lists, names, 1, "crawl", &part) == TICKBIRD_OK);
    REQUIRE(tickbird_audit_add(part, &batch, NULL) == TICKBIRD_OK);
    REQUIRE(tickbird_audit_findings(part, &findings) == TICKBIRD_OK);
    CHECK(tickbird_audit_merge(merged, findings.bytes, findings.size, &message) == TICKBIRD_OK);
    CHECK(message.size == 0);
    tickbird_text_free(message);
    CHECK(tickbird_audit_merge(merged, findings.bytes, findings.size / 2, &message) == TICKBIRD_DAMAGED);
    CHECK(message.size > 0);
    tickbird_text_free(message);
    tickbird_text_free(findings);
    tickbird_audit_free(part);
  }
  for (size_t place = 0; place < 3; place += 1) {
    batch.url.first = order[place];
    batch.rows = 1;
    CHECK(tickbird_audit_add(sorted, &batch, &numbers[order[place]]) == TICKBIRD_OK);
  }
  for (int32_t form = TICKBIRD_AUDIT_TEXT; form <= TICKBIRD_AUDIT_PARTIAL; form += 1) {
    tickbird_text a, b, c;
    REQUIRE(tickbird_audit_report(whole, form, 20, 1, &a) == TICKBIRD_OK);
    REQUIRE(tickbird_audit_report(merged, form, 20, 1, &b) == TICKBIRD_OK);
    REQUIRE(tickbird_audit_report(sorted, form, 20, 1, &c) == TICKBIRD_OK);
    CHECK(a.size > 20 && strcmp(a.bytes, b.bytes) == 0 && strcmp(a.bytes, c.bytes) == 0);
    if (form == TICKBIRD_AUDIT_JSON) {
      CHECK(strstr(a.bytes, "\"name\":\"mine.json\"") && strstr(a.bytes, "\"name\":\"crawl\""));
      CHECK(strstr(a.bytes, "\"line\":2,\"message\":\"column url is not an absolute URL: no-url\""));
    }
    tickbird_text_free(a);
    tickbird_text_free(b);
    tickbird_text_free(c);
  }
  tickbird_audit_free(whole);
  tickbird_audit_free(merged);
  tickbird_audit_free(sorted);
}

int main(int count, char **arguments) {
  REQUIRE(count == 2);
  versions();
  checking();
  tickbird_list *list = compiled();
  opening(list, arguments[1]);
  auditing(list);
  const tickbird_list *lists[] = {list};
  tickbird_decider *decider;
  REQUIRE(tickbird_decider_create(lists, 1, &decider) == TICKBIRD_OK);
  /* The decider keeps what it needs. */
  tickbird_list_free(list);
  deciding(decider);
  batches(decider);
  explaining(decider);
  tickbird_decider_free(decider);
  REQUIRE(tickbird_decider_create(NULL, 0, &decider) == TICKBIRD_OK);
  tickbird_load one = load("https://a.test/", "", "document");
  tickbird_decision decision = {.struct_size = sizeof decision};
  CHECK(tickbird_decide(decider, &one, &decision) == TICKBIRD_OK && decision.flags == 0);
  tickbird_decider_free(decider);
  tickbird_list_free(NULL);
  tickbird_decider_free(NULL);
  tickbird_text_free((tickbird_text){NULL, 0});
  if (!faults) puts("interface: every function does what it says");
  return faults ? 1 : 0;
}
