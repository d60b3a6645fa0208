// Keeps a worker process alive and answers for it when it dies or hangs.
#pragma once

typedef struct {
  int limit;  // seconds for one request
  int renew;  // requests for one worker
  int talk;   // whether the engine's own complaints are shown
} SupervisorOptions;

// Reads requests from standard input until it ends, answers each on standard output, in order.
// Returns the exit status.
int supervisor_run(const SupervisorOptions *options);
