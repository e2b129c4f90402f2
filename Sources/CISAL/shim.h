/* ISA-L is opened when the first gzip comes, and done without where it is missing: when this is built, and where it runs. */
#if __has_include(<isa-l/igzip_lib.h>)
#include <isa-l/igzip_lib.h>
static const int isISALKnown = 1;
#else
#include <stdint.h>
#define ISAL_GZIP 1
#define ISAL_BLOCK_FINISH 0
struct inflate_state {
    uint8_t *next_out, *next_in;
    uint32_t avail_out, avail_in, crc_flag, block_state;
};
static const int isISALKnown = 0;
#endif
