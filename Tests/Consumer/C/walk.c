/* Reads all properties of all records in files, and prints sums.
 *
 *     walk [--fields] [--threads N] FILE...
 *
 * --fields reads only the fields; --threads reads the files in N threads, each with its own reader. */
#include <chemopen.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sums {
    long records, broken, fields, bytes, atoms, bonds, texts, drawings;
} sums;

typedef struct job {
    char **paths;
    int count;
    int only_fields;
    sums sums;
} job;

static void look_at(chemopen_reader *reader, chemopen_record *record, sums *sums) {
    const chemopen_atom *atoms;
    const chemopen_bond *bonds;
    const chemopen_text *labels;
    const chemopen_issue *issues;
    chemopen_place place;
    chemopen_text text;
    size_t count;

    if (chemopen_record_atoms(record, &atoms, &count) == CHEMOPEN_OK) sums->atoms += (long)count;
    if (chemopen_record_bonds(record, &bonds, &count) == CHEMOPEN_OK) sums->bonds += (long)count;
    chemopen_record_labels(record, &labels, &count);
    chemopen_reader_issues(reader, &issues, &count);
    place.struct_size = sizeof place;
    chemopen_reader_place(reader, &place);
    if (chemopen_reader_bytes(reader, &text) == CHEMOPEN_OK) sums->bytes += (long)text.length;
    if (chemopen_record_text(record, "mol", 0, &text) == CHEMOPEN_OK && text.length > 0) sums->texts++;
    if (chemopen_record_formula(record, &text) == CHEMOPEN_OK) sums->texts++;
    if (chemopen_record_svg(record, NULL, &text) == CHEMOPEN_OK) sums->drawings++;
    chemopen_record_title(record, &text);
}

static void *walk(void *argument) {
    job *job = argument;
    chemopen_record *record = NULL;
    int i;

    if (chemopen_record_new(&record) != CHEMOPEN_OK) abort();
    for (i = 0; i < job->count; i++) {
        chemopen_reader *reader = NULL;
        chemopen_read_options options;
        chemopen_status status;
        memset(&options, 0, sizeof options);
        options.struct_size = sizeof options;
        status = chemopen_reader_open(&reader, job->paths[i], &options);
        while (status == CHEMOPEN_OK || status == CHEMOPEN_BAD_RECORD) {
            const chemopen_field *fields;
            size_t count, f;
            status = chemopen_reader_next(reader, record);
            if (status == CHEMOPEN_BAD_RECORD) job->sums.broken++;
            if (status != CHEMOPEN_OK) continue;
            job->sums.records++;
            if (chemopen_record_fields(record, &fields, &count) != CHEMOPEN_OK) abort();
            for (f = 0; f < count; f++) {
                job->sums.fields++;
                job->sums.bytes += (long)fields[f].name.length + (long)fields[f].value.length;
            }
            if (!job->only_fields) look_at(reader, record, &job->sums);
        }
        chemopen_reader_close(&reader);
    }
    chemopen_record_close(&record);
    return NULL;
}

int main(int count, char **words) {
    int only_fields = 0, threads = 1, i;
    job jobs[16];
    pthread_t ids[16];

    for (words++, count--; count > 0 && strncmp(*words, "--", 2) == 0; words++, count--) {
        if (strcmp(*words, "--fields") == 0) only_fields = 1;
        if (strcmp(*words, "--threads") == 0 && count > 1) {
            threads = atoi(words[1]);
            words++, count--;
        }
    }
    if (threads < 1 || threads > 16) return 2;
    memset(jobs, 0, sizeof jobs);
    for (i = 0; i < threads; i++) {
        jobs[i].paths = words;
        jobs[i].count = count;
        jobs[i].only_fields = only_fields;
        if (pthread_create(&ids[i], NULL, walk, &jobs[i]) != 0) return 1;
    }
    for (i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    for (i = 0; i < threads; i++) {
        sums *s = &jobs[i].sums;
        printf("%ld records, %ld broken, %ld fields, %ld atoms, %ld bonds, %ld bytes, %ld texts, %ld drawings\n", s->records,
               s->broken, s->fields, s->atoms, s->bonds, s->bytes, s->texts, s->drawings);
    }
    return 0;
}
