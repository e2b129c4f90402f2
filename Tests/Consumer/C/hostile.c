/* Calls the functions of the library in random order, with null pointers, numbers out of range, and handles that are
 * closed, half open or in use: hostile SEQUENCES SEED FILE...
 *
 * It uses no invalid pointers. No call may crash or hang; for a call that must be rejected, it checks the status. */
#include <chemopen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state;

static unsigned draw(unsigned below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % below;
}

/* Options of a newer header: the known options are followed by others, which are sometimes set. */
#define PADDED(type) struct { type known; char more[512]; } padded
#define options padded.known
static void pad(char *more) {
    memset(more, 0, 512);
    if (draw(12) == 0) more[draw(200)] = 1;
}

#define SLOTS 3
static chemopen_reader *readers[SLOTS];
static chemopen_record *records[SLOTS];
static chemopen_writer *writers[SLOTS];
static chemopen_report *reports[SLOTS];
static chemopen_scan *scans[SLOTS];
static chemopen_pattern *patterns[SLOTS];
static chemopen_changes *changes[SLOTS];
static chemopen_collection *collections[SLOTS];
static struct ArrowArrayStream streams[SLOTS];
static char **paths;
static unsigned path_count;
static long calls;

static const char *const words[] = {"CCO", "c1ccccc1", "[OH]", "equilibrium", "auto", "mass", "canonical_smiles", "", "sdf", "mol", "rxn", "ds", "cdx", "nonsense", "ID", "title", "molblock", "-1", "record"};
static const char *word(void) { return draw(6) == 0 ? NULL : words[draw(sizeof words / sizeof *words)]; }
static const char *path(void) { return draw(8) == 0 ? NULL : draw(8) == 0 ? "/nonexistent/a.sdf" : paths[draw(path_count)]; }
/* An index or a number of a record, sometimes one that is far out of range. */
static size_t place(void) {
    static const size_t far[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 2, 1000000};
    return draw(5) ? draw(5) : far[draw(sizeof far / sizeof *far)];
}
static size_t length_of(const char *text) { return text == NULL ? draw(3) : draw((unsigned)strlen(text) + 1); }
static chemopen_reader *reader(void) { return draw(8) == 0 ? NULL : readers[draw(SLOTS)]; }
static chemopen_record *record(void) { return draw(8) == 0 ? NULL : records[draw(SLOTS)]; }
static chemopen_writer *writer(void) { return draw(8) == 0 ? NULL : writers[draw(SLOTS)]; }

static void expect(int is_so, const char *what) {
    if (is_so) return;
    fprintf(stderr, "hostile: %s after %ld calls\n", what, calls);
    abort();
}

/* Reads every borrowed byte, so that a memory checker sees it. */
static unsigned long seen;
static void look(const char *bytes, size_t length) {
    size_t i;
    for (i = 0; i < length; i++) seen += (unsigned char)bytes[i];
}

static ptrdiff_t bring(void *context, void *buffer, size_t room) {
    FILE *file = context;
    chemopen_record *none = NULL;
    /* The reader is in use during its callback. */
    if (readers[0] != NULL) chemopen_reader_close(&readers[0]);
    expect(chemopen_reader_next(readers[1], NULL) == CHEMOPEN_MISUSE, "a null record is accepted");
    chemopen_record_close(&none);
    switch (draw(60)) {
    case 0: return -1;
    case 1: return (ptrdiff_t)room + 1;
    default: return file == NULL ? 0 : (ptrdiff_t)fread(buffer, 1, room < 4096 ? room : 4096, file);
    }
}

static int progress(void *context, const chemopen_progress *told) {
    (void)context;
    seen += told->records + strlen(told->input);
    return draw(50) == 0;
}

static int event(void *context, const chemopen_event *told) {
    (void)context;
    seen += strlen(told->message) + told->loss_count;
    return draw(50) == 0;
}

static void ask_errors(unsigned slot) {
    chemopen_error error;
    error.struct_size = draw(6) == 0 ? draw(64) : sizeof error;
    memset((char *)&error + sizeof error.struct_size, 0, sizeof error - sizeof error.struct_size);
    switch (draw(5)) {
    case 0: chemopen_reader_error(readers[slot], draw(5) ? &error : NULL); break;
    case 1: chemopen_record_error(records[slot], draw(5) ? &error : NULL); break;
    case 2: chemopen_writer_error(writers[slot], draw(5) ? &error : NULL); break;
    case 3: chemopen_report_error(reports[slot], draw(5) ? &error : NULL); break;
    default: chemopen_scan_error(scans[slot], draw(5) ? &error : NULL); break;
    }
    if (error.message != NULL) look(error.message, strlen(error.message));
}

static void open_reader(unsigned slot) {
    PADDED(chemopen_read_options);
    const chemopen_read_options *given = draw(3) ? &options : NULL;
    const char *name = path();
    unsigned long long from = draw(10000), to = draw(20000);
    if (readers[slot] != NULL) return;
    memset(&options, 0, sizeof options);
    pad(padded.more);
    options.struct_size = draw(6) ? sizeof options : draw(100);
    options.format = draw(6) ? NULL : word();
    options.flags = draw(4);
    options.largest_record = draw(4) ? 0 : draw(3000);
    switch (draw(5)) {
    case 0: case 1: chemopen_reader_open(draw(9) ? &readers[slot] : NULL, name, given); break;
    case 2: chemopen_reader_open_range(&readers[slot], name, from, to, given); break;
    case 3: chemopen_reader_open_memory(&readers[slot], word(), draw(2), word(), given); break;
    default: {
        FILE *file = name == NULL ? NULL : fopen(name, "rb");
        chemopen_record *own = NULL;
        if (slot != 0) {
            chemopen_reader_open_function(&readers[slot], draw(9) ? bring : NULL, file, word(), given);
            chemopen_record_new(&own);
            while (chemopen_reader_next(readers[slot], own) >= CHEMOPEN_OK && draw(4)) {}
            chemopen_record_close(&own);
            chemopen_reader_close(&readers[slot]);
        }
        if (file != NULL) fclose(file);
    }
    }
}

static void use_reader(void) {
    chemopen_reader *r = reader();
    chemopen_record *kept = record();
    const chemopen_format *format;
    const chemopen_issue *issues;
    const chemopen_column *columns;
    chemopen_place place;
    chemopen_text text;
    uint64_t done, size;
    size_t count, i;
    switch (draw(9)) {
    case 0: case 1: case 2: case 3:
        if (r == NULL || kept == NULL) expect(chemopen_reader_next(r, kept) == CHEMOPEN_MISUSE, "null is read");
        else chemopen_reader_next(r, kept);
        break;
    case 4: if (chemopen_reader_format(r, &format) == CHEMOPEN_OK) look(format->id, strlen(format->id)); break;
    case 5:
        if (chemopen_reader_issues(r, &issues, &count) == CHEMOPEN_OK)
            for (i = 0; i < count; i++) look(issues[i].message, strlen(issues[i].message));
        break;
    case 6:
        place.struct_size = sizeof place;
        if (chemopen_reader_place(r, &place) == CHEMOPEN_OK) look(place.version, strlen(place.version));
        break;
    case 7: if (chemopen_reader_bytes(r, draw(9) ? &text : NULL) == CHEMOPEN_OK) look(text.bytes, text.length); break;
    default:
        chemopen_reader_progress(r, &done, draw(9) ? &size : NULL);
        if (chemopen_reader_columns(r, &columns, &count) == CHEMOPEN_OK)
            for (i = 0; i < count; i++) look(columns[i].name.bytes, columns[i].name.length);
    }
}

/* Parses, compares and changes a structure. */
static void use_structure(chemopen_record *r, chemopen_record *other) {
    const chemopen_atom *atoms;
    const chemopen_bond *bonds;
    const chemopen_issue *issues;
    chemopen_atom made[64];
    chemopen_bond joined[64];
    chemopen_text text;
    int32_t indices[2], is_equal;
    const char *name = word();
    size_t count, i;
    indices[0] = (int32_t)draw(12) - 2;
    indices[1] = (int32_t)draw(12) - 2;
    switch (draw(9)) {
    case 0:
        chemopen_record_parse(r, name, length_of(name), draw(2) ? NULL : draw(2) ? "smi" : word());
        if (chemopen_record_issues(r, &issues, &count) == CHEMOPEN_OK)
            for (i = 0; i < count; i++) look(issues[i].message, strlen(issues[i].message));
        break;
    case 1: chemopen_record_equal(r, other, draw(9) ? &is_equal : NULL); break;
    case 2: if (chemopen_record_value(r, name, draw(9) ? &text : NULL) == CHEMOPEN_OK) look(text.bytes, text.length); break;
    case 3:
        if (chemopen_record_atoms(r, &atoms, &count) != CHEMOPEN_OK || count > 64) break;
        memcpy(made, atoms, count * sizeof *made);
        if (count > 0) {
            made[0].element = (int32_t)draw(130) - 5;
            made[count - 1].charge = (int32_t)draw(9) - 4;
            made[draw((unsigned)count)].label = (int32_t)draw(4) - 2;
        }
        chemopen_record_set_atoms(r, draw(9) ? made : NULL, draw(5) ? count : draw(64));
        break;
    case 4:
        if (chemopen_record_bonds(r, &bonds, &count) != CHEMOPEN_OK || count > 64) break;
        memcpy(joined, bonds, count * sizeof *joined);
        if (count > 0) joined[draw((unsigned)count)].to = (int32_t)draw(20) - 2;
        chemopen_record_set_bonds(r, draw(9) ? joined : NULL, draw(5) ? count : draw(64));
        break;
    case 5:
        memset(made, 0, sizeof *made);
        made[0].element = (int32_t)draw(130) - 5;
        made[0].label = (int32_t)draw(4) - 2;
        chemopen_record_add_atom(r, draw(9) ? made : NULL);
        joined[0].from = indices[0];
        joined[0].to = indices[1];
        joined[0].order = (int32_t)draw(16) - 1;
        joined[0].mark = (int32_t)draw(6) - 1;
        chemopen_record_add_bond(r, draw(9) ? joined : NULL);
        break;
    case 6: chemopen_record_remove_atoms(r, draw(9) ? indices : NULL, draw(3)); break;
    case 7: chemopen_record_remove_bonds(r, draw(9) ? indices : NULL, draw(3)); break;
    default: if (draw(4) == 0) chemopen_record_remove_structure(r);
    }
}

/* Reads and builds a reaction. */
static void use_reaction(chemopen_record *r, chemopen_record *other) {
    chemopen_step step;
    chemopen_component component;
    chemopen_text line;
    size_t count, i;
    memset(&component, 0, sizeof component);
    component.struct_size = draw(6) ? sizeof component : draw(60);
    component.name.bytes = "name";
    component.name.length = draw(5);
    step.struct_size = draw(6) ? sizeof step : draw(80);
    line.bytes = draw(9) ? "heat" : NULL;
    line.length = draw(5);
    switch (draw(5)) {
    case 0: chemopen_record_add_step(r, draw(2) ? NULL : word(), draw(9) ? &line : NULL, draw(2)); break;
    case 1: chemopen_record_add_component(r, (chemopen_role)draw(5), other, draw(2) ? &component : NULL); break;
    case 2:
        if (chemopen_record_steps(r, draw(9) ? &count : NULL) != CHEMOPEN_OK) break;
        if (chemopen_record_step(r, draw(3), draw(9) ? &step : NULL) != CHEMOPEN_OK) break;
        look(step.arrow, strlen(step.arrow));
        for (i = 0; i < step.condition_count; i++) look(step.conditions[i].bytes, step.conditions[i].length);
        break;
    default:
        if (chemopen_record_component(r, draw(2), (chemopen_role)draw(5), draw(3), other, draw(2) ? &component : NULL) == CHEMOPEN_OK)
            look(component.name.bytes, component.name.length);
    }
}

/* Compares files, and edits records without saving them. */
static void use_versions(unsigned slot) {
    PADDED(chemopen_change_options);
    chemopen_change change;
    chemopen_error error;
    const char *name = word();
    size_t count, i;
    memset(&options, 0, sizeof options);
    pad(padded.more);
    options.struct_size = draw(6) ? sizeof options : draw(120);
    options.format = draw(4) ? NULL : word();
    options.key = draw(3) ? NULL : word();
    options.tolerance = draw(6) ? 0 : (double)draw(3) - 1;
    options.most = draw(3);
    change.struct_size = draw(6) ? sizeof change : draw(100);
    error.struct_size = sizeof error;
    switch (draw(12)) {
    case 0: if (changes[slot] == NULL) chemopen_diff(draw(9) ? &changes[slot] : NULL, path(), path(), draw(2) ? &options : NULL); break;
    case 1: if (changes[slot] == NULL) chemopen_history(draw(9) ? &changes[slot] : NULL, draw(5) ? "/nonexistent/a.sdf" : NULL, &options); break;
    case 2: if (changes[slot] == NULL) chemopen_merge(&changes[slot], path(), path(), path(), "/nonexistent/a.sdf", draw(2) ? &options : NULL); break;
    case 3: case 4:
        if (chemopen_changes_next(changes[slot], draw(9) ? &change : NULL) == CHEMOPEN_OK) {
            look(change.kind, strlen(change.kind));
            look(change.name, strlen(change.name));
            for (i = 0; i < change.difference_count; i++) look(change.differences[i].subject, strlen(change.differences[i].subject));
        }
        break;
    case 5: chemopen_changes_records(changes[slot], record(), record()); break;
    case 6:
        if (chemopen_changes_error(changes[slot], &error) == CHEMOPEN_OK) look(error.message, strlen(error.message));
        if (draw(2)) chemopen_changes_close(&changes[slot]);
        break;
    case 7: if (collections[slot] == NULL) chemopen_collection_open(draw(9) ? &collections[slot] : NULL, path(), draw(3) ? NULL : word()); break;
    case 8: chemopen_collection_set_field(collections[slot], place(), name, length_of(name), draw(3) ? name : NULL, length_of(name)); break;
    case 9:
        chemopen_collection_count(collections[slot], draw(9) ? &count : NULL);
        chemopen_collection_record(collections[slot], place(), record());
        chemopen_collection_set_title(collections[slot], place(), name, length_of(name));
        break;
    case 10:
        if (draw(2)) chemopen_collection_insert(collections[slot], place(), record());
        else chemopen_collection_set_structure(collections[slot], place(), record());
        chemopen_collection_delete(collections[slot], place());
        chemopen_collection_move(collections[slot], place(), place());
        break;
    default:
        chemopen_collection_save(collections[slot], "/nonexistent/a.sdf", (int32_t)draw(2));
        if (chemopen_collection_error(collections[slot], &error) == CHEMOPEN_OK) look(error.message, strlen(error.message));
        if (draw(2)) chemopen_collection_close(&collections[slot]);
    }
}

/* Creates patterns and searches records. */
static void use_pattern(unsigned slot) {
    const int32_t *atoms;
    size_t width, count;
    int32_t is_found;
    chemopen_error error;
    error.struct_size = sizeof error;
    switch (draw(5)) {
    case 0: if (patterns[slot] == NULL) chemopen_pattern_new(draw(9) ? &patterns[slot] : NULL, word()); break;
    case 1: if (patterns[slot] == NULL) chemopen_pattern_of_record(draw(9) ? &patterns[slot] : NULL, record(), (int32_t)draw(2)); break;
    case 2: chemopen_pattern_finds(patterns[slot], record(), draw(9) ? &is_found : NULL); break;
    case 3:
        if (chemopen_pattern_matches(patterns[slot], record(), draw(50), draw(9) ? &atoms : NULL, &width, &count) == CHEMOPEN_OK)
            look((const char *)atoms, width * count * sizeof *atoms);
        break;
    default:
        if (chemopen_pattern_error(patterns[slot], &error) == CHEMOPEN_OK) look(error.message, strlen(error.message));
        if (draw(2)) chemopen_pattern_close(&patterns[slot]);
    }
}

static void use_record(void) {
    chemopen_record *r = record();
    const chemopen_field *fields;
    const chemopen_atom *atoms;
    const chemopen_bond *bonds;
    const chemopen_text *labels;
    const chemopen_loss *losses;
    chemopen_atom made[3];
    chemopen_bond bond;
    PADDED(chemopen_draw_options);
    chemopen_text text;
    chemopen_kind kind;
    const char *name = word(), *value = word();
    size_t count, i;
    switch (draw(15)) {
    case 13: use_structure(r, record()); break;
    case 12: use_reaction(r, record()); break;
    case 0:
        if (chemopen_record_fields(r, &fields, &count) == CHEMOPEN_OK)
            for (i = 0; i < count; i++) {
                look(fields[i].name.bytes, fields[i].name.length);
                look(fields[i].value.bytes, fields[i].value.length);
            }
        break;
    case 1:
        if (chemopen_record_field(r, name, length_of(name), &text) == CHEMOPEN_OK) look(text.bytes, text.length);
        if (chemopen_record_values_of(r, name, length_of(name), &labels, &count) == CHEMOPEN_OK)
            for (i = 0; i < count; i++) look(labels[i].bytes, labels[i].length);
        break;
    case 2: chemopen_record_set_field(r, name, length_of(name), value, length_of(value)); break;
    case 3: chemopen_record_add_field(r, name, length_of(name), value, length_of(value)); break;
    case 4: chemopen_record_remove_field(r, name, length_of(name)); break;
    case 5:
        if (chemopen_record_atoms(r, &atoms, &count) == CHEMOPEN_OK) look((const char *)atoms, count * sizeof *atoms);
        if (chemopen_record_bonds(r, &bonds, &count) == CHEMOPEN_OK) look((const char *)bonds, count * sizeof *bonds);
        if (chemopen_record_labels(r, &labels, &count) == CHEMOPEN_OK)
            for (i = 0; i < count; i++) look(labels[i].bytes, labels[i].length);
        break;
    case 6:
        memset(made, 0, sizeof made);
        for (i = 0; i < 3; i++) {
            made[i].element = (int32_t)draw(130) - 5;
            made[i].label = (int32_t)draw(4) - 2;
            made[i].charge = (int32_t)draw(9) - 4;
            made[i].hydrogens = (int32_t)draw(6) - 2;
            made[i].x = draw(5) ? draw(10) : (double)1e308 * 10;
        }
        bond.from = (int32_t)draw(5) - 1;
        bond.to = (int32_t)draw(5) - 1;
        bond.order = (int32_t)draw(16) - 1;
        bond.mark = (int32_t)draw(6) - 1;
        text.bytes = "R#";
        text.length = 2;
        chemopen_record_set_molecule(r, draw(9) ? made : NULL, draw(4), draw(9) ? &bond : NULL, draw(2),
                                     draw(9) ? &text : NULL, draw(2));
        break;
    case 7:
        if (chemopen_record_text(r, name, draw(5) ? 0 : (int32_t)draw(4000), &text) == CHEMOPEN_OK) look(text.bytes, text.length);
        if (chemopen_record_losses(r, draw(9) ? &losses : NULL, &count) == CHEMOPEN_OK)
            for (i = 0; i < count; i++) look(losses[i].detail, strlen(losses[i].detail));
        break;
    case 8:
        memset(&options, 0, sizeof options);
        pad(padded.more);
        options.struct_size = draw(5) ? sizeof options : draw(70);
        options.width = draw(3) ? 0 : (double)draw(1000) - 100;
        if (chemopen_record_svg(r, draw(2) ? &options : NULL, &text) == CHEMOPEN_OK) look(text.bytes, text.length);
        break;
    case 9: if (chemopen_record_title(r, &text) == CHEMOPEN_OK) look(text.bytes, text.length); break;
    case 10: chemopen_record_set_title(r, name, length_of(name)); break;
    case 11: chemopen_record_kind(r, draw(9) ? &kind : NULL); break;
    default: if (chemopen_record_formula(r, &text) == CHEMOPEN_OK) look(text.bytes, text.length);
    }
}

static void use_writer(unsigned slot) {
    PADDED(chemopen_write_options);
    const chemopen_loss *losses;
    chemopen_text text;
    size_t count, i;
    memset(&options, 0, sizeof options);
    pad(padded.more);
    options.struct_size = draw(6) ? sizeof options : draw(40);
    options.version = draw(4) ? 0 : (int32_t)draw(2) * 1000 + 2000;
    switch (draw(8)) {
    case 7: {
        PADDED(chemopen_table_options);
        chemopen_table_summary summary;
        memset(&options, 0, sizeof options);
        pad(padded.more);
        options.struct_size = draw(6) ? sizeof options : draw(100);
        options.title = draw(3) ? NULL : word();
        options.structure = draw(3) ? NULL : word();
        options.event = draw(2) ? event : NULL;
        summary.struct_size = draw(6) ? sizeof summary : draw(60);
        chemopen_writer_write_table(writer(), draw(9) ? &streams[slot] : NULL, draw(2) ? &options : NULL, draw(2) ? &summary : NULL);
        break;
    }
    case 0: case 1:
        if (writers[slot] == NULL) chemopen_writer_open_memory(&writers[slot], word(), draw(2) ? &options : NULL);
        break;
    case 2: if (writers[slot] == NULL) chemopen_writer_open(&writers[slot], draw(2) ? NULL : "/nonexistent/out.sdf", word(), &options); break;
    case 3: chemopen_writer_write(writer(), record()); break;
    case 4: chemopen_writer_copy(writer(), reader()); break;
    case 5: chemopen_writer_finish(writer()); break;
    default:
        if (chemopen_writer_losses(writer(), &losses, &count) == CHEMOPEN_OK)
            for (i = 0; i < count; i++) look(losses[i].detail, strlen(losses[i].detail));
        if (chemopen_writer_bytes(writer(), &text) == CHEMOPEN_OK) look(text.bytes, text.length);
    }
}

static void use_report(unsigned slot) {
    PADDED(chemopen_convert_options);
    chemopen_summary summary;
    const chemopen_loss *losses;
    const chemopen_remark *remarks;
    const char *inputs[2], *conditions[1];
    size_t count, i;
    if (reports[slot] == NULL) {
        inputs[0] = path();
        inputs[1] = path();
        conditions[0] = draw(2) ? "ID != 3" : draw(2) ? "inchikey exists or IDD = 1" : word();
        memset(&options, 0, sizeof options);
        pad(padded.more);
        options.struct_size = draw(6) ? sizeof options : draw(200);
        options.to = word();
        options.from = draw(6) ? NULL : word();
        options.records = draw(4) ? NULL : draw(2) ? "1-3" : "x";
        options.conditions = conditions;
        options.condition_count = draw(2);
        options.threads = (int32_t)draw(4) - 1;
        options.errors = (int32_t)draw(5) - 1;
        options.progress = draw(2) ? progress : NULL;
        options.event = draw(2) ? event : NULL;
        chemopen_convert(draw(9) ? &reports[slot] : NULL, draw(9) ? inputs : NULL, draw(3), NULL, draw(5) ? &options : NULL);
        return;
    }
    summary.struct_size = draw(5) ? sizeof summary : draw(50);
    chemopen_report_summary(reports[slot], draw(9) ? &summary : NULL);
    chemopen_report_losses(reports[slot], &losses, draw(9) ? &count : NULL);
    if (chemopen_report_remarks(reports[slot], draw(9) ? &remarks : NULL, &count) == CHEMOPEN_OK)
        for (i = 0; i < count; i++) look(remarks[i].message, strlen(remarks[i].message));
    if (draw(2)) chemopen_report_close(&reports[slot]);
}

static void use_scan(unsigned slot) {
    PADDED(chemopen_scan_options);
    struct ArrowSchema schema;
    struct ArrowArray array;
    const chemopen_column *columns;
    const char *inputs[2], *names[2], *types[2], *conditions[1];
    size_t count, i;
    switch (draw(5)) {
    case 0:
        if (scans[slot] != NULL) break;
        inputs[0] = path();
        inputs[1] = path();
        names[0] = word();
        names[1] = word();
        types[0] = draw(2) ? NULL : draw(2) ? "integer" : word();
        types[1] = draw(2) ? NULL : draw(2) ? "list" : "boolean";
        memset(&options, 0, sizeof options);
        pad(padded.more);
        options.struct_size = draw(6) ? sizeof options : draw(200);
        if (draw(2)) {
            options.columns = names;
            options.column_count = draw(3);
            if (draw(2)) options.types = types;
        }
        options.structure = draw(3) ? "molblock" : word();
        options.range_from = draw(3) ? 0 : draw(5000);
        options.range_to = draw(3) ? 0 : draw(9000);
        options.batch_bytes = draw(2) ? 0 : draw(5000);
        conditions[0] = draw(2) ? "IDD < 5 or atoms > 3" : word();
        options.conditions = conditions;
        options.condition_count = draw(2);
        options.event = draw(3) ? event : NULL;
        options.computed = draw(2) ? names : NULL;
        options.computed_count = draw(3);
        if (draw(6) == 0) chemopen_scan_open_memory(&scans[slot], word(), draw(2), word(), &options);
        else chemopen_scan_open(draw(9) ? &scans[slot] : NULL, draw(9) ? inputs : NULL, draw(3), draw(5) ? &options : NULL);
        break;
    case 1:
        if (chemopen_scan_columns(scans[slot], &columns, &count) == CHEMOPEN_OK)
            for (i = 0; i < count; i++) look(columns[i].name.bytes, columns[i].name.length);
        break;
    case 2: if (streams[slot].release == NULL) chemopen_scan_stream(scans[slot], draw(9) ? &streams[slot] : NULL); break;
    case 3:
        if (streams[slot].release == NULL) break;
        if (streams[slot].get_schema(&streams[slot], &schema) == 0) {
            look(schema.format, strlen(schema.format));
            schema.release(&schema);
        }
        for (i = draw(4); i > 0; i--) {
            if (streams[slot].get_next(&streams[slot], &array) != 0) {
                const char *message = streams[slot].get_last_error(&streams[slot]);
                if (message != NULL) look(message, strlen(message));
                break;
            }
            if (array.release == NULL) break;
            array.release(&array);
        }
        break;
    default:
        if (streams[slot].release != NULL && draw(2)) streams[slot].release(&streams[slot]);
        if (draw(2)) chemopen_scan_close(&scans[slot]);
    }
}

static void others(unsigned slot) {
    chemopen_identity identity;
    const chemopen_format *formats;
    const char *text;
    char room[4];
    uint64_t ends[4];
    size_t count;
    identity.struct_size = draw(6) ? sizeof identity : draw(300);
    const chemopen_fact *facts;
    switch (draw(9)) {
    case 8: chemopen_facts(&facts, draw(9) ? &count : NULL); break;
    case 0: chemopen_identify(path(), draw(9) ? &identity : NULL); break;
    case 1: chemopen_identify_memory(word(), draw(2), word(), &identity); break;
    case 2: chemopen_formats(&formats, draw(9) ? &count : NULL); break;
    case 3: chemopen_status_text((chemopen_status)((int)draw(20) - 10), draw(9) ? &text : NULL); break;
    case 4: expect(chemopen_release_capsule(NULL) == CHEMOPEN_MISUSE, "no capsule is released");
        chemopen_element_symbol((int32_t)draw(140) - 10, &text); break;
    case 5: chemopen_utf8(draw(5) ? "\xB5m" : NULL, draw(3), draw(5) ? room : NULL, draw(5), draw(9) ? &count : NULL); break;
    case 6: chemopen_partitions(path(), draw(5), ends, draw(9) ? &count : NULL); break;
    default:
        if (records[slot] == NULL) chemopen_record_new(draw(9) ? &records[slot] : NULL);
        else if (records[(slot + 1) % SLOTS] == NULL) chemopen_record_copy(&records[(slot + 1) % SLOTS], records[slot]);
    }
}

static void close_all(void) {
    unsigned slot;
    for (slot = 0; slot < SLOTS; slot++) {
        chemopen_reader_close(&readers[slot]);
        expect(readers[slot] == NULL, "a closed reader still exists");
        expect(chemopen_reader_close(&readers[slot]) == CHEMOPEN_MISUSE, "a reader is closed twice");
        chemopen_record_close(&records[slot]);
        expect(chemopen_record_close(&records[slot]) == CHEMOPEN_MISUSE, "a record is closed twice");
        chemopen_writer_close(&writers[slot]);
        expect(chemopen_writer_close(&writers[slot]) == CHEMOPEN_MISUSE, "a writer is closed twice");
        chemopen_report_close(&reports[slot]);
        expect(chemopen_report_close(&reports[slot]) == CHEMOPEN_MISUSE, "a report is closed twice");
        chemopen_changes_close(&changes[slot]);
        expect(chemopen_changes_close(&changes[slot]) == CHEMOPEN_MISUSE, "changes are closed twice");
        chemopen_collection_close(&collections[slot]);
        expect(chemopen_collection_close(&collections[slot]) == CHEMOPEN_MISUSE, "a collection is closed twice");
        chemopen_pattern_close(&patterns[slot]);
        expect(chemopen_pattern_close(&patterns[slot]) == CHEMOPEN_MISUSE, "a pattern is closed twice");
        chemopen_scan_close(&scans[slot]);
        expect(chemopen_scan_close(&scans[slot]) == CHEMOPEN_MISUSE, "a scan is closed twice");
        if (streams[slot].release != NULL) streams[slot].release(&streams[slot]);
    }
}

int main(int count, char **arguments) {
    long sequences, sequence;
    if (count < 4) return 2;
    sequences = atol(arguments[1]);
    paths = arguments + 3;
    path_count = (unsigned)(count - 3);
    for (sequence = 0; sequence < sequences; sequence++) {
        unsigned left;
        state = (unsigned long long)atol(arguments[2]) * 1000003ULL + (unsigned long long)sequence;
        for (left = 5 + draw(30); left > 0; left--) {
            unsigned slot = draw(SLOTS);
            calls++;
            switch (draw(12)) {
            case 0: case 1: open_reader(slot); break;
            case 2: case 3: case 4: use_reader(); break;
            case 5: case 6: use_record(); break;
            case 7: use_writer(slot); break;
            case 8: draw(4) ? others(slot) : use_report(slot); break;
            case 9: draw(3) ? use_scan(slot) : draw(2) ? use_versions(slot) : use_pattern(slot); break;
            case 10: others(slot); break;
            default:
                ask_errors(slot);
                if (draw(6) == 0) chemopen_reader_close(draw(9) ? &readers[slot] : NULL);
                if (draw(6) == 0) chemopen_record_close(draw(9) ? &records[slot] : NULL);
                if (draw(6) == 0) chemopen_writer_close(draw(9) ? &writers[slot] : NULL);
            }
        }
        close_all();
    }
    printf("%ld sequences, %ld calls, all answered\n", sequences, calls);
    return seen == 42 ? 3 : 0;
}
