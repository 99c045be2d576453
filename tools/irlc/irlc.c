/* irlc.c - irlayout on the command line, for build scripts and newcomers, over the public API
   alone.

   Results go to stdout and nothing else does; diagnostics go to stderr, and with --json an object
   of their parts to stdout as well. The exit status is the answer: the table below says what each
   command's means (irlc --help prints it). Built with -DIRLC_NO_OPENCL it needs no OpenCL; `run`
   then interprets only.

   READING ORDER  the tables of options (options.h) and of commands (below); what the files share
                  (irlc.h); a command's file */
#include "irlc.h"

#include <stdlib.h>

typedef struct irlc_option_row {
    const char *name, *value; /* value NULL: a flag */
    const char *help;
} irlc_option_row;

static const irlc_option_row option_rows[OPT_COUNT] = {
    { NULL, NULL, NULL }, /* OPT_NONE */
#define IRLC_OPTION_ROW(name, text, value, help) { text, value, help },
#include "options.h"
};

/* Lists of options: rows of commands are made of these. */
#define ALWAYS OPT_JSON, OPT_WORK, OPT_HELP, OPT_OUT
#define SCHEDULING OPT_DO, OPT_SCHEDULE, OPT_FUSE
#define PLACING OPT_LAYOUT, OPT_ASSUME, OPT_SHARED, OPT_SCOPE, OPT_PADDING, OPT_TARGET
#define STATING SCHEDULING, PLACING
#define PASSING STATING, OPT_WITHOUT, OPT_TRACE, OPT_VERIFY, OPT_BOUNDS
#define LOWERING PASSING, OPT_AFTER
#define FILES OPT_IN, OPT_RESULT, OPT_EXPECT, OPT_IN_MEMORY

/* Options that may be given several times. Those in `named` may be given once for each name. */
static const irlc_option several[] = { OPT_DO, OPT_LAYOUT, OPT_ASSUME, OPT_SHARED, OPT_WITHOUT,
                                       OPT_JSON, OPT_HELP, OPT_TRACE, OPT_VERIFY, OPT_NONE };
static const irlc_option named[] = { OPT_LET, OPT_SET, OPT_SCOPE, OPT_PADDING, OPT_IN, OPT_RESULT,
                                     OPT_EXPECT, OPT_NONE };

/* OPT_NONE ends the list. */
static int is_among(const irlc_option *list, irlc_option option)
{
    while (*list != OPT_NONE && *list != option) list++;
    return *list == option;
}

enum { IRLC_MOST_ROW = 48 };

typedef struct irlc_command {
    const char *name, *arguments;
    int         least, most; /* arguments that are not options */
    irlc_option options[IRLC_MOST_ROW]; /* OPT_NONE ends them */
    irlc_status (*run)(const irlc_args *args);
    const char *help;
    const char *yes, *no, *undecided; /* what exit status 0, 1 and 3 say; NULL: it has none */
    const char *example;              /* the arguments after `irlc NAME` in an example */
} irlc_command;

static const irlc_command commands[] = {
    { "map", "MAP SHAPE [POINT]", 2, 3, { ALWAYS, OPT_LET, OPT_TYPE }, command_map,
      "the shape of a layout in memory, and the cell of a point; with --type also its bits; "
      "formulas where the shape declares names: N=?,4*N",
      "shape and place", "undefined, or a number overflows", NULL,
      "'(n, h, w, c) -> (n, c/4, h, |, w, c%4)' 2,5,7,16 0,3,1,15" },
    { "check", "MAP SHAPE | RECORD", 1, 2,
      { ALWAYS, OPT_LET, OPT_BOUND, OPT_TYPE, OPT_INDEX }, command_check,
      "whether a layout is right: bijective, injective, lossy or out-of-range (with a witness), or "
      "undecided; the shape of the flattened memory; how this was proved, and how much memory that "
      "took; a shape may declare names: N=?,4*N; with --type also which bits are unused, or belong "
      "to two elements; with --index whether C can compute it in that type; or whether two fields "
      "of a record overlap",
      "bijective, injective", "lossy, out-of-range, undefined", "undecided",
      "'(y, x) -> (y/8, x, y%8)' 64,128" },
    { "inverse", "MAP SHAPE", 2, 2, { ALWAYS, OPT_LET }, command_inverse,
      "the inverse of a layout, and which cells are padding",
      "the inverse", "there is none", "no formula found",
      "'(i) -> ((i + 5) % 24)' 24" },
    { "show", "MAP SHAPE | RECORD | FILE", 1, 2,
      { OPT_WORK, OPT_HELP, STATING, OPT_LET, OPT_SVG, OPT_COLOR, OPT_SIDE, OPT_FRAME, OPT_LINE,
        OPT_TYPE, OPT_CELLS, OPT_WALK, OPT_ANIMATE, OPT_ACCESS, OPT_OUT },
      command_show,
      "a picture: of a layout, the cell of each point and the point in each cell (with --type u4, "
      "in each bit); of a record, the field of each bit; of a function, its loops as boxes with "
      "what they read and write",
      "drawn; bijective, injective", "drawn; lossy, out-of-range, undefined",
      "drawn; undecided",
      "'(y, x) -> (y/2, x, y%2)' 4,6" },
    { "pack", "MAP SHAPE | RECORD", 1, 2,
      { ALWAYS, OPT_LET, OPT_PAD, OPT_TYPE, OPT_TARGET, OPT_EMIT, OPT_PROOF },
      command_pack,
      "the functions that pack an array through the layout and unpack it, into bits with --type "
      "u4, or the proof of the round trip; or those that pack arrays into records",
      "both functions, the proof", "there is no inverse", "undecided",
      "'(n, h, w, c) -> (n, c/4, h, w, c%4)' 1,5,7,6 --pad 0" },
    { "dma", "MAP SHAPE", 2, 2,
      { ALWAYS, OPT_LET, OPT_CONTROLLER, OPT_UNPACK, OPT_SPLIT, OPT_MOST, OPT_TYPE,
        OPT_AS_TRANSFERS,
        OPT_NAME, OPT_OUT, OPT_SWAP, OPT_OVERWRITE },
      command_dma,
      "the layout as transfers of a DMA controller: nested strided copies, in its fields; as C "
      "tables with --as c",
      "the transfers", "lossy, no short list of bytes, over a limit", "undecided",
      "'(y, x) -> (x, 7 - y)' 8,16 --type u8 --controller edma3" },
    { "simplify", "EXPR [NAME=LO..HI]...", 1, IRLC_MOST, { ALWAYS }, command_simplify,
      "an index expression, simplified; the result is equal for all values in the ranges",
      "the expression", "undefined, too large", NULL,
      "'(i*4 + j) / 4' i=0..63 j=0..3" },
    { "texture", "SHAPE", 1, 1,
      { ALWAYS, OPT_CHANNEL, OPT_LIMIT, OPT_TEXELS, OPT_LAYERS, OPT_VOLUME, OPT_TYPE },
      command_texture,
      "layouts of a tensor in an image: the known conventions, layouts searched for its shape, and "
      "the best that fits",
      "an image fits", "none fits", NULL,
      "1,64,56,56 --limit 8192x8192" },
    { "target", "[NAME]", 0, 1, { ALWAYS }, command_target,
      "what a target can do: vectors, accesses, types, sizes", "its text", NULL, NULL,
      "opencl12" },
    { "steps", "[NAME]", 0, 1, { ALWAYS }, command_steps,
      "the steps of schedules: what each does and requires", "its text", NULL, NULL,
      "split" },
    { "fmt", "FILE.irl", 1, 1, { OPT_HELP, OPT_OUT, OPT_WORK, OPT_CONSTANTS, OPT_CHECK_FILE },
      command_fmt,
      "formats a function, a module or a graph: reductions and updates are written as loops; "
      "comments, and schedules after a function, are kept",
      "its text; --check: same", "other", NULL, "relu.irl --check" },
    { "schedule", "FILE.irl", 1, 1,
      { ALWAYS, STATING, OPT_AUTO, OPT_WHY, OPT_HTML },
      command_schedule,
      "a function after the steps of a schedule, each of which is proved or refused; with --html a "
      "page that shows each step, before and after; or the schedule that is made for it",
      "function, or schedule", "a step is refused", NULL,
      "relu.irl --do '(io, ii) = split(y.c, 4)' --do 'vectorize(ii)'" },
    { "graph", "FILE.irl", 1, 1, { ALWAYS, OPT_FUSE }, command_graph,
      "a graph of functions, as text or JSON, verified: its text; with --json its JSON",
      "its text", "refused", NULL,
      "net.irl --json -o net.json" },
    { "lower", "FILE.irl", 1, 1,
      { ALWAYS, LOWERING, OPT_PLACE, OPT_EMIT, OPT_HTML, OPT_WEIGHTS, OPT_PREPARE }, command_lower,
      "a function lowered for a target: the module, its OpenCL source, or one stage",
      "the text", "refused", "layout, or bounds",
      "relu.irl --layout 'x=(n, h, w, c) -> (n, c/4, h, w, c%4)' --emit opencl" },
    { "emit", "MAP SHAPE | FILE.irl", 1, 2,
      { OPT_WORK, OPT_HELP, STATING, OPT_LET, OPT_AS, OPT_TYPE, OPT_INDEX, OPT_LOSSY, OPT_NAME,
        OPT_OUT, OPT_CHECKED, OPT_HEADER, OPT_HEADER_SOURCE, OPT_PREFIX, OPT_OPENMP, OPT_STATIC,
        OPT_KERNEL, OPT_JSON, OPT_WEIGHTS, OPT_PREPARE },
      command_emit,
      "a layout, a function or a record (functions that get and set fields) as one file that "
      "does not need this library: C99, OpenCL C, GLSL",
      "the text", "refused: lossy, out-of-range, ...", "a layout",
      "'(y, x) -> (y/8, x, y%8)' 64,128 --type u8 --name ssd1306 -o ssd1306.h" },
    { "run", "FILE.irl", 1, 1,
      { ALWAYS, LOWERING, FILES, OPT_PLACE, OPT_INTERPRET, OPT_DEVICE, OPT_CHECK, OPT_NO_CHECK,
        OPT_SEED, OPT_SET, OPT_ULP },
      command_run,
      "a function on random input or on numbers from files: interpreted, on a device, or both and "
      "compared",
      "it ran; compared: the same", "refused, fault in the run, different",
      "layout, or bounds",
      "relu.irl --layout 'x=(n, h, w, c) -> (n, c/4, h, w, c%4)' --check" },
    { "time", "FILE.irl", 1, 1,
      { ALWAYS, LOWERING, FILES, OPT_PLACE, OPT_RUNS, OPT_CHECK_TIMED, OPT_NO_CHECK, OPT_SEED,
        OPT_SET, OPT_ULP },
      command_time,
      "how long a function takes on the device; its results are first compared with those of the "
      "function as written",
      "its time", "refused, fault in the run, different",
      "layout, or bounds",
      "relu.irl --schedule auto --runs 50" },
    { "tune", "FILE.irl", 1, 1,
      { ALWAYS, PLACING, OPT_RUNS, OPT_SEED, OPT_SET, OPT_ULP, OPT_OUT },
      command_tune,
      "the fastest of a few schedules on the device at hand, each checked and timed: a text for "
      "--schedule FILE",
      "the schedule", "refused, different", "a layout",
      "relu.irl -o relu.sched" },
    { "plan", "FILE.irl", 1, 1,
      { ALWAYS, PASSING, OPT_SET, OPT_AS_TABLE, OPT_SVG },
      command_plan,
      "the memory of the temporaries of a lowered function: their offsets, the least size "
      "possible, and a picture over the launches",
      "the plan", "refused", "layout, or bounds",
      "relu.irl --as c -o plan.h" },
    { "explain", "FILE.irl", 1, 1, { ALWAYS, OPT_SET }, command_explain,
      "what a function reads and writes, which loops could be parallel, and what the other loops "
      "carry from one iteration to another",
      "what it does", NULL, NULL,
      "relu.irl --set n=64" },
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* The width of all that is printed as help, and the column of what an option means. */
enum { HELP_WIDTH = 100, HELP_COLUMN = 29 };

/* Words in lines of HELP_WIDTH; the first has come to `column`, the others begin at `indent`. */
static void put_wrapped(FILE *out, const char *text, int column, int indent)
{
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > HELP_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", length, text);
        column += length;
        text += length + (text[length] == ' ');
    }
    fputc('\n', out);
}

static void help_of(FILE *out, const irlc_command *c)
{
    fprintf(out, "irlc %s %s [OPTION]...\n  ", c->name, c->arguments);
    put_wrapped(out, c->help, 2, 2);
    for (int k = 1; k < OPT_COUNT; k++)
        if (is_among(c->options, (irlc_option)k)) {
            const char *value = option_rows[k].value;
            int length = fprintf(out, "    --%s%s%s", option_rows[k].name,
                                 value && value[0] != '[' ? " " : "", value ? value : "");
            if (length > HELP_COLUMN - 2) fputc('\n', out), length = 0;
            fprintf(out, "%*s", HELP_COLUMN - length, "");
            put_wrapped(out, option_rows[k].help, HELP_COLUMN, HELP_COLUMN);
        }
    fprintf(out, "  example:\n    irlc %s %s\n", c->name, c->example);
}

/* The one table of exit statuses, for all commands. */
static void help_on_status(FILE *out)
{
    fprintf(out, "Exit status:\n    %-9s %-27s %-37s %s\n", "", "0 yes", "1 no", "3 undecided");
    for (int k = 0; k < COMMAND_COUNT; k++) {
        const irlc_command *c = &commands[k];
        fprintf(out, "    %-9s %-27s %-37s %s\n", c->name, c->yes, c->no ? c->no : "-",
                c->undecided ? c->undecided : "-");
    }
    fputs("    2, of all: malformed text, options or input; output that cannot be written; no "
          "memory,\n       no device\n",
          out);
    print_codes(out);
}

static void help(FILE *out)
{
    fputs("irlc: checks and draws layouts, schedules and runs kernels, emits code\n\n", out);
    for (int k = 0; k < COMMAND_COUNT; k++) {
        fprintf(out, "    irlc %-9s %-22s ", commands[k].name, commands[k].arguments);
        put_wrapped(out, commands[k].help, 42, 42);
    }
    fputs("\nA map is written '(n, h, w, c) -> (n, c/4, h, |, w, c%4)', a shape or a point "
          "2,5,7,16,\na file '-' for standard input. `irlc help COMMAND` lists a command's "
          "options, with an example.\n\n",
          out);
    help_on_status(out);
}

/* What `irlc` alone prints. */
static void help_in_brief(FILE *out)
{
    fputs("irlc: checks and draws layouts, schedules and runs kernels, emits code\n\n    ", out);
    for (int k = 0; k < COMMAND_COUNT; k++)
        fprintf(out, "%s%s", commands[k].name,
                k + 1 == COMMAND_COUNT ? "\n"
                : k % 8 == 7           ? "\n    "
                                       : " ");
    fputs("\nIs a layout right? What does it look like? What is its C function?\n"
          "    irlc check '(y, x) -> (y/8, x, y%8)' 64,128\n"
          "    irlc show  '(y, x) -> (y/8, x, y%8)' 16,8\n"
          "    irlc emit  '(y, x) -> (y/8, x, y%8)' 64,128 --name display\n"
          "A function in a file: its OpenCL source; its result, checked.\n"
          "    irlc lower FILE.irl --emit opencl\n"
          "    irlc run   FILE.irl --check\n"
          "\nirlc help COMMAND: its options, with an example. irlc --help: all commands.\n",
          out);
}

/* ------------------------------------------------------------------ reading the command line */

/* Of two that say different things none can be right. */
static irlc_status check_once(const irlc_args *args, const irlc_given *given)
{
    size_t length = given->value ? strcspn(given->value, "=") : 0;
    if (is_among(several, given->option)) return IRLC_YES;
    for (int k = 0; k < args->given_count; k++) {
        const irlc_given *other = &args->given[k];
        if (other->option != given->option) continue;
        if (!is_among(named, given->option))
            return bad_input(args, "the option is given twice", option_rows[given->option].name);
        if (strcspn(other->value, "=") == length && !strncmp(other->value, given->value, length))
            return bad_input(args, "the option is given twice for one name", given->value);
    }
    return IRLC_YES;
}

/* The command lacks this option: suggests the nearest one that it has. */
static irlc_status no_option(const irlc_args *args, const irlc_command *c, const char *given)
{
    char        name[64];
    const char *near = NULL;
    int         edits = 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(given + 2, "="), given + 2);
    for (int o = 1; o < OPT_COUNT; o++)
        if (is_among(c->options, (irlc_option)o))
            look_near(name, option_rows[o].name, &near, &edits);
    return bad_name(args, "there is no such option here (--help lists them)", given, "--", near);
}

/* --name=value, --name value or --name, as the table says. Moves *k past a separate value. */
static irlc_status read_option(irlc_args *args, const irlc_command *c, char **argv, int argc,
                               int *k)
{
    const char *name = argv[*k] + 2;
    size_t      length = strcspn(name, "=");
    irlc_given *given = &args->given[args->given_count];
    int         o;
    for (o = 1; o < OPT_COUNT; o++)
        if (strlen(option_rows[o].name) == length &&
            strncmp(option_rows[o].name, name, length) == 0 &&
            is_among(c->options, (irlc_option)o))
            break;
    if (o == OPT_COUNT) return no_option(args, c, argv[*k]);
    if (args->given_count == IRLC_MOST) {
        char most[80];
        sprintf(most, "at most %d options are accepted; put many steps into a file, --schedule "
                      "FILE",
                IRLC_MOST);
        return bad_input(args, most, NULL);
    }
    given->option = (irlc_option)o;
    given->value = name[length] == '=' ? name + length + 1 : NULL;
    if (!option_rows[o].value && given->value)
        return bad_input(args, "the option takes no value", argv[*k]);
    if (option_rows[o].value && option_rows[o].value[0] != '[' && !given->value) {
        if (*k + 1 >= argc) return bad_input(args, "the option needs a value", argv[*k]);
        given->value = argv[++*k];
    }
    /* --out FILE is the text, as -o FILE is; --out NAME=FILE is a parameter's numbers */
    if (o == OPT_OUT && strchr(given->value, '=') && is_among(c->options, OPT_RESULT))
        given->option = OPT_RESULT;
    if (check_once(args, given) != IRLC_YES) return IRLC_BAD_INPUT;
    args->given_count++;
    return IRLC_YES;
}

static irlc_status read_arguments(irlc_args *args, const irlc_command *c, char **argv, int argc)
{
    irlc_status status = IRLC_YES;
    char        usage[256];
    int         options_ended = 0;
    for (int k = 2; k < argc && status == IRLC_YES; k++) {
        if (!options_ended && strcmp(argv[k], "--") == 0) options_ended = 1;
        else if (!options_ended && strncmp(argv[k], "--", 2) == 0)
            status = read_option(args, c, argv, argc, &k);
        else if (!options_ended && strcmp(argv[k], "-h") == 0 && args->given_count < IRLC_MOST)
            args->given[args->given_count++].option = OPT_HELP;
        else if (!options_ended && strcmp(argv[k], "-o") == 0 && k + 1 < argc &&
                 is_among(c->options, OPT_OUT) && args->given_count < IRLC_MOST) {
            args->given[args->given_count].option = OPT_OUT;
            args->given[args->given_count].value = argv[++k];
            status = check_once(args, &args->given[args->given_count]);
            args->given_count++;
        } else if (args->count == IRLC_MOST) status = bad_input(args, "too many arguments", NULL);
        else args->item[args->count++] = argv[k];
    }
    if (status != IRLC_YES || has(args, OPT_HELP)) return status;
    if (args->count >= c->least && args->count <= c->most) return IRLC_YES;
    snprintf(usage, sizeof usage, "usage: irlc %s %s [OPTION]...   (irlc %s --help)", c->name,
             c->arguments, c->name);
    return bad_input(args, "too few arguments, or too many", usage);
}

static irlc_status read_work(const irlc_args *args, int64_t *most)
{
    const char *text = value_of(args, OPT_WORK, NULL), *end = text;
    if (!text || (read_int(&end, most) && !*end && *most > 0)) return IRLC_YES;
    return bad_input(args, "a number of steps, above 0; found", text);
}

static irlc_status run_command(const irlc_command *c, char **argv, int argc)
{
    irlc_args   args;
    int             reported = 0;
    irl_ctx_desc    desc;
    memset(&args, 0, sizeof args);
    memset(&desc, 0, sizeof desc);
    args.command = c->name;
    for (int k = 2; k < argc && is_among(c->options, OPT_JSON) && strcmp(argv[k], "--") != 0; k++)
        if (strcmp(argv[k], "--json") == 0) args.reported = &reported;
    irlc_status status = read_arguments(&args, c, argv, argc);
    if (status != IRLC_YES) return status;
    if (has(&args, OPT_HELP)) {
        help_of(stdout, c);
        return IRLC_YES;
    }
    if (has(&args, OPT_LET) && args.count < 2)
        return bad_input(&args, "--let is for a map and its shape", NULL);
    status = read_work(&args, &desc.most_work);
    if (status != IRLC_YES) return status;
    args.cx = irl_ctx_create(&desc);
    if (!args.cx) return bad_input(&args, "out of memory", NULL);
    /* tune writes the file itself, and prints a table besides */
    say_to(c->run == command_tune ? NULL : value_of(&args, OPT_OUT, NULL));
    progress_begin(c->name);
    status = say_end(&args, c->run(&args));
    progress_end();
    if (status != IRLC_BAD_INPUT && irl_diag_of(args.cx) &&
        irl_diag_of(args.cx)->code == IRL_ERROR_OUT_OF_MEMORY)
        status = failed(&args);
    irl_ctx_destroy(args.cx);
    return status;
}

static const irlc_command *find_command(const char *name)
{
    for (int k = 0; k < COMMAND_COUNT; k++)
        if (strcmp(name, commands[k].name) == 0) return &commands[k];
    return NULL;
}

static irlc_status no_command(const char *name)
{
    const char *near = NULL;
    int         edits = 0;
    for (int k = 0; k < COMMAND_COUNT; k++) look_near(name, commands[k].name, &near, &edits);
    fprintf(stderr, "irlc: there is no command '%s'%s%s%s (irlc --help lists them)\n", name,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return IRLC_BAD_INPUT;
}

int main(int argc, char **argv)
{
    const char         *word = argc > 1 ? argv[1] : "";
    const irlc_command *c = find_command(word);
    int                 is_help = strcmp(word, "help") == 0;
    if (c) return (int)written(run_command(c, argv, argc));
    if (strcmp(word, "--version") == 0) {
        say("irlc " IRL_VERSION_STRING "\n");
        return (int)written(IRLC_YES);
    }
    if (is_help && argc > 2) {
        c = find_command(argv[2]);
        if (!c) return (int)no_command(argv[2]);
        help_of(stdout, c);
        return (int)written(IRLC_YES);
    }
    if (is_help || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        help(stdout);
        return (int)written(IRLC_YES);
    }
    if (argc > 1) return (int)no_command(word);
    help_in_brief(stderr);
    return IRLC_BAD_INPUT;
}
