/* failing.h - an allocator that fails where it is told to.

   promises  the allocation number `left` fails, and with it all later ones, or it alone where
             `once` is set; `held` is what is not released yet */
#ifndef IRL_FAILING_H
#define IRL_FAILING_H

#include <stdlib.h>

typedef struct failing {
    long left, held;
    int  once;
} failing;

static void *failing_allocate(void *user, size_t bytes)
{
    failing *f = (failing *)user;
    void    *p = f->left > 0 || (f->once && f->left < 0) ? malloc(bytes) : NULL;
    f->left--;
    f->held += p != NULL;
    return p;
}

static void failing_release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((failing *)user)->held--;
    free(memory);
}

/* A context's description, whose first `left` allocations succeed. */
static irl_desc failing_desc(failing *f, long left, int once)
{
    irl_desc desc;
    memset(&desc, 0, sizeof desc);
    f->left = left;
    f->held = 0;
    f->once = once;
    desc.allocator.allocate = failing_allocate;
    desc.allocator.release = failing_release;
    desc.allocator.user = f;
    return desc;
}

#endif
