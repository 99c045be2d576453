/* elsewhere.h - contexts whose memory lies elsewhere: addresses, and with them the keys of their
   hashes, differ from one to the next, in a way that a run repeats as far as the system lets it. */
#ifndef IRL_TEST_ELSEWHERE_H
#define IRL_TEST_ELSEWHERE_H

#include <stddef.h>
#include <stdlib.h>

static void *elsewhere_allocate(void *user, size_t bytes)
{
    size_t shift = *(const size_t *)user;
    char  *p = bytes < (size_t)-1 - shift ? (char *)malloc(bytes + shift) : NULL;
    return p ? p + shift : NULL;
}

static void elsewhere_release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    free((char *)memory - *(const size_t *)user);
}

/* *shift lasts as long as the context; 0: the usual place. */
static irl_ctx *elsewhere_context(size_t *shift, unsigned which)
{
    irl_ctx_desc desc;
    memset(&desc, 0, sizeof desc);
    *shift = (size_t)(which % 64) * 64 + (size_t)(which / 64 % 64) * 4096;
    desc.allocator.allocate = elsewhere_allocate;
    desc.allocator.release = elsewhere_release;
    desc.allocator.user = shift;
    return irl_ctx_create(&desc);
}

#endif
