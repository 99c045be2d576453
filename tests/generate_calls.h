/* generate_calls.h - generated functions with calls of functions of the target in front of all and
   behind all: each is handed a parameter's memory, and its block declares what it reads and writes.

   needs     generate.h
   promises  the reference has a statement in the place of each call, which does the same:
             irl_bump_f32 and irl_bump_i32 add 1 to the first element */
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

/* The function with calls, or the reference; freed by the caller. NULL: no parameter is plain. */
static char *gen_with_calls(const gen_case *c, int is_call)
{
    const gen_param *plain[GEN_PARAMS];
    const char      *body = strstr(c->text, " {\n"), *end = strrchr(c->text, '}');
    char             line[512], *out;
    int              k, count = 0;
    for (k = 0; k < c->param_count; k++)
        if (gen_is_plain(c, &c->params[k])) plain[count++] = &c->params[k];
    if (!count || !body || !end) return NULL;
    body += 3;
    out = (char *)malloc(strlen(c->text) + 2 * sizeof line);
    if (!out) abort();
    memcpy(out, c->text, (size_t)(body - c->text));
    out[body - c->text] = '\0';
    gen_put_bump(line, plain[0], 0, is_call);
    strcat(out, line);
    strncat(out, body, (size_t)(end - body));
    gen_put_bump(line, plain[count - 1], 1, is_call);
    strcat(out, line);
    return strcat(out, "}\n");
}

/* The function of a seed, with `called`, if a parameter of it is plain. */
static gen_case gen_call_function(uint64_t seed, gen_options options)
{
    gen_case c = gen_function(seed, options);
    char    *text = gen_with_calls(&c, 0);
    c.called = gen_with_calls(&c, 1);
    if (text) {
        free(c.text);
        c.text = text;
    }
    return c;
}

#endif
