#include "worker.h"

#include <fcntl.h>
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console.h"
#include "referee.h"

static gboolean write_line(FILE *answers, const char *line) {
  return fputs(line, answers) >= 0 && fputc('\n', answers) >= 0 && fflush(answers) == 0;
}

int worker_run(const char *folder, gboolean talk) {
  int descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  FILE *answers = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  GError *error = NULL;
  if (!gtk_init_check(NULL, NULL)) {
    fputs("webkit-referee: no display; run it under: xvfb-run -a\n", stderr);
    return 2;
  }
  if (!answers || !referee_start(folder, &error) || !console_capture(talk, &error)) {
    fprintf(stderr, "webkit-referee: %s\n", error ? error->message : "no descriptor for answers");
    return 2;
  }
  write_line(answers, "ready");

  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  while ((length = getline(&line, &capacity, stdin)) >= 0) {
    if (length && line[length - 1] == '\n') line[length - 1] = '\0';
    char *answer = referee_answer(line);
    gboolean written = write_line(answers, answer);
    g_free(answer);
    if (!written) break;
  }
  free(line);
  fclose(answers);
  // Tearing the engine down in order takes time and gains nothing: the processes end with this one.
  _exit(0);
}
