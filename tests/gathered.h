/* gathered.h - is what a statement says of itself still so: its depth, and what stands in it.

   needs     the library's inside (src/ir/ir.h)
   promises  each statement is compared with a copy that is finished again */
#ifndef IRL_TEST_GATHERED_H
#define IRL_TEST_GATHERED_H

static int gathered_see(irl__visitor *v, const irl_stmt *s)
{
    const irl_func *f = ((const irl_func **)v->user)[0];
    const irl_stmt *again = irl__stmt_finish(f->cx, irl__stmt_copy(f->cx, s));
    if (!again || again->holds != s->holds || again->depth != s->depth)
        ((const irl_func **)v->user)[1] = f;
    return 1;
}

static int gathered_right(const irl_func *f)
{
    const irl_func *user[2];
    irl__visitor    v;
    user[0] = f;
    user[1] = NULL;
    v = irl__visitor_make(user, NULL, gathered_see);
    irl__visit_stmt(&v, f->body);
    return user[1] == NULL;
}

#endif
