/* c_batch.h - functions emitted as C, many in one program that a compiler builds and the machine
   runs: each on data of its own, compared with what the interpreter gave.

   needs     generate.h and test.h before it; in the split build src/eval/eval.h and src/map/map.h
   promises  numbers stand in the program as numbers, so that it says the same on every machine;
             logical arrays are packed through the layouts of the parameters. What C has no form
             for is counted by its reason */
#ifndef IRL_C_BATCH_H
#define IRL_C_BATCH_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

#include <stdarg.h>
#include <stdlib.h>
#ifndef _WIN32
#include <unistd.h>
#endif

/* How programs are built and run. The first that is not there is left out. */
typedef struct c_compiler {
    const char *name, *command; /* to which "-o PROGRAM SOURCE -lm" is added */
    const char *runner;         /* what runs the program, on another machine than this; NULL */
    int         high_first;     /* that machine has the high byte first */
} c_compiler;

/* (with the sanitizer gcc 12 warns of its own conversions; of those to unsigned numbers it warns
   wrongly where one is added and shifted; clang does neither. A comparison of a vector's lane
   that the type of its operand decides is the function's own, as `x == x` is.) */
#define C_WARNINGS "-pedantic -Wall -Wextra -Wconversion -Wno-tautological-compare -Werror"
#define C_UNDEFINED "-fsanitize=undefined -fno-sanitize-recover=undefined"
static const c_compiler c_compilers[] = {
    { "gcc", "gcc -std=c99 -O1 -fsyntax-only -ffreestanding " C_WARNINGS
             " -Wno-sign-conversion -Wno-type-limits p.c && gcc -std=c99 -O1 -w " C_UNDEFINED,
      NULL, 0 },
    /* which fuses products and sums of its own accord, as gcc does in its own dialect */
    { "clang", "clang++ -std=c++11 -fsyntax-only -pedantic -Wall -Wextra -Wno-tautological-compare "
               "-Werror -x c++ p.c && "
               "clang -std=c99 -O1 " C_WARNINGS " " C_UNDEFINED, NULL, 0 },
    { "gcc -O3", "gcc -std=gnu11 -O3 -march=native -fopenmp -w", NULL, 0 },
    { "tcc", "tcc -w", NULL, 0 },
};
enum { C_COMPILERS = 4 };

/* Of this machine, which an emulator may be. */
static inline int first_byte_is_low(void)
{
    const uint16_t one = 1;
    unsigned char  byte;
    memcpy(&byte, &one, 1);
    return byte == 1;
}

/* How many of them to take: where the library itself runs in another form, its text is the same,
   and one compiler tells. */
static int c_takes(int count) { return getenv("IRL_SLOW") && count ? 1 : count; }

/* For large counts: -O0, which takes a third of the time, and other machines under an emulator
   with the same programs. (gcc for s390x computes floats as doubles under -std=c99, which the
   emitted text refuses.) */
#define C_ELSEWHERE "-gcc -std=gnu99 -O0 -w -static -ffp-contract=off"
static const c_compiler c_many[] = {
    { "gcc -O0", "gcc -std=c99 -O0 -w " C_UNDEFINED, NULL, 0 },
    { "clang -O0", "clang -std=c99 -O0 " C_WARNINGS " " C_UNDEFINED, NULL, 0 },
    { "tcc", "tcc -w", NULL, 0 },
    { "s390x", "s390x-linux-gnu" C_ELSEWHERE, "qemu-s390x", 1 },
    { "32-bit ARM", "arm-linux-gnueabihf" C_ELSEWHERE, "qemu-arm", 0 },
};
enum { C_MANY = 5 };

/* ------------------------------------------------------------------ a growing text */

typedef struct c_text {
    char  *data;
    size_t length, capacity;
} c_text;

static void c_put(c_text *t, const char *format, ...)
{
    va_list args;
    int     n;
    for (;;) {
        size_t room = t->capacity - t->length;
        va_start(args, format);
        n = t->data ? vsnprintf(t->data + t->length, room, format, args) : -1;
        va_end(args);
        if (t->data && n >= 0 && (size_t)n < room) break;
        t->capacity = t->capacity * 2 + (n > 0 ? (size_t)n : 0) + 4096;
        t->data = (char *)gen_kept(realloc(t->data, t->capacity));
    }
    t->length += (size_t)n;
}

/* ------------------------------------------------------------------ the program's own part */

/* Two numbers of a type, as their bits, are the same by the rules of irl__values_close. */
static const char c_prologue[] =
    "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "/* what calls emitted functions point by point, and is not itself looked at */\n"
    "#if defined(__GNUC__) && !defined(__TINYC__)\n"
    "#define RUN static __attribute__((no_sanitize(\"undefined\"))) void\n"
    "#else\n#define RUN static void\n#endif\n"
    "static int c_failed;\n"
    "static int64_t c_place(uint64_t v, int bits)\n{\n"
    "    uint64_t sign = (uint64_t)1 << (bits - 1);\n"
    "    return v & sign ? -(int64_t)(v & (sign - 1)) : (int64_t)v;\n}\n"
    "/* exponent: the number of bits below it; 0: an integer; -1: normalised, -2: with a sign */\n"
    "static int c_same(uint64_t a, uint64_t b, int bits, int exponent, int ulp)\n{\n"
    "    uint64_t most, x, y, d;\n    int64_t p, q;\n"
    "    if (a == b) return 1;\n    if (exponent == 0) return 0;\n"
    "    if (exponent < 0) {\n"
    "        p = (int64_t)a; q = (int64_t)b;\n"
    "        if (exponent == -2) {\n"
    "            const int64_t h = (int64_t)1 << (bits - 1);\n"
    "            p = (p ^ h) - h; q = (q ^ h) - h;\n"
    "            if (p == -h) p++;\n            if (q == -h) q++;\n        }\n"
    "        d = (uint64_t)(p > q ? p - q : q - p);\n"
    "        return d <= (uint64_t)(ulp + 1);\n    }\n"
    "    most = ((uint64_t)1 << (bits - 1)) - 1;\n    x = a & most; y = b & most;\n"
    "    most = (most >> exponent) << exponent;\n"
    "    if (x > most || y > most) return x > most && y > most;\n"
    "    if (x == 0 && y == 0) return 1;\n"
    "    if (bits != 64 && x < (uint64_t)1 << exponent && y < (uint64_t)1 << exponent) return 1;\n"
    "    if (x == most || y == most) return 0;\n"
    "    p = c_place(a, bits); q = c_place(b, bits);\n"
    "    d = p > q ? (uint64_t)p - (uint64_t)q : (uint64_t)q - (uint64_t)p;\n"
    "    return d <= (uint64_t)(ulp + (bits == 16));\n}\n"
    "static void c_wrong(int number, const char *name, int k, uint64_t expected, uint64_t found)\n"
    "{\n"
    "    if (c_failed++ < 10)\n"
    "        printf(\"function %d: %s, element %d: expected bits %llx, found %llx\\n\", number, "
    "name, k,\n               (unsigned long long)expected, (unsigned long long)found);\n}\n"
    "static uint64_t c_bits(const void *from, int bits)\n{\n"
    "    uint8_t a;\n    uint16_t b;\n    uint32_t c;\n    uint64_t d;\n"
    "    if (bits == 8) { memcpy(&a, from, 1); return a; }\n"
    "    if (bits == 16) { memcpy(&b, from, 2); return b; }\n"
    "    if (bits == 32) { memcpy(&c, from, 4); return c; }\n"
    "    memcpy(&d, from, 8);\n    return d;\n}\n"
    "/* `lanes` numbers at each of the places `at` of memory are those of `out` */\n"
    "static void c_compare(int number, const char *name, const void *memory, const int32_t *at,\n"
    "                      const void *out, int count, int lanes, int bits, int exponent, "
    "int ulp)\n{\n    int k;\n    for (k = 0; k < count; k++) {\n"
    "        const unsigned char *m = (const unsigned char *)memory, *o = (const unsigned char "
    "*)out;\n"
    "        uint64_t found = c_bits(m + (at[k / lanes] + k % lanes) * (bits / 8), bits);\n"
    "        uint64_t expected = c_bits(o + k * (bits / 8), bits);\n"
    "        if (!c_same(expected, found, bits, exponent, ulp))\n"
    "            c_wrong(number, name, k, expected, found);\n    }\n}\n";

typedef struct c_type {
    const char *name;
    int         bits, exponent;
} c_type;

/* by irl_scalar; of index as an argument */
static const c_type c_types[] = {
    { "uint8_t", 8, 0 },   { "int8_t", 8, 0 },    { "int16_t", 16, 0 },  { "int32_t", 32, 0 },
    { "int64_t", 64, 0 },  { "uint8_t", 8, 0 },   { "uint16_t", 16, 0 }, { "uint32_t", 32, 0 },
    { "uint64_t", 64, 0 }, { "uint16_t", 16, 10 }, { "uint16_t", 16, 7 }, { "float", 32, 23 },
    { "double", 64, 52 },  { "int64_t", 64, 0 },  { "uint8_t", 8, -1 },  { "int8_t", 8, -2 },
    { "uint16_t", 16, -1 }, { "int16_t", 16, -2 },
};

static uint64_t c_bits_of(const unsigned char *bytes, int bits)
{
    uint64_t v = 0;
    uint8_t  v8;
    uint16_t v16;
    uint32_t v32;
    switch (bits) {
    case 8: memcpy(&v8, bytes, 1); return v8;
    case 16: memcpy(&v16, bytes, 2); return v16;
    case 32: memcpy(&v32, bytes, 4); return v32;
    default: memcpy(&v, bytes, 8); return v;
    }
}

static void c_put_numbers(c_text *t, const char *name, int number, int k, int bits,
                          const unsigned char *bytes, int64_t count)
{
    int64_t j;
    c_put(t, "static const uint%d_t %s_%d_%d[] = {", bits, name, number, k);
    for (j = 0; j < count; j++)
        c_put(t, "%s0x%llx%s,", j % 12 ? "" : "\n",
              (unsigned long long)c_bits_of(bytes + j * (bits / 8), bits),
              bits == 64 ? "u" : "");
    c_put(t, "%s};\n", count ? "" : "0");
}

/* ------------------------------------------------------------------ what lies in memory */

/* The host's index parameters and what they are. */
typedef struct c_known {
    const irl_expr *vars[IRL_MAX_ARGUMENTS + IRL_MAX_RANK];
    int64_t         values[IRL_MAX_ARGUMENTS + IRL_MAX_RANK];
    int             count;
} c_known;

static c_known c_known_of(const irl_func *host, irl_arguments a)
{
    c_known known;
    int     k;
    memset(&known, 0, sizeof known);
    for (k = 0; k < host->param_count; k++) {
        if (host->params[k].buffer || !irl__type_is_index(host->params[k].var->type)) continue;
        known.vars[known.count] = host->params[k].var;
        memcpy(&known.values[known.count++], a.data[k], sizeof(int64_t));
    }
    return known;
}

/* Element of memory in which logical element `at` (its indices) of parameter k lies; -1:
   nowhere. */
static int64_t c_place_of(irl_ctx *cx, const irl__param *p, c_known known, const int64_t *at,
                          const irl_tensor *memory)
{
    const irl_map *map = p->map ? irl_map_of_rank(cx, p->map, p->logical_rank) : NULL;
    const irl_buffer *b = p->buffer;
    int64_t        place = 0, value, step;
    int            k;
    for (k = 0; map && k < p->logical_rank; k++) {
        known.vars[known.count] = map->inputs[k];
        known.values[known.count++] = at[k];
    }
    for (k = 0; k < memory->shape.rank; k++) {
        value = map ? 0 : at[k];
        if (map && irl__value_at(map->outputs[k], known.count, known.vars, known.values, &value) !=
                       IRL__FOLD_OK)
            return -1;
        if (!b->strides) place = place * memory->shape.extent[k] + value;
        else if (irl__value_at(b->strides[k], known.count, known.vars, known.values, &step) !=
                 IRL__FOLD_OK)
            return -1;
        else place += value * step;
    }
    if (b->offset && irl__value_at(b->offset, known.count, known.vars, known.values, &step) ==
                         IRL__FOLD_OK)
        place += step;
    return place;
}

/* Memory before a run: what padding holds, or numbers that nobody stored. */
static void c_fill(const irl__param *p, unsigned char *bytes, int64_t cells, int size)
{
    const irl_type type = irl_type_of((irl_scalar)p->buffer->type.scalar, 1);
    irl__scalar    value;
    memset(bytes, 0xa5, (size_t)(cells * size));
    if (!p->padding || !irl__is_const(p->padding)) return;
    if (p->padding->op == IRL_OP_INT) value.i = p->padding->u.i;
    else value.f = p->padding->u.f;
    for (int64_t j = 0; j < cells; j++) irl__store_scalar(type, bytes + j * size, value);
}

/* ------------------------------------------------------------------ one function */

static irl_func *c_named(irl_ctx *cx, const irl_func *f, int number)
{
    char      name[32];
    irl_func *copy = irl__func_copy(cx, f);
    snprintf(name, sizeof name, "g%d", number);
    if (copy) copy->name = irl__namez(cx, name);
    return copy;
}

/* "int64_t n, int64_t m" of the size of the scratch memory, as values. */
static void c_put_scratch_arguments(c_text *t, const char *from, const irl_func *host,
                                    irl_arguments a)
{
    const char *end = strchr(from, ')'), *p;
    int         k, n = 0;
    int64_t     value;
    for (k = 0; k < host->param_count; k++) {
        size_t length = strlen(host->params[k].name);
        for (p = from; p + length <= end; p++)
            if (p[-1] == ' ' && memcmp(p, host->params[k].name, length) == 0 &&
                (p[length] == ',' || p[length] == ')')) {
                memcpy(&value, a.data[k], sizeof value);
                c_put(t, "%s%lld", n++ ? ", " : "", (long long)value);
                break;
            }
    }
}

static void c_put_scratch(c_text *t, const char *source, int number, const irl_func *host,
                          irl_arguments a)
{
    char        name[64];
    const char *found;
    snprintf(name, sizeof name, "size_t g%d_scratch_bytes(", number);
    found = strstr(source, name);
    c_put(t, "    void *scratch = malloc((size_t)g%d_scratch_bytes%s", number, found ? "(" : "");
    if (found) c_put_scratch_arguments(t, found + strlen(name), host, a);
    c_put(t, "%s + 1);\n", found ? ")" : "");
}

static int64_t c_count(const irl_tensor *t)
{
    int64_t n = 1;
    int     k;
    for (k = 0; k < t->shape.rank; k++) n *= t->shape.extent[k];
    return n;
}

/* The data of a buffer: what memory holds before, and where each logical element must be after. */
static int c_put_buffer(irl_ctx *cx, c_text *t, const irl_module *m, int number, int k,
                        irl_arguments given, irl_arguments expected)
{
    const irl_func   *host = irl_module_host(m);
    const irl__param *p = &host->params[k];
    const c_type     *type = &c_types[p->buffer->type.scalar];
    irl_tensor        memory, logical;
    int64_t           count, cells, j, at[IRL_MAX_RANK] = { 0 };
    unsigned char    *bytes;
    c_known           known = c_known_of(host, given);
    int               lanes = (int)p->buffer->type.lanes, i, size = type->bits / 8, ok = 1;
    if (!irl_func_param_memory(host, k, given, &memory) ||
        !irl_func_param_tensor(host, k, given, &logical))
        return 0;
    cells = (int64_t)memory.bytes / size;
    count = c_count(&logical);
    bytes = (unsigned char *)gen_kept(malloc((size_t)(cells * size) + 1));
    c_fill(p, bytes, cells, size);
    c_put(t, "static const int32_t at_%d_%d[] = {", number, k);
    for (j = 0; j < count; j++) {
        int64_t place = c_place_of(cx, p, known, at, &memory);
        if (place < 0 || (place + 1) * lanes > cells) ok = 0;
        else
            memcpy(bytes + place * lanes * size,
                   (const unsigned char *)given.data[k] + j * lanes * size, (size_t)(lanes * size));
        c_put(t, "%lld,", (long long)place * lanes);
        for (i = logical.shape.rank - 1; i >= 0 && ++at[i] == logical.shape.extent[i]; i--)
            at[i] = 0;
    }
    c_put(t, "%s};\n", count ? "" : "0");
    c_put_numbers(t, "in", number, k, type->bits, bytes, cells);
    c_put_numbers(t, "out", number, k, type->bits, (const unsigned char *)expected.data[k],
                  count * lanes);
    c_put(t, "static %s mem_%d_%d[%lld];\n", type->name, number, k,
          (long long)(cells ? cells : 1));
    free(bytes);
    return ok;
}

static void c_put_argument(c_text *t, const irl__param *p, int number, int k, const void *data)
{
    const c_type *type = &c_types[p->var->type.scalar];
    uint64_t      bits;
    if (p->buffer) {
        c_put(t, "mem_%d_%d", number, k);
        return;
    }
    bits = c_bits_of((const unsigned char *)data, type->bits);
    if (type->exponent == 23) {
        float value;
        memcpy(&value, data, sizeof value);
        c_put(t, "(float)%.9g", (double)value);
    } else if (type->exponent == 52) {
        double value;
        memcpy(&value, data, sizeof value);
        c_put(t, "%.17g", value);
    } else
        c_put(t, "(%s)0x%llxu", p->var->type.scalar == IRL_BOOL ? "int" : type->name,
              (unsigned long long)bits);
}

static void c_put_compare(c_text *t, const irl_func *host, int number, int k, int64_t count,
                          int ulp)
{
    const irl_buffer *b = host->params[k].buffer;
    const c_type     *type = &c_types[b->type.scalar];
    c_put(t, "    c_compare(%d, \"%s\", mem_%d_%d, at_%d_%d, out_%d_%d, %lld, %d, %d, %d, %d);\n",
          number, host->params[k].name, number, k, number, k, number, k, (long long)count,
          (int)b->type.lanes, type->bits, type->exponent, ulp);
}

/* A call of function `number` and what must be in its arrays afterwards. 0: a layout leads out of
   memory. `ulps` of each parameter; NULL: 0. */
static int c_put_run(irl_ctx *cx, c_text *t, const irl_module *m, const char *source, int number,
                     irl_arguments given, irl_arguments expected, const int *ulps)
{
    const irl_func *host = irl_module_host(m);
    char            name[64];
    int             k, has_scratch = strstr(source, "void *scratch)") != NULL;
    irl_tensor      logical;
    c_put(t, "%s\n", source);
    for (k = 0; k < host->param_count; k++)
        if (host->params[k].buffer && !c_put_buffer(cx, t, m, number, k, given, expected))
            return 0;
    c_put(t, "static void run_%d(void)\n{\n", number);
    if (has_scratch) c_put_scratch(t, source, number, host, given);
    for (k = 0; k < host->param_count; k++)
        if (host->params[k].buffer)
            c_put(t, "    memcpy(mem_%d_%d, in_%d_%d, sizeof mem_%d_%d);\n", number, k, number, k,
                  number, k);
    snprintf(name, sizeof name, "int g%d(", number);
    c_put(t, strstr(source, name) ? "    if (g%d(" : "    g%d(", number);
    for (k = 0; k < host->param_count; k++) {
        if (k) c_put(t, ", ");
        c_put_argument(t, &host->params[k], number, k, given.data[k]);
    }
    if (has_scratch) c_put(t, host->param_count ? ", scratch" : "scratch");
    c_put(t, strstr(source, name) ? ") != 0) c_wrong(%d, \"an assertion\", 0, 0, 1);\n" : ");\n",
          number);
    for (k = 0; k < host->param_count; k++)
        if (host->params[k].buffer && irl_func_param_tensor(host, k, given, &logical))
            c_put_compare(t, host, number, k,
                          c_count(&logical) * host->params[k].buffer->type.lanes,
                          ulps ? ulps[k] : 0);
    c_put(t, "%s}\n\n", has_scratch ? "    free(scratch);\n" : "");
    return 1;
}

static void c_put_main(c_text *t, int count, const int *numbers)
{
    int k;
    c_put(t, "int main(void)\n{\n    (void)c_compare;\n    (void)c_wrong;\n");
    for (k = 0; k < count; k++) c_put(t, "    run_%d();\n", numbers[k]);
    c_put(t, "    return c_failed != 0;\n}\n");
}

/* ------------------------------------------------------------------ building and running */

static const char *c_folder(void)
{
    static char folder[256];
    const char *tmp = getenv("TMPDIR");
    if (folder[0]) return folder;
    snprintf(folder, sizeof folder, "%s/irl_c_XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) folder[0] = '\0';
    return folder;
}

static void c_folder_end(void)
{
    char command[320];
    if (!c_folder()[0] || getenv("IRL_C_KEEP")) return;
    snprintf(command, sizeof command, "rm -rf %s", c_folder());
    if (system(command) != 0) printf("the folder stays\n");
}

/* The compiler is there. */
static int c_has(const char *command)
{
    char   test[128];
    size_t n = strcspn(command, " ");
    snprintf(test, sizeof test, "command -v %.*s > /dev/null", (int)n, command);
    return system(test) == 0;
}

/* 1: built, ran and returned 0. What was said is printed if `show`. */
static int c_run(const char *command, const char *runner, const c_text *program, int show)
{
    char  path[300], line[1400];
    FILE *f;
    int   ok;
    snprintf(path, sizeof path, "%s/p.c", c_folder());
    f = fopen(path, "w");
    if (!f) return 0;
    ok = fwrite(program->data, 1, program->length, f) == program->length;
    ok &= fclose(f) == 0;
    snprintf(line, sizeof line,
             "cd %s && { %s -o p p.c -lm && %s ./p; } > log 2>&1; r=$?; [ $r = 0 ] || "
             "[ %d = 0 ] || head -n 30 log; exit $r",
             c_folder(), command, runner, show);
    return ok && system(line) == 0;
}

/* By IRL_C_COMPILER alone, or by each compiler of the list that is there. Of the many programs of
   a soak the first and then every 40th are for all, the others for tcc, which takes a hundredth
   of the time. */
static void c_run_all(const c_text *t, const c_compiler *list, int count)
{
    static const c_compiler quick = { "tcc", "tcc -w", NULL, 0 };
    static int              programs;
    const char *own = getenv("IRL_C_COMPILER"), *runner = getenv("IRL_C_RUNNER");
    int         k;
    if (own) CHECK(c_run(own, runner ? runner : "", t, test_failed < 3));
    if (getenv("IRL_SOAK") && programs++ % 40 && c_has(quick.command)) list = &quick, count = 1;
    for (k = 0; !own && k < c_takes(count); k++)
        if (c_has(list[k].command) && !CHECK(c_run(list[k].command, "", t, test_failed < 3)))
            printf("by %s\n", list[k].name);
}

#endif
