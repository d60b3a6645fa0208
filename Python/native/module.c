/* tickbird._native: libtickbird for Python, by the stable ABI of CPython 3.10.
 *
 * Thin: it converts arguments, and knows nothing of lists. Single decisions keep the interpreter's lock,
 * since they take less than letting go of it; all else lets go. Lists and deciders are capsules, which free
 * what they hold. A decider is for one thread at a time: callers see to that. */

#include "module.h"

const char list_name[] = "tickbird.list";
static const char decider_name[] = "tickbird.decider";

/* Set once, when the module is loaded. */
static PyTypeObject *decision_type;
static PyObject *load_error;

static void free_list(PyObject *capsule) {
  tickbird_list_free(PyCapsule_GetPointer(capsule, list_name));
}

static void free_decider(PyObject *capsule) {
  tickbird_decider_free(PyCapsule_GetPointer(capsule, decider_name));
}

PyObject *taken(tickbird_text text) {
  PyObject *bytes = PyBytes_FromStringAndSize(text.bytes ? text.bytes : "", (Py_ssize_t)text.size);
  tickbird_text_free(text);
  return bytes;
}

PyObject *outcome(tickbird_status status, tickbird_list *list, tickbird_text text) {
  PyObject *report = taken(text);
  if (!report) {
    tickbird_list_free(list);
    return NULL;
  }
  if (!list) return Py_BuildValue("iON", (int)status, Py_None, report);
  PyObject *capsule = PyCapsule_New(list, list_name, free_list);
  if (!capsule) {
    tickbird_list_free(list);
    Py_DECREF(report);
    return NULL;
  }
  return Py_BuildValue("iNN", (int)status, capsule, report);
}

/* Lists */

static PyObject *check(PyObject *module, PyObject *arguments) {
  (void)module;
  const char *json, *name;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(arguments, "y#s", &json, &size, &name)) return NULL;
  tickbird_text report;
  tickbird_status status;
  Py_BEGIN_ALLOW_THREADS
  status = tickbird_check(json, (size_t)size, name, &report);
  Py_END_ALLOW_THREADS
  return outcome(status, NULL, report);
}

static PyObject *compile(PyObject *module, PyObject *arguments) {
  (void)module;
  const char *json, *name;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(arguments, "y#s", &json, &size, &name)) return NULL;
  tickbird_list *list;
  tickbird_text report;
  tickbird_status status;
  Py_BEGIN_ALLOW_THREADS
  status = tickbird_compile(json, (size_t)size, name, &list, &report);
  Py_END_ALLOW_THREADS
  return outcome(status, list, report);
}

static PyObject *open_bytes(PyObject *module, PyObject *arguments) {
  (void)module;
  const char *bytes;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(arguments, "y#", &bytes, &size)) return NULL;
  tickbird_list *list;
  tickbird_text message;
  tickbird_status status;
  Py_BEGIN_ALLOW_THREADS
  status = tickbird_list_open(bytes, (size_t)size, &list, &message);
  Py_END_ALLOW_THREADS
  return outcome(status, list, message);
}

static PyObject *map_file(PyObject *module, PyObject *path) {
  (void)module;
  /* The path as the system has it. */
  const char *name = PyBytes_AsString(path);
  if (!name) return NULL;
  tickbird_list *list;
  tickbird_text message;
  tickbird_status status;
  Py_BEGIN_ALLOW_THREADS
  status = tickbird_list_map(name, &list, &message);
  Py_END_ALLOW_THREADS
  return outcome(status, list, message);
}

static PyObject *compiled(PyObject *module, PyObject *capsule) {
  (void)module;
  tickbird_list *list = PyCapsule_GetPointer(capsule, list_name);
  if (!list) return NULL;
  const void *bytes;
  size_t size;
  tickbird_list_compiled(list, &bytes, &size);
  return PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
}

static PyObject *source(PyObject *module, PyObject *capsule) {
  (void)module;
  tickbird_list *list = PyCapsule_GetPointer(capsule, list_name);
  if (!list) return NULL;
  tickbird_text json;
  tickbird_status status = tickbird_list_source(list, &json);
  return outcome(status, NULL, json);
}

static PyObject *rule_count(PyObject *module, PyObject *capsule) {
  (void)module;
  tickbird_list *list = PyCapsule_GetPointer(capsule, list_name);
  return list ? PyLong_FromSize_t(tickbird_list_rule_count(list)) : NULL;
}

/* Deciding */

const tickbird_list **lists_of(PyObject *capsules, Py_ssize_t *count) {
  if (!PyTuple_Check(capsules)) {
    PyErr_SetString(PyExc_TypeError, "a tuple of lists is expected");
    return NULL;
  }
  *count = PyTuple_Size(capsules);
  const tickbird_list **lists = PyMem_Malloc(sizeof *lists * (size_t)(*count ? *count : 1));
  if (!lists) {
    PyErr_NoMemory();
    return NULL;
  }
  for (Py_ssize_t place = 0; place < *count; place += 1) {
    lists[place] = PyCapsule_GetPointer(PyTuple_GetItem(capsules, place), list_name);
    if (!lists[place]) {
      PyMem_Free(lists);
      return NULL;
    }
  }
  return lists;
}

const char **names_of(PyObject *texts) {
  Py_ssize_t count = PyTuple_Size(texts);
  const char **names = PyMem_Malloc(sizeof *names * (size_t)(count > 0 ? count : 1));
  if (!names) {
    PyErr_NoMemory();
    return NULL;
  }
  for (Py_ssize_t place = 0; place < count; place += 1) {
    names[place] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(texts, place), NULL);
    if (!names[place]) {
      PyMem_Free(names);
      return NULL;
    }
  }
  return names;
}

static PyObject *decider(PyObject *module, PyObject *capsules) {
  (void)module;
  Py_ssize_t count;
  const tickbird_list **lists = lists_of(capsules, &count);
  if (!lists) return NULL;
  tickbird_decider *made;
  tickbird_status status = tickbird_decider_create(lists, (size_t)count, &made);
  PyMem_Free(lists);
  if (status != TICKBIRD_OK) {
    PyErr_SetString(PyExc_ValueError, tickbird_status_text(status));
    return NULL;
  }
  PyObject *capsule = PyCapsule_New(made, decider_name, free_decider);
  if (!capsule) tickbird_decider_free(made);
  return capsule;
}

static int text(PyObject *value, tickbird_string *string) {
  Py_ssize_t size;
  string->bytes = PyUnicode_AsUTF8AndSize(value, &size);
  string->size = (size_t)size;
  return string->bytes ? 0 : -1;
}

/* Reads url, page, type, frame, context, method, party. */
static int read_load(PyObject *const *arguments, tickbird_load *load) {
  load->struct_size = sizeof *load;
  return text(arguments[0], &load->url) || text(arguments[1], &load->page)
      || text(arguments[2], &load->type) || text(arguments[3], &load->frame)
      || text(arguments[4], &load->context) || text(arguments[5], &load->method)
      || text(arguments[6], &load->party)
    ? -1 : 0;
}

/* Raises a LoadError with what is wrong with a load. */
static PyObject *raise_load_error(tickbird_decider *decider, const tickbird_load *load) {
  tickbird_text message;
  tickbird_status status = tickbird_explain(decider, load, NULL, &message);
  if (status != TICKBIRD_OK && message.size) {
    PyErr_SetString(load_error, message.bytes);
  } else {
    PyErr_SetString(load_error, tickbird_status_text(status));
  }
  tickbird_text_free(message);
  return NULL;
}

enum { FEW_RULES = 32 };

/* The rules, or the exceptions, as a tuple of their numbers or of their lists'. */
static PyObject *numbers(
  const tickbird_rule *rules, size_t first, size_t last, int are_lists
) {
  PyObject *tuple = PyTuple_New((Py_ssize_t)(last - first));
  for (size_t place = first; tuple && place < last; place += 1) {
    PyObject *number = PyLong_FromUnsignedLong(are_lists ? rules[place].list : rules[place].rule);
    if (!number) {
      Py_DECREF(tuple);
      return NULL;
    }
    PyTuple_SetItem(tuple, (Py_ssize_t)(place - first), number);
  }
  return tuple;
}

static PyObject *new_decision(const tickbird_decision *decision) {
  size_t split = 0;
  while (split < decision->rule_count
      && decision->rules[split].action != TICKBIRD_ACTION_IGNORE_PREVIOUS_RULES
      && decision->rules[split].action != TICKBIRD_ACTION_IGNORE_FOLLOWING_RULES) {
    split += 1;
  }
  PyObject *made = PyStructSequence_New(decision_type);
  if (!made) return NULL;
  uint32_t flags = decision->flags;
  PyObject *fields[] = {
    PyBool_FromLong(flags & TICKBIRD_BLOCKED),
    PyBool_FromLong(flags & TICKBIRD_BLOCKS_COOKIES),
    PyBool_FromLong(flags & TICKBIRD_MAKES_HTTPS),
    numbers(decision->rules, 0, split, 0),
    numbers(decision->rules, split, decision->rule_count, 0),
    numbers(decision->rules, 0, split, 1),
    numbers(decision->rules, split, decision->rule_count, 1),
    PyLong_FromUnsignedLong(decision->hiding_rules),
    PyLong_FromUnsignedLong(decision->attached_sheets),
    PyLong_FromUnsignedLong(flags),
  };
  int is_whole = 1;
  for (size_t place = 0; place < sizeof fields / sizeof *fields; place += 1) {
    if (!fields[place]) is_whole = 0;
    /* Takes the reference over. */
    PyStructSequence_SetItem(made, (Py_ssize_t)place, fields[place]);
  }
  if (is_whole) return made;
  Py_DECREF(made);
  return NULL;
}

static PyObject *decide(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
  (void)module;
  if (count != 8) {
    PyErr_SetString(PyExc_TypeError, "a decider and seven texts are expected");
    return NULL;
  }
  tickbird_decider *working = PyCapsule_GetPointer(arguments[0], decider_name);
  tickbird_load load;
  if (!working || read_load(arguments + 1, &load)) return NULL;
  tickbird_rule few[FEW_RULES];
  tickbird_decision decision = {
    .struct_size = sizeof decision, .rules = few, .rule_capacity = FEW_RULES};
  if (tickbird_decide(working, &load, &decision) != TICKBIRD_OK) {
    return raise_load_error(working, &load);
  }
  if (decision.rule_count <= FEW_RULES) return new_decision(&decision);
  size_t needed = decision.rule_count;
  decision.rules = PyMem_Malloc(sizeof *decision.rules * needed);
  if (!decision.rules) return PyErr_NoMemory();
  decision.rule_capacity = needed;
  tickbird_decide(working, &load, &decision);
  if (decision.rule_count > needed) decision.rule_count = needed;
  PyObject *made = new_decision(&decision);
  PyMem_Free(decision.rules);
  return made;
}

static PyObject *explain(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
  (void)module;
  if (count != 9 || !PyTuple_Check(arguments[8])) {
    PyErr_SetString(PyExc_TypeError, "a decider, seven texts and a tuple of names are expected");
    return NULL;
  }
  tickbird_decider *working = PyCapsule_GetPointer(arguments[0], decider_name);
  tickbird_load load;
  if (!working || read_load(arguments + 1, &load)) return NULL;
  const char **names = names_of(arguments[8]);
  if (!names) return NULL;
  tickbird_text json;
  tickbird_status status = tickbird_explain(working, &load, names, &json);
  PyMem_Free(names);
  if (status == TICKBIRD_OK) return taken(json);
  tickbird_text_free(json);
  return raise_load_error(working, &load);
}

/* Batches. Addresses are numbers: of Arrow's buffers, which the caller keeps alive. */

static int column(PyObject *value, tickbird_column *column) {
  memset(column, 0, sizeof *column);
  if (value == Py_None) return 0;
  unsigned long long offsets, offset_size, bytes, byte_count, validity, first;
  if (!PyArg_ParseTuple(value, "KKKKKK", &offsets, &offset_size, &bytes, &byte_count, &validity,
                        &first)) {
    return -1;
  }
  column->offsets = (const void *)(uintptr_t)offsets;
  column->offset_size = (size_t)offset_size;
  column->bytes = (const char *)(uintptr_t)bytes;
  column->byte_count = (size_t)byte_count;
  column->validity = (const uint8_t *)(uintptr_t)validity;
  column->first = (size_t)first;
  return 0;
}

int read_batch(PyObject *columns, Py_ssize_t rows, const char *type, Py_ssize_t type_size,
               tickbird_batch *batch) {
  memset(batch, 0, sizeof *batch);
  batch->struct_size = sizeof *batch;
  batch->rows = (size_t)rows;
  batch->every_type = (tickbird_string){type, (size_t)type_size};
  tickbird_column *parts[] = {&batch->url, &batch->page, &batch->type, &batch->frame,
                              &batch->context, &batch->method, &batch->party};
  PyObject *values[sizeof parts / sizeof *parts];
  if (!PyArg_ParseTuple(columns, "OOOOOOO", &values[0], &values[1], &values[2], &values[3],
                        &values[4], &values[5], &values[6])) {
    return -1;
  }
  for (size_t place = 0; place < sizeof parts / sizeof *parts; place += 1) {
    if (column(values[place], parts[place])) return -1;
  }
  return 0;
}

static PyObject *decide_batch(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *capsule, *columns;
  tickbird_batch batch;
  Py_ssize_t rows, capacity, done, type_size;
  const char *type;
  unsigned long long blocked, flags, found, offsets, lists, rules;
  if (!PyArg_ParseTuple(
        arguments, "OnO!s#KKKKKKnn", &capsule, &rows, &PyTuple_Type, &columns, &type, &type_size,
        &blocked, &flags, &found, &offsets, &lists, &rules, &capacity, &done)) {
    return NULL;
  }
  tickbird_decider *working = PyCapsule_GetPointer(capsule, decider_name);
  if (!working || read_batch(columns, rows, type, type_size, &batch)) return NULL;
  batch.blocked = (uint8_t *)(uintptr_t)blocked;
  batch.flags = (uint32_t *)(uintptr_t)flags;
  batch.faults = (uint8_t *)(uintptr_t)found;
  batch.rule_offsets = (int64_t *)(uintptr_t)offsets;
  batch.rule_lists = (uint32_t *)(uintptr_t)lists;
  batch.rule_numbers = (uint32_t *)(uintptr_t)rules;
  batch.rule_capacity = (size_t)capacity;
  batch.done = (size_t)done;
  tickbird_status status;
  Py_BEGIN_ALLOW_THREADS
  status = tickbird_decide_batch(working, &batch);
  Py_END_ALLOW_THREADS
  return Py_BuildValue("innnn", (int)status, (Py_ssize_t)batch.done,
                       (Py_ssize_t)batch.blocked_rows, (Py_ssize_t)batch.missing_rows,
                       (Py_ssize_t)batch.bad_rows);
}

static PyObject *status_text(PyObject *module, PyObject *number) {
  (void)module;
  long status = PyLong_AsLong(number);
  if (status == -1 && PyErr_Occurred()) return NULL;
  return PyUnicode_FromString(tickbird_status_text((tickbird_status)status));
}

/* The module */

static PyMethodDef methods[] = {
  {"check", check, METH_VARARGS, NULL},
  {"compile", compile, METH_VARARGS, NULL},
  {"open_bytes", open_bytes, METH_VARARGS, NULL},
  {"map_file", map_file, METH_O, NULL},
  {"compiled", compiled, METH_O, NULL},
  {"source", source, METH_O, NULL},
  {"rule_count", rule_count, METH_O, NULL},
  {"decider", decider, METH_O, NULL},
  {"decide", (PyCFunction)(void (*)(void))decide, METH_FASTCALL, NULL},
  {"explain", (PyCFunction)(void (*)(void))explain, METH_FASTCALL, NULL},
  {"decide_batch", decide_batch, METH_VARARGS, NULL},
  {"status_text", status_text, METH_O, NULL},
  {"audit", audit, METH_VARARGS, NULL},
  {"audit_add", audit_add, METH_VARARGS, NULL},
  {"audit_count", audit_count, METH_O, NULL},
  {"audit_findings", audit_findings, METH_O, NULL},
  {"audit_merge", audit_merge, METH_VARARGS, NULL},
  {"audit_report", audit_report, METH_VARARGS, NULL},
  {NULL, NULL, 0, NULL},
};

static PyStructSequence_Field decision_fields[] = {
  {"blocked", "Whether the load fails."},
  {"cookies_blocked", "Whether the load goes without cookies."},
  {"makes_https", "Whether a make-https rule applies; what it does depends on the URL."},
  {"rules", "The rules that apply, apart from those that hide elements, by their positions in the list."},
  {"exceptions", "The ignore rules without which other rules would apply."},
  {"lists", "The list of each of the rules, by its position among the lists."},
  {"exception_lists", "The list of each of the exceptions."},
  {"hiding_rules", "The number of rules that hide elements because of the load."},
  {"attached_sheets", "The number of lists that hide elements on every page, and on this one."},
  {"flags", "Everything that happens, as the bits of tickbird.h."},
  {NULL, NULL},
};

static PyStructSequence_Desc decision_description = {
  "tickbird.Decision", "What rule lists do to a load.", decision_fields, 10};

static struct PyModuleDef definition = {
  PyModuleDef_HEAD_INIT, "tickbird._native", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void) {
  if (tickbird_abi_version() != TICKBIRD_ABI_VERSION) {
    PyErr_SetString(PyExc_ImportError, "libtickbird.so has another version of its interface");
    return NULL;
  }
  PyObject *module = PyModule_Create(&definition);
  if (!module) return NULL;
  decision_type = PyStructSequence_NewType(&decision_description);
  load_error = PyErr_NewExceptionWithDoc(
    "tickbird.LoadError", "A load cannot be decided: a URL is not absolute, or a word is unknown.",
    PyExc_ValueError, NULL);
  if (!decision_type || !load_error
      || PyModule_AddObjectRef(module, "Decision", (PyObject *)decision_type)
      || PyModule_AddObjectRef(module, "LoadError", load_error)
      || PyModule_AddStringConstant(module, "version", tickbird_version())
      || PyModule_AddIntConstant(module, "format_version", (long)tickbird_list_format())) {
    Py_DECREF(module);
    return NULL;
  }
  return module;
}
