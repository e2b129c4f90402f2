/* ISA-L is optional, both when Chemopen is built and when it runs: it is loaded when the first gzip file is read.
   A function, because the compiler reports unreachable code after a constant. */
#if __has_include(<isa-l/igzip_lib.h>)
#include <isa-l/igzip_lib.h>
static inline int chemopen_isal_is_known(void) { return 1; }
#else
#include <stdint.h>
#define ISAL_GZIP 1
#define ISAL_BLOCK_FINISH 0
struct inflate_state {
    uint8_t *next_out, *next_in;
    uint32_t avail_out, avail_in, crc_flag, block_state;
};
static inline int chemopen_isal_is_known(void) { return 0; }
#endif
