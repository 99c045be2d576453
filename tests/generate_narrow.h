/* generate_narrow.h - generated functions (generate.h) whose buffers take bits: some of the
   parameters and allocations get elements of a width, or their own type in an order of bits.

   needs     generate.h before it
   promises  a seed gives the same function on every machine; it is one that reads and runs in the
             interpreter. Its arguments are those of the case: memory of bits takes less of them.
             What is left out: floats keep their widths, vectors and views of the memory by another
             type, of which there are none */
#ifndef IRL_GENERATE_NARROW_H
#define IRL_GENERATE_NARROW_H

#include <ctype.h>

static uint64_t narrow_state;
static int narrow_below(int n)
{
    narrow_state = narrow_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (int)((narrow_state >> 33) % (uint64_t)n);
}

/* How many declarations were made narrow, and how many could not be. */
static int narrow_done, narrow_not;

/* The element in the place of a type, and the order: "u4", " bits(msb)". 0: none is drawn. */
static int narrow_element(const char *type, size_t length, char *element, const char **order)
{
    static const char *const orders[] = { "", " bits(lsb)", " bits(msb)", " bits(msb)" };
    int bits = atoi(type + 1), width, wide = narrow_below(5) == 0, few = narrow_below(2);
    *order = orders[narrow_below(4)];
    width = bits == 8 && few ? 1 << narrow_below(3) : bits / 2 + 1 + narrow_below(bits / 2 - 1);
    if (bits == 8 && !few) width = 1 + narrow_below(7);
    if (length > 3 || (*type != 'u' && *type != 'i' && *type != 'f') || bits > 32 || bits < 8)
        return 0;
    if (*type == 'f' || wide) {
        memcpy(element, type, length);
        element[length] = '\0';
        if (!**order) *order = orders[1];
        return 1;
    }
    if (*type == 'i' && width == 1) width = 2;
    snprintf(element, 8, "%c%d", *type, width);
    return 1;
}

/* The text with the type at `at`, of that length, replaced. Freed by the caller. */
static char *narrow_text(const char *text, const char *at, size_t length, const char *element,
                         const char *order)
{
    const char *shape = at + length, *end = shape;
    char       *out = (char *)gen_kept(malloc(strlen(text) + 32));
    int         depth = 0;
    do depth += (*end == '[') - (*end == ']');
    while (*end++ && depth);
    sprintf(out, "%.*s%s%.*s%s%s", (int)(at - text), text, element, (int)(end - shape), shape,
            order, end);
    return out;
}

/* Is the function refused because those that run at once write parts of a byte? */
static int narrow_shares(const char *diagnostic)
{
    return strstr(diagnostic, "a part of a byte is written by reading and writing") != NULL;
}

/* What matches the buffer `name` is what it is: the same text, in the place of this one. */
static char *narrow_matches(char *text, const char *name, const char *type, size_t length,
                            const char *element, const char *order)
{
    char   source[16];
    size_t at;
    snprintf(source, sizeof source, "] = %s[", name);
    for (at = 0; text[at]; at++) {
        const char *colon = strncmp(text + at, "match ", 6) == 0 ? strchr(text + at, ':') : NULL,
                   *equal = colon ? strstr(colon, "] = ") : NULL;
        char       *now;
        if (!equal || strncmp(colon + 2, type, length) != 0 || colon[2 + length] != '[' ||
            strncmp(equal, source, strlen(source)) != 0)
            continue;
        now = narrow_text(text, colon + 2, length, element, order);
        free(text);
        text = now;
    }
    return text;
}

/* A layout of bits with separators is no memory. */
static int narrow_runs(const gen_case *c, const char *text)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    int       ok = f && gen_runs(c, f);
    if (ok && !irl_func_lower(f, &irl_target_opencl12))
        ok = irl_diag_of(cx)->code != IRL_ERROR_BAD_SEPARATORS;
    irl_ctx_destroy(cx);
    return ok;
}

/* How long is the name in front of that colon? */
static size_t narrow_name(const char *text, size_t colon)
{
    size_t at = colon;
    while (at > 0 && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_')) at--;
    return colon - at;
}

/* Is that colon behind the name of a parameter or of an allocation? */
static int narrow_is_declared(const char *text, size_t colon)
{
    const char *name = text + colon - narrow_name(text, colon);
    if (name == text + colon || name - text < 8) return 0;
    if (memcmp(name - 6, "alloc ", 6) == 0) return 1;
    return memchr(text, '{', (size_t)(name - text)) == NULL &&
           (name[-1] == '(' || memcmp(name - 2, ", ", 2) == 0);
}

/* Declarations of the case's function that are drawn become narrow; how many did. */
static int gen_narrow(gen_case *c)
{
    const int before = narrow_done;
    size_t    at;
    narrow_state = c->seed * UINT64_C(0x9e3779b97f4a7c15) + 7;
    for (at = 0; c->text[at]; at++) {
        const char *type = c->text + at + 2, *order = "";
        char        element[8], name[8], was[8], *now;
        size_t      length;
        if (c->text[at] != ':' || c->text[at + 1] != ' ') continue;
        length = strcspn(type, "[] ,;)");
        if (type[length] != '[' || !narrow_is_declared(c->text, at)) continue;
        if (narrow_below(3) == 0 || !narrow_element(type, length, element, &order)) continue;
        snprintf(was, sizeof was, "%.*s", (int)length, type);
        snprintf(name, sizeof name, "%.*s", (int)narrow_name(c->text, at), type - 2 -
                 narrow_name(c->text, at));
        now = narrow_text(c->text, type, length, element, order);
        now = narrow_matches(now, name, was, length, element, order);
        if (narrow_runs(c, now)) {
            free(c->text);
            c->text = now;
            narrow_done++;
        } else {
            free(now);
            narrow_not++;
        }
    }
    return narrow_done - before;
}

/* gen_data_equal on a device, of the parameters of f: elements of bits are compared one by one. */
static int narrow_equal(const irl_func *f, const gen_case *c, const gen_data *expected,
                        const gen_data *found, char *why, size_t room)
{
    int k, j;
    for (k = 0; k < c->param_count; k++) {
        const irl_buffer *b = f->params[k].buffer;
        gen_case          one = *c;
        gen_data          x = *expected, y = *found;
        one.params[0] = c->params[k];
        x.bytes[0] = expected->bytes[k];
        y.bytes[0] = found->bytes[k];
        one.param_count = 1;
        if (!b || !b->bits || !c->params[k].ulp) {
            if (!gen_data_equal(&one, &x, &y, 1, why, room)) return 0;
            continue;
        }
        for (j = 0; j < gen_param_cells(&c->params[k]); j++) {
            const uint64_t    at = (uint64_t)j * (uint64_t)b->bits;
            const irl__scalar v = irl__bitfield_load(b, x.bytes[0], at),
                              w = irl__bitfield_load(b, y.bytes[0], at);
            if (irl__values_close(irl_type_of((irl_scalar)b->type.scalar, 1), v, w,
                                  c->params[k].ulp))
                continue;
            snprintf(why, room, "%s, element %d of bits: expected %.17g, found %.17g",
                     c->params[k].name, j, v.f, w.f);
            return 0;
        }
    }
    return 1;
}

#endif
