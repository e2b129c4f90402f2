/*
 * chemopen.h: read, write, convert and draw files of chemical structures.
 *
 * This example prints the fields of a file:
 *
 *     chemopen_reader *reader = NULL;
 *     chemopen_record *record = NULL;
 *     const chemopen_field *fields;
 *     size_t count, i;
 *     chemopen_status status;
 *
 *     chemopen_record_new(&record);
 *     status = chemopen_reader_open(&reader, "a.sdf.gz", NULL);
 *     while (status == CHEMOPEN_OK || status == CHEMOPEN_BAD_RECORD) {
 *         status = chemopen_reader_next(reader, record);
 *         if (status == CHEMOPEN_OK && chemopen_record_fields(record, &fields, &count) == CHEMOPEN_OK)
 *             for (i = 0; i < count; i++)
 *                 printf("%.*s = %.*s\n", (int)fields[i].name.length, fields[i].name.bytes,
 *                        (int)fields[i].value.length, fields[i].value.bytes);
 *     }
 *     chemopen_record_close(&record);
 *     chemopen_reader_close(&reader);
 *
 * These rules apply to all functions:
 *
 * - Each function returns a status. A required pointer that is null, a call in the wrong order or a number out of
 *   range returns CHEMOPEN_MISUSE and has no other effect. If a function fails, its results are empty: null, zero,
 *   no text.
 * - A function that opens a handle requires the address of a pointer. Close the handle with the same address: this
 *   frees all memory of the handle and sets the pointer to null. Closing it again returns CHEMOPEN_MISUSE.
 * - If opening fails, a handle with an error function still exists. Use it to get the error, then close it.
 * - A handle owns the memory that its functions return. The memory is valid until you call the same function again,
 *   call a function that can change the handle (its parameter is not const), or close the handle.
 * - Use a handle in only one thread at a time. Different handles are independent. A callback must not use the handle
 *   that calls it; such a call returns CHEMOPEN_MISUSE.
 * - The library prints no output. It uses no global state, no signal handlers and no locale.
 * - Text consists of bytes with a length. Text from a file is returned unchanged and may not be UTF-8; use
 *   chemopen_utf8 to convert it. The library's own text is UTF-8 and null-terminated.
 * - Structures that may grow in later versions start with their size. Set it: options.struct_size = sizeof options.
 *   An invalid size returns CHEMOPEN_MISUSE, and so does an option from a newer header that this library does not
 *   support. In options, zero selects the default.
 * - Records, lines and columns are counted from 1; atoms, bonds and fields are counted from 0.
 */
#ifndef CHEMOPEN_H
#define CHEMOPEN_H

#include <stddef.h>
#include <stdint.h>

/* The version of this header; chemopen_version returns that of the library. */
#define CHEMOPEN_VERSION_MAJOR 0
#define CHEMOPEN_VERSION_MINOR 1
#define CHEMOPEN_VERSION_PATCH 0
#define CHEMOPEN_VERSION "0.1.0"
/* The version as a number that can be compared: 1.2.3 is 10203. */
#define CHEMOPEN_VERSION_NUMBER (CHEMOPEN_VERSION_MAJOR * 10000 + CHEMOPEN_VERSION_MINOR * 100 + CHEMOPEN_VERSION_PATCH)

#if defined(__GNUC__)
#define CHEMOPEN_API __attribute__((visibility("default")))
#else
#define CHEMOPEN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------ common types */

typedef enum chemopen_status {
    CHEMOPEN_OK = 0,
    /* There are no more records. */
    CHEMOPEN_END = 1,
    /* The record cannot be read. The next call continues after it. */
    CHEMOPEN_BAD_RECORD = 2,
    /* The requested item does not exist: no such field, not a molecule, no error. */
    CHEMOPEN_ABSENT = 3,
    /* A callback stopped the operation, or an unreadable record did so as requested. There is no output. */
    CHEMOPEN_STOPPED = 4,
    /* The call is not valid: a null pointer, a call in the wrong order, a number out of range. */
    CHEMOPEN_MISUSE = -1,
    /* The file cannot be read: it is missing, access is denied, or its gzip data is damaged. */
    CHEMOPEN_FILE = -2,
    /* The content is not in a supported format. */
    CHEMOPEN_UNKNOWN = -3,
    /* The format cannot represent the content, or it cannot be read or written. */
    CHEMOPEN_UNSUPPORTED = -4,
    /* The output could not be written. */
    CHEMOPEN_OUTPUT = -5
} chemopen_status;

/* Bytes owned by a handle. They are not null-terminated. */
typedef struct chemopen_text {
    const char *bytes;
    size_t length;
} chemopen_text;

/* The last error of a handle. */
typedef struct chemopen_error {
    size_t struct_size;
    chemopen_status status;
    /* A readable message with file and position; never null. */
    const char *message;
    /* The file name in readable form; never null. */
    const char *file;
    /* 0 if the error concerns the entire file. */
    int64_t record;
    int64_t line;
    /* The first invalid column and the column after the last; both are 0 if the error concerns the entire line. */
    int64_t column;
    int64_t column_end;
    /* The offset in the decompressed file. */
    int64_t offset;
    /* The system's errno if a file could not be opened, read or written; otherwise 0. */
    int32_t system_error;
    int32_t reserved;
} chemopen_error;

typedef struct chemopen_reader chemopen_reader;
typedef struct chemopen_record chemopen_record;
typedef struct chemopen_writer chemopen_writer;
typedef struct chemopen_report chemopen_report;
typedef struct chemopen_scan chemopen_scan;
typedef struct chemopen_pattern chemopen_pattern;
typedef struct chemopen_changes chemopen_changes;
typedef struct chemopen_collection chemopen_collection;
typedef struct chemopen_fetched chemopen_fetched;

/* Returns the version of the library: "0.1.0". */
CHEMOPEN_API chemopen_status chemopen_version(const char **version);

/* Returns a short description of a status. */
CHEMOPEN_API chemopen_status chemopen_status_text(chemopen_status status, const char **text);

/* Converts text from a file to UTF-8. Text that is not valid UTF-8 is decoded as Windows-1252.
 *
 * Writes at most `room` bytes, only complete characters and no zero byte. Sets `needed` to the complete length. `out`
 * may be null if `room` is 0. */
CHEMOPEN_API chemopen_status chemopen_utf8(const char *bytes, size_t length, char *out, size_t room, size_t *needed);

/* ---------------------------------------------------------------------------------------------------- formats */

/* A format. The pointer is valid forever. */
typedef struct chemopen_format {
    /* The identifier in options: "sdf". */
    const char *id;
    /* "MDL SDfile" */
    const char *name;
    /* The preferred MIME type and extension, or "" if it is not known. */
    const char *mime_type;
    const char *extension;
    int32_t is_read;
    int32_t is_written;
} chemopen_format;

/* Returns all formats. */
CHEMOPEN_API chemopen_status chemopen_formats(const chemopen_format **formats, size_t *count);

/* The detected format of a file. */
typedef struct chemopen_identity {
    size_t struct_size;
    const chemopen_format *format;
    /* The format that the file name suggests, if it is a different one; otherwise null. */
    const chemopen_format *named_as;
    /* "content", "content and name" or "name". */
    const char *evidence;
    /* 1 possible, 2 likely, 3 certain. */
    int32_t confidence;
    /* Whether the content is compressed with gzip. */
    int32_t is_compressed;
    /* The reason why the format could not be detected, or "". */
    char message[256];
} chemopen_identity;

/* Detects the format of a file. Returns CHEMOPEN_UNKNOWN if the format is not supported. */
CHEMOPEN_API chemopen_status chemopen_identify(const char *path, chemopen_identity *identity);

/* Detects the format of bytes; the first 64 KiB are sufficient. If several formats match equally, the extension of
 * `name` decides. `name` may be null. */
CHEMOPEN_API chemopen_status chemopen_identify_memory(
    const void *bytes, size_t length, const char *name, chemopen_identity *identity);

/* ---------------------------------------------------------------------------------------------------- reading */

/* Values for `flags`. */
enum {
    /* Do not parse structures. A molecule then has only its title, unless it must be parsed to check its validity. */
    CHEMOPEN_SKIP_STRUCTURES = 1
};

typedef struct chemopen_read_options {
    size_t struct_size;
    /* The ID of the format; null detects it from the content. */
    const char *format;
    uint32_t flags;
    /* The maximum size of a record in bytes; 0 is 128 MiB. Larger records return CHEMOPEN_BAD_RECORD. Records of less than
     * 64 KiB are always accepted. */
    uint64_t largest_record;
    /* The text encoding as iconv names it, such as "shift_jis"; null preserves the bytes. If a file declares its own
     * encoding, that is used instead. */
    const char *encoding;
} chemopen_read_options;

/* Reads up to `room` bytes into `buffer`. Returns the number of bytes, 0 at the end, or a negative number if it fails.
 *
 * The function runs on the thread that requests records. It must not use the reader. */
typedef ptrdiff_t (*chemopen_read_function)(void *context, void *buffer, size_t room);

/* Opens a file; "-" is standard input. `options` may be null. */
CHEMOPEN_API chemopen_status chemopen_reader_open(
    chemopen_reader **reader, const char *path, const chemopen_read_options *options);

/* Reads from an open file, pipe or socket. Closing the reader does not close the descriptor. `name` is used in messages
 * and may be null. */
CHEMOPEN_API chemopen_status chemopen_reader_open_fd(
    chemopen_reader **reader, int descriptor, const char *name, const chemopen_read_options *options);

/* Reads a copy of bytes in memory. */
CHEMOPEN_API chemopen_status chemopen_reader_open_memory(
    chemopen_reader **reader, const void *bytes, size_t length, const char *name, const chemopen_read_options *options);

/* Reads the bytes that a function returns. */
CHEMOPEN_API chemopen_status chemopen_reader_open_function(
    chemopen_reader **reader, chemopen_read_function read, void *context, const char *name,
    const chemopen_read_options *options);

/* Reads the records of a file that start in a byte range, which includes `from` and excludes `to`.
 *
 * Consecutive ranges return each record of the file exactly once, regardless of their boundaries. For SD and RD files,
 * only the range and a few bytes around it are read. Other files and compressed files are read from the start. Records
 * and lines are counted from the first one in the range; offsets refer to the file. */
CHEMOPEN_API chemopen_status chemopen_reader_open_range(
    chemopen_reader **reader, const char *path, uint64_t from, uint64_t to, const chemopen_read_options *options);

/* Divides a file into about `wanted` byte ranges of similar size. Returns the ends of the ranges. The first range
 * starts at 0, and the last end is UINT64_MAX. `ends` must have space for `wanted` numbers. `count` is set to the
 * number of ranges, which is 1 for a file that cannot be divided. */
CHEMOPEN_API chemopen_status chemopen_partitions(const char *path, size_t wanted, uint64_t *ends, size_t *count);

/* Reads the next record into `record`, replacing its content and reusing its memory.
 *
 * Returns CHEMOPEN_OK, CHEMOPEN_END, or one of these errors: CHEMOPEN_BAD_RECORD if the record cannot be read (`record` is
 * then empty, and the next call continues after it), or CHEMOPEN_FILE if the file cannot be read further (the next call
 * returns CHEMOPEN_END). */
CHEMOPEN_API chemopen_status chemopen_reader_next(chemopen_reader *reader, chemopen_record *record);

/* Returns the reader's last error, or CHEMOPEN_ABSENT if there was none. */
CHEMOPEN_API chemopen_status chemopen_reader_error(const chemopen_reader *reader, chemopen_error *error);

/* Returns the format of the file. */
CHEMOPEN_API chemopen_status chemopen_reader_format(const chemopen_reader *reader, const chemopen_format **format);

/* Returns the number of bytes read and the size of the file; the size is 0 if it is unknown. */
CHEMOPEN_API chemopen_status chemopen_reader_progress(const chemopen_reader *reader, uint64_t *done, uint64_t *size);

/* The position of a record. */
typedef struct chemopen_place {
    size_t struct_size;
    int64_t record;
    /* The number of its first line. */
    int64_t line;
    /* The offset in the decompressed file, and the length with its separator. */
    int64_t offset;
    int64_t length;
    /* The version of the format, such as "V2000", or "" if it has no versions. */
    const char *version;
} chemopen_place;

/* Returns the position of the last record, whether or not it could be read. Returns CHEMOPEN_ABSENT before the
 * first. */
CHEMOPEN_API chemopen_status chemopen_reader_place(const chemopen_reader *reader, chemopen_place *place);

/* Returns the unchanged bytes of the last record with its separator, whether or not it could be read. */
CHEMOPEN_API chemopen_status chemopen_reader_bytes(const chemopen_reader *reader, chemopen_text *bytes);

/* A deviation from the format that did not prevent reading. */
typedef struct chemopen_issue {
    /* 0 for a remark (the meaning is clear), 1 for a warning (the meaning is uncertain). */
    int32_t severity;
    /* 0 if it concerns the entire record. */
    int64_t line;
    const char *message;
} chemopen_issue;

/* Returns the deviations in the last record. */
CHEMOPEN_API chemopen_status chemopen_reader_issues(
    const chemopen_reader *reader, const chemopen_issue **issues, size_t *count);

/* A column of a table, or the name of a data field. */
typedef struct chemopen_column {
    chemopen_text name;
    /* "string", "integer", "real", "boolean", "molecule", "extend" or a type that the file defines. */
    chemopen_text type;
} chemopen_column;

/* Returns the columns of the file. If it has no header, returns the columns found so far. */
CHEMOPEN_API chemopen_status chemopen_reader_columns(
    const chemopen_reader *reader, const chemopen_column **columns, size_t *count);

CHEMOPEN_API chemopen_status chemopen_reader_close(chemopen_reader **reader);

/* ---------------------------------------------------------------------------------------------------- records */

/* The caller owns a record. It does not change if its reader continues or is closed. */

typedef enum chemopen_kind {
    CHEMOPEN_DATA = 0,
    CHEMOPEN_MOLECULE = 1,
    CHEMOPEN_REACTION = 2
} chemopen_kind;

/* Creates an empty record. */
CHEMOPEN_API chemopen_status chemopen_record_new(chemopen_record **record);

/* Creates a copy of a record. */
CHEMOPEN_API chemopen_status chemopen_record_copy(chemopen_record **copy, const chemopen_record *record);

CHEMOPEN_API chemopen_status chemopen_record_kind(const chemopen_record *record, chemopen_kind *kind);

/* Returns the name of the molecule or reaction, or CHEMOPEN_ABSENT if the record contains neither. */
CHEMOPEN_API chemopen_status chemopen_record_title(const chemopen_record *record, chemopen_text *title);
CHEMOPEN_API chemopen_status chemopen_record_set_title(chemopen_record *record, const char *bytes, size_t length);

/* A data field. */
typedef struct chemopen_field {
    chemopen_text name;
    /* Lines are joined with LF. If the value is a structure, this is the text stored with it, which may be empty. */
    chemopen_text value;
} chemopen_field;

/* Returns all fields in file order, including repeated ones. The registry numbers of an RD record are first, with the
 * names internal-regno and external-regno. Registry numbers cannot be set or removed. */
CHEMOPEN_API chemopen_status chemopen_record_fields(
    const chemopen_record *record, const chemopen_field **fields, size_t *count);

/* Returns the value of the first field with a name, or CHEMOPEN_ABSENT if it does not exist. */
CHEMOPEN_API chemopen_status chemopen_record_field(
    const chemopen_record *record, const char *name, size_t name_length, chemopen_text *value);

/* Returns the values of all fields with a name, in file order. `count` is 0 if there is none. */
CHEMOPEN_API chemopen_status chemopen_record_values_of(
    const chemopen_record *record, const char *name, size_t name_length, const chemopen_text **values, size_t *count);

/* Sets the value of the first field with a name and removes the others with this name. Adds the field if there is
 * none. */
CHEMOPEN_API chemopen_status chemopen_record_set_field(
    chemopen_record *record, const char *name, size_t name_length, const char *value, size_t value_length);

/* Appends a field. */
CHEMOPEN_API chemopen_status chemopen_record_add_field(
    chemopen_record *record, const char *name, size_t name_length, const char *value, size_t value_length);

/* Removes all fields with a name. Returns CHEMOPEN_ABSENT if no such field exists. */
CHEMOPEN_API chemopen_status chemopen_record_remove_field(
    chemopen_record *record, const char *name, size_t name_length);

/* An atom (56 bytes). */
typedef struct chemopen_atom {
    /* The position in angstroms or in the units of the drawing. The y axis points up. */
    double x, y, z;
    /* The atomic number; 0 for an atom that is not an element and therefore has a label. */
    int32_t element;
    /* The index of the atom's label in the record's labels; -1 if the label is the symbol of the element. */
    int32_t label;
    int32_t charge;
    /* The mass number; 0 is the natural abundance. */
    int32_t isotope;
    /* The number of radical electrons: 1 for a doublet, 2 for a singlet or triplet. */
    int32_t radical;
    /* The number of implicit hydrogens. In chemopen_record_set_molecule, -1 derives it from the valence. */
    int32_t hydrogens;
    /* The atom mapping number of a reaction, or 0. */
    int32_t map_number;
    int32_t reserved;
} chemopen_atom;

/* Values for `order`. Values from 0 to 6 are the bond order. */
enum {
    CHEMOPEN_BOND_AROMATIC = 7,
    CHEMOPEN_BOND_SINGLE_OR_DOUBLE = 8,
    CHEMOPEN_BOND_SINGLE_OR_AROMATIC = 9,
    CHEMOPEN_BOND_DOUBLE_OR_AROMATIC = 10,
    CHEMOPEN_BOND_ANY = 11,
    CHEMOPEN_BOND_DATIVE = 12,
    CHEMOPEN_BOND_HYDROGEN = 13
};

/* Values for `mark`. */
enum {
    CHEMOPEN_MARK_NONE = 0,
    /* A solid wedge, narrow at `from`. */
    CHEMOPEN_MARK_UP = 1,
    /* A hashed wedge, narrow at `from`. */
    CHEMOPEN_MARK_DOWN = 2,
    /* A wavy single bond or a crossed double bond. */
    CHEMOPEN_MARK_EITHER = 3
};

/* A bond (16 bytes). */
typedef struct chemopen_bond {
    int32_t from;
    int32_t to;
    int32_t order;
    int32_t mark;
} chemopen_bond;

/* Return the atoms, bonds and labels of the molecule, or CHEMOPEN_ABSENT if the record is not a molecule. */
CHEMOPEN_API chemopen_status chemopen_record_atoms(
    const chemopen_record *record, const chemopen_atom **atoms, size_t *count);
CHEMOPEN_API chemopen_status chemopen_record_bonds(
    const chemopen_record *record, const chemopen_bond **bonds, size_t *count);
CHEMOPEN_API chemopen_status chemopen_record_labels(
    const chemopen_record *record, const chemopen_text **labels, size_t *count);

/* Replaces the structure with a molecule of these atoms and bonds. Title and fields are preserved.
 *
 * Returns CHEMOPEN_MISUSE, without a change, if a bond refers to a missing atom or connects an atom with itself, a
 * coordinate is not finite, or a bond order or an element is unknown. */
CHEMOPEN_API chemopen_status chemopen_record_set_molecule(
    chemopen_record *record, const chemopen_atom *atoms, size_t atom_count, const chemopen_bond *bonds,
    size_t bond_count, const chemopen_text *labels, size_t label_count);

/* Replaces the properties of all atoms. The bonds, and everything that refers to atoms by their index, are preserved.
 *
 * `count` must be the number of atoms. Use it with the memory of chemopen_record_atoms, after copying and changing
 * it. An unchanged number of hydrogens stays derived from the valence if it was. The labels are those of the record.
 * Invalid values return CHEMOPEN_MISUSE, without a change. */
CHEMOPEN_API chemopen_status chemopen_record_set_atoms(
    chemopen_record *record, const chemopen_atom *atoms, size_t count);

/* Replaces the properties of all bonds. `count` must be the number of bonds. */
CHEMOPEN_API chemopen_status chemopen_record_set_bonds(
    chemopen_record *record, const chemopen_bond *bonds, size_t count);

/* Appends an atom or a bond to the molecule, or to a new molecule if the record has no structure. */
CHEMOPEN_API chemopen_status chemopen_record_add_atom(chemopen_record *record, const chemopen_atom *atom);
CHEMOPEN_API chemopen_status chemopen_record_add_bond(chemopen_record *record, const chemopen_bond *bond);

/* Remove atoms with their bonds, or bonds alone, by their indices. The other atoms and bonds are renumbered. */
CHEMOPEN_API chemopen_status chemopen_record_remove_atoms(
    chemopen_record *record, const int32_t *indices, size_t count);
CHEMOPEN_API chemopen_status chemopen_record_remove_bonds(
    chemopen_record *record, const int32_t *indices, size_t count);

/* Replaces the record with the record in a text, such as a molfile or "CCO".
 *
 * If `format` is null, the format is detected; a single line of an unknown format is read as SMILES. The text must
 * contain exactly one record: CHEMOPEN_ABSENT if there is none, CHEMOPEN_UNSUPPORTED if there are several,
 * CHEMOPEN_BAD_RECORD if it cannot be read. If the function fails, the record does not change. */
CHEMOPEN_API chemopen_status chemopen_record_parse(
    chemopen_record *record, const void *bytes, size_t length, const char *format);

/* Returns the deviations from the format in the text of the last chemopen_record_parse. */
CHEMOPEN_API chemopen_status chemopen_record_issues(
    const chemopen_record *record, const chemopen_issue **issues, size_t *count);

/* Compares structures, titles and fields. Sets `are_equal` to 1 or 0. */
CHEMOPEN_API chemopen_status chemopen_record_equal(
    const chemopen_record *record, const chemopen_record *other, int32_t *are_equal);

/* Returns the symbol of an element by its number: "C". Returns CHEMOPEN_ABSENT if there is no such element. */
CHEMOPEN_API chemopen_status chemopen_element_symbol(int32_t number, const char **symbol);

/* Returns the formula of a molecule in Hill order, including implicit hydrogens. */
CHEMOPEN_API chemopen_status chemopen_record_formula(const chemopen_record *record, chemopen_text *formula);

/* A value that can be computed from a structure. The pointers are valid forever. */
typedef struct chemopen_fact {
    /* "mass" */
    const char *name;
    /* "string", "integer" or "real". */
    const char *type;
    const char *meaning;
} chemopen_fact;

/* Returns all values that chemopen_record_value can compute. */
CHEMOPEN_API chemopen_status chemopen_facts(const chemopen_fact **facts, size_t *count);

/* Computes a value of the structure: "mass", "inchikey", "canonical_smiles", "elements.Cl", or another value of
 * chemopen_facts.
 *
 * For a reaction, most values have a line for each component. Returns CHEMOPEN_ABSENT if the record does not have the
 * value, and CHEMOPEN_UNSUPPORTED if it cannot be computed on this machine. The losses of a notation such as
 * "canonical_smiles" are returned by chemopen_record_losses. */
CHEMOPEN_API chemopen_status chemopen_record_value(
    const chemopen_record *record, const char *name, chemopen_text *value);

/* Returns the record as a complete file in a format such as "mol". Returns CHEMOPEN_UNSUPPORTED if the format cannot
 * represent it, such as "mol" for a reaction. `version` is 0, 2000 or 3000 as in chemopen_write_options. To list the
 * losses, use chemopen_record_losses. */
CHEMOPEN_API chemopen_status chemopen_record_text(
    const chemopen_record *record, const char *format, int32_t version, chemopen_text *text);

/* A feature of a record that the new format cannot represent. */
typedef struct chemopen_loss {
    int64_t record;
    /* The name of the feature: "sgroups". */
    const char *feature;
    /* The keyword in the original format; may be "". */
    const char *detail;
    int64_t count;
} chemopen_loss;

/* Returns the losses of the last call of chemopen_record_text or chemopen_record_value. `record` is 0 in each of
 * them. */
CHEMOPEN_API chemopen_status chemopen_record_losses(
    const chemopen_record *record, const chemopen_loss **losses, size_t *count);

typedef struct chemopen_draw_options {
    size_t struct_size;
    /* The size in pixels; 0 uses the natural size. */
    double width;
    double height;
    /* Whether to color the elements. */
    int32_t has_colors;
    /* Whether to draw for a dark background. */
    int32_t is_dark;
    /* Whether to draw abbreviations with all their atoms. */
    int32_t expands_abbreviations;
} chemopen_draw_options;

/* Draws the record as SVG. Returns CHEMOPEN_ABSENT if it has no structure. `options` may be null. */
CHEMOPEN_API chemopen_status chemopen_record_svg(
    const chemopen_record *record, const chemopen_draw_options *options, chemopen_text *svg);

/* --------------------------------------------------------------------------------------------------- reactions */

typedef enum chemopen_role {
    CHEMOPEN_REACTANT = 1,
    CHEMOPEN_AGENT = 2,
    CHEMOPEN_PRODUCT = 3
} chemopen_role;

/* A step of a reaction: an arrow with its components. */
typedef struct chemopen_step {
    size_t struct_size;
    /* The kind of the arrow: "forward", "equilibrium", "retrosynthetic" and so on. */
    const char *arrow;
    /* The numbers of components. */
    size_t reactants;
    size_t agents;
    size_t products;
    /* The lines of text at the arrow. */
    const chemopen_text *conditions;
    size_t condition_count;
} chemopen_step;

/* The role of a molecule in a reaction, in addition to the molecule. */
typedef struct chemopen_component {
    size_t struct_size;
    /* The name of the component in the reaction; may be empty. */
    chemopen_text name;
    /* The stoichiometric coefficient as written, such as "2" or "1/2"; empty means 1. */
    chemopen_text stoichiometry;
} chemopen_component;

/* Returns the number of steps, or CHEMOPEN_ABSENT if the record is not a reaction. */
CHEMOPEN_API chemopen_status chemopen_record_steps(const chemopen_record *record, size_t *count);

/* Returns a step by its index, from 0. */
CHEMOPEN_API chemopen_status chemopen_record_step(const chemopen_record *record, size_t index, chemopen_step *step);

/* Copies a component of a step into `molecule`, replacing its content, and returns its name and coefficient.
 * `component` may be null. Returns CHEMOPEN_ABSENT if there is no such step or component. */
CHEMOPEN_API chemopen_status chemopen_record_component(
    const chemopen_record *record, size_t step, chemopen_role role, size_t index, chemopen_record *molecule,
    chemopen_component *component);

/* Appends a step to the reaction. If the record is not a reaction, its structure is replaced with a new one, which has
 * only this step; the title is preserved. `arrow` may be null for "forward". */
CHEMOPEN_API chemopen_status chemopen_record_add_step(
    chemopen_record *record, const char *arrow, const chemopen_text *conditions, size_t condition_count);

/* Adds a copy of a molecule to the last step. `component` may be null. Returns CHEMOPEN_ABSENT if the record has no
 * step, or `molecule` is not a molecule. */
CHEMOPEN_API chemopen_status chemopen_record_add_component(
    chemopen_record *record, chemopen_role role, const chemopen_record *molecule, const chemopen_component *component);

/* Removes the molecule or reaction with its title. Fields are preserved. */
CHEMOPEN_API chemopen_status chemopen_record_remove_structure(chemopen_record *record);

/* Returns the record's last error, or CHEMOPEN_ABSENT if there was none. */
CHEMOPEN_API chemopen_status chemopen_record_error(const chemopen_record *record, chemopen_error *error);

CHEMOPEN_API chemopen_status chemopen_record_close(chemopen_record **record);

/* --------------------------------------------------------------------------------------------------- searching */

/* Creates a substructure pattern from SMARTS. If it is not valid, returns CHEMOPEN_UNSUPPORTED; chemopen_pattern_error
 * returns the invalid columns of the text. */
CHEMOPEN_API chemopen_status chemopen_pattern_new(chemopen_pattern **pattern, const char *smarts);

/* Creates a pattern from the molecule or reaction of a record. If `is_exact` is not 0, the pattern matches only
 * molecules without other atoms and bonds, or reactions without other reactants and products. */
CHEMOPEN_API chemopen_status chemopen_pattern_of_record(
    chemopen_pattern **pattern, const chemopen_record *record, int32_t is_exact);

/* Sets `is_found` to 1 if the pattern is found in the record, as `chemopen grep` does: in the molecule, in the
 * reaction or a component of it, or in a structure in a field. Returns CHEMOPEN_UNSUPPORTED if the search reached its
 * limit. */
CHEMOPEN_API chemopen_status chemopen_pattern_finds(
    chemopen_pattern *pattern, const chemopen_record *record, int32_t *is_found);

/* Returns all matches in the molecule of a record, at most `most`; 0 is 1000.
 *
 * `atoms` contains `atom_count` atom indices for each of the `match_count` matches, in the order of the pattern's
 * atoms. A hydrogen that is not drawn has the index -1. Different orders of the same atoms count as one match.
 * Returns CHEMOPEN_ABSENT if the record is not a molecule. Returns CHEMOPEN_MISUSE if the pattern is a reaction (`>>`).
 * Returns CHEMOPEN_UNSUPPORTED if the search reached its limit; the matches found so far are then returned. */
CHEMOPEN_API chemopen_status chemopen_pattern_matches(
    chemopen_pattern *pattern, const chemopen_record *record, size_t most, const int32_t **atoms, size_t *atom_count,
    size_t *match_count);

CHEMOPEN_API chemopen_status chemopen_pattern_error(const chemopen_pattern *pattern, chemopen_error *error);

CHEMOPEN_API chemopen_status chemopen_pattern_close(chemopen_pattern **pattern);

/* ---------------------------------------------------------------------------------------------------- writing */

typedef struct chemopen_write_options {
    size_t struct_size;
    /* The version of MDL connection tables: 2000, 3000, or 0 to use the version that the content requires. */
    int32_t version;
    /* Whether lines end with CR LF. */
    int32_t carriage_returns;
    /* Whether an existing file may be replaced. */
    int32_t replaces;
} chemopen_write_options;

/* Starts to write a file. The file appears at its path only after chemopen_writer_finish. If `format` is null, the
 * extension of the name determines it. Files with the extension .gz are compressed. */
CHEMOPEN_API chemopen_status chemopen_writer_open(
    chemopen_writer **writer, const char *path, const char *format, const chemopen_write_options *options);

/* Starts to write to memory. */
CHEMOPEN_API chemopen_status chemopen_writer_open_memory(
    chemopen_writer **writer, const char *format, const chemopen_write_options *options);

/* Writes a record. If the format requires all columns before the first row, the records are stored until the end. */
CHEMOPEN_API chemopen_status chemopen_writer_write(chemopen_writer *writer, const chemopen_record *record);

/* Copies the unchanged bytes of a reader's last record. Returns CHEMOPEN_UNSUPPORTED if the formats differ or the format
 * is a table. */
CHEMOPEN_API chemopen_status chemopen_writer_copy(chemopen_writer *writer, const chemopen_reader *reader);

/* Returns the losses of the last record written, or after chemopen_writer_finish, the losses of that call. */
CHEMOPEN_API chemopen_status chemopen_writer_losses(
    const chemopen_writer *writer, const chemopen_loss **losses, size_t *count);

/* Writes the end of the file and moves the file to its path. */
CHEMOPEN_API chemopen_status chemopen_writer_finish(chemopen_writer *writer);

/* Returns the bytes written to memory. Returns CHEMOPEN_MISUSE before chemopen_writer_finish and for writers of
 * files. */
CHEMOPEN_API chemopen_status chemopen_writer_bytes(const chemopen_writer *writer, chemopen_text *bytes);

CHEMOPEN_API chemopen_status chemopen_writer_error(const chemopen_writer *writer, chemopen_error *error);

/* Closes the writer. If chemopen_writer_finish was not called, no file is created. */
CHEMOPEN_API chemopen_status chemopen_writer_close(chemopen_writer **writer);

/* ------------------------------------------------------------------------------------------------- converting */

typedef struct chemopen_progress {
    size_t struct_size;
    const char *input;
    uint64_t done;
    /* 0 if it is unknown. */
    uint64_t size;
    uint64_t records;
} chemopen_progress;

typedef enum chemopen_event_kind {
    CHEMOPEN_EVENT_UNREADABLE = 1,
    CHEMOPEN_EVENT_DOUBT = 2,
    CHEMOPEN_EVENT_LOSS = 3,
    /* The record is written in a version that differs from the default. */
    CHEMOPEN_EVENT_VERSION = 4,
    /* The input ended with an error. */
    CHEMOPEN_EVENT_FAILED = 5,
    /* A likely mistake, such as a condition on a field that no record has. */
    CHEMOPEN_EVENT_WARNING = 6,
    CHEMOPEN_EVENT_NOTE = 7
} chemopen_event_kind;

/* An event during a conversion or while a table is read. */
typedef struct chemopen_event {
    size_t struct_size;
    chemopen_event_kind kind;
    const char *input;
    int64_t record;
    int64_t line;
    const char *message;
    /* The losses, for an event of this kind. */
    const chemopen_loss *losses;
    size_t loss_count;
} chemopen_event;

/* Receives the progress of a conversion, often. A result other than 0 stops the conversion. Called on the caller's
 * thread. */
typedef int (*chemopen_progress_function)(void *context, const chemopen_progress *progress);

/* Receives events as they occur. A result other than 0 stops the conversion. Called on the caller's thread. */
typedef int (*chemopen_event_function)(void *context, const chemopen_event *event);

/* Values for `errors`. */
enum {
    /* Report an unreadable record and continue. */
    CHEMOPEN_ERRORS_SKIP = 0,
    CHEMOPEN_ERRORS_STOP = 1,
    /* Continue, and write the unchanged record to OUTPUT.rejects. */
    CHEMOPEN_ERRORS_KEEP = 2
};

typedef struct chemopen_convert_options {
    size_t struct_size;
    /* The IDs of the formats; null detects the input format and derives the output format from the extension. */
    const char *from;
    const char *to;
    /* The records of each input to convert: "1-100,205"; null for all. */
    const char *records;
    /* Conditions such as "MASS < 500". A record must match all of them. */
    const char *const *conditions;
    size_t condition_count;
    int32_t version;
    int32_t carriage_returns;
    int32_t errors;
    /* The number of threads; 0 is one. */
    int32_t threads;
    /* Whether an existing file may be replaced. */
    int32_t replaces;
    /* Whether to rewrite records that could be copied unchanged. */
    int32_t rewrites;
    /* Whether to replace abbreviations with their atoms. */
    int32_t expands_abbreviations;
    int32_t reserved;
    chemopen_progress_function progress;
    chemopen_event_function event;
    /* Passed to both functions. */
    void *context;
    /* As in chemopen_read_options. */
    const char *encoding;
} chemopen_convert_options;

/* Converts one or more files to a single file. An incomplete output is not created.
 *
 * If `output` is null, the losses are determined without writing a file; this requires `to`. `options` may be null.
 * Close `report` in any case. */
CHEMOPEN_API chemopen_status chemopen_convert(
    chemopen_report **report, const char *const *inputs, size_t input_count, const char *output,
    const chemopen_convert_options *options);

typedef struct chemopen_summary {
    size_t struct_size;
    int64_t written;
    int64_t read;
    int64_t unreadable;
    /* Whether an input ended with an error. */
    int32_t is_cut_short;
    /* Whether there is an output. */
    int32_t has_output;
} chemopen_summary;

CHEMOPEN_API chemopen_status chemopen_report_summary(const chemopen_report *report, chemopen_summary *summary);

/* Returns all losses by kind. `record` is the first record with this kind of loss. */
CHEMOPEN_API chemopen_status chemopen_report_losses(
    const chemopen_report *report, const chemopen_loss **losses, size_t *count);

/* A message that `chemopen convert` prints. */
typedef struct chemopen_remark {
    /* CHEMOPEN_EVENT_LOSS, CHEMOPEN_EVENT_VERSION, CHEMOPEN_EVENT_WARNING or CHEMOPEN_EVENT_NOTE. */
    chemopen_event_kind kind;
    /* The input to which it refers; "" if it refers to all of them. */
    const char *input;
    /* The feature of a loss, such as "sgroups"; otherwise "". */
    const char *feature;
    /* `left out: sgroups (3, in records 1, 7 and 9)`; `no record has a field "MAS"; did you mean "MASS"?` */
    const char *message;
} chemopen_remark;

/* Returns messages about the losses of the conversion, one for each kind, and about likely mistakes. */
CHEMOPEN_API chemopen_status chemopen_report_remarks(
    const chemopen_report *report, const chemopen_remark **remarks, size_t *count);

CHEMOPEN_API chemopen_status chemopen_report_error(const chemopen_report *report, chemopen_error *error);

CHEMOPEN_API chemopen_status chemopen_report_close(chemopen_report **report);

/* ------------------------------------------------------------------------------------------------------ tables */

/* The C data interface of Apache Arrow, as specified. */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

typedef struct chemopen_scan_options {
    size_t struct_size;
    /* The ID of the format; null detects it from the content. */
    const char *format;
    /* The requested columns in their order; null for all. */
    const char *const *columns;
    size_t column_count;
    /* The type of each column: "string", "integer", "real", "boolean" or "list". If `types` or an element is null, the
     * files are read to determine the type. If a value does not have the specified type, it becomes null, and the
     * column `problem` contains a message. */
    const char *const *types;
    /* Conditions. A record must match all of them. */
    const char *const *conditions;
    size_t condition_count;
    /* The notation of structures: "molblock", "rxnblock", "smiles", "canonical_smiles", "svg" (a picture), or several
     * separated by commas. Each notation has a column with its name. "auto" is "molblock", and also "rxnblock" if the
     * format of a file can contain reactions. null for no column. */
    const char *structure;
    /* The byte range of record starts, as for chemopen_reader_open_range. If `range_to` is 0, the range extends to
     * the end. */
    uint64_t range_from;
    uint64_t range_to;
    /* The approximate size of a batch in bytes; 0 is 16 MiB. The maximum is 1 GiB. */
    uint64_t batch_bytes;
    /* Receives warnings and losses as messages. Unknown field names are reported when the scan is opened, everything
     * else at the end of each stream. If the function returns a value other than 0, the current call fails. It is
     * called on the thread of that call and must stay valid as long as a stream exists. */
    chemopen_event_function event;
    void *context;
    /* As in chemopen_read_options. */
    const char *encoding;
    /* Values to compute: "mass", "inchikey" or another value of chemopen_facts. Each value has a column with its name.
     * Numbers are null for reactions, except the numbers of steps and components; texts have a line for each
     * component. */
    const char *const *computed;
    size_t computed_count;
} chemopen_scan_options;

/* Opens files as a table with a row for each record, including unreadable records.
 *
 * The columns are:
 *
 * - `record` and `line`: the position of the record
 * - `file`: the file, if there are several
 * - `title`
 * - `molblock`, `rxnblock`, `smiles`, `canonical_smiles` and `svg`: the structure, if requested
 * - the computed values, if requested. They can also be requested by their names in `columns`, if no record has a field
 *   with this name
 * - a column for each data field
 * - `problem`: null if the row contains the complete record. Otherwise a message, if the record cannot be read or none
 *   of the requested notations can represent its structure; for example, a molblock cannot represent a reaction.
 *
 * The column of a field has the type integer (64 bits), real or boolean only if this preserves the exact text of every
 * value in all files. Otherwise it contains UTF-8 text, or a list of texts if a record repeats the field. If a field
 * has the name of another column, `_2` is appended to its name. */
CHEMOPEN_API chemopen_status chemopen_scan_open(
    chemopen_scan **scan, const char *const *paths, size_t path_count, const chemopen_scan_options *options);

/* Opens a copy of bytes in memory as a table. `name` is used in messages and may be null. Ranges are not supported. */
CHEMOPEN_API chemopen_status chemopen_scan_open_memory(
    chemopen_scan **scan, const void *bytes, size_t length, const char *name, const chemopen_scan_options *options);

/* Returns all columns of the table with their types. */
CHEMOPEN_API chemopen_status chemopen_scan_columns(
    const chemopen_scan *scan, const chemopen_column **columns, size_t *count);

/* Returns a stream that reads the table from its start. The stream stays valid after the scan is closed. */
CHEMOPEN_API chemopen_status chemopen_scan_stream(chemopen_scan *scan, struct ArrowArrayStream *stream);

/* The destructor of a PyCapsule "arrow_array_stream", "arrow_schema" or "arrow_array". Releases the structure and frees
 * its memory, which must be from malloc. It is for Python: a capsule may be destroyed while an exception is raised,
 * when no Python code can run. */
CHEMOPEN_API chemopen_status chemopen_release_capsule(void *capsule);

CHEMOPEN_API chemopen_status chemopen_scan_error(const chemopen_scan *scan, chemopen_error *error);

CHEMOPEN_API chemopen_status chemopen_scan_close(chemopen_scan **scan);

typedef struct chemopen_table_options {
    size_t struct_size;
    /* The column that contains titles. null is "title". */
    const char *title;
    /* The column that contains structures in any format. null selects "molblock" and "rxnblock", or "smiles" or
     * "canonical_smiles" if there is neither. */
    const char *structure;
    /* Receives unreadable structures, warnings and losses as messages. If the function returns a value other than 0,
     * the call fails. */
    chemopen_event_function event;
    void *context;
} chemopen_table_options;

/* The result of writing a table. */
typedef struct chemopen_table_summary {
    size_t struct_size;
    int64_t written;
    /* The number of rows that were not written because their structure could not be read. */
    int64_t rejected;
} chemopen_table_summary;

/* Writes each row of a table as a record. Releases the stream in any case.
 *
 * A value becomes a field with the name of its column, and each element of a list a field of its own. Null becomes no
 * field. If the table is from chemopen_scan_stream, with columns `record`, `line` and `problem`, these and `file`
 * become no fields, and a row without a readable record is rejected. Texts, numbers, Booleans, dates, times, and
 * lists and dictionaries of them are supported; other columns return CHEMOPEN_UNSUPPORTED. `options` and `summary` may
 * be null. */
CHEMOPEN_API chemopen_status chemopen_writer_write_table(
    chemopen_writer *writer, struct ArrowArrayStream *stream, const chemopen_table_options *options,
    chemopen_table_summary *summary);

/* --------------------------------------------------------------------------------------------------- versions */

typedef struct chemopen_change_options {
    size_t struct_size;
    /* The ID of the format; null detects it. */
    const char *format;
    /* The field that identifies a record, or "title"; null selects one that is unique for each record. */
    const char *key;
    /* For chemopen_diff: the largest difference of coordinates to ignore; 0 is 0.0001. */
    double tolerance;
    /* For chemopen_history: the dates of the oldest and the latest commit, in git's syntax; a part of the author's name
     * or address; the key or number of the only record; and the maximum number of changes. null or 0 is no limit. */
    const char *since;
    const char *until;
    const char *author;
    const char *record;
    uint64_t most;
    /* For chemopen_merge: whether an existing output may be replaced. */
    int32_t replaces;
    int32_t reserved;
} chemopen_change_options;

/* A difference in one part of a record. `before` and `after` are null if the part does not exist. */
typedef struct chemopen_difference {
    /* "title", "atom 5" or "field MASS". */
    const char *subject;
    const char *before;
    const char *after;
} chemopen_difference;

/* A change of a record. */
typedef struct chemopen_change {
    size_t struct_size;
    /* "deleted", "inserted", "moved" or "changed"; "unreadable" for a record that cannot be read, with the error in
     * `name`; "conflict" for a merge, with the reason in the first difference; "note" for a message in `name`. */
    const char *kind;
    /* The numbers of the record in both versions, or 0. Both are 0 for a change of the table's columns. */
    int64_t before;
    int64_t after;
    /* The title of the record, or its formula. */
    const char *name;
    const chemopen_difference *differences;
    size_t difference_count;
    /* The commit of a change in a history; otherwise null. */
    const char *commit;
    const char *author;
    const char *date;
    const char *message;
} chemopen_change;

/* Compares two files as `chemopen diff` does. `options` may be null. Close `changes` in any case. */
CHEMOPEN_API chemopen_status chemopen_diff(
    chemopen_changes **changes, const char *first, const char *second, const chemopen_change_options *options);

/* Returns the changes of a file in its git repository, the latest first. Programs that the repository names are never
 * run. */
CHEMOPEN_API chemopen_status chemopen_history(
    chemopen_changes **changes, const char *path, const chemopen_change_options *options);

/* Merges two versions of a file that have a common base. If `output` is null, replaces `ours`.
 *
 * The changes are the conflicts. If the format has fields, the result contains both versions of a conflicting record,
 * marked in the field `MergeConflict`; otherwise it contains ours. */
CHEMOPEN_API chemopen_status chemopen_merge(
    chemopen_changes **changes, const char *base, const char *ours, const char *theirs, const char *output,
    const chemopen_change_options *options);

/* Returns the next change, or CHEMOPEN_END. */
CHEMOPEN_API chemopen_status chemopen_changes_next(chemopen_changes *changes, chemopen_change *change);

/* Copies both versions of the record in the last change. A version that does not exist or cannot be read is empty. */
CHEMOPEN_API chemopen_status chemopen_changes_records(
    const chemopen_changes *changes, chemopen_record *before, chemopen_record *after);

CHEMOPEN_API chemopen_status chemopen_changes_error(const chemopen_changes *changes, chemopen_error *error);

CHEMOPEN_API chemopen_status chemopen_changes_close(chemopen_changes **changes);

/* Opens a file to edit its records. All other bytes stay unchanged. `format` may be null. */
CHEMOPEN_API chemopen_status chemopen_collection_open(
    chemopen_collection **collection, const char *path, const char *format);

CHEMOPEN_API chemopen_status chemopen_collection_count(const chemopen_collection *collection, size_t *count);

/* Copies a record with its edits. Returns CHEMOPEN_BAD_RECORD if it cannot be read, and CHEMOPEN_UNSUPPORTED if there is no
 * record with this number, as do the functions below. */
CHEMOPEN_API chemopen_status chemopen_collection_record(
    const chemopen_collection *collection, size_t number, chemopen_record *record);

/* Sets a field of a record. If `value` is null and `value_length` is 0, removes it. */
CHEMOPEN_API chemopen_status chemopen_collection_set_field(
    chemopen_collection *collection, size_t number, const char *name, size_t name_length, const char *value,
    size_t value_length);

CHEMOPEN_API chemopen_status chemopen_collection_set_title(
    chemopen_collection *collection, size_t number, const char *title, size_t length);

/* Replaces the structure of a record with that of another one. Returns CHEMOPEN_UNSUPPORTED if the format cannot
 * represent it exactly. */
CHEMOPEN_API chemopen_status chemopen_collection_set_structure(
    chemopen_collection *collection, size_t number, const chemopen_record *record);

/* Inserts a record before another one; 0 appends it. */
CHEMOPEN_API chemopen_status chemopen_collection_insert(
    chemopen_collection *collection, size_t number, const chemopen_record *record);

CHEMOPEN_API chemopen_status chemopen_collection_delete(chemopen_collection *collection, size_t number);

/* Moves a record, so that it has the number `target`. */
CHEMOPEN_API chemopen_status chemopen_collection_move(chemopen_collection *collection, size_t number, size_t target);

/* Writes the file atomically, or overwrites the original if `path` is null. Returns CHEMOPEN_UNSUPPORTED or
 * CHEMOPEN_OUTPUT if another program has changed the original since it was read. */
CHEMOPEN_API chemopen_status chemopen_collection_save(
    chemopen_collection *collection, const char *path, int32_t replaces);

CHEMOPEN_API chemopen_status chemopen_collection_error(const chemopen_collection *collection, chemopen_error *error);

CHEMOPEN_API chemopen_status chemopen_collection_close(chemopen_collection **collection);

/* ---------------------------------------------------------------------------------------------------- fetching */

typedef struct chemopen_fetch_options {
    size_t struct_size;
    /* Whether to use the cached copy only, without network access. */
    int32_t is_offline;
    /* Whether to encrypt the cached copy with a key from the keyring. */
    int32_t encrypts;
    /* Called often. A result other than 0 stops the download; the next call resumes it. `records` is always 0. */
    chemopen_progress_function progress;
    /* Passed to the function. */
    void *context;
} chemopen_fetch_options;

/* A downloaded file. */
typedef struct chemopen_copy {
    size_t struct_size;
    /* Use it with all functions that require a path. Do not change the file: it is in the cache. */
    const char *path;
    /* The MIME type that the server sent; may be empty. */
    const char *type;
    /* A note for the user, such as "offline, as of 2026-11-23 20:55"; may be empty. */
    const char *note;
} chemopen_copy;

/* Downloads a file from an https address into the cache that the commands use, or checks that the cached copy is
 * current. Interrupted downloads resume, and the credential comes from the keyring or netrc. `options` may be null.
 *
 * The program chemopen-fetch does this; the library opens no socket. If it is not installed, or if there is neither a
 * response nor a cached copy, the function returns CHEMOPEN_FILE. Close `fetched` in any case. */
CHEMOPEN_API chemopen_status chemopen_fetch(
    chemopen_fetched **fetched, const char *address, const chemopen_fetch_options *options);

/* Returns the downloaded file. An encrypted copy is decrypted into a file that exists until you close `fetched`. */
CHEMOPEN_API chemopen_status chemopen_fetched_copy(const chemopen_fetched *fetched, chemopen_copy *copy);

CHEMOPEN_API chemopen_status chemopen_fetched_error(const chemopen_fetched *fetched, chemopen_error *error);

CHEMOPEN_API chemopen_status chemopen_fetched_close(chemopen_fetched **fetched);

#ifdef __cplusplus
}
#endif

#endif
