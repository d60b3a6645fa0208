/* What the files of tickbird._native share. */

#ifndef TICKBIRD_NATIVE_MODULE_H
#define TICKBIRD_NATIVE_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include <stdint.h>
#include <string.h>

#include "tickbird.h"

/* The name of capsules of lists. */
extern const char list_name[];

/* A text of the library as bytes; frees the text. */
PyObject *taken(tickbird_text text);
/* The status, the list or None, and the text. */
PyObject *outcome(tickbird_status status, tickbird_list *list, tickbird_text text);
/* The lists of a tuple of capsules, for PyMem_Free; NULL with an exception. */
const tickbird_list **lists_of(PyObject *capsules, Py_ssize_t *count);
/* The texts of a tuple, for PyMem_Free; NULL with an exception. */
const char **names_of(PyObject *texts);
/* A batch of rows by a tuple of seven columns, each None or the numbers of its buffers, and the type of every row;
   not 0 with an exception. The text of the type has to outlive the batch. */
int read_batch(PyObject *columns, Py_ssize_t rows, const char *type, Py_ssize_t type_size,
               tickbird_batch *batch);

/* Audits (audits.c). */
PyObject *audit(PyObject *module, PyObject *arguments);
PyObject *audit_add(PyObject *module, PyObject *arguments);
PyObject *audit_count(PyObject *module, PyObject *capsule);
PyObject *audit_findings(PyObject *module, PyObject *capsule);
PyObject *audit_merge(PyObject *module, PyObject *arguments);
PyObject *audit_report(PyObject *module, PyObject *arguments);

#endif
