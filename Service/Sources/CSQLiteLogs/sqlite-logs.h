// Swift cannot call functions with a variable number of arguments.
#include <sqlite3.h>

// Lets a connection leave the log as it is when it is closed, and neither bring it into the database nor remove it.
static inline int tickbird_leave_log(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
