/* small_machines.c - what the functions of real layouts, and functions of bits, cost in bytes on
   small machines, beside the same functions written by hand (small_machines_hand.h), both at -Os
   with 16-bit indices; and whether they are right there.

   usage  small_machines --write FOLDER      the functions as C, for place.sh
          small_machines [MOST [BITS]]     fails where a layout's functions, or all of a machine's,
                                    are more than MOST times (1.1) those by hand, all of bits more
                                    than BITS times (MOST), or where one is not right under an
                                    emulator
   needs  arm-none-eabi-gcc and qemu-arm, avr-gcc and qemu-system-avr; what is not there is left
          out, and said */
#define IRLAYOUT_IMPLEMENTATION
#define _GNU_SOURCE
#include "../irlayout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct row {
    const char *name, *map;
    irl_shape   shape;
    int         has_padding;
} row;

enum { ROWS = 11 };
static const row rows[ROWS] = {
    { "ssd1306", "(y, x) -> (y/8, x, y%8)", { 2, NULL, { 64, 128 } }, 0 },
    { "nchw4c", "(n, h, w, c) -> (n, c/4, h, w, c%4)", { 4, NULL, { 1, 8, 8, 16 } }, 0 },
    { "oihw4o", "(o, i, kh, kw) -> (o/4, i, kh, kw, o%4)", { 4, NULL, { 16, 8, 3, 3 } }, 0 },
    { "bayer", "(y, x) -> (y%2*2 + x%2, y/2, x/2)", { 2, NULL, { 48, 64 } }, 0 },
    { "morton",
      "(y, x) -> (y/8, x/8, y/4%2, x/4%2, y/2%2, x/2%2, y%2, x%2)",
      { 2, NULL, { 16, 16 } },
      0 },
    { "xla", "(i, j) -> (i/2, j/2, i%2, j%2)", { 2, NULL, { 3, 5 } }, 1 },
    { "hub75", "(y, x, c) -> (y%16, x, y/16, c)", { 3, NULL, { 32, 64, 3 } }, 0 },
    { "lvgl", "(y, x) -> (y, x/8, 7 - x%8)", { 2, NULL, { 64, 128 } }, 0 },
    { "serpentine", "(y, x) -> (y, select(y%2 == 0, x, 15 - x))", { 2, NULL, { 16, 16 } }, 0 },
    { "raw10", "(y, x) -> (y*80 + x/4*5 + x%4)", { 2, NULL, { 48, 64 } }, 1 },
    { "tiles", "(y, x) -> (y/8, x/8, y%8, x%8)", { 2, NULL, { 144, 160 } }, 0 },
};

/* Functions of bits: a display's pixel and its picture, a row of a camera, quantized blocks. `call`
   is what stands behind the name in a call on memory `from` and `to`, for k = 0 .. calls - 1. */
typedef struct bit_row {
    const char *name, *parameters, *text, *call;
    int         calls;
} bit_row;

enum { BIT_ROWS = 5, FROM_BYTES = 1024, TO_BYTES = 256 };
static const bit_row bit_rows[BIT_ROWS] = {
    { "set_pixel", "uint16_t y, uint16_t x, uint8_t on, uint8_t *d",
      "(y: index, x: index, on: u8, d: u1[16, 64]) layout(d: (y, x) -> (y / 8, x, y % 8))\n"
      "{ assume(y >= 0 && y < 16 && x >= 0 && x < 64); d[y, x] = on; }",
      "(k % 16, k / 16, from[k], to)", 1024 },
    { "picture", "const uint8_t *p, uint8_t *d",
      "(p: u8[16, 64], d: u1[16, 64]) layout(d: (y, x) -> (y / 8, x, y % 8))\n"
      "{ for (y: 16, x: 64) d[y, x] = u8(p[y, x] > 127); }",
      "(from, to)", 1 },
    { "raw10", "const uint8_t *p, uint16_t *y",
      "(p: u8[16, 5], y: u16[16, 4])\n"
      "{ decl high: u8[16, 4] data(p) strides(40, 8) field bits(lsb);\n"
      "  decl low: u2[16, 4] data(p) strides(40, 2) offset(32) field;\n"
      "  for (g: 16, x: 4) y[g, x] = u16(high[g, x]) * 4 + u16(low[g, x]); }",
      "(from + k, (void *)to)", 4 },
    { "raw10_pack", "const uint16_t *y, uint8_t *p",
      "(y: u16[16, 4], p: u8[16, 5])\n"
      "{ decl high: u8[16, 4] data(p) strides(40, 8) field bits(lsb);\n"
      "  decl low: u2[16, 4] data(p) strides(40, 2) offset(32) field;\n"
      "  for (g: 16, x: 4) { high[g, x] = u8(y[g, x] / 4); low[g, x] = u8(y[g, x] % 4); } }",
      "((const void *)(from + 2 * k), to)", 4 },
    { "q4_0", "const uint8_t *w, float *y",
      "(w: u8[2, 18], y: f32[2, 2, 16])\n"
      "{ decl d: f16[2] data(w) strides(144) field bits(lsb);\n"
      "  decl q: u4[2, 2, 16] data(w) strides(144, 4, 8) offset(16) field;\n"
      "  for (b: 2) { let s = f32(d[b]);\n"
      "    for (j: 16, t: 2) y[b, t, j] = s * f32(i16(q[b, t, j]) - 8); } }",
      "(from + k, (void *)to)", 200 },
};

static char folder[256] = "/tmp/irl_small_XXXXXX";

typedef struct machine {
    const char *name, *tool, *compile, *nm, *link, *emulator, *run;
} machine;

#define ARM_LINK                                                                                   \
    "-nostartfiles -nostdlib -Wl,--section-start=.vectors=0,-Ttext=0x100,-Tbss=0x20000000"
#define ARM_RUN(board)                                                                             \
    "timeout 120 qemu-system-arm -M " board " -nographic -monitor none -serial none "              \
    "-semihosting -kernel p"
/* Where a program says "right" or "wrong": by its exit status, or on the serial line. */
static const machine machines[] = {
    { "Cortex-M0", "arm-none-eabi-gcc", "arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb",
      "arm-none-eabi-nm", ARM_LINK, "qemu-system-arm", ARM_RUN("microbit") },
    { "Cortex-M4", "arm-none-eabi-gcc", "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb",
      "arm-none-eabi-nm", ARM_LINK, "qemu-system-arm", ARM_RUN("mps2-an386") },
    { "AVR", "avr-gcc", "avr-gcc -mmcu=atmega2560", "avr-nm", "", "qemu-system-avr",
      "rm -f serial; timeout 120 qemu-system-avr -M mega2560 -bios p -nographic -monitor none "
      "-serial file:serial > /dev/null 2>&1 & q=$!; for k in $(seq 600); do sleep 0.2; "
      "grep -qE 'right|wrong' serial 2> /dev/null && break; done; kill $q; grep -q right serial" },
};

/* ------------------------------------------------------------------ the programs */

static const char *const letters[] = { "a", "b", "c", "d" };

static void put_list(FILE *f, int count, const char *before)
{
    int k;
    for (k = 0; k < count; k++) fprintf(f, "%s%s%s", k ? ", " : "", before, letters[k]);
}

/* Two functions around what is emitted, so that each has a size of its own. */
static void put_wrappers(FILE *f, const row *r)
{
    int n = r->shape.rank;
    fprintf(f, "uint16_t emitted_%s_place(", r->name);
    put_list(f, n, "uint16_t ");
    fprintf(f, ")\n{\n    return %s_place(", r->name);
    put_list(f, n, "");
    fprintf(f, ");\n}\n%s emitted_%s_point(uint16_t p, ", r->has_padding ? "int" : "void", r->name);
    put_list(f, n, "uint16_t *");
    fprintf(f, ")\n{\n    %s%s_point(p, ", r->has_padding ? "return " : "", r->name);
    put_list(f, n, "");
    fprintf(f, ");\n}\n");
}

/* All points and all cells, by both. */
static void put_check(FILE *f, const row *r)
{
    int n = r->shape.rank, k;
    fprintf(f, "static void check_%s(void)\n{\n    static uint16_t e[4], h[4];\n    uint16_t p, ",
            r->name);
    put_list(f, n, "");
    fprintf(f, ";\n    int is = 1, was = 1;\n");
    for (k = 0; k < n; k++)
        fprintf(f, "    for (%s = 0; %s < %d; %s++)\n", letters[k], letters[k],
                (int)r->shape.extent[k], letters[k]);
    fprintf(f, "    {\n        p = emitted_%s_place(", r->name);
    put_list(f, n, "");
    fprintf(f, ");\n        if (p >= %s_cells || p != hand_%s_place(", r->name, r->name);
    put_list(f, n, "");
    fprintf(f, ")) wrong = 1;\n        emitted_%s_point(p", r->name);
    for (k = 0; k < n; k++) fprintf(f, ", e + %d", k);
    fprintf(f, ");\n");
    for (k = 0; k < n; k++) fprintf(f, "        if (e[%d] != %s) wrong = 1;\n", k, letters[k]);
    fprintf(f, "    }\n    for (p = 0; p < %s_cells; p++) {\n", r->name);
    fprintf(f, "        %semitted_%s_point(p", r->has_padding ? "is = " : "", r->name);
    for (k = 0; k < n; k++) fprintf(f, ", e + %d", k);
    fprintf(f, ");\n        %shand_%s_point(p", r->has_padding ? "was = " : "", r->name);
    for (k = 0; k < n; k++) fprintf(f, ", h + %d", k);
    fprintf(f, ");\n        if (is != was) wrong = 1;\n");
    for (k = 0; k < n; k++) fprintf(f, "        if (is && e[%d] != h[%d]) wrong = 1;\n", k, k);
    fprintf(f, "    }\n}\n");
}

/* The function as it is emitted; 0: it is not. */
static int put_bits(irl_ctx *cx, FILE *f, const bit_row *r)
{
    irl_c_options how;
    char          text[1024];
    const char   *source;
    memset(&how, 0, sizeof how);
    how.prefix = "emitted_bits_";
    how.index = IRL_U16;
    snprintf(text, sizeof text, "func %s%s", r->name, r->text);
    source = irl_c_source_with(irl_func_lower(irl_func_parse(cx, text, strlen(text), r->name),
                                              &irl_target_c99), &how);
    if (!source[0]) printf("%s: %s\n", r->name, irl_diag_text(cx));
    fputs(source, f);
    return source[0] != '\0';
}

/* By both, on the same memory, which holds any bytes, but no half that is a NaN, whose bits are
   open. */
static void put_bits_check(FILE *f, const bit_row *r)
{
    fprintf(f, "void emitted_bits_%s(%s), hand_bits_%s(%s);\n", r->name, r->parameters, r->name,
            r->parameters);
    fprintf(f, "static void check_bits_%s(void)\n{\n    uint16_t k, j;\n"
               "    for (j = 0; j < %d; j++) from[j] = (uint8_t)(j * 23 + j / 5) & 0xbf;\n"
               "    for (j = 0; j < %d; j++) by_hand[j] = emitted[j] = (uint8_t)(j * 11);\n"
               "    for (k = 0; k < %d; k++) {\n", r->name, FROM_BYTES, TO_BYTES, r->calls);
    fprintf(f, "#define to emitted\n        emitted_bits_%s%s;\n#undef to\n"
               "#define to by_hand\n        hand_bits_%s%s;\n#undef to\n", r->name, r->call,
            r->name, r->call);
    fprintf(f, "        for (j = 0; j < %d; j++) if (emitted[j] != by_hand[j]) wrong = 1;\n"
               "    }\n}\n", TO_BYTES);
}

/* AVR: on the serial line; ARM: by semihosting, and what starts a program without a C library. */
static const char end_of_program[] =
    "#ifdef __AVR__\n"
    "static void say(int right)\n{\n"
    "    const char *s = right ? \"right\\n\" : \"wrong\\n\";\n    UCSR0B = 1 << TXEN0;\n"
    "    for (; *s; s++) { while (!(UCSR0A & 1 << UDRE0)) {} UDR0 = (uint8_t)*s; }\n    for (;;) "
    "{}\n}\n"
    "#else\nint main(void);\n"
    "static void say(int right)\n{\n"
    "    register int r0 __asm__(\"r0\") = 0x18, r1 __asm__(\"r1\") = right ? 0x20026 : 0x20023;\n"
    "    __asm__ volatile(\"bkpt 0xab\" : : \"r\"(r0), \"r\"(r1) : \"memory\");\n}\n"
    "static void start(void) { main(); }\n"
    "__attribute__((section(\".vectors\"), used)) static const void *const vectors[] = {\n"
    "    (void *)0x20003f00, (void *)start };\n#endif\n";

static int write_programs(irl_ctx *cx)
{
    char         path[300], here[2048];
    FILE        *f, *check, *hand;
    irl_c_layout_options how;
    int          k;
    if (!getcwd(here, sizeof here)) return 0;
    snprintf(path, sizeof path, "%s/functions.c", folder);
    f = fopen(path, "w");
    snprintf(path, sizeof path, "%s/check.c", folder);
    check = fopen(path, "w");
    snprintf(path, sizeof path, "%s/hand.c", folder); /* apart: equal functions are made one */
    hand = fopen(path, "w");
    if (!f || !check || !hand) return 0;
    fprintf(hand, "#define HAND\n#include \"%s/bench/small_machines_hand.h\"\n", here);
    fprintf(check, "#include <stdint.h>\n#ifdef __AVR__\n#include <avr/io.h>\n#endif\n"
                   "static volatile int wrong;\n"
                   "static uint8_t from[%d] __attribute__((aligned(4)));\n"
                   "static uint8_t emitted[%d] __attribute__((aligned(4)));\n"
                   "static uint8_t by_hand[%d] __attribute__((aligned(4)));\n",
            FROM_BYTES, TO_BYTES, TO_BYTES);
    memset(&how, 0, sizeof how);
    how.type = irl_type_of(IRL_U8, 1);
    how.index = IRL_U16;
    for (k = 0; k < ROWS; k++) {
        const char *source, *line;
        how.name = rows[k].name;
        source = irl_c_layout_source(cx, irl_map_parse(cx, rows[k].map), rows[k].shape, &how);
        if (!source[0]) {
            printf("%s: %s\n", rows[k].name, irl_diag_text(cx));
            return 0;
        }
        fputs(source, f);
        put_wrappers(f, &rows[k]);
        line = strstr(source, "_cells ");
        fprintf(check, "enum { %s_cells = %d };\n", rows[k].name, atoi(line + 7));
        fprintf(check,
                "uint16_t emitted_%s_place(), hand_%s_place();\nint emitted_%s_point(), "
                "hand_%s_point();\n",
                rows[k].name, rows[k].name, rows[k].name, rows[k].name);
        put_check(check, &rows[k]);
    }
    for (k = 0; k < BIT_ROWS; k++) {
        if (!put_bits(cx, f, &bit_rows[k])) return 0;
        put_bits_check(check, &bit_rows[k]);
    }
    fputs(end_of_program, check);
    fprintf(check, "int main(void)\n{\n");
    for (k = 0; k < ROWS; k++) fprintf(check, "    check_%s();\n", rows[k].name);
    for (k = 0; k < BIT_ROWS; k++) fprintf(check, "    check_bits_%s();\n", bit_rows[k].name);
    fprintf(check, "    say(!wrong);\n    return wrong;\n}\n");
    return fclose(f) == 0 && fclose(check) == 0 && fclose(hand) == 0;
}

/* ------------------------------------------------------------------ sizes */

/* Bytes of a function, as nm -S says; -1: there is none. */
static int size_of(const char *nm, const char *kind, const char *name, const char *function)
{
    char  line[512];
    FILE *p;
    long  size = -1;
    snprintf(line, sizeof line,
             "cd %s && %s -S -t d %s.o | awk '$4 == \"%s_%s_%s\" {print $2 + 0}'", folder, nm,
             kind[0] == 'h' ? "hand" : "functions", kind, name, function);
    p = popen(line, "r");
    if (!p) return -1;
    if (fscanf(p, "%ld", &size) != 1) size = -1;
    pclose(p);
    return (int)size;
}

static int command(const char *text) { return system(text) == 0; }

static int has(const char *tool)
{
    char line[128];
    snprintf(line, sizeof line, "command -v %s > /dev/null 2>&1", tool);
    return command(line);
}

static int is_small(const char *what, int emitted, int hand, double most)
{
    const int ok = emitted <= most * hand;
    printf("%-10s %d / %d bytes: %.2f%s\n", what, emitted, hand, (double)emitted / hand,
           ok ? "" : ", too large");
    return ok;
}

static int measure_bits(const machine *m, double most)
{
    int k, emitted = 0, hand = 0;
    for (k = 0; k < BIT_ROWS; k++) {
        const int e = size_of(m->nm, "emitted", "bits", bit_rows[k].name),
                  h = size_of(m->nm, "hand", "bits", bit_rows[k].name);
        if (e < 0 || h < 0) return 0;
        printf("%-10s %11d %11d   %.2f\n", bit_rows[k].name, e, h, (double)e / h);
        emitted += e;
        hand += h;
    }
    return is_small("bits", emitted, hand, most);
}

/* 0: too large, wrong, or not built. */
static int measure(const machine *m, double most, double most_bits)
{
    char line[2048];
    int  k, j, e[2], h[2], emitted = 0, hand = 0, ok = 1, fits;
    if (!has(m->tool)) {
        printf("%s: there is no %s\n", m->name, m->tool);
        return 1;
    }
    snprintf(line, sizeof line, "cd %s && %s -std=c99 -Os -w -c functions.c hand.c", folder,
             m->compile);
    if (!command(line)) return 0;
    printf("%-10s %11s %11s %11s %11s   ratio, emitted / by hand, bytes\n", m->name, "place",
           "by hand", "point", "by hand");
    for (k = 0; k < ROWS; k++) {
        for (j = 0; j < 2; j++) {
            e[j] = size_of(m->nm, "emitted", rows[k].name, j ? "point" : "place");
            h[j] = size_of(m->nm, "hand", rows[k].name, j ? "point" : "place");
            if (e[j] < 0 || h[j] < 0) return 0;
            emitted += e[j];
            hand += h[j];
        }
        fits = e[0] + e[1] <= most * (h[0] + h[1]);
        printf("%-10s %11d %11d %11d %11d   %.2f%s\n", rows[k].name, e[0], h[0], e[1], h[1],
               (double)(e[0] + e[1]) / (h[0] + h[1]), fits ? "" : ", too large");
        ok &= fits;
    }
    ok &= is_small("layouts", emitted, hand, most) & measure_bits(m, most_bits);
    snprintf(line, sizeof line,
             "cd %s && %s -std=gnu99 -Os -w %s -o p check.c functions.o hand.o -lgcc && (%s)",
             folder, m->compile, m->link, m->run);
    if (!has(m->emulator)) printf("%s: there is no %s\n", m->name, m->emulator);
    else if (command(line)) printf("%s: right at all points and cells\n", m->name);
    else {
        printf("%s: WRONG, or it does not run\n", m->name);
        ok = 0;
    }
    return ok;
}

/* The programs alone, for place.sh. */
static int write_alone(const char *where)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int      ok;
    snprintf(folder, sizeof folder, "%s", where);
    ok = write_programs(cx);
    irl_ctx_destroy(cx);
    return !ok;
}

int main(int argc, char **argv)
{
    irl_ctx *cx;
    double   most = argc > 1 ? atof(argv[1]) : 1.1, most_bits = argc > 2 ? atof(argv[2]) : most;
    char     line[300];
    size_t   k;
    int      made, ok;
    if (argc > 2 && strcmp(argv[1], "--write") == 0) return write_alone(argv[2]);
    cx = irl_ctx_create(NULL);
    ok = made = mkdtemp(folder) != NULL && write_programs(cx);
    for (k = 0; made && k < sizeof machines / sizeof *machines; k++)
        ok &= measure(&machines[k], most, most_bits);
    if (!getenv("IRL_SMALL_KEEP")) {
        snprintf(line, sizeof line, "rm -rf %s", folder);
        command(line);
    }
    irl_ctx_destroy(cx);
    return !ok;
}
