/* emit_unit.c - a module while it is printed: for what it is emitted, and one kernel after the
   other.

   needs     all files above
   promises  each kernel is surveyed before it is printed; a kernel with vectors in forms that the
             target lacks is legalized, or refused, so that printers meet none; nothing that is
             known in one kernel is used in the next */
#include "emit.h"
#include "../pass/pass.h"

int irl__emit_unit_begin(irl__emit_unit *o, const irl_module *m, const char *target,
                         const irl__emit_language *language)
{
    memset(o, 0, sizeof *o);
    o->cx = m->cx;
    o->module = m;
    o->language = language;
    o->target = irl_target_find_in(m->cx, m->target ? m->target : target);
    if (!o->target) return irl__target_unknown(m->cx, irl__nowhere(), m->target) != NULL;
    o->module = irl__legal_module(m, o->target);
    return o->module && (!m->host || irl__target_has_vectors_of(o->target, m->host));
}

int irl__emit_func_begin(irl__emit *e, const irl_func *f, irl__emit_func *state)
{
    irl__emit_unit *o = e->unit;
    state->scope = irl__emit_scope_begin(e);
    state->facts = irl__facts_mark(e->ranges);
    state->bindings = irl__bindings_mark(e->ranges);
    memset(&o->memory_of, 0, sizeof o->memory_of);
    memset(o->axes, 0, sizeof o->axes);
    o->memories = NULL;
    o->lets = NULL;
    o->local_bytes = 0;
    int ok = irl__emit_survey(o, f);
    if (ok) irl__emit_needed(o, f);
    return ok;
}

void irl__emit_func_end(irl__emit *e, const irl__emit_func *state)
{
    irl__emit_scope_end(e, state->scope);
    irl__facts_release(e->ranges, state->facts);
    irl__bindings_release(e->ranges, state->bindings);
    e->cx->here = irl__nowhere();
}
