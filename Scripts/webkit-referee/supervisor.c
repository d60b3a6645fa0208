#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee.h"

typedef struct {
  pid_t process;
  FILE *requests;
  int answers;
  GString *unread;  // bytes after the last answer
  int served;
} Worker;

static char folder[] = "/tmp/webkit-referee-XXXXXX";
static volatile sig_atomic_t stopped;

static void stop(int signal) {
  stopped = signal;
}

// MARK: The folder

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  remove(path);
  return 0;
}

static void remove_folder(void) {
  nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

// MARK: The worker

static void become_worker(int input, int output, pid_t parent, gboolean talk) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  signal(SIGINT, SIG_IGN);  // the supervisor gets it too and ends this process
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  execl("/proc/self/exe", "webkit-referee", talk ? "--talking-worker" : "--worker", folder,
        (char *)NULL);
  perror("webkit-referee: cannot start itself");
  _exit(2);
}

// The status as wait tells it.
static int worker_reap(Worker *worker, gboolean kill_first) {
  int status = 0;
  if (kill_first) kill(worker->process, SIGKILL);
  while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR) continue;
  fclose(worker->requests);
  close(worker->answers);
  g_string_free(worker->unread, TRUE);
  worker->process = 0;
  return status;
}

typedef enum { ANSWERED, DIED, HUNG } Outcome;

// Waits for one line of the worker. `line` gets it (free with g_free).
static Outcome worker_read(Worker *worker, int seconds, char **line) {
  gint64 deadline = g_get_monotonic_time() + (gint64)seconds * G_USEC_PER_SEC;
  gsize searched = 0;
  for (;;) {
    char *end = memchr(worker->unread->str + searched, '\n', worker->unread->len - searched);
    if (end) {
      gsize length = (gsize)(end - worker->unread->str);
      *line = g_strndup(worker->unread->str, length);
      g_string_erase(worker->unread, 0, (gssize)length + 1);
      return ANSWERED;
    }
    searched = worker->unread->len;
    gint64 left = deadline - g_get_monotonic_time();
    if (left <= 0 || stopped) return HUNG;
    struct pollfd wait = {.fd = worker->answers, .events = POLLIN};
    if (poll(&wait, 1, (int)(left / 1000) + 1) <= 0) continue;
    char bytes[65536];
    ssize_t count = read(worker->answers, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return DIED;
    g_string_append_len(worker->unread, bytes, count);
  }
}

// The exit status when it could not be started, else 0.
static int worker_start(Worker *worker, gboolean talk) {
  int requests[2], answers[2];
  if (pipe2(requests, O_CLOEXEC) < 0 || pipe2(answers, O_CLOEXEC) < 0) {
    perror("webkit-referee: pipe");
    return 2;
  }
  pid_t parent = getpid();
  worker->process = fork();
  if (worker->process == 0) become_worker(requests[0], answers[1], parent, talk);
  close(requests[0]);
  close(answers[1]);
  if (worker->process < 0) {
    perror("webkit-referee: fork");
    return 2;
  }
  worker->requests = fdopen(requests[1], "w");
  worker->answers = answers[0];
  worker->unread = g_string_new(NULL);
  worker->served = 0;
  char *ready = NULL;
  Outcome outcome = worker_read(worker, 60, &ready);
  g_free(ready);
  if (outcome == ANSWERED) return 0;
  worker_reap(worker, outcome == HUNG);
  return 2;
}

// MARK: Requests

static char *describe_death(int status) {
  if (WIFSIGNALED(status))
    return g_strdup_printf("engine crashed: %s", strsignal(WTERMSIG(status)));
  return g_strdup_printf("engine ended with status %d", WEXITSTATUS(status));
}

static char *answer_line(Worker *worker, const char *line, int limit) {
  char *answer = NULL;
  fputs(line, worker->requests);
  fputc('\n', worker->requests);
  fflush(worker->requests);
  Outcome outcome = worker_read(worker, limit, &answer);
  if (outcome == ANSWERED) return answer;
  int status = worker_reap(worker, outcome == HUNG);
  char *reason = outcome == HUNG ? g_strdup_printf("no answer within %d seconds", limit)
                                 : describe_death(status);
  answer = referee_complaint(line, reason);
  g_free(reason);
  return answer;
}

static int serve(const SupervisorOptions *options) {
  Worker worker = {0};
  char *line = NULL;
  size_t capacity = 0;
  int status = 0;
  ssize_t length;
  while (!stopped && !status && (length = getline(&line, &capacity, stdin)) >= 0) {
    if (length && line[length - 1] == '\n') line[--length] = '\0';
    if (line[strspn(line, " \t\r")] == '\0') continue;
    if (worker.process && worker.served >= options->renew) worker_reap(&worker, TRUE);
    if (!worker.process) status = worker_start(&worker, options->talk);
    if (status) break;
    worker.served++;
    char *answer = answer_line(&worker, line, options->limit);
    if (!stopped && (puts(answer) < 0 || fflush(stdout) != 0)) status = 1;
    g_free(answer);
  }
  if (worker.process) worker_reap(&worker, TRUE);
  free(line);
  return stopped ? 128 + stopped : status;
}

int supervisor_run(const SupervisorOptions *options) {
  struct sigaction action = {.sa_handler = stop};  // without SA_RESTART: reading must end
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  if (!mkdtemp(folder)) {
    perror("webkit-referee: no temporary folder");
    return 2;
  }
  int status = serve(options);
  remove_folder();
  return status;
}
