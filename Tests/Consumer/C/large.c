/* Reads a column of more than 2 GiB as a table, which needs several batches because Arrow's offsets have 32 bits.
 *
 *     large DIR
 *
 * Creates the file in the directory and deletes it again. Each record has a field of 1 MiB; checks the sum. */
#include <chemopen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 2100, SIZE = 1 << 20 };

static void fail(const char *what) {
    printf("large: %s\n", what);
    exit(1);
}

static void make(const char *path) {
    FILE *file = fopen(path, "wb");
    char *value = malloc(SIZE);
    int i;
    if (file == NULL || value == NULL) fail("the file cannot be created");
    for (i = 0; i < RECORDS; i++) {
        memset(value, 'a' + i % 26, SIZE);
        fprintf(file, "%d\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n>  <LARGE>\n", i);
        if (fwrite(value, 1, SIZE, file) != SIZE) fail("the file cannot be written");
        fprintf(file, "\n\n$$$$\n");
    }
    free(value);
    if (fclose(file) != 0) fail("the file cannot be written");
}

int main(int count, char **words) {
    char path[4096];
    const char *paths[1], *columns[] = {"LARGE"}, *types[] = {"string"};
    chemopen_scan *scan = NULL;
    chemopen_scan_options options;
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    int64_t rows = 0, bytes = 0, i;
    int batches = 0;

    if (count != 2) return 2;
    snprintf(path, sizeof path, "%s/large.sdf", words[1]);
    make(path);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.columns = columns;
    options.types = types;
    options.column_count = 1;
    /* More than the limit. */
    options.batch_bytes = UINT64_MAX;
    paths[0] = path;
    if (chemopen_scan_open(&scan, paths, 1, &options) != CHEMOPEN_OK) fail("the file cannot be opened");
    if (chemopen_scan_stream(scan, &stream) != CHEMOPEN_OK) fail("the stream cannot be created");
    for (;;) {
        const int32_t *offsets;
        const char *values;
        if (stream.get_next(&stream, &batch) != 0) fail(stream.get_last_error(&stream));
        if (batch.release == NULL) break;
        offsets = batch.children[0]->buffers[1];
        values = batch.children[0]->buffers[2];
        for (i = 0; i < batch.length; i++) {
            if (offsets[i + 1] - offsets[i] != SIZE) fail("a value has a different length");
            if (values[offsets[i]] != 'a' + (rows + i) % 26 || values[offsets[i + 1] - 1] != values[offsets[i]])
                fail("a value is different");
        }
        rows += batch.length;
        bytes += offsets[batch.length];
        batches++;
        batch.release(&batch);
    }
    stream.release(&stream);
    chemopen_scan_close(&scan);
    remove(path);
    if (rows != RECORDS || bytes != (int64_t)RECORDS * SIZE || batches < 2) fail("something is missing");
    printf("%lld rows, %lld bytes, %d batches\n", (long long)rows, (long long)bytes, batches);
    return 0;
}
