/*
 * chemopen.h: reads, writes, converts and draws files of chemical structures.
 *
 * A program that prints the fields of a file:
 *
 *     chemopen_reader *reader = NULL;
 *     chemopen_record *record = NULL;
 *     const chemopen_field *fields;
 *     size_t count, i;
 *     chemopen_status status;
 *
 *     chemopen_record_new(&record);
 *     status = chemopen_reader_open(&reader, "a.sdf.gz", NULL);
 *     while (status == CHEMOPEN_OK || status == CHEMOPEN_BROKEN) {
 *         status = chemopen_reader_next(reader, record);
 *         if (status == CHEMOPEN_OK && chemopen_record_fields(record, &fields, &count) == CHEMOPEN_OK)
 *             for (i = 0; i < count; i++)
 *                 printf("%.*s = %.*s\n", (int)fields[i].name.length, fields[i].name.bytes,
 *                        (int)fields[i].value.length, fields[i].value.bytes);
 *     }
 *     chemopen_record_close(&record);
 *     chemopen_reader_close(&reader);
 *
 * Rules that hold for every function:
 *
 * - It returns a status. A null pointer where one is needed, a call out of order and a number out of range are
 *   CHEMOPEN_MISUSE, and nothing else happens. A function that fails leaves its results empty: null, zero, no text.
 * - A handle is made by a function that takes the address of a pointer to it, and closed by one that takes the same
 *   address and sets the pointer to null, so that a second close is CHEMOPEN_MISUSE. Closing takes back all memory that
 *   came of the handle.
 * - A handle that tells errors is there even where opening has failed: it says why, and has to be closed.
 * - Memory that a function lends belongs to its handle. It is valid until the same function is called again with that
 *   handle, until a function is called that may change what the handle holds (it takes no pointer to const), and until
 *   the handle is closed.
 * - A handle belongs to one thread at a time, whichever that is. Different handles know nothing of one another. A function
 *   of the caller's that is called on the way must not use the handle that calls it: CHEMOPEN_MISUSE.
 * - Nothing is printed. There is no global state, no signal handler, no locale.
 * - Text is bytes with a length. What stands in a file comes as it stands there, in UTF-8 or not: chemopen_utf8 turns it
 *   into UTF-8. What the library says itself is UTF-8 and ends in a zero byte.
 * - Structures that may grow begin with their size, which the caller sets: options.struct_size = sizeof options. A size
 *   that no version of the structure has is CHEMOPEN_MISUSE, and so is an option of a newer header that is set and that this
 *   library does not know. In options zero means the usual.
 * - Records, lines and columns count from 1; atoms, bonds and fields from 0.
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
/* Versions compare as numbers: 1.2.3 is 10203. */
#define CHEMOPEN_VERSION_NUMBER (CHEMOPEN_VERSION_MAJOR * 10000 + CHEMOPEN_VERSION_MINOR * 100 + CHEMOPEN_VERSION_PATCH)

#if defined(__GNUC__)
#define CHEMOPEN_API __attribute__((visibility("default")))
#else
#define CHEMOPEN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------ common words */

typedef enum chemopen_status {
    CHEMOPEN_OK = 0,
    /* There is no further record. */
    CHEMOPEN_END = 1,
    /* This record cannot be read; the next call goes on behind it. */
    CHEMOPEN_BROKEN = 2,
    /* The thing that is asked for is not there: no such field, no molecule, no error. */
    CHEMOPEN_ABSENT = 3,
    /* The caller's function has stopped it, or a record could not be read and that was to stop it. No output is there. */
    CHEMOPEN_STOPPED = 4,
    /* The call makes no sense: a null pointer, an order that cannot be, a number out of range. */
    CHEMOPEN_MISUSE = -1,
    /* The file itself fails: not there, not allowed, damaged gzip data. */
    CHEMOPEN_FILE = -2,
    /* No chemical format that is read here looks like this. */
    CHEMOPEN_UNKNOWN = -3,
    /* The format cannot hold what it is asked to, is not read or is not written. */
    CHEMOPEN_IMPOSSIBLE = -4,
    /* The output could not be written. */
    CHEMOPEN_OUTPUT = -5
} chemopen_status;

/* Bytes that somebody else keeps. They are not closed by a zero byte. */
typedef struct chemopen_text {
    const char *bytes;
    size_t length;
} chemopen_text;

/* What went wrong last with a handle. */
typedef struct chemopen_error {
    size_t struct_size;
    chemopen_status status;
    /* A sentence for people with file and place; never null. */
    const char *message;
    /* The file as people see it; never null. */
    const char *file;
    /* 0 where it is the file as a whole. */
    int64_t record;
    int64_t line;
    /* The first column at fault and the one behind the last; both 0 where it is the whole line. */
    int64_t column;
    int64_t column_end;
    /* The byte of the file, unpacked. */
    int64_t offset;
    /* The errno of the system where a file could not be opened, read or written; else 0. */
    int32_t system_error;
    int32_t reserved;
} chemopen_error;

typedef struct chemopen_reader chemopen_reader;
typedef struct chemopen_record chemopen_record;
typedef struct chemopen_writer chemopen_writer;
typedef struct chemopen_report chemopen_report;
typedef struct chemopen_scan chemopen_scan;

/* The version of the library: "0.1.0". */
CHEMOPEN_API chemopen_status chemopen_version(const char **version);

/* A status in a few words. */
CHEMOPEN_API chemopen_status chemopen_status_text(chemopen_status status, const char **text);

/* Turns text of a file into UTF-8: bytes that are no UTF-8 are read as Windows-1252.
 *
 * Writes at most `room` bytes, whole characters only, and no zero byte. `needed` gets the length of the whole; `out` may
 * be null where `room` is 0. */
CHEMOPEN_API chemopen_status chemopen_utf8(const char *bytes, size_t length, char *out, size_t room, size_t *needed);

/* ---------------------------------------------------------------------------------------------------- formats */

/* A format; valid for ever. */
typedef struct chemopen_format {
    /* The word for it in options: "sdf". */
    const char *id;
    /* "MDL SDfile" */
    const char *name;
    /* The preferred one of each; "" where there is none. */
    const char *mime_type;
    const char *extension;
    int32_t is_read;
    int32_t is_written;
} chemopen_format;

/* All formats. */
CHEMOPEN_API chemopen_status chemopen_formats(const chemopen_format **formats, size_t *count);

/* The type of a file, told by its content. */
typedef struct chemopen_identity {
    size_t struct_size;
    const chemopen_format *format;
    /* The format that the name's extension belongs to, where that is another one; else null. */
    const chemopen_format *named_as;
    /* "content", "content and name" or "name". */
    const char *evidence;
    /* 1 possible, 2 likely, 3 certain. */
    int32_t confidence;
    /* The content is packed with gzip. */
    int32_t is_compressed;
    /* Why nothing could be told, else "". */
    char message[256];
} chemopen_identity;

/* Tells the format of a file. CHEMOPEN_UNKNOWN where no format looks like this. */
CHEMOPEN_API chemopen_status chemopen_identify(const char *path, chemopen_identity *identity);

/* Tells the format of bytes, of which the first 64 KiB are enough; `name` chooses among formats that they fit equally and
 * may be null. */
CHEMOPEN_API chemopen_status chemopen_identify_memory(
    const void *bytes, size_t length, const char *name, chemopen_identity *identity);

/* ---------------------------------------------------------------------------------------------------- reading */

/* For `flags`. */
enum {
    /* Structures are not wanted: a molecule of which it is plain that it can be read has its title alone. */
    CHEMOPEN_SKIP_STRUCTURES = 1
};

typedef struct chemopen_read_options {
    size_t struct_size;
    /* The id of the format; null where the content is to tell. */
    const char *format;
    uint32_t flags;
    /* No record may be larger, in bytes; 0 is 128 MiB. A larger one is CHEMOPEN_BROKEN; one of less than 64 KiB is read in any
     * case. */
    uint64_t largest_record;
    /* The encoding of the text by its name in iconv, such as "shift_jis"; null keeps its bytes. The encoding that a file itself
     * declares is used in any case. */
    const char *encoding;
} chemopen_read_options;

/* Brings up to `room` bytes into `buffer` and returns how many; 0 at the end, a negative number on failure.
 *
 * It is called on the thread that asks for records and must not use the reader. */
typedef ptrdiff_t (*chemopen_read_function)(void *context, void *buffer, size_t room);

/* Opens a file; "-" is standard input. `options` may be null. */
CHEMOPEN_API chemopen_status chemopen_reader_open(
    chemopen_reader **reader, const char *path, const chemopen_read_options *options);

/* Reads from an open file, pipe or socket, which stays open when the reader is closed. `name` is for messages and may be
 * null. */
CHEMOPEN_API chemopen_status chemopen_reader_open_fd(
    chemopen_reader **reader, int descriptor, const char *name, const chemopen_read_options *options);

/* Reads bytes in memory, of which it takes a copy. */
CHEMOPEN_API chemopen_status chemopen_reader_open_memory(
    chemopen_reader **reader, const void *bytes, size_t length, const char *name, const chemopen_read_options *options);

/* Reads what a function brings. */
CHEMOPEN_API chemopen_status chemopen_reader_open_function(
    chemopen_reader **reader, chemopen_read_function read, void *context, const char *name,
    const chemopen_read_options *options);

/* Reads the records of a file that begin in a range of its bytes, from the first up to and without the second.
 *
 * Ranges that follow one another give every record of the file once, wherever they are cut. Of SD and RD files nothing is
 * read but the range and a little around it; any other file, and one that is packed, is read from its beginning. Records
 * and lines then count from the range's first; offsets are those of the file. */
CHEMOPEN_API chemopen_status chemopen_reader_open_range(
    chemopen_reader **reader, const char *path, uint64_t from, uint64_t to, const chemopen_read_options *options);

/* Ends of ranges by which a file is read in about so many pieces of one size: the first begins at 0, the last end is
 * UINT64_MAX. `ends` has room for `wanted` numbers; `count` gets how many there are, 1 for a file that cannot be cut. */
CHEMOPEN_API chemopen_status chemopen_partitions(const char *path, size_t wanted, uint64_t *ends, size_t *count);

/* Reads the next record over what `record` holds, which makes use of its memory.
 *
 * CHEMOPEN_OK; CHEMOPEN_END; CHEMOPEN_BROKEN for a record that cannot be read, which `record` then does not hold, and
 * behind which the next call goes on; CHEMOPEN_FILE where the file breaks off, once, and CHEMOPEN_END after that. */
CHEMOPEN_API chemopen_status chemopen_reader_next(chemopen_reader *reader, chemopen_record *record);

/* What went wrong with the reader last. CHEMOPEN_ABSENT where nothing did. */
CHEMOPEN_API chemopen_status chemopen_reader_error(const chemopen_reader *reader, chemopen_error *error);

/* The format of the file. */
CHEMOPEN_API chemopen_status chemopen_reader_format(const chemopen_reader *reader, const chemopen_format **format);

/* How many bytes were taken from the file, and of how many; 0 where that is not known. */
CHEMOPEN_API chemopen_status chemopen_reader_progress(const chemopen_reader *reader, uint64_t *done, uint64_t *size);

/* Where a record stands. */
typedef struct chemopen_place {
    size_t struct_size;
    int64_t record;
    /* The number of its first line. */
    int64_t line;
    /* Its first byte in the file, unpacked, and how many it takes, its separator included. */
    int64_t offset;
    int64_t length;
    /* The version of the format where there are several, "V2000", else "". */
    const char *version;
} chemopen_place;

/* Where the record stands that was read or refused last. CHEMOPEN_ABSENT before the first. */
CHEMOPEN_API chemopen_status chemopen_reader_place(const chemopen_reader *reader, chemopen_place *place);

/* The bytes of that record as they stand in the file, its separator included; of one that was refused, too. */
CHEMOPEN_API chemopen_status chemopen_reader_bytes(const chemopen_reader *reader, chemopen_text *bytes);

/* Something doubtful that was read all the same. */
typedef struct chemopen_issue {
    /* 0 a departure from the format without a doubt, 1 a doubt. */
    int32_t severity;
    /* 0 where it is the record as a whole. */
    int64_t line;
    const char *message;
} chemopen_issue;

/* The doubts about that record. */
CHEMOPEN_API chemopen_status chemopen_reader_issues(
    const chemopen_reader *reader, const chemopen_issue **issues, size_t *count);

/* A column of a table, or the name of a data field. */
typedef struct chemopen_column {
    chemopen_text name;
    /* "string", "integer", "real", "boolean", "molecule", "extend" or a type that the file defines. */
    chemopen_text type;
} chemopen_column;

/* The columns of the file; of a file without a header those that were met so far. */
CHEMOPEN_API chemopen_status chemopen_reader_columns(
    const chemopen_reader *reader, const chemopen_column **columns, size_t *count);

CHEMOPEN_API chemopen_status chemopen_reader_close(chemopen_reader **reader);

/* ---------------------------------------------------------------------------------------------------- records */

/* A record belongs to the caller: it stays as it is when its reader goes on or is closed. */

typedef enum chemopen_kind {
    CHEMOPEN_DATA = 0,
    CHEMOPEN_MOLECULE = 1,
    CHEMOPEN_REACTION = 2
} chemopen_kind;

/* Makes a record that holds nothing. */
CHEMOPEN_API chemopen_status chemopen_record_new(chemopen_record **record);

/* Makes a record that holds what another one does. */
CHEMOPEN_API chemopen_status chemopen_record_copy(chemopen_record **copy, const chemopen_record *record);

CHEMOPEN_API chemopen_status chemopen_record_kind(const chemopen_record *record, chemopen_kind *kind);

/* The name of the molecule or reaction. CHEMOPEN_ABSENT where the record is neither. */
CHEMOPEN_API chemopen_status chemopen_record_title(const chemopen_record *record, chemopen_text *title);
CHEMOPEN_API chemopen_status chemopen_record_set_title(chemopen_record *record, const char *bytes, size_t length);

/* One data field. */
typedef struct chemopen_field {
    chemopen_text name;
    /* Lines are joined by LF. A structure that is a value has the text that goes with it, which may be empty. */
    chemopen_text value;
} chemopen_field;

/* All fields in the file's order, repeats included. The registry numbers of an RD record come first, as internal-regno and
 * external-regno; only these are no fields to be set or removed. */
CHEMOPEN_API chemopen_status chemopen_record_fields(
    const chemopen_record *record, const chemopen_field **fields, size_t *count);

/* The value of the first field of a name. CHEMOPEN_ABSENT where there is none. */
CHEMOPEN_API chemopen_status chemopen_record_field(
    const chemopen_record *record, const char *name, size_t name_length, chemopen_text *value);

/* Sets the value of the first field of a name, and removes the others of that name; adds it where there is none. */
CHEMOPEN_API chemopen_status chemopen_record_set_field(
    chemopen_record *record, const char *name, size_t name_length, const char *value, size_t value_length);

/* Adds a field behind the others. */
CHEMOPEN_API chemopen_status chemopen_record_add_field(
    chemopen_record *record, const char *name, size_t name_length, const char *value, size_t value_length);

/* Removes all fields of a name. CHEMOPEN_ABSENT where there is none. */
CHEMOPEN_API chemopen_status chemopen_record_remove_field(
    chemopen_record *record, const char *name, size_t name_length);

/* An atom, in 56 bytes. */
typedef struct chemopen_atom {
    /* In Angstrom or in the units of the drawing, y upwards. */
    double x, y, z;
    /* The atomic number; 0 for everything that is no element, which then has a label. */
    int32_t element;
    /* A place among the record's labels, or -1: what the atom is called where that is not its element's symbol. */
    int32_t label;
    int32_t charge;
    /* The mass number; 0 is the natural mixture. */
    int32_t isotope;
    /* Unpaired electrons: 1 for a doublet, 2 for a singlet and a triplet. */
    int32_t radical;
    /* Hydrogens on the atom that are not drawn; -1 in an atom that is set leaves them to the valence. */
    int32_t hydrogens;
    /* The atom-atom mapping number of a reaction; 0 is none. */
    int32_t map_number;
    int32_t reserved;
} chemopen_atom;

/* For `order`; from 0 to 6 it is the order itself. */
enum {
    CHEMOPEN_BOND_AROMATIC = 7,
    CHEMOPEN_BOND_SINGLE_OR_DOUBLE = 8,
    CHEMOPEN_BOND_SINGLE_OR_AROMATIC = 9,
    CHEMOPEN_BOND_DOUBLE_OR_AROMATIC = 10,
    CHEMOPEN_BOND_ANY = 11,
    CHEMOPEN_BOND_DATIVE = 12,
    CHEMOPEN_BOND_HYDROGEN = 13
};

/* For `mark`. */
enum {
    CHEMOPEN_MARK_NONE = 0,
    /* A solid wedge, narrow at `from`. */
    CHEMOPEN_MARK_UP = 1,
    /* A hashed wedge, narrow at `from`. */
    CHEMOPEN_MARK_DOWN = 2,
    /* Wavy on a single bond, crossed on a double one. */
    CHEMOPEN_MARK_EITHER = 3
};

/* A bond, in 16 bytes. */
typedef struct chemopen_bond {
    int32_t from;
    int32_t to;
    int32_t order;
    int32_t mark;
} chemopen_bond;

/* The atoms of the molecule. CHEMOPEN_ABSENT where the record is none. */
CHEMOPEN_API chemopen_status chemopen_record_atoms(
    const chemopen_record *record, const chemopen_atom **atoms, size_t *count);
CHEMOPEN_API chemopen_status chemopen_record_bonds(
    const chemopen_record *record, const chemopen_bond **bonds, size_t *count);
CHEMOPEN_API chemopen_status chemopen_record_labels(
    const chemopen_record *record, const chemopen_text **labels, size_t *count);

/* Makes the record a molecule of these atoms and bonds; its title and fields stay.
 *
 * CHEMOPEN_MISUSE, with nothing changed, for a bond to an atom that is not there or to itself, a position that is no
 * number, an order or an element that there is none of. */
CHEMOPEN_API chemopen_status chemopen_record_set_molecule(
    chemopen_record *record, const chemopen_atom *atoms, size_t atom_count, const chemopen_bond *bonds,
    size_t bond_count, const chemopen_text *labels, size_t label_count);

/* The symbol of an element by its number: "C". CHEMOPEN_ABSENT where there is none. */
CHEMOPEN_API chemopen_status chemopen_element_symbol(int32_t number, const char **symbol);

/* The formula in Hill order, undrawn hydrogens included; of a molecule alone. */
CHEMOPEN_API chemopen_status chemopen_record_formula(const chemopen_record *record, chemopen_text *formula);

/* The record as text of a format, such as "mol", with all that a file of it has. CHEMOPEN_IMPOSSIBLE where the format
 * has no place for it, as "mol" for a reaction. `version` is 0, 2000 or 3000 as in chemopen_write_options.
 * chemopen_record_losses lists what the text leaves out. */
CHEMOPEN_API chemopen_status chemopen_record_text(
    const chemopen_record *record, const char *format, int32_t version, chemopen_text *text);

/* Something that a record holds and its new format has no place for. */
typedef struct chemopen_loss {
    int64_t record;
    /* What it is: "sgroups". */
    const char *feature;
    /* In the words of the format it came from; may be "". */
    const char *detail;
    int64_t count;
} chemopen_loss;

/* Lists what the text of the last chemopen_record_text leaves out; `record` is 0 in each. */
CHEMOPEN_API chemopen_status chemopen_record_losses(
    const chemopen_record *record, const chemopen_loss **losses, size_t *count);

typedef struct chemopen_draw_options {
    size_t struct_size;
    /* Pixels; 0 is the picture's own size. */
    double width;
    double height;
    /* Elements have colours. */
    int32_t has_colors;
    /* For a dark ground. */
    int32_t is_dark;
    /* Abbreviations are drawn with all their atoms. */
    int32_t expands_abbreviations;
} chemopen_draw_options;

/* A drawing of the record in SVG. CHEMOPEN_ABSENT where it holds no structure. `options` may be null. */
CHEMOPEN_API chemopen_status chemopen_record_svg(
    const chemopen_record *record, const chemopen_draw_options *options, chemopen_text *svg);

/* What went wrong with the record last. */
CHEMOPEN_API chemopen_status chemopen_record_error(const chemopen_record *record, chemopen_error *error);

CHEMOPEN_API chemopen_status chemopen_record_close(chemopen_record **record);

/* ---------------------------------------------------------------------------------------------------- writing */

typedef struct chemopen_write_options {
    size_t struct_size;
    /* Which version of an MDL connection table: 2000, 3000, or 0 for the one that the content needs. */
    int32_t version;
    /* Lines end in CR LF. */
    int32_t carriage_returns;
    /* An existing file may be replaced. */
    int32_t replaces;
} chemopen_write_options;

/* Begins a file; it is in its place only after chemopen_writer_finish. `format` may be null where the name's extension
 * tells; a name that ends in .gz is packed. */
CHEMOPEN_API chemopen_status chemopen_writer_open(
    chemopen_writer **writer, const char *path, const char *format, const chemopen_write_options *options);

/* Begins to write into memory. */
CHEMOPEN_API chemopen_status chemopen_writer_open_memory(
    chemopen_writer **writer, const char *format, const chemopen_write_options *options);

/* Writes a record. A format that must know all columns before the first row keeps the records until the end. */
CHEMOPEN_API chemopen_status chemopen_writer_write(chemopen_writer *writer, const chemopen_record *record);

/* Writes the bytes of the record that a reader has read last, as they stand. CHEMOPEN_IMPOSSIBLE where the formats differ
 * or the format is one of tables. */
CHEMOPEN_API chemopen_status chemopen_writer_copy(chemopen_writer *writer, const chemopen_reader *reader);

/* What the record lost that was written last; after chemopen_writer_finish, what was lost by finishing. */
CHEMOPEN_API chemopen_status chemopen_writer_losses(
    const chemopen_writer *writer, const chemopen_loss **losses, size_t *count);

/* Writes what stands behind the last record and puts the file in its place. */
CHEMOPEN_API chemopen_status chemopen_writer_finish(chemopen_writer *writer);

/* What was written into memory. CHEMOPEN_MISUSE before chemopen_writer_finish, and of a writer into a file. */
CHEMOPEN_API chemopen_status chemopen_writer_bytes(const chemopen_writer *writer, chemopen_text *bytes);

CHEMOPEN_API chemopen_status chemopen_writer_error(const chemopen_writer *writer, chemopen_error *error);

/* Closes the writer. Without chemopen_writer_finish before, there is no file. */
CHEMOPEN_API chemopen_status chemopen_writer_close(chemopen_writer **writer);

/* ------------------------------------------------------------------------------------------------- converting */

typedef struct chemopen_progress {
    size_t struct_size;
    const char *input;
    uint64_t done;
    /* 0 where it is not known. */
    uint64_t size;
    uint64_t records;
} chemopen_progress;

typedef enum chemopen_event_kind {
    CHEMOPEN_EVENT_UNREADABLE = 1,
    CHEMOPEN_EVENT_DOUBT = 2,
    CHEMOPEN_EVENT_LOSS = 3,
    /* The record is written in another version than usual. */
    CHEMOPEN_EVENT_VERSION = 4,
    /* The input breaks off. */
    CHEMOPEN_EVENT_FAILED = 5,
    /* Something that may not have been meant: a condition on a field that no record has. */
    CHEMOPEN_EVENT_WARNING = 6,
    CHEMOPEN_EVENT_NOTE = 7
} chemopen_event_kind;

/* Something that comes up on the way. */
typedef struct chemopen_event {
    size_t struct_size;
    chemopen_event_kind kind;
    const char *input;
    int64_t record;
    int64_t line;
    const char *message;
    /* Of a loss. */
    const chemopen_loss *losses;
    size_t loss_count;
} chemopen_event;

/* Hears how far a conversion has come, often; a result other than 0 stops it. It is called on the caller's thread. */
typedef int (*chemopen_progress_function)(void *context, const chemopen_progress *progress);

/* Hears what comes up, when it does; a result other than 0 stops the conversion. It is called on the caller's thread. */
typedef int (*chemopen_event_function)(void *context, const chemopen_event *event);

/* For `errors`. */
enum {
    /* Tell a record that cannot be read, and go on. */
    CHEMOPEN_ERRORS_SKIP = 0,
    CHEMOPEN_ERRORS_STOP = 1,
    /* Go on, and put the record untouched into OUTPUT.rejects. */
    CHEMOPEN_ERRORS_KEEP = 2
};

typedef struct chemopen_convert_options {
    size_t struct_size;
    /* Ids of formats; null where the content, or the output's extension, is to tell. */
    const char *from;
    const char *to;
    /* The records to take of each input: "1-100,205"; null for all. */
    const char *records;
    /* Conditions that a record has to fulfil, all of them: "MASS < 500". */
    const char *const *conditions;
    size_t condition_count;
    int32_t version;
    int32_t carriage_returns;
    int32_t errors;
    /* How many threads work; 0 is one. */
    int32_t threads;
    /* An existing file may be replaced. */
    int32_t replaces;
    /* Write anew what could be copied as it stands. */
    int32_t rewrites;
    /* Turn abbreviations into their atoms. */
    int32_t expands_abbreviations;
    int32_t reserved;
    chemopen_progress_function progress;
    chemopen_event_function event;
    /* Given to both functions. */
    void *context;
    /* As in chemopen_read_options. */
    const char *encoding;
} chemopen_convert_options;

/* Converts files, one behind the other, into one. An output that cannot be whole is not there.
 *
 * `output` may be null: then nothing is written, and only losses are told; `to` is needed. `options` may be null. `report`
 * has to be closed, whatever the status. */
CHEMOPEN_API chemopen_status chemopen_convert(
    chemopen_report **report, const char *const *inputs, size_t input_count, const char *output,
    const chemopen_convert_options *options);

typedef struct chemopen_summary {
    size_t struct_size;
    int64_t written;
    int64_t read;
    int64_t unreadable;
    /* An input broke off. */
    int32_t is_cut_short;
    /* There is an output. */
    int32_t has_output;
} chemopen_summary;

CHEMOPEN_API chemopen_status chemopen_report_summary(const chemopen_report *report, chemopen_summary *summary);

/* All losses by kind; `record` is that of the first that has it. */
CHEMOPEN_API chemopen_status chemopen_report_losses(
    const chemopen_report *report, const chemopen_loss **losses, size_t *count);

/* What `chemopen convert` prints of a conversion. */
typedef struct chemopen_remark {
    /* CHEMOPEN_EVENT_LOSS, CHEMOPEN_EVENT_VERSION, CHEMOPEN_EVENT_WARNING or CHEMOPEN_EVENT_NOTE. */
    chemopen_event_kind kind;
    /* The input that it is about; "" if it is about all of them. */
    const char *input;
    /* Of a loss: "sgroups"; else "". */
    const char *feature;
    /* `left out: sgroups (3, in records 1, 7 and 9)`; `no record has a field "MAS"; did you mean "MASS"?` */
    const char *message;
} chemopen_remark;

/* Lists in words what the conversion left out, one line for each kind of loss, and what may not have been meant. */
CHEMOPEN_API chemopen_status chemopen_report_remarks(
    const chemopen_report *report, const chemopen_remark **remarks, size_t *count);

CHEMOPEN_API chemopen_status chemopen_report_error(const chemopen_report *report, chemopen_error *error);

CHEMOPEN_API chemopen_status chemopen_report_close(chemopen_report **report);

/* ------------------------------------------------------------------------------------------------------ tables */

/* The C data interface of Apache Arrow, as its specification has it. */

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
    /* The id of the format; null where the content is to tell. */
    const char *format;
    /* The columns wanted, in this order; null for all. */
    const char *const *columns;
    size_t column_count;
    /* Their types, one each: "string", "integer", "real", "boolean", "list"; null, or a null among them, where a survey of
     * the files is to tell. A value that is not of a given type is null, and its row says so in `problem`. */
    const char *const *types;
    /* Conditions that a record has to fulfil, all of them. */
    const char *const *conditions;
    size_t condition_count;
    /* How structures are written: "molblock", "rxnblock", "smiles" or several with commas, a column of that name for each; null
     * for no column. */
    const char *structure;
    /* The records that begin in a range of bytes, as of chemopen_reader_open_range; `range_to` 0 is the end. */
    uint64_t range_from;
    uint64_t range_to;
    /* About so many bytes to a batch; 0 is 16 MiB, and 1 GiB is the most. */
    uint64_t batch_bytes;
    /* Hears warnings and losses, in words: of names that no record has when the scan is opened, of all else at the end of
     * each stream. A result other than 0 makes the call fail that was under way. It is called on the thread of that call, and
     * has to be there as long as a stream. */
    chemopen_event_function event;
    void *context;
    /* As in chemopen_read_options. */
    const char *encoding;
} chemopen_scan_options;

/* Sees files as one table: a row for each record, also for one that cannot be read.
 *
 * The columns are `record` and `line` (where the record stands), `file` where there are several files, `title`,
 * `molblock` and its like where they are wanted, one for each name of a data field, and `problem`, which is null for a record that is
 * complete in its row; it gives the reason if a record cannot be read or has a structure that none of the wanted columns can
 * hold, as a molblock no reaction. A field's column is of integers (64 bits), reals or booleans only if every value in all files prints back as it is written; else
 * it is text in UTF-8, and a list of texts where a record repeats the field. A field that is called as one of the others
 * has `_2` behind its name. */
CHEMOPEN_API chemopen_status chemopen_scan_open(
    chemopen_scan **scan, const char *const *paths, size_t path_count, const chemopen_scan_options *options);

/* The columns of the table with their types, as above; `record` and its like are among them. */
CHEMOPEN_API chemopen_status chemopen_scan_columns(
    const chemopen_scan *scan, const chemopen_column **columns, size_t *count);

/* Begins to read the table. Each call begins anew; a stream outlives the scan that it came of. */
CHEMOPEN_API chemopen_status chemopen_scan_stream(chemopen_scan *scan, struct ArrowArrayStream *stream);

/* The destructor of a PyCapsule "arrow_array_stream" whose stream lies in memory from malloc: releases and frees both. It is
 * for Python, where a capsule may go while an exception is on its way, so that no code in Python can do it. */
CHEMOPEN_API chemopen_status chemopen_release_capsule(void *capsule);

CHEMOPEN_API chemopen_status chemopen_scan_error(const chemopen_scan *scan, chemopen_error *error);

CHEMOPEN_API chemopen_status chemopen_scan_close(chemopen_scan **scan);

#ifdef __cplusplus
}
#endif

#endif
