/* recorded.h - functions as the recorded answers write them, in our text form.

   The recorded IR is Python-like: types, division, casts, annotations, blocks, vectors and threads
   are respelled. Texture calls name a column, a row and lanes; ours give the texel, and a lane of
   it. `attr thread_extent` opens a bound loop that lasts until the same axis is opened again. */
#ifndef IRL_TEST_RECORDED_H
#define IRL_TEST_RECORDED_H

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ text */

typedef struct text {
    char   data[4096];
    size_t length;
} text;

static void put(text *t, const char *s, size_t n)
{
    if (t->length + n >= sizeof t->data) n = sizeof t->data - 1 - t->length;
    memcpy(t->data + t->length, s, n);
    t->length += n;
    t->data[t->length] = '\0';
}
static void puts_to(text *t, const char *s) { put(t, s, strlen(s)); }

static int begins(const char *s, const char *word) { return strncmp(s, word, strlen(word)) == 0; }

static size_t line_length(const char *s) { return strcspn(s, "\n"); }
static size_t line_indent(const char *s) { return strspn(s, " "); }

static void put_respelled(text *t, const char *s, size_t n);

/* The end of the argument that starts at s: a comma or the closing parenthesis of its call. */
static const char *argument_end(const char *s)
{
    int depth = 0;
    for (; *s; s++) {
        if (depth == 0 && (*s == ',' || *s == ')')) return s;
        depth += (*s == '(' || *s == '[') - (*s == ')' || *s == ']');
    }
    return s;
}

/* texture2d_load(A, column, row, lanes), texture2d_store(A, column, row, value). */
static size_t put_texture_call(text *t, const char *s)
{
    int         is_load = begins(s, "texture2d_load("), k;
    const char *at = strchr(s, '(') + 1, *end[4];
    for (k = 0; k < 4; k++) {
        end[k] = argument_end(at);
        at = end[k] + 1;
    }
    at = end[2] + 2;
    if (is_load && !begins(at, "ramp(0, 1, 4)")) puts_to(t, "lane(");
    puts_to(t,
            is_load ? "intrinsic(f32x4, texture2d_load, " : "intrinsic(f32x4, texture2d_store, ");
    s = strchr(s, '(') + 1;
    put_respelled(t, s, (size_t)((is_load ? end[2] : end[3]) - s));
    puts_to(t, ")");
    if (is_load && !begins(at, "ramp(0, 1, 4)")) {
        puts_to(t, ", ");
        put_respelled(t, at, (size_t)(end[3] - at));
        puts_to(t, ")");
    }
    return (size_t)(end[3] + 1 - s) +
           (is_load ? strlen("texture2d_load(") : strlen("texture2d_store("));
}

/* Puts our word for the recorded one that stands at s, or one character; returns how many
   characters that were. */
static size_t put_word(text *t, const char *s)
{
    static const char *const words[][2] = {
        { "float32", "f32" },
        { "float16", "f16" },
        { "int8", "i8" },
        { "int32", "index" },
        { "//", "/" },
        { ":+", ": " },
        { "axis_separators=[", "sep(" },
        { ":S(", ": spatial(" },
        { ":R(", ": reduce(" },
        { "shuffle([", "shuffle(" },
        { "], [", ", [" },
        { "threadIdx.x", "tx" },
        { "blockIdx.x", "bx" },
        { "X.global.texture", "Xt" },
        { ".s", "_s" },
        { "scope=global.texture-weight", "scope(texture:weight)" },
        { "scope=global.texture", "scope(texture)" },
    };
    size_t k;
    if (begins(s, "texture2d_")) return put_texture_call(t, s);
    if (begins(s, "cast[")) { /* cast[float32x4](...): f32x4(...) */
        put_respelled(t, s + 5, strcspn(s + 5, "]"));
        return strcspn(s, "]") + 1;
    }
    for (k = 0; k < sizeof words / sizeof *words; k++) {
        if (strncmp(s, words[k][0], strlen(words[k][0])) != 0) continue;
        puts_to(t, words[k][1]);
        return strlen(words[k][0]);
    }
    put(t, s, 1);
    return 1;
}

static void put_respelled(text *t, const char *s, size_t n)
{
    const char *end = s + n;
    while (s < end) s += put_word(t, s);
}

/* ------------------------------------------------------------------ a recorded function as ours */

/* Parameters whose accesses go through flat aliases: "A: f32[64]" for A. */
typedef struct flat_param {
    char name[8], decl[64];
} flat_param;

typedef struct translation {
    text       out;
    flat_param flat[4];
    int        flat_count, is_reversed; /* the order of the declarations */
    int        threads;                 /* bound loops that `attr` lines opened */
    /* parameters are [elements], images [rows, columns * 4], as texture calls see them */
    int        is_flat;
} translation;

/* "[4, 6, 4] scope=global.texture": "[4, 24] scope(texture) sep(1)" by the convention; "[4, 6, 4]":
   "[96]". */
static void put_flat_shape(text *t, const char *s)
{
    const char *close = strchr(s, ']');
    long        side[2] = { 1, 1 }, extent[16];
    int         n = 0, k, separator, is_image = begins(close, "] scope=global.texture");
    char        line[96], *end;
    do extent[n++] = strtol(++s, &end, 10), s = end;
    while (*s == ',' && n < 16);
    separator = begins(close, "] scope=global.texture-weight") ? 1 : n - 2;
    for (k = 0; k < n; k++) side[k >= separator] *= extent[k];
    if (is_image)
        snprintf(line, sizeof line, "[%ld, %ld] scope(%s) sep(1)", side[0], side[1],
                 separator == 1 && n != 3 ? "texture:weight" : "texture");
    else snprintf(line, sizeof line, "[%ld]", side[0] * side[1]);
    puts_to(t, line);
}

/* func(A: float32[4, 5]; B: ...): */
static void translate_head(translation *t, const char *line, size_t n)
{
    const char *end = line + n - 2, *p;
    int         k;
    puts_to(&t->out, "func recorded(");
    for (p = line + 5; p < end; p++) {
        if (*p == ';') puts_to(&t->out, ",");
        else if (*p == '[' && t->is_flat) put_flat_shape(&t->out, p), p += strcspn(p, ";)") - 1;
        else p += put_word(&t->out, p) - 1;
    }
    puts_to(&t->out, ") {\n");
    for (k = 0; k < t->flat_count; k++) {
        const flat_param *f = &t->flat[t->is_reversed ? t->flat_count - 1 - k : k];
        puts_to(&t->out, "decl ");
        puts_to(&t->out, f->decl);
        puts_to(&t->out, ";\n");
    }
}

/* The alias of the parameter whose access starts at s, or NULL. */
static const flat_param *access_at(const translation *t, const char *s)
{
    int k;
    for (k = 0; k < t->flat_count; k++) {
        size_t n = strlen(t->flat[k].name);
        if (strncmp(s, t->flat[k].name, n) == 0 && s[n] == '[') return &t->flat[k];
    }
    return NULL;
}

/* A statement's words, with accesses of parameters through their aliases. */
static void translate_accesses(translation *t, const char *s, size_t n)
{
    const char *end = s + n;
    while (s < end) {
        const flat_param *f = access_at(t, s);
        if (f) {
            puts_to(&t->out, f->name);
            puts_to(&t->out, "_flat");
            s += strlen(f->name);
        } else s += put_word(&t->out, s);
    }
}

/* "alloc A: float32[1, 8] scope=local": attributes in our form. */
static void translate_alloc(translation *t, const char *s, size_t n)
{
    const char *scope = strstr(s, "scope="), *sep = strstr(s, "axis_separators=["),
               *data = strstr(s, "data="), *colon = strchr(s, ':');
    size_t      own = n;
    if (scope && scope < s + n) own = (size_t)(scope - s);
    else scope = NULL;
    if (sep && sep < s + n) own = (size_t)(sep - s);
    else sep = NULL;
    if (data && data < s + n) own = (size_t)(data - s);
    else data = NULL;
    (void)colon;
    put_respelled(&t->out, s, own);
    if (scope) puts_to(&t->out, " scope(local)");
    if (sep) {
        put_respelled(&t->out, sep, strcspn(sep, "]"));
        puts_to(&t->out, ")");
    }
    /* the recorded text names the pointer after the alias; it is that of A */
    if (data) puts_to(&t->out, " data(A)");
    puts_to(&t->out, ";\n");
}

/* block b(): its reads and writes come before our brace, its allocations behind it. Returns the
   first line of its body. */
static const char *translate_block(translation *t, const char *line, size_t n)
{
    const char *s, *next = line + n + 1;
    size_t      inner = line_indent(next);
    put_respelled(&t->out, line + line_indent(line), n - line_indent(line) - 1);
    for (s = next; line_indent(s) == inner && *s; s += line_length(s) + 1) {
        const char *word = s + inner;
        if (!begins(word, "reads ") && !begins(word, "writes ")) {
            if (!begins(word, "alloc ")) break;
            continue;
        }
        put(&t->out, word, strcspn(word, " "));
        puts_to(&t->out, "(");
        translate_accesses(t, word + strcspn(word, " ") + 1,
                           line_length(word) - strcspn(word, " ") - 1);
        puts_to(&t->out, ") ");
    }
    puts_to(&t->out, " {\n");
    return next;
}

/* for j.s in 4 vectorized: */
static void translate_for(translation *t, const char *word)
{
    const char *in = strstr(word, " in "), *end = in + 4 + strcspn(in + 4, " :");
    puts_to(&t->out, begins(end, " vectorized")           ? "for vectorized ("
                     : begins(end, " thread=blockIdx.x")  ? "for bind(group.x) ("
                     : begins(end, " thread=threadIdx.x") ? "for bind(local.x) ("
                                                          : "for (");
    put_respelled(&t->out, word + 4, (size_t)(in - word) - 4);
    puts_to(&t->out, ": ");
    put(&t->out, in + 4, (size_t)(end - in) - 4);
    puts_to(&t->out, ") {\n");
}

/* attr thread_extent blockIdx.x = 4: the loops that were open are closed, and opened again from the
   block on. */
static void translate_thread(translation *t, const char *word)
{
    int is_block =
        strstr(word, "blockIdx.x") && strstr(word, "blockIdx.x") < word + line_length(word);
    const char *extent = strchr(word, '=') + 2;
    if (is_block)
        while (t->threads > 0) puts_to(&t->out, "}\n"), t->threads--;
    puts_to(&t->out, is_block ? "for bind(group.x) (bx: " : "for bind(local.x) (tx: ");
    put(&t->out, extent, line_length(extent));
    puts_to(&t->out, ") {\n");
    t->threads++;
}

/* let X.global.texture = nd_mem_alloc_with_scope("global.texture", 2, tvm_stack_make_shape(16,
   8)) */
static void translate_image(translation *t, const char *word)
{
    const char *shape = strstr(word, "make_shape(");
    char        line[96];
    int         width = 0, height = 0;
    if (shape && sscanf(shape, "make_shape(%d, %d)", &width, &height) == 2) {
        snprintf(line, sizeof line, "alloc Xt: f32[%d, %d] scope(texture) sep(1);\n", height,
                 width * 4);
        puts_to(&t->out, line);
    }
}

static void translate_line(translation *t, const char *word, size_t n)
{
    if (begins(word, "reads ") || begins(word, "writes ")) return; /* in the block's head */
    if (begins(word, "alloc ")) translate_alloc(t, word, n);
    else if (begins(word, "allocate "))
        puts_to(&t->out, "alloc "), translate_alloc(t, word + 9, n - 9);
    else if (begins(word, "decl_buffer "))
        puts_to(&t->out, "decl "), translate_alloc(t, word + 12, n - 12);
    else if (begins(word, "for ")) translate_for(t, word);
    else if (begins(word, "let ")) translate_image(t, word);
    else if (begins(word, "attr thread_extent ")) translate_thread(t, word);
    else if (begins(word, "if ")) {
        puts_to(&t->out, "if (");
        put_respelled(&t->out, word + 3, n - 4);
        puts_to(&t->out, ") {\n");
    } else {
        int is_eval = begins(word, "eval ");
        if (is_eval) puts_to(&t->out, "evaluate ");
        translate_accesses(t, word + (is_eval ? 5 : 0), n - (is_eval ? 5 : 0));
        puts_to(&t->out, ";\n");
    }
}

static void translate(translation *t, const char *recorded)
{
    size_t      opened[32];
    int         depth = 0;
    const char *s = recorded;
    t->out.length = 0;
    t->threads = 0;
    translate_head(t, s, line_length(s));
    for (s += line_length(s); *s == '\n';) {
        const char *line = s + 1, *next;
        size_t      n = line_length(line), indent = line_indent(line);
        while (depth && indent <= opened[depth - 1]) puts_to(&t->out, "}\n"), depth--;
        next = line + n;
        if (begins(line + indent, "block ")) next = translate_block(t, line, n) - 1;
        else translate_line(t, line + indent, n - indent);
        if (line[n - 1] == ':') opened[depth++] = indent;
        s = next;
    }
    for (depth += t->threads; depth >= 0; depth--) puts_to(&t->out, "}\n");
}

/* Each parameter that f does not access in the form it has: its flat alias. */
static void find_flat_params(translation *t, irl_ctx *cx, const irl_func *before)
{
    int k;
    for (k = 0; k < before->param_count && t->flat_count < 4; k++) {
        const irl_buffer *b = before->params[k].buffer, *flat = irl__flatten_buffer(cx, b);
        flat_param       *f = &t->flat[t->flat_count];
        if (!flat || flat == b || b->scope != IRL_SCOPE_GLOBAL) continue;
        snprintf(f->name, sizeof f->name, "%s", b->name);
        snprintf(f->decl, sizeof f->decl, "%s_flat: %s[%d] data(%s)", b->name,
                 irl__type_cstr(cx, flat->type), (int)flat->shape[0]->u.i, b->name);
        t->flat_count++;
    }
}

/* ------------------------------------------------------------- a run over the recorded cases */

typedef struct recorded_feature {
    const char *name;
    int (*check)(const json *c);
    int count; /* recorded; a file with fewer is not the one that was meant */
} recorded_feature;

static int recorded_run(int count, const recorded_feature *features)
{
    json_file   file;
    const json *root = json_oracle(&file, "tvm_cases.json"), *c;
    int         k;
    if (!root) {
        TEST_SKIP("no recorded answers beside the repository (IRL_SHARED)");
        return TEST_DONE();
    }
    for (k = 0; k < count; k++) {
        int seen = 0;
        for (c = json_get(root, "cases")->first; c; c = c->next) {
            if (strcmp(json_text(json_get(c, "feature")), features[k].name) != 0) continue;
            seen++;
            if (!CHECK(features[k].check(c))) printf("%s\n", json_text(json_get(c, "id")));
        }
        CHECK(seen >= features[k].count);
    }
    json_free(&file);
    return TEST_DONE();
}

#endif
