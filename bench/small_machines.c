/* small_machines.c - what the functions of real layouts cost in bytes on small machines, beside the
   same functions written by hand (small_machines_hand.h), both at -Os with 16-bit indices; and
   whether they are right there.

   usage  small_machines --write FOLDER      the functions as C, for place.sh
          small_machines [MOST]     fails where all of a machine's functions together are more than
                                    MOST times (1.1) those by hand, or where one is not right under
                                    an emulator
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
                   "static volatile int wrong;\n");
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
    fputs(end_of_program, check);
    fprintf(check, "int main(void)\n{\n");
    for (k = 0; k < ROWS; k++) fprintf(check, "    check_%s();\n", rows[k].name);
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

/* 0: too large, wrong, or not built. */
static int measure(const machine *m, double most)
{
    char line[2048];
    int  k, j, e[2], h[2], emitted = 0, hand = 0, ok;
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
        printf("%-10s %11d %11d %11d %11d   %.2f\n", rows[k].name, e[0], h[0], e[1], h[1],
               (double)(e[0] + e[1]) / (h[0] + h[1]));
    }
    ok = emitted <= most * hand;
    printf("%-10s %d / %d bytes: %.2f%s\n", "all", emitted, hand, (double)emitted / hand,
           ok ? "" : ", too large");
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
    double   most = argc > 1 ? atof(argv[1]) : 1.1;
    char     line[300];
    size_t   k;
    int      made, ok;
    if (argc > 2 && strcmp(argv[1], "--write") == 0) return write_alone(argv[2]);
    cx = irl_ctx_create(NULL);
    ok = made = mkdtemp(folder) != NULL && write_programs(cx);
    for (k = 0; made && k < sizeof machines / sizeof *machines; k++)
        ok &= measure(&machines[k], most);
    if (!getenv("IRL_SMALL_KEEP")) {
        snprintf(line, sizeof line, "rm -rf %s", folder);
        command(line);
    }
    irl_ctx_destroy(cx);
    return !ok;
}
