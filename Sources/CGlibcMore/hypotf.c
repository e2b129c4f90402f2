/* The Swift runtime uses hypotf, which has a new symbol version in glibc 2.35. ./package links this replacement into
 * libchemopen to support older versions of glibc. */
#include <math.h>

float hypotf(float x, float y);

float hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    /* The squares of floats are exact in a double, and their sum does not overflow. */
    return (float)sqrt((double)x * (double)x + (double)y * (double)y);
}
