/* The Swift runtime names a function of the C library that got a new version with glibc 2.35. ./package links this one into
 * libchemopen in its place, so that it runs with older ones. */
#include <math.h>

float hypotf(float x, float y);

float hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    /* The squares of floats are exact in a double, and their sum does not overflow. */
    return (float)sqrt((double)x * (double)x + (double)y * (double)y);
}
