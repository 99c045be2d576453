/* generate_calls.h - generated functions with calls of functions of the target in front of all and
   behind all: each is handed a parameter's memory, and its block declares what it reads and writes.

   needs     generate.h
   promises  the reference has a statement in the place of each call, which does the same:
             irl_bump_f32 and irl_bump_i32 add 1 to the first element, irl_peek_f32 and irl_peek_i32
             return it; the prototypes of most say so, or something weaker */
#ifndef IRL_GENERATE_CALLS_H
#define IRL_GENERATE_CALLS_H

/* Does the parameter lie in plain memory, as it is written, with an element? */
static int gen_is_plain(const gen_case *c, const gen_param *p)
{
    char        text[64];
    const char *at;
    int         k;
    if (!p->is_buffer || (p->type != IRL_F32 && p->type != IRL_I32) || p->rank == 0) return 0;
    for (k = 0; k < p->rank; k++)
        if (p->extent[k] < 1) return 0;
    snprintf(text, sizeof text, "layout(%s", p->name);
    if (strstr(c->text, text)) return 0;
    snprintf(text, sizeof text, "%s: %s[", p->name, p->type == IRL_F32 ? "f32" : "i32");
    at = strstr(c->text, text);
    at = at ? strchr(at, ']') : NULL;
    return at && (at[1] == ',' || at[1] == ')');
}

/* The statement, or the call, on one parameter. */
static void gen_put_bump(char *out, const gen_param *p, int number, int is_call)
{
    const char *type = p->type == IRL_F32 ? "f32" : "i32", *one = p->type == IRL_F32 ? "1.0" : "1";
    char        whole[96] = "", first[96] = "";
    int         k;
    for (k = 0; k < p->rank; k++) {
        const char *comma = k ? ", " : "";
        snprintf(whole + strlen(whole), sizeof whole - strlen(whole), "%s0: %d", comma,
                 p->extent[k]);
        snprintf(first + strlen(first), sizeof first - strlen(first), "%s0", comma);
    }
    if (is_call)
        sprintf(out, "    block call%d(v: 1 = 0) reads(%s[%s]) writes(%s[%s]) { evaluate "
                     "extern(i32, irl_bump_%s, %s); }\n",
                number, p->name, whole, p->name, whole, type, p->name);
    else
        sprintf(out, "    %s[%s] = %s[%s] + %s;\n", p->name, first, p->name, first, one);
}

static int gen_elements(const gen_param *p)
{
    int k, count = 1;
    for (k = 0; k < p->rank; k++) count *= p->extent[k];
    return count;
}

/* A loop that adds the first element of one parameter to all of another one's along its first axis;
   the call has a prototype, by which the loop carries nothing. */
static void gen_put_peek(char *out, const gen_param *to, const gen_param *from, int is_call)
{
    char at[64] = "z0", first[64] = "";
    int  k;
    for (k = 1; k < to->rank; k++) strcat(at, ", 0");
    for (k = 0; k < from->rank; k++) strcat(first, k ? ", 0" : "0");
    sprintf(out, "    for (z0: %d) %s[%s] = %s[%s] + ", to->extent[0], to->name, at, to->name, at);
    out += strlen(out);
    if (is_call)
        sprintf(out, "extern(%s, irl_peek_%s, %s);\n", to->type == IRL_F32 ? "f32" : "i32",
                to->type == IRL_F32 ? "f32" : "i32", from->name);
    else sprintf(out, "%s[%s];\n", from->name, first);
}

/* Prototypes with promises that hold: of peek always, of bump mostly. */
static void gen_put_prototypes(char *out, gen *g, const gen_param *const *plain, int count)
{
    static const irl_scalar types[] = { IRL_F32, IRL_I32 };
    int                     k, j;
    *out = '\0';
    for (j = 0; j < 2; j++) {
        const char *type = j ? "i32" : "f32";
        char        most[2][16] = { "", "" };
        int         least = 1 << 20;
        for (k = 0; k < count; k++)
            if (plain[k]->type == types[j] && gen_elements(plain[k]) < least)
                least = gen_elements(plain[k]);
        if (least == 1 << 20) continue;
        for (k = 0; k < 2; k++)
            if (gen_chance(g, 70)) sprintf(most[k], "(%d)", 1 + gen_below(g, least));
        sprintf(out + strlen(out), " extern irl_peek_%s(p: ptr(%s, global) reads%s): %s", type,
                type, most[0], type);
        if (gen_chance(g, 75))
            sprintf(out + strlen(out), " extern irl_bump_%s(p: ptr(%s, global)%s writes%s): i32",
                    type, type, gen_chance(g, 50) ? " reads" : "", most[1]);
    }
}

/* The function with calls, or the reference; freed by the caller. NULL: no parameter is plain. */
static char *gen_with_calls(const gen_case *c, uint64_t seed, int is_call)
{
    const gen_param *plain[GEN_PARAMS];
    const char      *body = strstr(c->text, " {\n"), *end = strrchr(c->text, '}');
    char             line[1024], *out;
    int              k, j, count = 0;
    gen              g;
    memset(&g, 0, sizeof g);
    g.random = seed * 7919 + 1;
    for (k = 0; k < c->param_count; k++)
        if (gen_is_plain(c, &c->params[k])) plain[count++] = &c->params[k];
    if (!count || !body || !end) return NULL;
    out = (char *)malloc(strlen(c->text) + 5 * sizeof line);
    if (!out) abort();
    memcpy(out, c->text, (size_t)(body - c->text));
    out[body - c->text] = '\0';
    gen_put_prototypes(line, &g, plain, count);
    if (is_call) strcat(out, line);
    strcat(out, " {\n");
    body += 3;
    gen_put_bump(line, plain[0], 0, is_call);
    strcat(out, line);
    strncat(out, body, (size_t)(end - body));
    gen_put_bump(line, plain[count - 1], 1, is_call);
    strcat(out, line);
    for (k = 0; k < count; k++) {
        for (j = 0; j < count && (j == k || plain[j]->type != plain[k]->type);) j++;
        if (j == count || plain[j]->ulp || plain[k]->ulp || !gen_chance(&g, 60)) continue;
        gen_put_peek(line, plain[k], plain[j], is_call);
        strcat(out, line);
        break;
    }
    return strcat(out, "}\n");
}

/* The function of a seed, with `called`, if a parameter of it is plain. */
static gen_case gen_call_function(uint64_t seed, gen_options options)
{
    gen_case c = gen_function(seed, options);
    char    *text = gen_with_calls(&c, seed, 0);
    c.called = gen_with_calls(&c, seed, 1);
    if (text) {
        free(c.text);
        c.text = text;
    }
    return c;
}

#endif
