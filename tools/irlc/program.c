/* program.c - reading a program: the file, the options that change it, the target, the passes. */
#include "irlc.h"

#include <stdlib.h>

/* Returns the whole file ("-" is standard input) with a '\0' after it; NULL if it cannot be read.
   */
char *read_file(const char *path, size_t *length)
{
    FILE  *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char  *text = NULL;
    size_t capacity = 0, n = 1;
    int    broken; /* a folder opens, but cannot be read */
    *length = 0;
    while (in && n > 0) {
        if (*length + 1 >= capacity) {
            capacity = capacity ? capacity * 2 : 65536;
            char *grown = (char *)realloc(text, capacity);
            if (!grown) break;
            text = grown;
        }
        n = fread(text + *length, 1, capacity - *length - 1, in);
        *length += n;
    }
    broken = !in || n > 0 || ferror(in);
    if (in && in != stdin) fclose(in);
    if (broken) {
        free(text);
        return NULL;
    }
    text[*length] = '\0';
    return text;
}

/* Over white space and comments. */
static const char *skip_blank(const char *p)
{
    for (;;) {
        p = skip_any(p, " \t\r\n");
        if (p[0] == '/' && p[1] == '/') p += strcspn(p, "\n");
        else if (p[0] == '/' && p[1] == '*')
            p = strstr(p, "*/") ? strstr(p, "*/") + 2 : p + strlen(p);
        else return p;
    }
}

static int is_at(const char *p, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(p, word, n) == 0 && !is_letter(p[n]) && !is_digit(p[n]);
}

/* What a file holds begins after its fn and const, each of which ends at a ';'. */
const char *after_definitions(const char *p)
{
    for (p = skip_blank(p); is_at(p, "fn") || is_at(p, "const"); p = skip_blank(p)) {
        while (*p && *p != ';') {
            const char *next = skip_blank(p);
            p = next > p ? next : p + 1;
        }
        if (*p) p++;
    }
    return p;
}

static const char *scope_name(int k) { return irl_scope_text((irl_scope)k); }

/* The map of --layout BUF=MAP or --assume BUF=MAP; diagnostics name the option: "--layout x:1:29:
   error: ..." */
static const irl_map *map_of_option(const irlc_args *args, const char *option, const char *name,
                                    const char *text)
{
    char place[280];
    sprintf(place, "--%s %s", option, name);
    return irl_map_parse_over(args->cx, text, place, 0, NULL);
}

/* One BUF=... option applied to f; NULL with IRLC_BAD_INPUT said, or with the library's
   diagnostic. */
static const irl_func *apply_option(const irlc_args *args, const irl_func *f,
                                    const irlc_given *given, irlc_status *status)
{
    char        name[256];
    const char *rest = split_name(given->value, name, sizeof name);
    irl_note    shared = { "shared_cells", NULL, NULL };
    char       *end;
    if (given->option == OPT_SHARED) {
        shared.text = given->value;
        return irl_func_set_attr(f, shared);
    }
    if (!rest) {
        *status = bad_input(args, "the option needs BUF=...; found", given->value);
        return NULL;
    }
    if (given->option == OPT_LAYOUT)
        return irl_func_set_layout(f, name, map_of_option(args, "layout", name, rest));
    if (given->option == OPT_ASSUME)
        return irl_func_assume_layout(f, name, map_of_option(args, "assume", name, rest));
    if (given->option == OPT_SCOPE) {
        int scope = irl_scope_find(rest);
        if (scope >= 0) return irl_func_set_scope(f, name, (irl_scope)scope);
        *status = no_name(args, "there is no such scope", rest, scope_name);
        for (scope = 0; *scope_name(scope); scope++)
            fprintf(stderr, "    %s\n", scope_name(scope));
        return NULL;
    }
    double value = strtod(rest, &end);
    if (end != rest && *end == '\0') return irl_func_set_padding(f, name, value);
    *status = bad_input(args, "padding is a number; found", rest);
    return NULL;
}

/* The steps of --do up to the next --schedule, as one schedule, so that names reach from one to the
   next; *k moves to the last of them. */
static const irl_func *apply_steps(const irlc_args *args, const irl_func *f, int *k,
                                   irlc_status *status)
{
    size_t length = 5;
    int    end = *k;
    for (int j = *k; j < args->given_count && args->given[j].option != OPT_SCHEDULE; j++)
        if (args->given[j].option == OPT_DO) {
            length += strlen(args->given[j].value) + 2;
            end = j;
        }
    char *text = (char *)malloc(length);
    if (!text) {
        *status = bad_input(args, "out of memory", NULL);
        return NULL;
    }
    strcpy(text, "{");
    for (int j = *k; j <= end; j++)
        if (args->given[j].option == OPT_DO) {
            strcat(text, args->given[j].value);
            if (text[strlen(text) - 1] != ';') strcat(text, ";");
        }
    strcat(text, "}");
    f = irl_schedule_parse(f, text, IRL_TO_NUL, "--do");
    free(text);
    *k = end;
    return f;
}

static const irl_func *apply_schedule_file(const irlc_args *args, const irl_func *f,
                                           const char *path, irlc_status *status)
{
    size_t length;
    char  *text = read_file(path, &length);
    if (!text) {
        *status = bad_input(args, "cannot read the schedule", path);
        return NULL;
    }
    f = irl_schedule_parse(f, text, length, path);
    free(text);
    return f;
}

/* Is the value of --schedule a word, not a file? Then it is auto, none, or the name of a schedule
   next to the function, in its file. */
static int is_named_schedule(const char *value)
{
    FILE *in;
    if (strcmp(value, "auto") == 0 || strcmp(value, "none") == 0) return 1;
    if (strpbrk(value, "./\\-") || !(in = fopen(value, "rb"))) return !strpbrk(value, "./\\-");
    fclose(in);
    return 0;
}

/* The schedule beside the function that is done: the one that is named, else the first, and none
   ("") where another one is asked for. */
static const char *beside_wanted(const irlc_args *args)
{
    const char *value = value_of(args, OPT_SCHEDULE, NULL);
    if (!value) return NULL;
    return !is_named_schedule(value) || strcmp(value, "auto") == 0 || strcmp(value, "none") == 0
               ? "" : value;
}

static irlc_status apply_schedules(const irlc_args *args, const irl_func **f)
{
    irlc_status status = IRLC_YES;
    for (int k = 0; k < args->given_count; k++) {
        if (args->given[k].option == OPT_DO) *f = apply_steps(args, *f, &k, &status);
        else if (args->given[k].option == OPT_SCHEDULE &&
                 !is_named_schedule(args->given[k].value))
            *f = apply_schedule_file(args, *f, args->given[k].value, &status);
        if (!*f) return status != IRLC_YES ? status : failed(args);
    }
    return IRLC_YES;
}

int has_schedule(const irl_func *f) { return strchr(irl_schedule_text(f), ';') != NULL; }

irl_schedule_kind schedule_kind(const irlc_args *args, const irlc_program *p)
{
    const char *value = value_of(args, OPT_SCHEDULE, NULL);
    const int   has_steps = !p->graph && has_schedule(p->f);
    return value ? strcmp(value, "auto") == 0 ? IRL_SCHEDULE_AUTO : IRL_SCHEDULE_NONE
                 : has_steps ? IRL_SCHEDULE_NONE
                             : IRL_SCHEDULE_AUTO;
}

irl_module *lower_scheduled(const irlc_args *args, const irlc_program *p, const irl_target *target)
{
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.schedule = schedule_kind(args, p);
    return p->graph ? irl_graph_lower_with(p->graph, target, &how)
                    : irl_func_lower_with(p->f, target, &how);
}

/* Schedules, then layouts in the order given, then scopes, then paddings, which belong to the
   layouts. */
static irlc_status apply_options(const irlc_args *args, const irl_func **f)
{
    static const irlc_option order[][2] = { { OPT_LAYOUT, OPT_ASSUME },
                                            { OPT_SCOPE, OPT_SCOPE },
                                            { OPT_PADDING, OPT_SHARED } };
    irlc_status              status = apply_schedules(args, f);
    if (status != IRLC_YES) return status;
    for (size_t round = 0; round < sizeof order / sizeof order[0]; round++)
        for (int k = 0; k < args->given_count; k++) {
            irlc_option option = args->given[k].option;
            if (option != order[round][0] && option != order[round][1]) continue;
            *f = apply_option(args, *f, &args->given[k], &status);
            if (!*f) return status != IRLC_YES ? status : failed(args);
        }
    return IRLC_YES;
}

void parse_program(const irlc_args *args, irlc_program *p, const char *text, size_t length,
                   const char *file)
{
    memset(p, 0, sizeof *p);
    const char *begin = after_definitions(text);
    p->is_module = is_at(begin, "module");
    if (is_at(begin, "graph") || text[strspn(text, " \t\r\n")] == '{') {
        p->graph = irl_graph_load(args->cx, text, length, file);
        if (has(args, OPT_FUSE)) p->graph = irl_graph_fuse(p->graph, &p->fusion);
        p->f = irl_graph_func(p->graph);
    } else if (p->is_module) {
        p->module = irl_module_parse(args->cx, text, length, file);
        p->f = irl_module_host(p->module);
    } else p->f = irl_func_parse_scheduled(args->cx, text, length, file, beside_wanted(args));
}

/* The functions of a graph state their schedules and layouts themselves. */
static irlc_status check_graph_options(const irlc_args *args)
{
    const char *schedule = value_of(args, OPT_SCHEDULE, "auto");
    if (strcmp(schedule, "auto") != 0 && strcmp(schedule, "none") != 0)
        return bad_input(args, "for a graph --schedule is auto (default) or none; found", schedule);
    if (has(args, OPT_LAYOUT) || has(args, OPT_ASSUME) || has(args, OPT_SHARED) ||
        has(args, OPT_SCOPE) || has(args, OPT_PADDING) || has(args, OPT_AFTER) || has(args, OPT_DO))
        return bad_input(args,
                         "the file holds a graph: state layouts and scopes in its functions; a "
                         "graph has no single stage to show",
                         NULL);
    return IRLC_YES;
}

/* What is probably misspelt, of each function that the file holds. */
static void ask_names(const irlc_program *p)
{
    int j;
    if (!p->graph) {
        if (!p->is_module) fputs(irl_func_warnings(p->plain), stderr);
        return;
    }
    for (int k = 0; k < irl_graph_node_count(p->graph); k++) {
        const irl_func *f = irl_graph_node_of(p->graph, k)->func;
        for (j = 0; j < k && irl_graph_node_of(p->graph, j)->func != f; j++) continue;
        if (j == k) fputs(irl_func_warnings(f), stderr);
    }
}

irlc_status read_program(const irlc_args *args, irlc_program *p)
{
    size_t      length;
    const char *path = args->item[0];
    char       *text = read_file(path, &length);
    if (!text) return bad_input(args, "cannot read the file", path);
    if (strcmp(path, "-") == 0) path = "standard input";
    parse_program(args, p, text, length, path);
    p->plain = p->is_module || p->graph || !p->f ? p->f
                                     : irl_func_parse_scheduled(args->cx, text, length, path, "");
    free(text);
    if (!irl_ok(args->cx) || !p->f) return failed(args);
    ask_names(p);
    if (p->graph && has(args, OPT_FUSE))
        fprintf(stderr, "%s%d nodes fused, %lld bytes less between nodes\n", p->fusion.text,
                p->fusion.count, (long long)p->fusion.bytes);
    if (p->graph) return check_graph_options(args);
    if (has(args, OPT_FUSE))
        return bad_input(args, "--fuse is for graphs; the file holds a function or a module", path);
    if (!p->is_module) return apply_options(args, &p->f);
    if (has(args, OPT_LAYOUT) || has(args, OPT_ASSUME) || has(args, OPT_SHARED) ||
        has(args, OPT_SCOPE) || has(args, OPT_PADDING) || has(args, OPT_AFTER) ||
        has(args, OPT_WITHOUT) || has(args, OPT_DO) || has(args, OPT_SCHEDULE) ||
        has(args, OPT_BOUNDS))
        return bad_input(args,
                         "the file holds a module, which is lowered already: schedules, layouts, "
                         "scopes, bounds and passes need a function",
                         path);
    return IRLC_YES;
}

/* What a file, or a text with columns, says. */
static const irl_target *parse_target(const irlc_args *args, const char *given,
                                      irlc_status *status)
{
    size_t            length = strlen(given);
    const int         is_text = strchr(given, '{') != NULL;
    char             *text = is_text ? NULL : read_file(given, &length);
    const irl_target *target = NULL;
    if (is_text || text) {
        target = irl_target_parse(args->cx, is_text ? given : text, length,
                                  is_text ? "--target" : given);
        free(text);
        if (!target) *status = failed(args);
        return target;
    }
    *status = no_name(args, "there is no such target, and no such file (irlc target lists them)",
                      given, irl_target_name);
    for (int k = 0; irl_target_name(k); k++) fprintf(stderr, "    %s\n", irl_target_name(k));
    return NULL;
}

const irl_target *read_target(const irlc_args *args, const char *given, irlc_status *status)
{
    const irl_target *target = irl_target_find(given);
    return target ? target : parse_target(args, given, status);
}

/* The target that nobody names: C's for a plan in C; the row that fits the device, where one runs
   what is lowered. */
static const char *default_target(const irlc_args *args)
{
    const int is_c_plan = strcmp(args->command, "plan") == 0 &&
                          strcmp(value_of(args, OPT_AS_TABLE, "text"), "c") == 0;
    if (is_c_plan) return irl_target_c99.name;
#ifndef IRLC_NO_OPENCL
    const int on_device = strcmp(args->command, "time") == 0 ||
                          strcmp(args->command, "tune") == 0 || has(args, OPT_DEVICE);
    irl_ctx    *cx = on_device ? irl_ctx_create(NULL) : NULL;
    irl_ocl    *cl = irl_ocl_create(cx, NULL);
    const char *name = irl_ocl_target(cl)->name; /* without a device what follows says so */
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return name;
#else
    return "opencl12";
#endif
}

const irl_target *find_target(const irlc_args *args, irlc_status *status)
{
    return read_target(args, has(args, OPT_TARGET) ? value_of(args, OPT_TARGET, NULL)
                                                   : default_target(args),
                       status);
}

/* What the lowering shows on the way: each stage on stderr, and the one that was asked for,
   kept. */
typedef struct irlc_stages {
    const char *wanted; /* a pass; NULL: none */
    char       *text;   /* after it; NULL: it did not run */
    int         traces;
} irlc_stages;

static void see_stage(void *user, const char *pass, const char *text)
{
    irlc_stages *stages = (irlc_stages *)user;
    size_t       size = strlen(text) + 1;
    if (stages->traces) fprintf(stderr, "// after %s\n%s\n", pass, text);
    if (!stages->wanted || strcmp(stages->wanted, pass) != 0) return;
    free(stages->text); /* a pass may run twice: on the function, and on the kernels */
    stages->text = (char *)malloc(size);
    if (stages->text) memcpy(stages->text, text, size);
}

/* A pass that earlier versions had is accepted, with a line that says what replaced it. */
static irlc_status check_pass(const irlc_args *args, const char *name)
{
    const char *instead = irl_pass_replacement(name);
    if (*instead) {
        fprintf(stderr, "irlc: there is no pass '%s' any more: %s\n", name, instead);
        return IRLC_YES;
    }
    for (int k = 0; irl_pass_name(k); k++)
        if (strcmp(irl_pass_name(k), name) == 0) return IRLC_YES;
    no_name(args, "there is no such pass", name, irl_pass_name);
    for (int k = 0; irl_pass_name(k); k++)
        fprintf(stderr, "    %s%s\n", irl_pass_name(k),
                irl_pass_is_optional(k) ? "  (optional)" : "");
    return IRLC_BAD_INPUT;
}

/* --without PASS, as bits of irl_lower_options.disable. */
static irlc_status read_without(const irlc_args *args, uint64_t *disable)
{
    int j;
    for (int k = 0; k < args->given_count; k++) {
        const char *name = args->given[k].value;
        if (args->given[k].option != OPT_WITHOUT) continue;
        if (check_pass(args, name) != IRLC_YES) return IRLC_BAD_INPUT;
        for (j = 0; irl_pass_name(j) && strcmp(irl_pass_name(j), name) != 0; j++) continue;
        if (!irl_pass_name(j)) continue;
        if (!irl_pass_is_optional(j))
            return bad_input(args, "the pass always runs; it cannot be left out", name);
        *disable |= UINT64_C(1) << j;
    }
    return IRLC_YES;
}

static irlc_status read_bounds(const irlc_args *args, irl_bounds *bounds)
{
    static const char *const names[] = { "warn", "refuse", "guard" };
    const char              *name = value_of(args, OPT_BOUNDS, "warn");
    for (int k = 0; k < 3; k++) {
        *bounds = (irl_bounds)k;
        if (strcmp(names[k], name) == 0) return IRLC_YES;
    }
    return bad_word(args, "--bounds is warn, refuse or guard; found", name);
}

/* A step that splits, moves or binds the loops of a float sum whose order is free changes its
   rounding. */
int is_rounded_otherwise(const irlc_program *p)
{
    const char *steps = p->graph && p->scheduled ? "contract(" /* of which node is not said */
                        : p->scheduled ? irl_schedule_text(p->scheduled) : "";
    const char *text = strchr(steps, ';') && p->plain ? irl_func_text(p->plain) : NULL;
    return strstr(steps, "contract(") || strstr(steps, "reassociate(") ||
           (text && (strstr(text, "note(order = \"free\")") ||
                     strstr(text, "attr(numbers = \"free\")")));
}

irlc_status lower(const irlc_args *args, irlc_program *p, char **stage)
{
    irlc_status       status = IRLC_YES;
    const irl_target *target = find_target(args, &status);
    irlc_stages       stages = { NULL, NULL, 0 };
    irl_lower_options how;
    *stage = NULL;
    memset(&how, 0, sizeof how);
    how.after_pass = see_stage;
    if (!target || p->is_module) return status;
    stages.wanted = value_of(args, OPT_AFTER, NULL);
    if (stages.wanted) status = check_pass(args, stages.wanted);
    if (*irl_pass_replacement(stages.wanted)) stages.wanted = "legalize_bits";
    if (status == IRLC_YES) status = read_without(args, &how.disable);
    if (status == IRLC_YES) status = read_bounds(args, &how.bounds);
    if (status != IRLC_YES) return status;
    stages.traces = has(args, OPT_TRACE);
    how.verify = has(args, OPT_VERIFY);
    how.user = &stages;
    if (!stages.traces && !stages.wanted) how.after_pass = NULL;
    if (stages.traces) see_stage(&stages, "reading", irl_func_text(p->f));
    how.schedule = schedule_kind(args, p);
    if (has(args, OPT_HTML)) {
        if (p->graph || stages.wanted || stages.traces || has(args, OPT_JSON))
            return bad_input(args, "--html shows all stages of a function", NULL);
        how.after_pass = NULL;
        return print_html(args, p, target, &how);
    }
    if (has(args, OPT_PLACE)) {
        if (!p->graph) return bad_input(args, "--place is for graphs; the file holds none",
                                        args->item[0]);
        progress("placing the tensors", 0, 0);
        p->graph = irl_graph_place_tensors(p->graph, target, NULL, &p->places);
        if (!p->graph) return failed(args);
        if (!has(args, OPT_JSON)) fputs(p->places, stderr);
    }
    progress("lowering", 0, 0);
    p->module = p->graph ? irl_graph_lower_with(p->graph, target, &how)
                         : irl_func_lower_with(p->f, target, &how);
    p->scheduled = irl_module_scheduled(p->module);
    if (p->module) fputs(irl_func_warnings(irl_module_host(p->module)), stderr);
    *stage = stages.text;
    if (!stages.wanted || (!stages.text && !p->module)) return p->module ? IRLC_YES : failed(args);
    return stages.text ? IRLC_YES : bad_input(args, "the pass did not run", stages.wanted);
}

irlc_status take_part(const irlc_args *args, irlc_program *p)
{
    const char *weights = value_of(args, OPT_WEIGHTS, NULL);
    if (!weights)
        return has(args, OPT_PREPARE) ? bad_input(args, "--prepare is for --weights NAMES", NULL)
                                      : IRLC_YES;
    const irl_prepared parts = irl_module_prepare(p->module, weights);
    p->module = has(args, OPT_PREPARE) ? parts.prepare : parts.run;
    if (!irl_ok(args->cx)) return failed(args);
    return p->module ? IRLC_YES
                     : bad_input(args, "no kernel depends on these parameters alone", weights);
}
