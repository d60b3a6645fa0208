/* Prints all numbers that a compiled caller has inside it. Within a version of the interface they never
 * change; lines are only added. */

#include <stddef.h>
#include <stdio.h>

#include "tickbird.h"

#define SIZE(type) printf("size " #type " %zu\n", sizeof(type))
#define FIELD(type, name) printf("offset " #type "." #name " %zu\n", offsetof(type, name))
#define NUMBER(name) printf("number " #name " %d\n", (int)name)

int main(void) {
  NUMBER(TICKBIRD_ABI_VERSION);
  NUMBER(TICKBIRD_OK); NUMBER(TICKBIRD_REFUSED); NUMBER(TICKBIRD_DAMAGED); NUMBER(TICKBIRD_UNREADABLE);
  NUMBER(TICKBIRD_BAD_URL); NUMBER(TICKBIRD_BAD_WORD); NUMBER(TICKBIRD_MISSING);
  NUMBER(TICKBIRD_TOO_LONG); NUMBER(TICKBIRD_BAD_ARGUMENT); NUMBER(TICKBIRD_FULL);
  NUMBER(TICKBIRD_TEXT_LIMIT);
  NUMBER(TICKBIRD_BLOCKED); NUMBER(TICKBIRD_BLOCKS_COOKIES); NUMBER(TICKBIRD_MAKES_HTTPS);
  NUMBER(TICKBIRD_NOTIFIES); NUMBER(TICKBIRD_MODIFIES_HEADERS); NUMBER(TICKBIRD_REDIRECTS);
  NUMBER(TICKBIRD_HIDES); NUMBER(TICKBIRD_EXCEPTED);
  NUMBER(TICKBIRD_ACTION_BLOCK); NUMBER(TICKBIRD_ACTION_BLOCK_COOKIES);
  NUMBER(TICKBIRD_ACTION_CSS_DISPLAY_NONE); NUMBER(TICKBIRD_ACTION_NOTIFY);
  NUMBER(TICKBIRD_ACTION_IGNORE_PREVIOUS_RULES); NUMBER(TICKBIRD_ACTION_IGNORE_FOLLOWING_RULES);
  NUMBER(TICKBIRD_ACTION_MAKE_HTTPS); NUMBER(TICKBIRD_ACTION_MODIFY_HEADERS);
  NUMBER(TICKBIRD_ACTION_REDIRECT);
  NUMBER(TICKBIRD_AUDIT_TEXT); NUMBER(TICKBIRD_AUDIT_JSON); NUMBER(TICKBIRD_AUDIT_CSV_RULE);
  NUMBER(TICKBIRD_AUDIT_CSV_SITE); NUMBER(TICKBIRD_AUDIT_CSV_RULE_SITE); NUMBER(TICKBIRD_AUDIT_PARTIAL);
  SIZE(tickbird_status);
  SIZE(tickbird_text); FIELD(tickbird_text, bytes); FIELD(tickbird_text, size);
  SIZE(tickbird_string); FIELD(tickbird_string, bytes); FIELD(tickbird_string, size);
  SIZE(tickbird_load); FIELD(tickbird_load, struct_size); FIELD(tickbird_load, url);
  FIELD(tickbird_load, page); FIELD(tickbird_load, frame); FIELD(tickbird_load, type);
  FIELD(tickbird_load, context); FIELD(tickbird_load, method); FIELD(tickbird_load, party);
  SIZE(tickbird_rule); FIELD(tickbird_rule, list); FIELD(tickbird_rule, rule);
  FIELD(tickbird_rule, action);
  SIZE(tickbird_decision); FIELD(tickbird_decision, struct_size); FIELD(tickbird_decision, rules);
  FIELD(tickbird_decision, rule_capacity); FIELD(tickbird_decision, rule_count);
  FIELD(tickbird_decision, flags); FIELD(tickbird_decision, hiding_rules);
  FIELD(tickbird_decision, attached_sheets);
  SIZE(tickbird_column); FIELD(tickbird_column, offsets); FIELD(tickbird_column, offset_size);
  FIELD(tickbird_column, bytes); FIELD(tickbird_column, byte_count); FIELD(tickbird_column, validity);
  FIELD(tickbird_column, first);
  SIZE(tickbird_batch); FIELD(tickbird_batch, struct_size); FIELD(tickbird_batch, rows);
  FIELD(tickbird_batch, url); FIELD(tickbird_batch, page); FIELD(tickbird_batch, frame);
  FIELD(tickbird_batch, type); FIELD(tickbird_batch, context); FIELD(tickbird_batch, method);
  FIELD(tickbird_batch, party); FIELD(tickbird_batch, every_type); FIELD(tickbird_batch, blocked);
  FIELD(tickbird_batch, flags); FIELD(tickbird_batch, faults); FIELD(tickbird_batch, rule_offsets);
  FIELD(tickbird_batch, rule_lists); FIELD(tickbird_batch, rule_numbers);
  FIELD(tickbird_batch, rule_actions); FIELD(tickbird_batch, rule_capacity);
  FIELD(tickbird_batch, done); FIELD(tickbird_batch, blocked_rows);
  FIELD(tickbird_batch, missing_rows); FIELD(tickbird_batch, bad_rows);
  SIZE(tickbird_audit_counts); FIELD(tickbird_audit_counts, struct_size);
  FIELD(tickbird_audit_counts, requests); FIELD(tickbird_audit_counts, bad_rows);
  FIELD(tickbird_audit_counts, blocked);
  return 0;
}
