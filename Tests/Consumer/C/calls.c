/* Calls each function of the library and compares its behavior with the header: calls TESTDATA DIR. */
#include <chemopen.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *data_folder, *own_folder;
static int failures;

static void check(int is_so, const char *what, int line) {
    if (is_so) return;
    fprintf(stderr, "calls.c:%d: %s\n", line, what);
    failures++;
}
#define CHECK(condition) check((condition) ? 1 : 0, #condition, __LINE__)

static const char *in(const char *folder, const char *name) {
    static char paths[4][1024];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, 1024, "%s/%s", folder, name);
    return path;
}

static int is_text(chemopen_text text, const char *expected) {
    return text.length == strlen(expected) && memcmp(text.bytes, expected, text.length) == 0;
}

static const char two_records[] =
    "water\n  made\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
    "    0.0000    0.0000    0.0000 O   0  0\nM  END\n>  <ID>\n1\n\n>  <NOTE>\n5 \xB5m\n\n>  <NOTE>\nsecond\n\n$$$$\n"
    "broken\n  made\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
    "    0.0000    0.00x0    0.0000 C   0  0\nM  END\n>  <ID>\n2\n\n$$$$\n"
    "ethane\n  made\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n"
    "    0.0000    0.0000    0.0000 C   0  0\n    1.5000    0.0000    0.0000 C   0  0\n  1  2  1  0\nM  END\n"
    ">  <ID>\n3\n\n$$$$\n";

static void words(void) {
    const char *text;
    const chemopen_format *formats;
    chemopen_identity identity;
    size_t count, needed;
    char out[8];
    CHECK(chemopen_version(&text) == CHEMOPEN_OK && text[0] >= '0' && text[0] <= '9');
    CHECK(chemopen_version(NULL) == CHEMOPEN_MISUSE);
    CHECK(chemopen_version(&text) == CHEMOPEN_OK && strcmp(text, CHEMOPEN_VERSION) == 0);
    CHECK(CHEMOPEN_VERSION_NUMBER == 10000 * CHEMOPEN_VERSION_MAJOR + 100 * CHEMOPEN_VERSION_MINOR + CHEMOPEN_VERSION_PATCH);
    CHECK(chemopen_status_text(CHEMOPEN_END, &text) == CHEMOPEN_OK && strlen(text) > 0);
    CHECK(chemopen_formats(&formats, &count) == CHEMOPEN_OK && count >= 8 && strcmp(formats[0].id, "el") == 0);
    CHECK(chemopen_element_symbol(17, &text) == CHEMOPEN_OK && strcmp(text, "Cl") == 0);
    CHECK(chemopen_element_symbol(0, &text) == CHEMOPEN_ABSENT && text == NULL);
    CHECK(chemopen_utf8("\xB5m", 2, NULL, 0, &needed) == CHEMOPEN_OK && needed == 3);
    CHECK(chemopen_utf8("\xB5m", 2, out, 8, &needed) == CHEMOPEN_OK && memcmp(out, "\xC2\xB5m", 3) == 0);
    memset(out, 0, sizeof out);
    CHECK(chemopen_utf8("\xB5m", 2, out, 1, &needed) == CHEMOPEN_OK && out[0] == 0);
    identity.struct_size = sizeof identity;
    CHECK(chemopen_identify_memory(two_records, sizeof two_records - 1, NULL, &identity) == CHEMOPEN_OK);
    CHECK(strcmp(identity.format->id, "sdf") == 0 && identity.named_as == NULL && !identity.is_compressed);
    CHECK(chemopen_identify_memory(two_records, sizeof two_records - 1, "a.cdx", &identity) == CHEMOPEN_OK);
    CHECK(identity.named_as != NULL && strcmp(identity.named_as->id, "cdx") == 0);
    CHECK(chemopen_identify_memory("hello", 5, NULL, &identity) == CHEMOPEN_UNKNOWN && strlen(identity.message) > 0);
    CHECK(chemopen_identify("/nonexistent", &identity) == CHEMOPEN_FILE && identity.format == NULL);
    CHECK(chemopen_identify(in(data_folder, "sdf/vitamins.sdf.gz"), &identity) == CHEMOPEN_OK && identity.is_compressed);
    identity.struct_size = 3;
    CHECK(chemopen_identify("/nonexistent", &identity) == CHEMOPEN_MISUSE);
}

static void walk_two(chemopen_reader *reader, int line) {
    chemopen_record *record = NULL;
    const chemopen_text *values;
    const chemopen_field *fields;
    const chemopen_atom *atoms;
    const chemopen_bond *bonds;
    const chemopen_format *format;
    chemopen_error error;
    chemopen_place place;
    chemopen_text text;
    chemopen_kind kind;
    uint64_t done, size;
    size_t count;
    int before = failures;
    error.struct_size = sizeof error;
    place.struct_size = sizeof place;
    CHECK(chemopen_record_new(&record) == CHEMOPEN_OK);
    CHECK(chemopen_reader_place(reader, &place) == CHEMOPEN_ABSENT);
    CHECK(chemopen_reader_error(reader, &error) == CHEMOPEN_ABSENT && error.message[0] == 0);
    CHECK(chemopen_reader_format(reader, &format) == CHEMOPEN_OK && strcmp(format->id, "sdf") == 0);
    CHECK(chemopen_reader_next(reader, record) == CHEMOPEN_OK);
    CHECK(chemopen_record_kind(record, &kind) == CHEMOPEN_OK && kind == CHEMOPEN_MOLECULE);
    CHECK(chemopen_record_title(record, &text) == CHEMOPEN_OK && is_text(text, "water"));
    CHECK(chemopen_record_fields(record, &fields, &count) == CHEMOPEN_OK && count == 3);
    CHECK(is_text(fields[0].name, "ID") && is_text(fields[0].value, "1"));
    CHECK(is_text(fields[1].name, "NOTE") && is_text(fields[1].value, "5 \xB5m"));
    CHECK(is_text(fields[2].name, "NOTE") && is_text(fields[2].value, "second"));
    CHECK(chemopen_record_field(record, "NOTE", 4, &text) == CHEMOPEN_OK && is_text(text, "5 \xB5m"));
    CHECK(chemopen_record_field(record, "NONE", 4, &text) == CHEMOPEN_ABSENT && text.length == 0);
    CHECK(chemopen_record_values_of(record, "NOTE", 4, &values, &count) == CHEMOPEN_OK && count == 2);
    CHECK(is_text(values[0], "5 \xB5m") && is_text(values[1], "second"));
    CHECK(chemopen_record_values_of(record, "NONE", 4, &values, &count) == CHEMOPEN_OK && count == 0);
    CHECK(chemopen_record_values_of(record, "NOTE", 4, NULL, &count) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_atoms(record, &atoms, &count) == CHEMOPEN_OK && count == 1);
    CHECK(atoms[0].element == 8 && atoms[0].hydrogens == 2 && atoms[0].label == -1);
    CHECK(chemopen_record_formula(record, &text) == CHEMOPEN_OK && is_text(text, "H2O"));
    CHECK(chemopen_reader_place(reader, &place) == CHEMOPEN_OK && place.record == 1 && place.line == 1 && place.offset == 0);
    CHECK(strcmp(place.version, "V2000") == 0);
    CHECK(chemopen_reader_bytes(reader, &text) == CHEMOPEN_OK && text.length == (size_t)place.length);
    CHECK(memcmp(text.bytes, two_records, text.length) == 0);
    CHECK(chemopen_reader_next(reader, record) == CHEMOPEN_BAD_RECORD);
    CHECK(chemopen_reader_error(reader, &error) == CHEMOPEN_OK && error.status == CHEMOPEN_BAD_RECORD && error.record == 2);
    CHECK(error.line == 21 && error.column == 11 && strstr(error.message, "0.00x0") != NULL);
    CHECK(chemopen_record_fields(record, &fields, &count) == CHEMOPEN_OK && count == 0);
    CHECK(chemopen_reader_bytes(reader, &text) == CHEMOPEN_OK && memcmp(text.bytes, "broken", 6) == 0);
    CHECK(chemopen_reader_next(reader, record) == CHEMOPEN_OK);
    CHECK(chemopen_record_bonds(record, &bonds, &count) == CHEMOPEN_OK && count == 1);
    CHECK(bonds[0].from == 0 && bonds[0].to == 1 && bonds[0].order == 1);
    CHECK(chemopen_reader_next(reader, record) == CHEMOPEN_END && chemopen_reader_next(reader, record) == CHEMOPEN_END);
    CHECK(chemopen_reader_progress(reader, &done, &size) == CHEMOPEN_OK && done == sizeof two_records - 1);
    CHECK(chemopen_record_close(&record) == CHEMOPEN_OK && record == NULL);
    if (failures > before) fprintf(stderr, "calls.c:%d: by this reader\n", line);
}

static ptrdiff_t bring(void *context, void *buffer, size_t room) {
    size_t *done = context, left = sizeof two_records - 1 - *done;
    size_t taken = room < 7 ? room : 7;
    if (taken > left) taken = left;
    memcpy(buffer, two_records + *done, taken);
    *done += taken;
    return (ptrdiff_t)taken;
}

static ptrdiff_t refuse(void *context, void *buffer, size_t room) {
    (void)context, (void)buffer, (void)room;
    return -1;
}

static void reading(void) {
    chemopen_reader *reader = NULL;
    chemopen_record *record = NULL;
    chemopen_read_options options;
    chemopen_error error;
    const char *path = in(own_folder, "two.sdf");
    size_t done = 0, cut, count, records;
    chemopen_text text;
    uint64_t ends[8];
    int descriptor;
    FILE *file = fopen(path, "wb");
    fwrite(two_records, 1, sizeof two_records - 1, file);
    fclose(file);
    error.struct_size = sizeof error;

    CHECK(chemopen_reader_open(&reader, path, NULL) == CHEMOPEN_OK);
    walk_two(reader, __LINE__);
    CHECK(chemopen_reader_close(&reader) == CHEMOPEN_OK && reader == NULL);
    CHECK(chemopen_reader_close(&reader) == CHEMOPEN_MISUSE && chemopen_reader_close(NULL) == CHEMOPEN_MISUSE);
    CHECK(chemopen_reader_open_memory(&reader, two_records, sizeof two_records - 1, "m.sdf", NULL) == CHEMOPEN_OK);
    walk_two(reader, __LINE__);
    chemopen_reader_close(&reader);
    CHECK(chemopen_reader_open_function(&reader, bring, &done, NULL, NULL) == CHEMOPEN_OK);
    walk_two(reader, __LINE__);
    chemopen_reader_close(&reader);
    descriptor = open(path, O_RDONLY);
    CHECK(chemopen_reader_open_fd(&reader, descriptor, NULL, NULL) == CHEMOPEN_OK);
    walk_two(reader, __LINE__);
    chemopen_reader_close(&reader);
    CHECK(close(descriptor) == 0);

    CHECK(chemopen_reader_open(&reader, "/nonexistent.sdf", NULL) == CHEMOPEN_FILE && reader != NULL);
    CHECK(chemopen_reader_error(reader, &error) == CHEMOPEN_OK && strcmp(error.file, "/nonexistent.sdf") == 0);
    CHECK(chemopen_record_new(&record) == CHEMOPEN_OK && chemopen_reader_next(reader, record) == CHEMOPEN_MISUSE);
    chemopen_reader_close(&reader);
    CHECK(chemopen_reader_open_memory(&reader, "hello", 5, NULL, NULL) == CHEMOPEN_UNKNOWN);
    chemopen_reader_close(&reader);
    CHECK(chemopen_reader_open_function(&reader, refuse, NULL, "socket", NULL) == CHEMOPEN_FILE);
    chemopen_reader_close(&reader);
    memset(&options, 0, sizeof options);
    CHECK(chemopen_reader_open(&reader, path, &options) == CHEMOPEN_MISUSE);
    chemopen_reader_close(&reader);
    options.struct_size = sizeof options;
    options.format = "nonsense";
    CHECK(chemopen_reader_open(&reader, path, &options) == CHEMOPEN_UNSUPPORTED);
    chemopen_reader_close(&reader);
    options.format = NULL;
    options.flags = CHEMOPEN_SKIP_STRUCTURES;
    CHECK(chemopen_reader_open(&reader, path, &options) == CHEMOPEN_OK);
    CHECK(chemopen_reader_next(reader, record) == CHEMOPEN_OK);
    CHECK(chemopen_record_title(record, &text) == CHEMOPEN_OK && is_text(text, "water"));
    CHECK(chemopen_reader_next(reader, record) == CHEMOPEN_BAD_RECORD);
    chemopen_reader_close(&reader);

    /* Wherever a file is split, both parts together contain each record once. */
    for (cut = 1; cut < sizeof two_records; cut++) {
        int piece;
        for (records = 0, piece = 0; piece < 2; piece++) {
            chemopen_status status;
            CHECK(chemopen_reader_open_range(&reader, path, piece ? cut : 0, piece ? UINT64_MAX : cut, NULL) == CHEMOPEN_OK);
            while ((status = chemopen_reader_next(reader, record)) == CHEMOPEN_OK || status == CHEMOPEN_BAD_RECORD) records++;
            CHECK(status == CHEMOPEN_END);
            chemopen_reader_close(&reader);
        }
        if (records != 3) fprintf(stderr, "cut at %zu: %zu records\n", cut, records);
        CHECK(records == 3);
    }
    CHECK(chemopen_partitions(path, 3, ends, &count) == CHEMOPEN_OK && count == 3 && ends[2] == UINT64_MAX);
    CHECK(chemopen_partitions(in(data_folder, "sdf/vitamins.sdf.gz"), 3, ends, &count) == CHEMOPEN_OK && count == 1);
    chemopen_record_close(&record);
}

static void editing(void) {
    chemopen_reader *reader = NULL;
    chemopen_record *record = NULL, *copy = NULL;
    const chemopen_field *fields;
    const chemopen_atom *seen;
    chemopen_atom atoms[2];
    chemopen_bond bond = {0, 1, 2, 0};
    chemopen_text text;
    chemopen_error error;
    const chemopen_loss *losses;
    size_t count;
    error.struct_size = sizeof error;
    chemopen_record_new(&record);
    CHECK(chemopen_record_title(record, &text) == CHEMOPEN_ABSENT);
    CHECK(chemopen_record_atoms(record, &seen, &count) == CHEMOPEN_ABSENT && count == 0 && seen == NULL);
    CHECK(chemopen_record_svg(record, NULL, &text) == CHEMOPEN_ABSENT);
    memset(atoms, 0, sizeof atoms);
    atoms[0].element = atoms[1].element = 6;
    atoms[0].label = atoms[1].label = -1;
    atoms[0].hydrogens = atoms[1].hydrogens = -1;
    atoms[1].x = 1.3;
    CHECK(chemopen_record_set_molecule(record, atoms, 2, &bond, 1, NULL, 0) == CHEMOPEN_OK);
    CHECK(chemopen_record_formula(record, &text) == CHEMOPEN_OK && is_text(text, "C2H4"));
    bond.to = 2;
    CHECK(chemopen_record_set_molecule(record, atoms, 2, &bond, 1, NULL, 0) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_error(record, &error) == CHEMOPEN_OK && strstr(error.message, "bond 0") != NULL);
    bond.to = 1;
    atoms[0].y = NAN;
    CHECK(chemopen_record_set_molecule(record, atoms, 2, &bond, 1, NULL, 0) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_formula(record, &text) == CHEMOPEN_OK && is_text(text, "C2H4"));
    CHECK(chemopen_record_set_title(record, "ethene", 6) == CHEMOPEN_OK);
    CHECK(chemopen_record_add_field(record, "A", 1, "1", 1) == CHEMOPEN_OK);
    CHECK(chemopen_record_add_field(record, "B", 1, "2", 1) == CHEMOPEN_OK);
    CHECK(chemopen_record_add_field(record, "A", 1, "3", 1) == CHEMOPEN_OK);
    CHECK(chemopen_record_copy(&copy, record) == CHEMOPEN_OK);
    CHECK(chemopen_record_set_field(record, "A", 1, "4", 1) == CHEMOPEN_OK);
    CHECK(chemopen_record_fields(record, &fields, &count) == CHEMOPEN_OK && count == 2 && is_text(fields[0].value, "4"));
    CHECK(chemopen_record_remove_field(record, "B", 1) == CHEMOPEN_OK);
    CHECK(chemopen_record_remove_field(record, "B", 1) == CHEMOPEN_ABSENT);
    CHECK(chemopen_record_fields(copy, &fields, &count) == CHEMOPEN_OK && count == 3);
    CHECK(chemopen_record_text(record, "sdf", 0, &text) == CHEMOPEN_OK);
    CHECK(chemopen_reader_open_memory(&reader, text.bytes, text.length, NULL, NULL) == CHEMOPEN_OK);
    CHECK(chemopen_reader_next(reader, copy) == CHEMOPEN_OK);
    CHECK(chemopen_record_title(copy, &text) == CHEMOPEN_OK && is_text(text, "ethene"));
    CHECK(chemopen_record_fields(copy, &fields, &count) == CHEMOPEN_OK && count == 1 && is_text(fields[0].name, "A"));
    chemopen_reader_close(&reader);
    CHECK(chemopen_record_losses(record, &losses, &count) == CHEMOPEN_OK && count == 0);
    CHECK(chemopen_record_text(record, "mol", 3000, &text) == CHEMOPEN_OK);
    CHECK(chemopen_record_losses(record, &losses, &count) == CHEMOPEN_OK && count == 1);
    CHECK(strcmp(losses[0].feature, "fields") == 0 && losses[0].count == 1 && losses[0].record == 0);
    CHECK(chemopen_record_losses(NULL, &losses, &count) == CHEMOPEN_MISUSE && losses == NULL && count == 0);
    CHECK(text.length > 100 && memcmp(text.bytes, "ethene\n", 7) == 0);
    CHECK(chemopen_record_text(record, "rxn", 0, &text) == CHEMOPEN_UNSUPPORTED && text.length == 0);
    CHECK(chemopen_record_text(record, "mol", 4000, &text) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_svg(record, NULL, &text) == CHEMOPEN_OK && memcmp(text.bytes, "<svg", 4) == 0);
    chemopen_record_close(&copy);
    chemopen_record_close(&record);
    CHECK(chemopen_record_close(&record) == CHEMOPEN_MISUSE);
}

static void writing(void) {
    chemopen_reader *reader = NULL;
    chemopen_record *record = NULL;
    chemopen_writer *writer = NULL;
    const chemopen_loss *losses;
    chemopen_text text;
    chemopen_write_options options;
    size_t count;
    const char *path = in(own_folder, "written.sdf");
    chemopen_record_new(&record);
    chemopen_reader_open_memory(&reader, two_records, sizeof two_records - 1, NULL, NULL);
    CHECK(chemopen_writer_open_memory(&writer, "sdf", NULL) == CHEMOPEN_OK);
    CHECK(chemopen_writer_copy(writer, reader) == CHEMOPEN_MISUSE);
    while (chemopen_reader_next(reader, record) != CHEMOPEN_END) CHECK(chemopen_writer_copy(writer, reader) == CHEMOPEN_OK);
    CHECK(chemopen_writer_bytes(writer, &text) == CHEMOPEN_MISUSE);
    CHECK(chemopen_writer_finish(writer) == CHEMOPEN_OK && chemopen_writer_finish(writer) == CHEMOPEN_MISUSE);
    CHECK(chemopen_writer_write(writer, record) == CHEMOPEN_MISUSE);
    CHECK(chemopen_writer_bytes(writer, &text) == CHEMOPEN_OK && is_text(text, two_records));
    CHECK(chemopen_writer_close(&writer) == CHEMOPEN_OK);
    CHECK(chemopen_writer_close(&writer) == CHEMOPEN_MISUSE);
    chemopen_reader_close(&reader);

    /* A table needs its columns first; a molfile cannot store fields. */
    chemopen_reader_open_memory(&reader, two_records, sizeof two_records - 1, NULL, NULL);
    CHECK(chemopen_reader_next(reader, record) == CHEMOPEN_OK);
    CHECK(chemopen_writer_open_memory(&writer, "ds", NULL) == CHEMOPEN_OK);
    CHECK(chemopen_writer_write(writer, record) == CHEMOPEN_OK && chemopen_writer_finish(writer) == CHEMOPEN_OK);
    CHECK(chemopen_writer_bytes(writer, &text) == CHEMOPEN_OK && text.length > 100 && memcmp(text.bytes, "<?xml", 5) == 0);
    chemopen_writer_close(&writer);
    CHECK(chemopen_writer_open_memory(&writer, "mol", NULL) == CHEMOPEN_OK);
    CHECK(chemopen_writer_write(writer, record) == CHEMOPEN_OK);
    CHECK(chemopen_writer_losses(writer, &losses, &count) == CHEMOPEN_OK && count > 0);
    CHECK(strcmp(losses[0].feature, "fields") == 0 && losses[0].record == 1);
    CHECK(chemopen_writer_write(writer, record) == CHEMOPEN_UNSUPPORTED);
    chemopen_writer_close(&writer);

    /* Without finish there is no file; an existing one is replaced only on request. */
    unlink(path);
    CHECK(chemopen_writer_open(&writer, path, NULL, NULL) == CHEMOPEN_OK);
    CHECK(chemopen_writer_write(writer, record) == CHEMOPEN_OK && chemopen_writer_close(&writer) == CHEMOPEN_OK);
    CHECK(access(path, F_OK) != 0);
    CHECK(chemopen_writer_open(&writer, path, NULL, NULL) == CHEMOPEN_OK);
    chemopen_writer_write(writer, record);
    CHECK(chemopen_writer_finish(writer) == CHEMOPEN_OK && access(path, F_OK) == 0);
    chemopen_writer_close(&writer);
    CHECK(chemopen_writer_open(&writer, path, NULL, NULL) == CHEMOPEN_OUTPUT);
    chemopen_writer_close(&writer);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.replaces = 1;
    CHECK(chemopen_writer_open(&writer, path, NULL, &options) == CHEMOPEN_OK);
    chemopen_writer_close(&writer);
    chemopen_reader_close(&reader);
    chemopen_record_close(&record);
}

/* Text is decoded with the specified encoding. */
static void encodings(void) {
    static const char sugar[] = "CCO \xC7\xCC\xC0\xCB\xCF\xDA\xC1\n";
    chemopen_reader *reader = NULL;
    chemopen_record *record = NULL;
    chemopen_read_options options;
    chemopen_text title;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.format = "smi";
    options.encoding = "koi8-r";
    chemopen_record_new(&record);
    CHECK(chemopen_reader_open_memory(&reader, sugar, sizeof sugar - 1, NULL, &options) == CHEMOPEN_OK);
    CHECK(chemopen_reader_next(reader, record) == CHEMOPEN_OK && chemopen_record_title(record, &title) == CHEMOPEN_OK);
    CHECK(is_text(title, "\xD0\xB3\xD0\xBB\xD1\x8E\xD0\xBA\xD0\xBE\xD0\xB7\xD0\xB0"));
    chemopen_reader_close(&reader);
    options.encoding = "klingon";
    CHECK(chemopen_reader_open_memory(&reader, sugar, sizeof sugar - 1, NULL, &options) == CHEMOPEN_UNSUPPORTED);
    chemopen_reader_close(&reader);
    chemopen_record_close(&record);
}

static int told[8], wanted_progress;
static char last_warning[200];

static int hear_progress(void *context, const chemopen_progress *progress) {
    int *count = context;
    CHECK(progress->input != NULL && progress->done <= progress->size);
    return ++*count == wanted_progress;
}

static int hear_event(void *context, const chemopen_event *event) {
    (void)context;
    if (event->kind >= 1 && event->kind <= 7) told[event->kind]++;
    if (event->kind == CHEMOPEN_EVENT_WARNING) snprintf(last_warning, sizeof last_warning, "%s", event->message);
    CHECK(strlen(event->message) > 0);
    return 0;
}

/* The report contains the messages that the program would print. */
static void remarking(const char *const *inputs, const chemopen_convert_options *given) {
    chemopen_report *report = NULL;
    chemopen_convert_options options = *given;
    const chemopen_remark *remarks;
    const char *conditions[] = {"IDD < 5"}, *output = in(own_folder, "remarks.mol");
    size_t count, i;
    int losses = 0, warnings = 0;
    wanted_progress = 0;
    CHECK(chemopen_report_remarks(NULL, &remarks, &count) == CHEMOPEN_MISUSE && remarks == NULL && count == 0);
    options.condition_count = 0;
    options.records = "3";
    unlink(output);
    CHECK(chemopen_convert(&report, inputs, 1, output, &options) == CHEMOPEN_OK);
    CHECK(chemopen_report_remarks(report, &remarks, &count) == CHEMOPEN_OK && count > 0);
    for (i = 0; i < count; i++) {
        losses += remarks[i].kind == CHEMOPEN_EVENT_LOSS && strcmp(remarks[i].feature, "fields") == 0;
        if (remarks[i].kind == CHEMOPEN_EVENT_LOSS) CHECK(strncmp(remarks[i].message, "left out: ", 10) == 0);
        CHECK(strstr(remarks[i].input, "two.sdf") != NULL);
    }
    CHECK(losses == 1);
    chemopen_report_close(&report);
    options.records = NULL;
    options.conditions = conditions;
    options.condition_count = 1;
    output = in(own_folder, "remarks.sdf");
    unlink(output);
    CHECK(chemopen_convert(&report, inputs, 1, output, &options) == CHEMOPEN_OK);
    CHECK(chemopen_report_remarks(report, &remarks, &count) == CHEMOPEN_OK);
    for (i = 0; i < count; i++)
        warnings += remarks[i].kind == CHEMOPEN_EVENT_WARNING
            && strcmp(remarks[i].message, "no record has a field \"IDD\"; did you mean \"ID\"?") == 0;
    CHECK(warnings == 1);
    chemopen_report_close(&report);
}

/* An option of a newer header is rejected if it is set, and ignored otherwise. */
static void newer_options(const char *const *inputs, const char *output) {
    struct {
        chemopen_convert_options known;
        char more[64];
    } options;
    chemopen_report *report = NULL;
    size_t place;
    memset(&options, 0, sizeof options);
    options.known.struct_size = sizeof options;
    options.known.records = "1";
    unlink(output);
    CHECK(chemopen_convert(&report, inputs, 1, output, &options.known) == CHEMOPEN_OK && access(output, F_OK) == 0);
    chemopen_report_close(&report);
    for (place = 0; place < sizeof options.more; place++) {
        options.more[place] = 1;
        options.known.replaces = 1;
        CHECK(chemopen_convert(&report, inputs, 1, output, &options.known) == CHEMOPEN_MISUSE);
        chemopen_report_close(&report);
        options.more[place] = 0;
    }
    unlink(output);
}

static void converting(void) {
    chemopen_report *report = NULL;
    chemopen_convert_options options;
    chemopen_summary summary;
    chemopen_error error;
    const chemopen_loss *losses;
    size_t count;
    int calls = 0;
    const char *conditions[] = {"ID > 1"}, *inputs[1], *output = in(own_folder, "converted.mol");
    inputs[0] = in(own_folder, "two.sdf");
    unlink(output);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.conditions = conditions;
    options.condition_count = 1;
    options.progress = hear_progress;
    options.event = hear_event;
    options.context = &calls;
    summary.struct_size = sizeof summary;
    error.struct_size = sizeof error;
    CHECK(chemopen_convert(&report, inputs, 1, output, &options) == CHEMOPEN_OK);
    CHECK(chemopen_report_summary(report, &summary) == CHEMOPEN_OK && summary.written == 1 && summary.unreadable == 1);
    CHECK(chemopen_report_losses(report, &losses, &count) == CHEMOPEN_OK && count > 0 && losses[0].record == 3);
    CHECK(told[CHEMOPEN_EVENT_UNREADABLE] == 1 && told[CHEMOPEN_EVENT_LOSS] == 1 && calls > 0);
    CHECK(access(output, F_OK) == 0);
    CHECK(chemopen_report_close(&report) == CHEMOPEN_OK && chemopen_report_close(&report) == CHEMOPEN_MISUSE);
    CHECK(chemopen_convert(&report, inputs, 1, output, &options) == CHEMOPEN_OUTPUT);
    CHECK(chemopen_report_error(report, &error) == CHEMOPEN_OK && strlen(error.message) > 0);
    CHECK(chemopen_report_summary(report, &summary) == CHEMOPEN_ABSENT);
    chemopen_report_close(&report);
    unlink(output);
    wanted_progress = 1;
    calls = 0;
    CHECK(chemopen_convert(&report, inputs, 1, output, &options) == CHEMOPEN_STOPPED && access(output, F_OK) != 0);
    CHECK(calls == 1);
    chemopen_report_close(&report);
    conditions[0] = "no condition";
    CHECK(chemopen_convert(&report, inputs, 1, output, &options) == CHEMOPEN_MISUSE);
    chemopen_report_close(&report);
    remarking(inputs, &options);
    newer_options(inputs, output);
    CHECK(chemopen_convert(&report, inputs, 1, NULL, NULL) == CHEMOPEN_UNSUPPORTED);
    chemopen_report_close(&report);
}

/* A mistyped name in a condition is reported by the survey of the files, or otherwise at the end of the stream. */
static void warnings_of_tables(const char *path) {
    chemopen_scan *scan = NULL;
    chemopen_scan_options options;
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    const char *conditions[] = {"IDD < 5"}, *names[] = {"NOTE"}, *types[] = {"list"};
    const char *expected = "no record has a field \"IDD\"; did you mean \"ID\"?";
    int surveyed;
    for (surveyed = 1; surveyed >= 0; surveyed--) {
        memset(&options, 0, sizeof options);
        options.struct_size = sizeof options;
        options.conditions = conditions;
        options.condition_count = 1;
        options.event = hear_event;
        if (!surveyed) {
            options.columns = names;
            options.types = types;
            options.column_count = 1;
        }
        last_warning[0] = 0;
        memset(told, 0, sizeof told);
        CHECK(chemopen_scan_open(&scan, &path, 1, &options) == CHEMOPEN_OK);
        CHECK((strcmp(last_warning, expected) == 0) == surveyed && told[CHEMOPEN_EVENT_WARNING] == surveyed);
        CHECK(chemopen_scan_stream(scan, &stream) == CHEMOPEN_OK && chemopen_scan_close(&scan) == CHEMOPEN_OK);
        CHECK(stream.get_next(&stream, &array) == 0 && array.length == 1);
        array.release(&array);
        CHECK(stream.get_next(&stream, &array) == 0 && array.release == NULL);
        /* The other warning reports that no record matches. */
        CHECK(told[CHEMOPEN_EVENT_WARNING] == 2);
        CHECK(stream.get_next(&stream, &array) == 0 && told[CHEMOPEN_EVENT_WARNING] == 2);
        stream.release(&stream);
    }
}

static void tables(void) {
    chemopen_scan *scan = NULL;
    chemopen_scan_options options;
    const chemopen_column *columns;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array;
    const char *path = in(own_folder, "two.sdf"), *names[] = {"NOTE", "ID", "problem"};
    size_t count;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.columns = names;
    options.column_count = 3;
    CHECK(chemopen_scan_open(&scan, &path, 1, &options) == CHEMOPEN_OK);
    CHECK(chemopen_scan_columns(scan, &columns, &count) == CHEMOPEN_OK && count == 3);
    CHECK(is_text(columns[0].name, "NOTE") && is_text(columns[0].type, "list"));
    CHECK(is_text(columns[1].name, "ID") && is_text(columns[1].type, "integer"));
    CHECK(chemopen_scan_stream(scan, &stream) == CHEMOPEN_OK);
    CHECK(chemopen_scan_close(&scan) == CHEMOPEN_OK && scan == NULL);
    CHECK(stream.get_schema(&stream, &schema) == 0 && schema.n_children == 3);
    CHECK(strcmp(schema.children[0]->format, "+l") == 0 && strcmp(schema.children[1]->format, "l") == 0);
    schema.release(&schema);
    CHECK(stream.get_next(&stream, &array) == 0 && array.length == 3 && array.n_children == 3);
    CHECK(array.children[1]->null_count == 1 && ((const int64_t *)array.children[1]->buffers[1])[2] == 3);
    CHECK(array.children[2]->null_count == 2);
    CHECK(memcmp(array.children[0]->children[0]->buffers[2], "5 \xC2\xB5msecond", 11) == 0);
    array.release(&array);
    CHECK(stream.get_next(&stream, &array) == 0 && array.release == NULL);
    stream.release(&stream);
    CHECK(stream.release == NULL);
    warnings_of_tables(path);
    names[0] = "nowhere";
    CHECK(chemopen_scan_open(&scan, &path, 1, &options) == CHEMOPEN_ABSENT);
    CHECK(chemopen_scan_stream(scan, &stream) == CHEMOPEN_MISUSE && stream.release == NULL);
    chemopen_scan_close(&scan);
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    data_folder = arguments[1];
    own_folder = arguments[2];
    words();
    reading();
    editing();
    writing();
    converting();
    tables();
    encodings();
    return failures == 0 ? 0 : 1;
}
