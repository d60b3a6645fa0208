/* Audits for Python. One is for one thread at a time: callers see to that. */

#include "module.h"

static const char audit_name[] = "tickbird.audit";

static void free_audit(PyObject *capsule) {
  tickbird_audit_free(PyCapsule_GetPointer(capsule, audit_name));
}

/* Lists, what they are called, and what their log is called. */
PyObject *audit(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *capsules, *texts;
  const char *log;
  if (!PyArg_ParseTuple(arguments, "OO!s", &capsules, &PyTuple_Type, &texts, &log)) return NULL;
  Py_ssize_t count;
  const tickbird_list **lists = lists_of(capsules, &count);
  if (!lists) return NULL;
  if (PyTuple_Size(texts) != count) {
    PyErr_SetString(PyExc_TypeError, "a name for each list is expected");
    PyMem_Free(lists);
    return NULL;
  }
  const char **names = names_of(texts);
  if (!names) {
    PyMem_Free(lists);
    return NULL;
  }
  tickbird_audit *made;
  tickbird_status status = tickbird_audit_create(lists, names, (size_t)count, log, &made);
  PyMem_Free(lists);
  PyMem_Free(names);
  if (status != TICKBIRD_OK) {
    PyErr_SetString(PyExc_ValueError, status == TICKBIRD_DAMAGED
                    ? "a list's text is damaged; compile the list again" : tickbird_status_text(status));
    return NULL;
  }
  PyObject *capsule = PyCapsule_New(made, audit_name, free_audit);
  if (!capsule) tickbird_audit_free(made);
  return capsule;
}

PyObject *audit_add(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *capsule, *columns;
  tickbird_batch batch;
  Py_ssize_t rows, type_size;
  const char *type;
  unsigned long long numbers;
  if (!PyArg_ParseTuple(arguments, "OnO!s#K", &capsule, &rows, &PyTuple_Type, &columns, &type,
                        &type_size, &numbers)) {
    return NULL;
  }
  tickbird_audit *working = PyCapsule_GetPointer(capsule, audit_name);
  if (!working || read_batch(columns, rows, type, type_size, &batch)) return NULL;
  tickbird_status status;
  Py_BEGIN_ALLOW_THREADS
  status = tickbird_audit_add(working, &batch, (const int64_t *)(uintptr_t)numbers);
  Py_END_ALLOW_THREADS
  return PyLong_FromLong(status);
}

PyObject *audit_count(PyObject *module, PyObject *capsule) {
  (void)module;
  tickbird_audit *working = PyCapsule_GetPointer(capsule, audit_name);
  if (!working) return NULL;
  tickbird_audit_counts counts = {.struct_size = sizeof counts};
  tickbird_audit_count(working, &counts);
  return Py_BuildValue("nnn", (Py_ssize_t)counts.requests, (Py_ssize_t)counts.bad_rows,
                       (Py_ssize_t)counts.blocked);
}

PyObject *audit_findings(PyObject *module, PyObject *capsule) {
  (void)module;
  tickbird_audit *working = PyCapsule_GetPointer(capsule, audit_name);
  if (!working) return NULL;
  tickbird_text findings;
  Py_BEGIN_ALLOW_THREADS
  tickbird_audit_findings(working, &findings);
  Py_END_ALLOW_THREADS
  return taken(findings);
}

PyObject *audit_merge(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *capsule;
  const char *bytes;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(arguments, "Oy#", &capsule, &bytes, &size)) return NULL;
  tickbird_audit *working = PyCapsule_GetPointer(capsule, audit_name);
  if (!working) return NULL;
  tickbird_text message;
  tickbird_status status;
  Py_BEGIN_ALLOW_THREADS
  status = tickbird_audit_merge(working, bytes, (size_t)size, &message);
  Py_END_ALLOW_THREADS
  return outcome(status, NULL, message);
}

PyObject *audit_report(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *capsule;
  int form, unmatched;
  Py_ssize_t top;
  if (!PyArg_ParseTuple(arguments, "Oinp", &capsule, &form, &top, &unmatched)) return NULL;
  tickbird_audit *working = PyCapsule_GetPointer(capsule, audit_name);
  if (!working) return NULL;
  tickbird_text report;
  tickbird_status status;
  Py_BEGIN_ALLOW_THREADS
  status = tickbird_audit_report(working, form, (size_t)top, unmatched, &report);
  Py_END_ALLOW_THREADS
  return outcome(status, NULL, report);
}
