/* Tickbird: Safari's content-blocker rule lists, decided as WebKit decides them.
 *
 *     tickbird_list *list;
 *     tickbird_text report;
 *     if (tickbird_compile(json, size, "ads.json", &list, &report) != TICKBIRD_OK) {
 *       fprintf(stderr, "%s", report.bytes);
 *     }
 *     tickbird_text_free(report);
 *
 * Threads: a list never changes, and any number of threads may use it at once. A decider is for one
 * thread at a time; each thread creates its own of the same lists. So is an audit. There is no other state.
 *
 * Errors are values: a status, and where a text tells more, that text. No input ends the process,
 * apart from what the system itself kills it for: a file that is cut short while it is mapped, and
 * memory that cannot be had.
 *
 * Memory: what a call allocates, the caller frees by the function named beside it. Deciding allocates
 * nothing once the decider has seen a URL and a page as long; see Documentation/CInterface.md, which
 * also says what may change in later versions.
 *
 * Texts are UTF-8 with a size in bytes, need no zero at their end, and may hold zeros. Ill-formed
 * UTF-8 is taken as the URL standard takes it. */

#ifndef TICKBIRD_H
#define TICKBIRD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface; the library's is tickbird_abi_version(). */
#define TICKBIRD_ABI_VERSION 1

/* What a call has come to. Later versions add values. */
typedef int32_t tickbird_status;
enum {
  TICKBIRD_OK = 0,
  TICKBIRD_REFUSED = 1,      /* WebKit refuses the list, or compiling it would cost too much */
  TICKBIRD_DAMAGED = 2,      /* the bytes are no compiled list of this version */
  TICKBIRD_UNREADABLE = 3,   /* the file cannot be read */
  TICKBIRD_BAD_URL = 4,      /* a URL, page or frame is not an absolute URL */
  TICKBIRD_BAD_WORD = 5,     /* there is no such type, context or party */
  TICKBIRD_MISSING = 6,      /* a load without a URL or a type */
  TICKBIRD_TOO_LONG = 7,     /* a text is longer than TICKBIRD_TEXT_LIMIT, or a list than 1 GiB */
  TICKBIRD_BAD_ARGUMENT = 8, /* the caller's fault: a null pointer, a wrong size, wrong offsets */
  TICKBIRD_FULL = 9          /* no room for the rules of the next row; the rows before are decided */
};

/* The most bytes of a URL, page or frame, and of any other part of a load. */
#define TICKBIRD_TEXT_LIMIT 16777216

/* What happens to a load. Later versions add bits. */
enum {
  TICKBIRD_BLOCKED = 1 << 0,
  TICKBIRD_BLOCKS_COOKIES = 1 << 1,
  TICKBIRD_MAKES_HTTPS = 1 << 2,
  TICKBIRD_NOTIFIES = 1 << 3,
  TICKBIRD_MODIFIES_HEADERS = 1 << 4, /* with a permission, which deciders do not have */
  TICKBIRD_REDIRECTS = 1 << 5,        /* likewise */
  TICKBIRD_HIDES = 1 << 6,            /* rules hide elements because of the load */
  TICKBIRD_EXCEPTED = 1 << 7          /* without an ignore rule, more would happen */
};

/* The action of a rule. */
enum {
  TICKBIRD_ACTION_BLOCK = 0,
  TICKBIRD_ACTION_BLOCK_COOKIES = 1,
  TICKBIRD_ACTION_CSS_DISPLAY_NONE = 2,
  TICKBIRD_ACTION_NOTIFY = 3,
  TICKBIRD_ACTION_IGNORE_PREVIOUS_RULES = 4,
  TICKBIRD_ACTION_IGNORE_FOLLOWING_RULES = 5,
  TICKBIRD_ACTION_MAKE_HTTPS = 6,
  TICKBIRD_ACTION_MODIFY_HEADERS = 7,
  TICKBIRD_ACTION_REDIRECT = 8
};

typedef struct tickbird_list tickbird_list;
typedef struct tickbird_decider tickbird_decider;
typedef struct tickbird_audit tickbird_audit;

/* A text that the library made; tickbird_text_free frees it. A zero follows it, which does not count. */
typedef struct tickbird_text {
  char *bytes;
  size_t size;
} tickbird_text;

/* A text of the caller; absent if its size is 0. */
typedef struct tickbird_string {
  const char *bytes;
  size_t size;
} tickbird_string;

/* One load, in the words of Documentation/Loads.md. URL and type must be there. */
typedef struct tickbird_load {
  size_t struct_size; /* sizeof(tickbird_load) */
  tickbird_string url;
  tickbird_string page;
  tickbird_string frame;
  tickbird_string type;    /* "script", "image", "document", … */
  tickbird_string context; /* "top-frame" or "child-frame" */
  tickbird_string method;  /* "GET"; "null" if it is not known */
  tickbird_string party;   /* "first-party" or "third-party"; "-" is third-party as well */
} tickbird_load;

/* A rule by its position in its list's JSON array, and the list by its position in the decider. */
typedef struct tickbird_rule {
  uint32_t list;
  uint32_t rule;
  uint32_t action;
} tickbird_rule;

typedef struct tickbird_decision {
  size_t struct_size;       /* in: sizeof(tickbird_decision) */
  tickbird_rule *rules;     /* in: room for rules, or NULL */
  size_t rule_capacity;     /* in: how many */
  size_t rule_count;        /* out: how many there are, which may be more than there is room for */
  uint32_t flags;           /* out: TICKBIRD_BLOCKED, … */
  uint32_t hiding_rules;    /* out: the number of rules that hide elements because of the load */
  uint32_t attached_sheets; /* out: the number of lists that hide elements on every page, and here */
} tickbird_decision;

/* A column of texts as Arrow has it: offsets[first + row] to offsets[first + row + 1] of the bytes. */
typedef struct tickbird_column {
  const void *offsets;     /* int32_t or int64_t, first + rows + 1 of them; NULL: no such column */
  size_t offset_size;      /* 4 or 8 */
  const char *bytes;
  size_t byte_count;
  const uint8_t *validity; /* a bit for each row, the lowest first; NULL: no row is null */
  size_t first;
} tickbird_column;

/* Loads in columns, and room for their results. A null or empty cell is an absent part. */
typedef struct tickbird_batch {
  size_t struct_size; /* sizeof(tickbird_batch) */
  size_t rows;
  tickbird_column url;
  tickbird_column page;
  tickbird_column frame;
  tickbird_column type;
  tickbird_column context;
  tickbird_column method;
  tickbird_column party;
  tickbird_string every_type; /* the type of all rows, if there is no column of types */

  /* Results, each of `rows` elements; NULL for what is not wanted. */
  uint8_t *blocked; /* 1 or 0; 0 for a row that cannot be decided */
  uint32_t *flags;
  uint8_t *faults; /* the status of each row */

  /* The rules of each row, as Arrow has lists: those of a row are from rule_offsets[row] on, up to
   * rule_offsets[row + 1]. Wanted if rule_offsets, of rows + 1 elements, is not NULL; of the others,
   * which have rule_capacity elements, those that are not NULL. */
  int64_t *rule_offsets;
  uint32_t *rule_lists;
  uint32_t *rule_numbers;
  uint32_t *rule_actions;
  size_t rule_capacity;

  /* Counts, to which each call adds; zero at the beginning. */
  size_t done;         /* the rows that are decided; a call begins at this row */
  size_t blocked_rows;
  size_t missing_rows; /* without a URL or a type */
  size_t bad_rows;     /* what else cannot be decided */
} tickbird_batch;

/* What an audit has counted. */
typedef struct tickbird_audit_counts {
  size_t struct_size; /* in: sizeof(tickbird_audit_counts) */
  size_t requests;    /* the rows that were decided */
  size_t bad_rows;    /* those that could not be */
  size_t blocked;     /* of the requests */
} tickbird_audit_counts;

/* The forms of an audit, as the options of `tickbird audit` name them. */
enum {
  TICKBIRD_AUDIT_TEXT = 0,
  TICKBIRD_AUDIT_JSON = 1,
  TICKBIRD_AUDIT_CSV_RULE = 2,
  TICKBIRD_AUDIT_CSV_SITE = 3,
  TICKBIRD_AUDIT_CSV_RULE_SITE = 4,
  TICKBIRD_AUDIT_PARTIAL = 5 /* for `tickbird audit merge`; not compressed */
};

/* The version of the library as text, of its interface, and of compiled lists. */
const char *tickbird_version(void);
uint32_t tickbird_abi_version(void);
uint32_t tickbird_list_format(void);

/* A status in a sentence, which is never freed. */
const char *tickbird_status_text(tickbird_status status);
void tickbird_text_free(tickbird_text text);

/* Checks a list's JSON text: the report is the object that `tickbird check --format json` prints.
 * TICKBIRD_OK also for a list that WebKit refuses; the report's "accepted" says whether it does.
 * `name` is what the report calls the list; NULL for none. */
tickbird_status tickbird_check(
  const void *json, size_t size, const char *name, tickbird_text *report);

/* Compiles a list's JSON text. The report, unless it is NULL, is that of tickbird_check; for a list that
 * is accepted, it lacks the findings that would take longer than to compile: patterns of traps. */
tickbird_status tickbird_compile(
  const void *json, size_t size, const char *name, tickbird_list **list, tickbird_text *report);

/* Opens a compiled list from a copy of its bytes, or by mapping its file, which must then only be
 * replaced, never changed; a file with many hosts is checked on two threads, if a processor is free. The message,
 * unless it is NULL, says what is wrong; it is empty if nothing is. */
tickbird_status tickbird_list_open(
  const void *compiled, size_t size, tickbird_list **list, tickbird_text *message);
tickbird_status tickbird_list_map(const char *path, tickbird_list **list, tickbird_text *message);

/* A list's compiled bytes, to be written to a file; they stay until the list is freed. */
tickbird_status tickbird_list_compiled(
  const tickbird_list *list, const void **compiled, size_t *size);
/* The JSON text that it was compiled from. */
tickbird_status tickbird_list_source(const tickbird_list *list, tickbird_text *json);
/* The number of its rules; 0 for NULL. */
size_t tickbird_list_rule_count(const tickbird_list *list);
/* Frees a list, also while deciders use it. */
void tickbird_list_free(tickbird_list *list);

/* Creates a decider of lists, in their order; of none as well. */
tickbird_status tickbird_decider_create(
  const tickbird_list *const *lists, size_t count, tickbird_decider **decider);
void tickbird_decider_free(tickbird_decider *decider);

/* Decides a load. */
tickbird_status tickbird_decide(
  tickbird_decider *decider, const tickbird_load *load, tickbird_decision *decision);

/* Decides rows from batch->done on. A row that cannot be decided is counted, and ends nothing.
 * TICKBIRD_FULL: give more room for rules (those that are there stay), and call again. */
tickbird_status tickbird_decide_batch(tickbird_decider *decider, tickbird_batch *batch);

/* Explains a load: the line that `tickbird explain --format json` prints for it. `names` are what it
 * calls the lists, in their order; NULL for none. If the load is at fault, the text says in what. */
tickbird_status tickbird_explain(
  tickbird_decider *decider, const tickbird_load *load, const char *const *names,
  tickbird_text *json);

/* Creates an audit of what lists do to rows, which are taken for the lines of one log. `names` are what
 * reports call the lists, in their order, and `log` what they call the log; NULL for none.
 * TICKBIRD_DAMAGED: the text of a list, which reports quote, is damaged. */
tickbird_status tickbird_audit_create(
  const tickbird_list *const *lists, const char *const *names, size_t count, const char *log,
  tickbird_audit **audit);
void tickbird_audit_free(tickbird_audit *audit);

/* Counts what lists do to all rows of a batch, of which only rows, columns and every_type are used. A row
 * that cannot be decided is counted as bad. `numbers` are the rows' numbers, from 1 to 2^60 and all
 * different within the log, by which reports name the first and last rows; NULL: the rows are those behind
 * the last. An audit takes either rows with numbers or rows without; otherwise, and for a number that is
 * none, TICKBIRD_BAD_ARGUMENT, and no row is counted. */
tickbird_status tickbird_audit_add(
  tickbird_audit *audit, const tickbird_batch *batch, const int64_t *numbers);

/* What was counted so far. */
tickbird_status tickbird_audit_count(tickbird_audit *audit, tickbird_audit_counts *counts);

/* Everything that was found, as bytes for tickbird_audit_merge, without what follows from the lists. */
tickbird_status tickbird_audit_findings(tickbird_audit *audit, tickbird_text *findings);

/* Adds the findings of another audit by the same lists about further rows; rows without numbers are those
 * behind the last. TICKBIRD_DAMAGED: they are none, have been damaged, or are of other lists; the message,
 * unless it is NULL, says what is wrong, and nothing is added. A digest notices damage, not a forgery. */
tickbird_status tickbird_audit_merge(
  tickbird_audit *audit, const void *findings, size_t size, tickbird_text *message);

/* The report in one of the forms, byte for byte what `tickbird audit` writes. `top` is the most rows in each
 * table of the text; `unmatched` lists the rules that never matched as well, in text and CSV of rules. */
tickbird_status tickbird_audit_report(
  tickbird_audit *audit, int32_t form, size_t top, int32_t unmatched, tickbird_text *report);

#ifdef __cplusplus
}
#endif

#endif
