/* The calls that loops over records repeat, as an extension module for Python 3.9 and newer.
 *
 * It calls the library that ctypes has loaded. Without this module, the package uses ctypes for the same calls, with the
 * same results; see _calls.py. */
#define _GNU_SOURCE
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>
#include <chemopen.h>
#include <dlfcn.h>
#include <string.h>

static struct {
    chemopen_status (*utf8)(const char *, size_t, char *, size_t, size_t *);
    chemopen_status (*record_new)(chemopen_record **);
    chemopen_status (*record_close)(chemopen_record **);
    chemopen_status (*record_fields)(const chemopen_record *, const chemopen_field **, size_t *);
    chemopen_status (*record_values_of)(const chemopen_record *, const char *, size_t, const chemopen_text **, size_t *);
    chemopen_status (*record_atoms)(const chemopen_record *, const chemopen_atom **, size_t *);
    chemopen_status (*reader_next)(chemopen_reader *, chemopen_record *);
    chemopen_status (*reader_place)(const chemopen_reader *, chemopen_place *);
    chemopen_status (*reader_bytes)(const chemopen_reader *, chemopen_text *);
    chemopen_status (*reader_issues)(const chemopen_reader *, const chemopen_issue **, size_t *);
} lib;

/* Returns a function of the library. dlsym returns a pointer to data, which C cannot convert to a function. */
#define LOAD(library, name) \
    do { \
        void *found = dlsym(library, "chemopen_" #name); \
        if (found == NULL) { \
            PyErr_SetString(PyExc_ImportError, "the library has no function chemopen_" #name); \
            return NULL; \
        } \
        memcpy(&lib.name, &found, sizeof found); \
    } while (0)

static PyObject *connect(PyObject *self, PyObject *library) {
    void *handle = PyLong_AsVoidPtr(library);
    (void)self;
    if (PyErr_Occurred()) return NULL;
    LOAD(handle, utf8);
    LOAD(handle, record_new);
    LOAD(handle, record_close);
    LOAD(handle, record_fields);
    LOAD(handle, record_values_of);
    LOAD(handle, record_atoms);
    LOAD(handle, reader_next);
    LOAD(handle, reader_place);
    LOAD(handle, reader_bytes);
    LOAD(handle, reader_issues);
    Py_RETURN_NONE;
}

/* Returns the handle in an argument, or null if it is None because the handle is closed. */
static void *handle_of(PyObject *argument) {
    return argument == Py_None ? NULL : PyLong_AsVoidPtr(argument);
}

/* Decodes text of a file as the command line does. */
static PyObject *decoded(const char *bytes, size_t length) {
    PyObject *text;
    char *out;
    size_t needed = 0;
    text = length == 0 ? PyUnicode_FromStringAndSize(NULL, 0) : PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "strict");
    if (text != NULL || !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) return text;
    PyErr_Clear();
    lib.utf8(bytes, length, NULL, 0, &needed);
    out = PyMem_Malloc(needed + 1);
    if (out == NULL) return PyErr_NoMemory();
    lib.utf8(bytes, length, out, needed, &needed);
    text = PyUnicode_DecodeUTF8(out, (Py_ssize_t)needed, "strict");
    PyMem_Free(out);
    return text;
}

/* Returns all fields as a list of tuples. */
static PyObject *fields(PyObject *self, PyObject *record) {
    const chemopen_field *first = NULL;
    size_t count = 0, i;
    PyObject *list;
    void *handle = handle_of(record);
    (void)self;
    if (PyErr_Occurred()) return NULL;
    lib.record_fields(handle, &first, &count);
    list = PyList_New((Py_ssize_t)count);
    for (i = 0; list != NULL && i < count; i++) {
        PyObject *name = decoded(first[i].name.bytes, first[i].name.length);
        PyObject *value = name == NULL ? NULL : decoded(first[i].value.bytes, first[i].value.length);
        PyObject *pair = value == NULL ? NULL : PyTuple_Pack(2, name, value);
        Py_XDECREF(name);
        Py_XDECREF(value);
        if (pair == NULL || PyList_SetItem(list, (Py_ssize_t)i, pair) != 0) Py_CLEAR(list);
    }
    return list;
}

/* Returns the value of a field, a list of the values if it is repeated, or None. */
static PyObject *values_of(PyObject *self, PyObject *arguments) {
    const chemopen_text *first = NULL;
    const char *name;
    Py_ssize_t length;
    size_t count = 0, i;
    PyObject *record, *list;
    void *handle;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Os#", &record, &name, &length)) return NULL;
    handle = handle_of(record);
    if (PyErr_Occurred()) return NULL;
    lib.record_values_of(handle, name, (size_t)length, &first, &count);
    if (count == 0) Py_RETURN_NONE;
    if (count == 1) return decoded(first[0].bytes, first[0].length);
    list = PyList_New((Py_ssize_t)count);
    for (i = 0; list != NULL && i < count; i++) {
        PyObject *value = decoded(first[i].bytes, first[i].length);
        if (value == NULL || PyList_SetItem(list, (Py_ssize_t)i, value) != 0) Py_CLEAR(list);
    }
    return list;
}

/* Returns the x, y and z of all atoms as doubles in a bytearray. */
static PyObject *positions(PyObject *self, PyObject *record) {
    const chemopen_atom *first = NULL;
    size_t count = 0, i;
    PyObject *array;
    char *place;
    void *handle = handle_of(record);
    (void)self;
    if (PyErr_Occurred()) return NULL;
    lib.record_atoms(handle, &first, &count);
    array = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(count * 3 * sizeof(double)));
    if (array == NULL) return NULL;
    place = PyByteArray_AsString(array);
    for (i = 0; i < count; i++) memcpy(place + i * 3 * sizeof(double), &first[i].x, 3 * sizeof(double));
    return array;
}

/* Returns the warnings about the last record. */
static PyObject *issues(const chemopen_reader *reader) {
    const chemopen_issue *first = NULL;
    size_t count = 0, i;
    PyObject *list = PyList_New(0);
    lib.reader_issues(reader, &first, &count);
    for (i = 0; list != NULL && i < count; i++) {
        PyObject *message;
        if (first[i].severity <= 0) continue;
        message = PyUnicode_DecodeUTF8(first[i].message, (Py_ssize_t)strlen(first[i].message), "replace");
        if (message == NULL || PyList_Append(list, message) != 0) Py_CLEAR(list);
        Py_XDECREF(message);
    }
    return list;
}

/* Reads the next record. Returns its handle, its position as a tuple, and its warnings, or the status if there is no
 * record. */
static PyObject *next_record(PyObject *self, PyObject *reader) {
    chemopen_record *record = NULL;
    chemopen_place place;
    chemopen_status status;
    PyObject *warnings, *result = NULL;
    void *handle = handle_of(reader);
    (void)self;
    if (PyErr_Occurred()) return NULL;
    lib.record_new(&record);
    Py_BEGIN_ALLOW_THREADS
    status = lib.reader_next(handle, record);
    Py_END_ALLOW_THREADS
    if (status != CHEMOPEN_OK) {
        lib.record_close(&record);
        return PyLong_FromLong(status);
    }
    memset(&place, 0, sizeof place);
    place.struct_size = sizeof place;
    lib.reader_place(handle, &place);
    warnings = issues(handle);
    if (warnings != NULL)
        result = Py_BuildValue("N(LLLLs)N", PyLong_FromVoidPtr(record), (long long)place.record, (long long)place.line,
            (long long)place.offset, (long long)place.length, place.version == NULL ? "" : place.version, warnings);
    if (result == NULL) lib.record_close(&record);
    return result;
}

/* Returns the molfile at the start of the last record's bytes, or None if there is none. */
static PyObject *molfile(PyObject *self, PyObject *reader) {
    static const char last_line[] = "\nM  END";
    chemopen_text text = {NULL, 0};
    const char *end;
    void *handle = handle_of(reader);
    (void)self;
    if (PyErr_Occurred()) return NULL;
    lib.reader_bytes(handle, &text);
    end = text.length == 0 ? NULL : memmem(text.bytes, text.length, last_line, sizeof last_line - 1);
    if (end == NULL) Py_RETURN_NONE;
    return decoded(text.bytes, (size_t)(end - text.bytes) + sizeof last_line - 1);
}

static PyMethodDef functions[] = {
    {"connect", connect, METH_O, "Uses the library with a handle of dlopen."},
    {"fields", fields, METH_O, "Returns all fields of a record as a list of tuples."},
    {"values_of", values_of, METH_VARARGS, "Returns the value of a field, a list if it is repeated, or None."},
    {"positions", positions, METH_O, "Returns the coordinates of all atoms as doubles."},
    {"molfile", molfile, METH_O, "Returns the molfile in the last record's bytes, or None."},
    {"next_record", next_record, METH_O, "Reads the next record. Returns its handle, position and warnings, or a status."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_speed", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__speed(void) { return PyModule_Create(&definition); }
