/* failing.h - an allocator that fails where it is told to.

   promises  the allocation number `left` fails, and with it all later ones, or it alone where
             `once` is set; `held` is what is not released yet */
#ifndef IRL_FAILING_H
#define IRL_FAILING_H

#include "test.h"
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
static irl_ctx_desc failing_desc(failing *f, long left, int once)
{
    irl_ctx_desc desc;
    memset(&desc, 0, sizeof desc);
    f->left = left;
    f->held = 0;
    f->once = once;
    desc.allocator.allocate = failing_allocate;
    desc.allocator.release = failing_release;
    desc.allocator.user = f;
    return desc;
}

/* What is asked in a context of its own: 1 when it is done; else something has failed. */
typedef int failing_ask(irl_ctx *cx, int which);

/* Whichever allocation fails, and all later ones (`once`: it alone): nothing stays behind; until
   there is enough for the answer. is_failure: what is not done is the context's failure. */
static inline void failing_until(failing_ask *ask, int which, int once, int is_failure)
{
    long left;
    int  done = 0;
    for (left = 0; !done && left < 4000; left++) {
        failing  f;
        irl_ctx_desc desc = failing_desc(&f, left, once);
        irl_ctx *cx = irl_ctx_create(&desc);
        done = cx && ask(cx, which);
        if (cx && !done && is_failure) CHECK_CODE(cx, IRL_ERROR_OUT_OF_MEMORY);
        irl_ctx_destroy(cx);
        CHECK(f.held == 0);
    }
    CHECK(done && left > 3);
}

/* The same, where the diagnostic says so. */
static inline void failing_each(failing_ask *ask, int which, int once)
{
    failing_until(ask, which, once, 1);
}

#endif
