/* Builds, changes and searches structures, and writes tables, as documented in the header: structures TESTDATA DIR. */
#include <chemopen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(int is_so, const char *what, int line) {
    if (is_so) return;
    fprintf(stderr, "structures.c:%d: %s\n", line, what);
    failures++;
}
#define CHECK(condition) check((condition) ? 1 : 0, #condition, __LINE__)

static int is_text(chemopen_text text, const char *expected) {
    return text.length == strlen(expected) && memcmp(text.bytes, expected, text.length) == 0;
}

static chemopen_record *parsed(const char *text) {
    chemopen_record *record = NULL;
    CHECK(chemopen_record_new(&record) == CHEMOPEN_OK);
    CHECK(chemopen_record_parse(record, text, strlen(text), NULL) == CHEMOPEN_OK);
    return record;
}

static int has_value(const chemopen_record *record, const char *name, const char *expected) {
    chemopen_text text;
    return chemopen_record_value(record, name, &text) == CHEMOPEN_OK && is_text(text, expected);
}

static void parsing(void) {
    chemopen_record *record = parsed("CCO ethanol\n"), *other = NULL;
    chemopen_error error;
    chemopen_text text;
    const chemopen_issue *issues;
    size_t count;
    int32_t are_equal = 5;
    error.struct_size = sizeof error;
    CHECK(chemopen_record_title(record, &text) == CHEMOPEN_OK && is_text(text, "ethanol"));
    CHECK(chemopen_record_copy(&other, record) == CHEMOPEN_OK);
    CHECK(chemopen_record_equal(record, other, &are_equal) == CHEMOPEN_OK && are_equal == 1);
    CHECK(chemopen_record_equal(record, record, &are_equal) == CHEMOPEN_OK && are_equal == 1);
    CHECK(chemopen_record_equal(record, NULL, &are_equal) == CHEMOPEN_MISUSE && are_equal == 0);
    CHECK(chemopen_record_set_field(other, "A", 1, "b", 1) == CHEMOPEN_OK);
    CHECK(chemopen_record_equal(record, other, &are_equal) == CHEMOPEN_OK && are_equal == 0);
    CHECK(chemopen_record_parse(other, "C\nCC\n", 5, "smi") == CHEMOPEN_UNSUPPORTED);
    CHECK(chemopen_record_parse(other, "", 0, "smi") == CHEMOPEN_ABSENT);
    CHECK(chemopen_record_parse(other, "C1C", 3, NULL) == CHEMOPEN_BAD_RECORD);
    CHECK(chemopen_record_error(other, &error) == CHEMOPEN_OK && error.status == CHEMOPEN_BAD_RECORD && error.record == 1);
    CHECK(chemopen_record_parse(other, "no\nformat\n", 10, NULL) == CHEMOPEN_UNKNOWN);
    CHECK(chemopen_record_parse(other, "C", 1, "klingon") == CHEMOPEN_UNSUPPORTED);
    CHECK(chemopen_record_parse(other, NULL, 1, NULL) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_field(other, "A", 1, &text) == CHEMOPEN_OK && is_text(text, "b"));
    CHECK(chemopen_record_issues(other, &issues, &count) == CHEMOPEN_OK);
    chemopen_record_close(&record);
    chemopen_record_close(&other);
}

static void values(void) {
    chemopen_record *record = parsed("CC(=O)Oc1ccccc1C(=O)O");
    const chemopen_fact *facts;
    const chemopen_loss *losses;
    chemopen_text text;
    size_t count, i;
    CHECK(has_value(record, "formula", "C9H8O4") && has_value(record, "rings", "1") && has_value(record, "elements.O", "4"));
    CHECK(chemopen_record_value(record, "canonical_smiles", &text) == CHEMOPEN_OK && text.length > 10);
    CHECK(chemopen_record_losses(record, &losses, &count) == CHEMOPEN_OK);
    CHECK(chemopen_record_value(record, "products", &text) == CHEMOPEN_ABSENT && text.length == 0);
    CHECK(chemopen_record_value(record, "rxnblock", &text) == CHEMOPEN_ABSENT);
    CHECK(chemopen_record_value(record, "mas", &text) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_value(record, NULL, &text) == CHEMOPEN_MISUSE);
    CHECK(chemopen_facts(&facts, &count) == CHEMOPEN_OK && count > 10);
    for (i = 0; i < count; i++) {
        CHECK(strlen(facts[i].name) > 0 && strlen(facts[i].meaning) > 0);
        CHECK(!strcmp(facts[i].type, "string") || !strcmp(facts[i].type, "integer") || !strcmp(facts[i].type, "real"));
        if (strncmp(facts[i].name, "inchi", 5) != 0) CHECK(chemopen_record_value(record, facts[i].name, &text) >= CHEMOPEN_OK);
    }
    chemopen_record_close(&record);
}

static void changing(void) {
    chemopen_record *record = parsed("CCO");
    const chemopen_atom *lent;
    const chemopen_bond *lent_bonds;
    chemopen_atom atoms[4];
    chemopen_bond bond = {0, 0, 1, 0};
    int32_t index = 0;
    size_t count;
    CHECK(chemopen_record_atoms(record, &lent, &count) == CHEMOPEN_OK && count == 3);
    memcpy(atoms, lent, sizeof atoms[0] * 3);
    atoms[2].element = 16;
    atoms[0].x = 1.5;
    CHECK(chemopen_record_set_atoms(record, atoms, 2) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_set_atoms(record, NULL, 3) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_set_atoms(record, atoms, 3) == CHEMOPEN_OK && has_value(record, "formula", "C2H6S"));
    atoms[1].x = NAN;
    CHECK(chemopen_record_set_atoms(record, atoms, 3) == CHEMOPEN_MISUSE && has_value(record, "formula", "C2H6S"));
    CHECK(chemopen_record_add_bond(record, &bond) == CHEMOPEN_MISUSE && chemopen_record_add_bond(record, NULL) == CHEMOPEN_MISUSE);
    atoms[3] = atoms[0];
    atoms[3].element = 17;
    atoms[3].hydrogens = -1;
    CHECK(chemopen_record_add_atom(record, &atoms[3]) == CHEMOPEN_OK && chemopen_record_add_atom(record, NULL) == CHEMOPEN_MISUSE);
    bond.to = 3;
    CHECK(chemopen_record_add_bond(record, &bond) == CHEMOPEN_OK);
    CHECK(chemopen_record_bonds(record, &lent_bonds, &count) == CHEMOPEN_OK && count == 3 && lent_bonds[2].to == 3);
    CHECK(chemopen_record_set_bonds(record, lent_bonds, 3) == CHEMOPEN_OK);
    CHECK(chemopen_record_set_bonds(record, &bond, 1) == CHEMOPEN_MISUSE);
    index = 9;
    CHECK(chemopen_record_remove_atoms(record, &index, 1) == CHEMOPEN_MISUSE);
    index = 2;
    CHECK(chemopen_record_remove_bonds(record, &index, 1) == CHEMOPEN_OK);
    index = 3;
    CHECK(chemopen_record_remove_atoms(record, &index, 1) == CHEMOPEN_OK && has_value(record, "formula", "C2H6S"));
    CHECK(chemopen_record_remove_structure(record) == CHEMOPEN_OK && chemopen_record_set_atoms(record, atoms, 0) == CHEMOPEN_ABSENT);
    CHECK(chemopen_record_add_atom(record, &atoms[3]) == CHEMOPEN_OK && has_value(record, "formula", "ClH"));
    chemopen_record_close(&record);
}

static void reactions(void) {
    chemopen_record *reaction = NULL, *ethanol = parsed("CCO"), *taken = NULL;
    chemopen_component component;
    chemopen_step step;
    chemopen_text condition = {"heat", 4};
    size_t count;
    memset(&component, 0, sizeof component);
    component.struct_size = sizeof component;
    step.struct_size = sizeof step;
    chemopen_record_new(&reaction);
    chemopen_record_new(&taken);
    CHECK(chemopen_record_steps(reaction, &count) == CHEMOPEN_ABSENT && count == 0);
    CHECK(chemopen_record_add_component(reaction, CHEMOPEN_REACTANT, ethanol, NULL) == CHEMOPEN_ABSENT);
    CHECK(chemopen_record_add_step(reaction, "sideways", NULL, 0) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_add_step(reaction, "equilibrium", &condition, 1) == CHEMOPEN_OK);
    component.stoichiometry.bytes = "2";
    component.stoichiometry.length = 1;
    CHECK(chemopen_record_add_component(reaction, CHEMOPEN_REACTANT, ethanol, &component) == CHEMOPEN_OK);
    CHECK(chemopen_record_add_component(reaction, CHEMOPEN_PRODUCT, ethanol, NULL) == CHEMOPEN_OK);
    CHECK(chemopen_record_add_component(reaction, (chemopen_role)7, ethanol, NULL) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_add_component(reaction, CHEMOPEN_PRODUCT, taken, NULL) == CHEMOPEN_ABSENT);
    CHECK(chemopen_record_add_component(reaction, CHEMOPEN_PRODUCT, reaction, NULL) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_steps(reaction, &count) == CHEMOPEN_OK && count == 1);
    CHECK(chemopen_record_step(reaction, 0, &step) == CHEMOPEN_OK && step.reactants == 1 && step.agents == 0 && step.products == 1);
    CHECK(strcmp(step.arrow, "equilibrium") == 0 && step.condition_count == 1 && is_text(step.conditions[0], "heat"));
    CHECK(chemopen_record_step(reaction, 1, &step) == CHEMOPEN_ABSENT && step.reactants == 0);
    CHECK(chemopen_record_component(reaction, 0, CHEMOPEN_REACTANT, 0, taken, &component) == CHEMOPEN_OK);
    CHECK(is_text(component.stoichiometry, "2") && component.name.length == 0 && has_value(taken, "formula", "C2H6O"));
    CHECK(chemopen_record_component(reaction, 0, CHEMOPEN_AGENT, 0, taken, NULL) == CHEMOPEN_ABSENT);
    CHECK(chemopen_record_component(reaction, 0, (chemopen_role)0, 0, taken, NULL) == CHEMOPEN_MISUSE);
    CHECK(chemopen_record_component(reaction, 0, CHEMOPEN_REACTANT, 0, reaction, NULL) == CHEMOPEN_MISUSE);
    CHECK(has_value(reaction, "formula", "C2H6O\nC2H6O") && has_value(reaction, "products", "1"));
    CHECK(chemopen_record_add_step(ethanol, NULL, NULL, 0) == CHEMOPEN_OK && chemopen_record_steps(ethanol, &count) == CHEMOPEN_OK);
    CHECK(count == 1);
    chemopen_record_close(&reaction);
    chemopen_record_close(&ethanol);
    chemopen_record_close(&taken);
}

static void searching(void) {
    chemopen_record *record = parsed("CC(=O)Oc1ccccc1C(=O)O"), *benzene = parsed("c1ccccc1");
    chemopen_pattern *pattern = NULL;
    chemopen_error error;
    const int32_t *atoms;
    size_t width, count;
    int32_t is_found;
    error.struct_size = sizeof error;
    CHECK(chemopen_pattern_new(&pattern, "C(=O)[OH]") == CHEMOPEN_OK);
    CHECK(chemopen_pattern_finds(pattern, record, &is_found) == CHEMOPEN_OK && is_found == 1);
    CHECK(chemopen_pattern_finds(pattern, benzene, &is_found) == CHEMOPEN_OK && is_found == 0);
    CHECK(chemopen_pattern_matches(pattern, record, 0, &atoms, &width, &count) == CHEMOPEN_OK && width == 3 && count == 1);
    CHECK(atoms[0] == 10 && atoms[1] == 11 && atoms[2] == 12);
    CHECK(chemopen_pattern_error(pattern, &error) == CHEMOPEN_ABSENT);
    CHECK(chemopen_pattern_close(&pattern) == CHEMOPEN_OK && chemopen_pattern_close(&pattern) == CHEMOPEN_MISUSE);
    CHECK(chemopen_pattern_new(&pattern, "C(") == CHEMOPEN_UNSUPPORTED);
    CHECK(chemopen_pattern_error(pattern, &error) == CHEMOPEN_OK && error.column > 0);
    CHECK(chemopen_pattern_finds(pattern, record, &is_found) == CHEMOPEN_MISUSE && is_found == 0);
    CHECK(chemopen_pattern_matches(pattern, record, 0, &atoms, &width, &count) == CHEMOPEN_MISUSE && count == 0);
    chemopen_pattern_close(&pattern);
    CHECK(chemopen_pattern_of_record(&pattern, benzene, 1) == CHEMOPEN_OK);
    CHECK(chemopen_pattern_finds(pattern, record, &is_found) == CHEMOPEN_OK && is_found == 0);
    CHECK(chemopen_pattern_finds(pattern, benzene, &is_found) == CHEMOPEN_OK && is_found == 1);
    chemopen_pattern_close(&pattern);
    chemopen_record_close(&record);
    chemopen_record_close(&benzene);
}

static int warnings, losses;

static int hear(void *context, const chemopen_event *event) {
    (void)context;
    warnings += event->kind == CHEMOPEN_EVENT_UNREADABLE;
    losses += event->kind == CHEMOPEN_EVENT_LOSS;
    return 0;
}

/* Writes the table of a file as a file, and reads it again. */
static void tables(const char *path) {
    const char *computed[] = {"mass", "formula"}, *wrong[] = {"mas"};
    chemopen_scan *scan = NULL;
    chemopen_scan_options options;
    chemopen_table_options given;
    chemopen_table_summary summary;
    chemopen_writer *writer = NULL;
    chemopen_text text;
    const chemopen_column *columns;
    struct ArrowArrayStream stream;
    size_t count;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.structure = "auto";
    options.computed = computed;
    options.computed_count = 2;
    CHECK(chemopen_scan_open(&scan, &path, 1, &options) == CHEMOPEN_OK);
    CHECK(chemopen_scan_columns(scan, &columns, &count) == CHEMOPEN_OK && count > 6);
    CHECK(is_text(columns[3].name, "molblock") && is_text(columns[4].name, "mass") && is_text(columns[4].type, "real"));
    CHECK(chemopen_scan_stream(scan, &stream) == CHEMOPEN_OK && chemopen_scan_close(&scan) == CHEMOPEN_OK);
    memset(&given, 0, sizeof given);
    given.struct_size = sizeof given;
    given.event = hear;
    summary.struct_size = sizeof summary;
    CHECK(chemopen_writer_open_memory(&writer, "sdf", NULL) == CHEMOPEN_OK);
    CHECK(chemopen_writer_write_table(writer, &stream, &given, &summary) == CHEMOPEN_OK && stream.release == NULL);
    CHECK(summary.written == 7 && summary.rejected == 0 && warnings == 0 && losses == 0);
    CHECK(chemopen_writer_write_table(writer, &stream, &given, &summary) == CHEMOPEN_MISUSE);
    CHECK(chemopen_writer_finish(writer) == CHEMOPEN_OK && chemopen_writer_bytes(writer, &text) == CHEMOPEN_OK);
    /* A caller with an earlier header has options without the last two members. */
    options.struct_size = sizeof options - 2 * sizeof(size_t);
    CHECK(chemopen_scan_open(&scan, &path, 1, &options) == CHEMOPEN_OK);
    CHECK(chemopen_scan_columns(scan, &columns, &count) == CHEMOPEN_OK && !is_text(columns[4].name, "mass"));
    chemopen_scan_close(&scan);
    CHECK(chemopen_scan_open_memory(&scan, text.bytes, text.length, "a.sdf", &options) == CHEMOPEN_OK);
    CHECK(chemopen_scan_columns(scan, &columns, &count) == CHEMOPEN_OK && is_text(columns[3].name, "molblock"));
    CHECK(chemopen_scan_stream(scan, &stream) == CHEMOPEN_OK && chemopen_scan_close(&scan) == CHEMOPEN_OK);
    chemopen_writer_close(&writer);
    CHECK(chemopen_writer_open_memory(&writer, "smi", NULL) == CHEMOPEN_OK);
    CHECK(chemopen_writer_write_table(writer, &stream, &given, NULL) == CHEMOPEN_OK && losses > 0);
    chemopen_writer_close(&writer);
    options.struct_size = sizeof options;
    options.computed = wrong;
    options.computed_count = 1;
    CHECK(chemopen_scan_open(&scan, &path, 1, &options) == CHEMOPEN_MISUSE);
    chemopen_scan_close(&scan);
}

/* Edits a copy of a file in place, compares it with the original, and merges both. */
static void versions(const char *path, const char *folder) {
    chemopen_collection *collection = NULL;
    chemopen_changes *changes = NULL;
    chemopen_change_options options;
    chemopen_change change;
    chemopen_record *before = NULL, *after = NULL;
    chemopen_report *report = NULL;
    chemopen_convert_options conversion;
    chemopen_error error;
    chemopen_text text;
    char base[1024], ours[1024];
    size_t count;
    snprintf(base, sizeof base, "%s/base.sdf", folder);
    snprintf(ours, sizeof ours, "%s/ours.sdf", folder);
    memset(&conversion, 0, sizeof conversion);
    conversion.struct_size = sizeof conversion;
    conversion.replaces = 1;
    CHECK(chemopen_convert(&report, &path, 1, base, &conversion) == CHEMOPEN_OK && chemopen_report_close(&report) == CHEMOPEN_OK);
    CHECK(chemopen_convert(&report, &path, 1, ours, &conversion) == CHEMOPEN_OK && chemopen_report_close(&report) == CHEMOPEN_OK);
    chemopen_record_new(&before);
    chemopen_record_new(&after);
    error.struct_size = sizeof error;
    change.struct_size = sizeof change;
    CHECK(chemopen_collection_open(&collection, ours, NULL) == CHEMOPEN_OK);
    CHECK(chemopen_collection_count(collection, &count) == CHEMOPEN_OK && count == 7);
    CHECK(chemopen_collection_set_field(collection, 2, "NOTE", 4, "new", 3) == CHEMOPEN_OK);
    CHECK(chemopen_collection_set_title(collection, 3, "title", 5) == CHEMOPEN_OK);
    CHECK(chemopen_collection_record(collection, 2, after) == CHEMOPEN_OK);
    CHECK(chemopen_record_field(after, "NOTE", 4, &text) == CHEMOPEN_OK && is_text(text, "new"));
    CHECK(chemopen_collection_record(collection, 8, after) == CHEMOPEN_UNSUPPORTED);
    CHECK(chemopen_collection_error(collection, &error) == CHEMOPEN_OK && strlen(error.message) > 0);
    CHECK(chemopen_collection_delete(collection, 0) < 0 && chemopen_collection_move(collection, 1, 9) < 0);
    CHECK(chemopen_collection_save(collection, NULL, 0) == CHEMOPEN_OK && chemopen_collection_close(&collection) == CHEMOPEN_OK);
    CHECK(chemopen_diff(&changes, base, ours, NULL) == CHEMOPEN_OK);
    CHECK(chemopen_changes_records(changes, before, after) == CHEMOPEN_ABSENT);
    CHECK(chemopen_changes_next(changes, &change) == CHEMOPEN_OK && strcmp(change.kind, "changed") == 0);
    CHECK(change.before == 2 && change.after == 2 && change.difference_count == 1 && change.commit == NULL);
    CHECK(strcmp(change.differences[0].subject, "field NOTE") == 0 && change.differences[0].before == NULL);
    CHECK(chemopen_changes_records(changes, before, after) == CHEMOPEN_OK);
    CHECK(chemopen_record_field(before, "NOTE", 4, &text) == CHEMOPEN_ABSENT);
    while (chemopen_changes_next(changes, &change) == CHEMOPEN_OK) {}
    CHECK(chemopen_changes_next(changes, &change) == CHEMOPEN_END && change.kind == NULL);
    CHECK(chemopen_changes_close(&changes) == CHEMOPEN_OK && chemopen_changes_close(&changes) == CHEMOPEN_MISUSE);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.tolerance = -1;
    CHECK(chemopen_diff(&changes, base, ours, &options) == CHEMOPEN_MISUSE && chemopen_changes_close(&changes) == CHEMOPEN_OK);
    CHECK(chemopen_merge(&changes, base, base, ours, NULL, NULL) == CHEMOPEN_OK);
    CHECK(chemopen_changes_next(changes, &change) == CHEMOPEN_END && chemopen_changes_close(&changes) == CHEMOPEN_OK);
    CHECK(chemopen_diff(&changes, base, ours, NULL) == CHEMOPEN_OK && chemopen_changes_next(changes, &change) == CHEMOPEN_END);
    chemopen_changes_close(&changes);
    CHECK(chemopen_history(&changes, "/nonexistent/a.sdf", NULL) < 0 && chemopen_changes_error(changes, &error) == CHEMOPEN_OK);
    chemopen_changes_close(&changes);
    CHECK(chemopen_diff(&changes, base, NULL, NULL) == CHEMOPEN_MISUSE && chemopen_changes_close(&changes) == CHEMOPEN_OK);
    chemopen_record_close(&before);
    chemopen_record_close(&after);
}

int main(int count, char **arguments) {
    char path[1024];
    if (count != 3) return 2;
    snprintf(path, sizeof path, "%s/sdf/vitamins.sdf.gz", arguments[1]);
    parsing();
    values();
    changing();
    reactions();
    searching();
    tables(path);
    versions(path, arguments[2]);
    return failures == 0 ? 0 : 1;
}
