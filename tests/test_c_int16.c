/* test_c_int16.c - emitted C where int has 16 bits: functions of integers of every width
   (generate_integers.h), many in one program that avr-gcc builds at each level of optimization and
   simavr runs, and that UndefinedBehaviorSanitizer looks at, clang's where int has 16 bits and
   gcc's here. Memory afterwards is compared with the interpreter's, by a hash. A function that does
   not end is wrong: the program says what it begins, and has SECONDS of the processor for all.

   IRL_C_COMPILER: another compiler's command in the place of those for AVR, IRL_C_RUNNER what runs
   its programs ("" for this machine); IRL_C_SHOW: the text in C of what is wrong;
   IRL_C_TEXT: a file whose text stands in the place of the seed's, to make it smaller by hand.

   usage  test_c_int16 [FIRST [COUNT]]     seeds
   needs  avr-gcc and simavr; without them it is skipped. (qemu 7.2 stays where a skip, SBRS, stands
          in front of RET and is taken, as in libgcc's __mulhisi3 of a negative number.) */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define _GNU_SOURCE
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/map/map.h"
#include "../src/target/target.h"
#endif
#include "generate.h"
#include "generate_integers.h"
#include "test.h"
#include "c_batch.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { BATCH = 20, SECONDS = 20, CLOCK = 600, LEVELS = 6 };

/* How a program is built, and what runs it. Last where undefined behaviour shows: clang's objects
   trap on it, by abort, and avr-gcc links them; what else these compute is not looked at, because
   clang 14 for AVR gives other numbers also where nothing is undefined. */
typedef struct level {
    const char *name, *command, *runner;
    int         traps; /* that is all that is looked at */
} level;
#define AVR_GCC "avr-gcc -mmcu=atmega2560 -std=c99 -w "
#define RUNNER "simavr -m atmega2560 -f 16000000"
#define TRAPS(what) "-Xclang -fsanitize=" what " -Xclang -fsanitize-trap=" what " "
#define AVR_CLANG \
    "clang --target=avr -mmcu=atmega1280 -std=c99 -w -O1 -I/usr/lib/avr/include " \
    TRAPS("shift-exponent") TRAPS("shift-base") TRAPS("signed-integer-overflow") \
    TRAPS("integer-divide-by-zero") TRAPS("array-bounds") \
    "-c -o p.o p.c && avr-gcc -mmcu=atmega1280 "
static const level levels[LEVELS] = {
    { "avr-gcc -Os", AVR_GCC "-Os", RUNNER, 0 },
    { "avr-gcc -O2", AVR_GCC "-O2", RUNNER, 0 },
    { "avr-gcc -O0", AVR_GCC "-O0", RUNNER, 0 },
    { "avr-gcc -O1", AVR_GCC "-O1", RUNNER, 0 },
    { "clang for AVR", AVR_CLANG, "simavr -m atmega1280 -f 16000000", 1 },
    { "gcc here", "gcc -std=c99 -w -O1 " C_UNDEFINED, "", 0 },
};

static int is_many; /* large counts: clang's checks too, which take as long as all else */
static int ran, not_built, by_index[IRL_INDEX + 1];

/* ------------------------------------------------------------------ the program */

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)

/* Bytes go out on the serial line of an AVR, and to stdout elsewhere. */
static const char prologue[] =
    "#include <stdint.h>\n#include <stddef.h>\n"
    "#ifdef __AVR__\n#include <avr/io.h>\n"
    "static void put(char c) { while (!(UCSR0A & (1 << UDRE0))) {} UDR0 = c; }\n"
    "static void begin(void) { UCSR0B = 1 << TXEN0; UBRR0 = 0; }\n"
    "static void end(void) { SMCR = 1; __asm__ volatile(\"cli\\n\\tsleep\"); }\n"
    /* what clang's checks call, and avr-gcc's library has not */
    "#ifdef __clang__\n"
    "void abort(void) { put('!'); put('\\n'); end(); for (;;) {} }\n"
    "int32_t __mulosi4(int32_t a, int32_t b, int *over)\n{\n"
    "    const int64_t c = (int64_t)a * b;\n    *over = c != (int32_t)c;\n"
    "    return (int32_t)c;\n}\n"
    "int64_t __mulodi4(int64_t a, int64_t b, int *over)\n{\n"
    "    const uint64_t c = (uint64_t)a * (uint64_t)b,\n"
    "                   x = a < 0 ? 0u - (uint64_t)a : (uint64_t)a,\n"
    "                   y = b < 0 ? 0u - (uint64_t)b : (uint64_t)b;\n"
    "    *over = x && y > (UINT64_MAX / 2 + ((a < 0) != (b < 0))) / x;\n"
    "    return (int64_t)c;\n}\n#endif\n"
    "#else\n#include <stdio.h>\n"
    "static void put(char c) { putchar(c); fflush(stdout); }\nstatic void begin(void) {}\n"
    "static void end(void) {}\n#endif\n";
static const char say[] =
    "\nstatic void say(char before, uint32_t n, int digits)\n{\n    put(before);\n"
    "    for (digits *= 4; digits; digits -= 4)\n"
    "        put(\"0123456789abcdef\"[n >> (digits - 4) & 15]);\n"
    "    put('\\n');\n}\n\n";

/* What a function's memory holds, its call, and the hash of the memory afterwards. */
static void put_run(c_text *t, const ints_case *c, int number, irl_scalar index, int has_scratch)
{
    const char *const name = index == IRL_BOOL ? "int64_t" : c_types[index].name;
    int k;
    for (k = 0; k < c->c.param_count; k++) {
        const gen_param *p = &c->c.params[k];
        if (!p->is_buffer) continue;
        c_put(t, "static %s m_%d_%d[%d];\n", c->has_bits[k] ? "uint8_t" : c_types[p->type].name,
              number, k, c->has_bits[k] ? c->bytes[k] : p->extent[0]);
    }
    c_put(t, "static void run_%d(void)\n{\n    uint32_t hash = 2166136261u;\n"
             "    say('@', %d, 2);\n", number, number);
    for (k = 0; k < c->c.param_count; k++)
        if (c->c.params[k].is_buffer)
            c_put(t, "    ints_fill((unsigned char *)m_%d_%d, %d, %luu, %u);\n", number, k,
                  c->bytes[k], (unsigned long)ints_seed(c, k), ints_mask(&c->c.params[k]));
    c_put(t, "    g%d(", number);
    for (k = 0; k < c->c.param_count; k++) {
        const gen_param *p = &c->c.params[k];
        if (p->is_buffer) c_put(t, "%sm_%d_%d", k ? ", " : "", number, k);
        else
            c_put(t, "%s(%s)0x%llxu", k ? ", " : "",
                  p->type == IRL_INDEX ? name : c_types[p->type].name,
                  (unsigned long long)p->value & UINT64_MAX >> (64 - c_types[p->type].bits));
    }
    c_put(t, "%s);\n", has_scratch ? ", scratch" : "");
    for (k = 0; k < c->c.param_count; k++)
        if (c->c.params[k].is_buffer)
            c_put(t, "    hash = ints_hash((unsigned char *)m_%d_%d, %d, hash);\n", number, k,
                  c->bytes[k]);
    c_put(t, "    say('=', hash, 8);\n}\n\n");
}

/* Whether each index parameter's value is one of the type. */
static int holds(const ints_case *c, irl_scalar index)
{
    int k;
    for (k = 0; k < c->c.param_count; k++)
        if (c->c.params[k].type == IRL_INDEX && index != IRL_BOOL &&
            irl__wrap_int(irl_type_of(index, 1), c->c.params[k].value) != c->c.params[k].value)
            return 0;
    return 1;
}

/* The function of a seed in C, in a type of indices that holds them. */
static const char *source_of(irl_ctx *cx, const ints_case *c, int number, irl_scalar index)
{
    irl_c_options how;
    irl_func     *f = irl_func_parse(cx, c->c.text, strlen(c->c.text), "generated");
    memset(&how, 0, sizeof how);
    how.index = index;
    if (!f || !holds(c, index)) return "";
    return irl_c_source_with(irl_func_lower(c_named(cx, f, number), &irl_target_c99), &how);
}

/* Functions by hand, of what C gives a type by itself: literals chosen, shifted, at the ends. They
   have numbers from WRITTEN on. */
static const char *const written[] = {
    "for (i: 8) { y[i] = (c[i] > 3 ? i32(300) : i32(7)) * (c[i] > 5 ? i32(200) : i32(30));\n"
    "  z[i] = (c[i] > 3 ? u32(60000) : u32(7)) * (c[i] > 5 ? u32(200) : u32(3)); }",
    "for (i: 8) { z[i] = ~(c[i] > 3 ? u32(300) : u32(7)); y[i] = ~(c[i] > 3 ? i32(300) : i32(7));\n"
    "  z[i] -= -(c[i] > 9 ? u32(300) : u32(7)); y[i] -= -(c[i] > 3 ? i32(-32768) : i32(7)); }",
    "for (i: 8) { w[i] = i64(1 << i * 9 % 40); z[i] = u32((c[i] > 5 ? 200 : 30) * 700); }",
    "for (i: 8) { y[i] = i32(1 >> i * 5) + i32((i + 1) >> i * 9 % 40) + i32(-5 >> i * 5); }",
    "for (i: 8) { y[i] = (i32(1) << i32(c[i] % 31)) + ((c[i] > 9 ? i32(5) : i32(9)) << i32(20));\n"
    "  z[i] = (u32(3) << u32(c[i] % 32)) + ((c[i] > 9 ? u32(65535) : u32(9)) >> u32(c[i] % 32)); }",
    "for (i: 8) { y[i] = (c[i] > 9 ? i32(70000) : i32(9)) / i32(8) + (c[i] > 7 ? i32(9) : i32(-9)) "
    "% i32(16); w[i] = i64(index(c[i] > 9 ? u32(300) : u32(7)) * 700); }",
    "for (i: 8) { s[i] = c[i] > 3 ? i16(-32768) : i16(32767);\n"
    "  s[i] = s[i] - i16(c[i]) * i16(c[i]);\n"
    "  y[i] = i32(s[i]) * i32(-32768) + i32(-2147483648); w[i] = i64(y[i]) - 2147483648; }",
    "for (i: 8) { s[i] = as(i16, u16(c[i]) * u16(c[i]) * u16(255));\n"
    "  y[i] = i32(u16(s[i]) > u16(32767)) + i32(i32(s[i]) < i32(u16(s[i]))) + i32(c[i] * c[i])\n"
    "  + (i32(c[i]) << i32(8)); }",
};
enum { WRITTEN = 1000000, WRITTEN_COUNT = sizeof written / sizeof *written };

static ints_case case_by_hand(int k)
{
    static const char *const names[] = { "c", "y", "z", "w", "s" };
    static const unsigned char types[] = { IRL_U8, IRL_I32, IRL_U32, IRL_I64, IRL_I16 };
    ints_case c;
    c_text    t = { NULL, 0, 0 };
    int       j;
    memset(&c, 0, sizeof c);
    c.c.seed = (uint64_t)(WRITTEN + k);
    for (j = 0; j < 5; j++) {
        gen_param *p = &c.c.params[c.c.param_count++];
        strcpy(p->name, names[j]);
        p->type = (irl_scalar)types[j];
        p->is_buffer = p->rank = 1;
        p->extent[0] = 8;
        c.bytes[j] = gen_types[p->type].bits;
    }
    c_put(&t, "func by_hand(c: u8[8], y: i32[8], z: u32[8], w: i64[8], s: i16[8]) {\n%s }\n",
          written[k]);
    c.c.text = t.data;
    return c;
}

/* The function of a seed, or one on its parameters whose text is in a file. */
static ints_case case_of(uint64_t seed)
{
    const int   is_written = seed >= WRITTEN && seed < (uint64_t)(WRITTEN + WRITTEN_COUNT);
    ints_case   c = is_written ? case_by_hand((int)(seed - WRITTEN)) : gen_integer_function(seed);
    const char *path = getenv("IRL_C_TEXT");
    FILE       *f = path ? fopen(path, "r") : NULL;
    c_text      t = { NULL, 0, 0 };
    char        line[4096];
    while (f && fgets(line, sizeof line, f)) c_put(&t, "%s", line);
    if (f) fclose(f);
    if (!t.data) return c;
    free(c.c.text);
    c.c.text = t.data;
    return c;
}

/* Adds it to a program; the hash that it is to leave. 0: it is wrong, and said. */
static int add(c_text *t, uint64_t seed, int number, uint32_t *hash)
{
    /* one by the seed, then those that hold more */
    static const irl_scalar types[] = { IRL_BOOL, IRL_U32, IRL_U8,  IRL_I8,
                                        IRL_U16,  IRL_I16, IRL_I32, IRL_BOOL };
    enum { FIRST = 7, LAST = 7 };
    ints_case   c = case_of(seed);
    gen_data    d = ints_data(&c);
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, c.c.text, strlen(c.c.text), "generated");
    int         ok = f && irl_func_interpret(f, gen_arguments(&d)), k;
    const char *source = "";
    irl_scalar  index = IRL_BOOL;
    for (k = (int)(seed % FIRST); ok && !source[0]; k = k < 4 ? 4 : k + 1) {
        irl_ctx_destroy(cx);
        cx = irl_ctx_create(NULL);
        source = source_of(cx, &c, number, index = types[k]);
        ok = source[0] || (k > 0 && k < LAST);
    }
    by_index[index]++;
    if (source[0]) {
        c_put(t, "%s\n", source);
        put_run(t, &c, number, index, strstr(source, "void *scratch") != NULL);
    } else {
        printf("seed %lu: %s\n%s\n", (unsigned long)seed, irl_diag_text(cx), c.c.text);
    }
    *hash = ints_data_hash(&c, &d);
    gen_data_free(&d);
    gen_free(&c.c);
    irl_ctx_destroy(cx);
    return CHECK(ok);
}

/* ------------------------------------------------------------------ building and running */

typedef struct batch {
    c_text   program;
    int      count;
    uint64_t seeds[BATCH];
    uint32_t wanted[BATCH], found[BATCH];
    int      begun[BATCH], ended[BATCH], trapped[BATCH];
} batch;

static int build(const batch *b, const char *command)
{
    char  path[300], line[1400];
    FILE *f;
    snprintf(path, sizeof path, "%s/p.c", c_folder());
    f = fopen(path, "w");
    if (!f || fwrite(b->program.data, 1, b->program.length, f) != b->program.length) return 0;
    snprintf(line, sizeof line, "cd %s && { %s -o p %s; } > log 2>&1", c_folder(), command,
             strstr(command, "p.o") ? "p.o" : "p.c");
    return fclose(f) == 0 && system(line) == 0;
}

/* Whether that is why no program was built: it is too large, avr-gcc 5.4 finds no register, a check
   of clang's is in 128 bits, or clang falls over: of which no text is to blame. */
static int is_not_ours(void)
{
    char line[400];
    snprintf(line, sizeof line,
             "grep -qE 'will not fit in region|unable to find a register|__multi3|PLEASE submit a "
             "bug report' %s/log", c_folder());
    return system(line) == 0;
}

/* "@07" begins function 7, "=01234567" ends it, "!" is a trap; what the emulator says besides has
   none of these. */
static void heard(batch *b, const char *line, int *at)
{
    line += strcspn(line, "@=!");
    if (line[0] == '@') {
        *at = (int)strtol(line + 1, NULL, 16);
        if (*at >= 0 && *at < b->count) b->begun[*at] = 1;
    } else if (line[0] == '!' && *at >= 0 && *at < b->count) b->trapped[*at] = 1;
    else if (line[0] == '=' && *at >= 0 && *at < b->count) {
        b->found[*at] = (uint32_t)strtoul(line + 1, NULL, 16);
        b->ended[*at] = 1;
    }
}

/* What the program says until it ends, or its time by the clock is over. */
static void listen(batch *b, int from, int seconds)
{
    struct pollfd p;
    char          line[64], c;
    size_t        n = 0;
    int           at = -1;
    const time_t  end = time(NULL) + seconds;
    p.fd = from;
    p.events = POLLIN;
    while (time(NULL) < end) {
        if (poll(&p, 1, 1000) <= 0) continue;
        if (read(from, &c, 1) != 1) return;
        if (c != '\n') {
            if (n + 1 < sizeof line) line[n++] = c;
            continue;
        }
        line[n] = '\0';
        n = 0;
        heard(b, line, &at);
    }
}

static int run(batch *b, const level *l)
{
    int   ends[2];
    pid_t child;
    char  line[600];
    memset(b->begun, 0, sizeof b->begun);
    memset(b->ended, 0, sizeof b->ended);
    memset(b->trapped, 0, sizeof b->trapped);
    snprintf(line, sizeof line, "cd %s && ulimit -t %d && exec %s ./p 2>&1 < /dev/null", c_folder(),
             l->traps ? 2 : SECONDS, l->runner);
    if (pipe(ends) != 0) return 0;
    child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    if (child > 0) {
        listen(b, ends[0], l->traps ? SECONDS : CLOCK);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    close(ends[0]);
    return child > 0;
}

/* ------------------------------------------------------------------ many */

/* The program of some seeds. */
static int make(batch *b, const uint64_t *seeds, int count)
{
    int k, ok = 1;
    memset(b, 0, sizeof *b);
    c_put(&b->program, "%s%s\n%s%s", prologue, TEXT(INTS_FILL), TEXT(INTS_HASH), say);
    c_put(&b->program, "static uint64_t scratch[32];\n");
    b->count = count;
    for (k = 0; k < count; k++) {
        b->seeds[k] = seeds[k];
        ok &= add(&b->program, seeds[k], k, &b->wanted[k]);
    }
    c_put(&b->program, "int main(void)\n{\n    begin();\n");
    for (k = 0; k < count; k++) c_put(&b->program, "    run_%d();\n", k);
    c_put(&b->program, "    end();\n    return 0;\n}\n");
    return ok;
}

static void show(const batch *b, int k, const level *l)
{
    ints_case c = case_of(b->seeds[k]);
    printf("seed %lu, %s: ", (unsigned long)b->seeds[k], l->name);
    if (b->ended[k])
        printf("hash %08lx, wanted %08lx\n", (unsigned long)b->found[k],
               (unsigned long)b->wanted[k]);
    else printf(b->trapped[k] ? "undefined behaviour\n" : "it does not end\n");
    if (test_failed < 4) printf("%s\n", c.c.text);
    if (getenv("IRL_C_SHOW") && b->count == 1) printf("%s\n", b->program.data);
    gen_free(&c.c);
}

/* By one compiler: a program that is too large is built in two, and behind a function that does not
   end the others run by themselves. */
static void by(const level *l, const uint64_t *seeds, int count)
{
    static batch b;
    int          k, is_stopped = 0;
    if (count == 0 || !make(&b, seeds, count)) return;
    if (!build(&b, l->command)) {
        free(b.program.data);
        if (count == 1 && is_not_ours()) not_built++;
        else if (!CHECK(count > 1)) printf("seed %lu: %s fails\n", (unsigned long)*seeds, l->name);
        if (count > 1) {
            by(l, seeds, count / 2);
            by(l, seeds + count / 2, count - count / 2);
        }
        return;
    }
    CHECK(run(&b, l));
    for (k = 0; k < count && !is_stopped; k++) {
        const int is_right = l->traps ? !b.trapped[k] && b.begun[k]
                                      : b.ended[k] && b.found[k] == b.wanted[k];
        if (!CHECK(is_right)) show(&b, k, l);
        is_stopped = !b.ended[k];
    }
    free(b.program.data);
    if (is_stopped) by(l, seeds + k, count - k);
}

static void generated(uint64_t first, int count)
{
    const char *own = getenv("IRL_C_COMPILER"), *runner = getenv("IRL_C_RUNNER");
    level       given;
    uint64_t    seeds[BATCH];
    int         done, n, k;
    given.name = given.command = own;
    given.runner = runner ? runner : RUNNER;
    given.traps = 0;
    for (done = 0; done < count && test_failed < 20; done += n) {
        n = count - done < BATCH ? count - done : BATCH;
        for (k = 0; k < n; k++) seeds[k] = first + (uint64_t)(done + k);
        ran += n;
        if (own) by(&given, seeds, n);
        for (k = 0; !own && k < LEVELS; k++)
            if (c_has(levels[k].command) && (!levels[k].traps || is_many || first >= WRITTEN))
                by(&levels[k], seeds, n);
    }
}

int main(int argc, char **argv)
{
    const int count = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(16);
    int       k;
    is_many = count >= 100;
    if (!getenv("IRL_C_COMPILER") && (!c_has("avr-gcc") || !c_has("simavr")))
        TEST_SKIP("there is no avr-gcc or simavr");
    else if (!first_byte_is_low()) TEST_SKIP("this machine has the high byte first");
    else {
        generated(argc > 1 ? strtoul(argv[1], NULL, 10) : 1, count);
        if (argc == 1) generated(WRITTEN, WRITTEN_COUNT);
    }
    test_seeds(argc > 1 ? strtoul(argv[1], NULL, 10) : 1, count);
    printf("%d functions; by the type of their indices:", ran);
    for (k = 0; k <= (int)IRL_INDEX; k++)
        if (by_index[k]) printf(" %s %d", k ? gen_text((irl_scalar)k) : "any", by_index[k]);
    printf("\n%d were too much for the compiler\n", not_built);
    CHECK(not_built * 50 <= ran * LEVELS);
    c_folder_end();
    return TEST_DONE();
}
