/* json.c - JSON on standard output, and shapes as JSON and people read them. */
#include "irlc.h"

void json_string(irl_ctx *cx, const char *s)
{
    const char *text = irl_json_text(cx, s);
    /* "": out of memory, which the command says at its end */
    say("%s", text[0] ? text : "null");
}

void json_next(irlc_json *j)
{
    if (j->is_member) say(", ");
    j->is_member = 1;
}

void json_open(irlc_json *j, char bracket)
{
    say("%c", bracket);
    j->is_member = 0;
}

void json_close(irlc_json *j, char bracket)
{
    say("%c", bracket);
    j->is_member = 1;
}

void json_end(irlc_json *j)
{
    json_close(j, '}');
    say("\n");
}

void json_key(irlc_json *j, const char *key)
{
    json_next(j);
    say("\"%s\": ", key);
}

void json_text(irlc_json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(j->cx, value);
}

void json_int(irlc_json *j, const char *key, int64_t value)
{
    json_key(j, key);
    say("%lld", (long long)value);
}

void json_number(irlc_json *j, const char *key, double value)
{
    json_key(j, key);
    say("%.3f", value);
}

const irl_expr *extent_of(irl_ctx *cx, const irl_shape *s, int k)
{
    return s->named ? s->named[k] : irl_expr_index(cx, s->extent[k]);
}

/* A shape as people read it; as JSON, formulas are strings. */
static void put_shape(irl_ctx *cx, const irl_shape *s, int as_json)
{
    say("[");
    for (int k = 0; k < s->rank; k++) {
        const char *text = s->named ? irl_expr_text(cx, s->named[k]) : NULL;
        if (k) say(", ");
        if (!text) say("%lld", (long long)s->extent[k]);
        else if (as_json && s->extent[k] < 0) json_string(cx, text);
        else say("%s", text);
    }
    say("]");
}

void print_shape(irl_ctx *cx, const irl_shape *s) { put_shape(cx, s, 0); }

void json_shape(irlc_json *j, const char *key, const irl_shape *s)
{
    json_key(j, key);
    if (s) put_shape(j->cx, s, 1);
    else say("null");
}
