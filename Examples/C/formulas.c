/* Prints the title and the formula of each record: formulas FILE... */
#include <chemopen.h>
#include <stdio.h>

static void print_record(const chemopen_record *record) {
    chemopen_text title, formula;

    if (chemopen_record_title(record, &title) != CHEMOPEN_OK) return;
    if (chemopen_record_formula(record, &formula) != CHEMOPEN_OK) return;
    printf("%.*s\t%.*s\n", (int)title.length, title.bytes, (int)formula.length, formula.bytes);
}

static void print_error(const chemopen_reader *reader) {
    chemopen_error error;

    error.struct_size = sizeof error;
    if (chemopen_reader_error(reader, &error) == CHEMOPEN_OK) fprintf(stderr, "%s\n", error.message);
}

/* Returns whether the file was read to its end. A damaged record is reported and skipped. */
static int print_file(const char *path) {
    chemopen_reader *reader = NULL;
    chemopen_record *record = NULL;
    chemopen_status status;

    chemopen_record_new(&record);
    status = chemopen_reader_open(&reader, path, NULL);
    while (status == CHEMOPEN_OK || status == CHEMOPEN_BAD_RECORD) {
        status = chemopen_reader_next(reader, record);
        if (status == CHEMOPEN_OK) print_record(record);
        else if (status != CHEMOPEN_END) print_error(reader);
    }
    if (status != CHEMOPEN_END) print_error(reader);
    chemopen_record_close(&record);
    chemopen_reader_close(&reader);
    return status == CHEMOPEN_END;
}

int main(int count, char **words) {
    int index, failed = 0;

    for (index = 1; index < count; index++)
        if (!print_file(words[index])) failed = 1;
    return failed;
}
