/* The two functions that the core uses, for `make arm` on a machine without that processor's C library. */
#ifndef FREESTANDING_STRING_H
#define FREESTANDING_STRING_H

#include <stddef.h>

void *memset(void *at, int value, size_t count);
int memcmp(const void *one, const void *other, size_t count);

#endif
