/* irlc.h - what the files of irlc share.

   Results go to stdout and nothing else does; diagnostics go to stderr. A function that returns a
   status other than IRLC_YES has said why. */
#ifndef IRLC_H
#define IRLC_H

#include "../../irlayout_ocl.h"

#include <stdio.h>
#include <string.h>

/* The exit status, the same of all commands. src/base/diags.h says which diagnostic ends in
   which. */
typedef enum irlc_status {
    IRLC_YES = IRL_OUTCOME_YES,
    IRLC_NO = IRL_OUTCOME_NO,
    IRLC_BAD_INPUT = IRL_OUTCOME_NONE,
    IRLC_UNDECIDED = IRL_OUTCOME_UNDECIDED
} irlc_status;

typedef enum irlc_option {
    OPT_NONE, /* ends a list */
#define IRLC_OPTION_ROW(name, text, value, help) OPT_##name,
#include "options.h"
    OPT_COUNT
} irlc_option;

/* ------------------------------------------------------------- the command line: arguments.c */

/* One option as it was given. */
typedef struct irlc_given {
    irlc_option option;
    const char *value; /* NULL for a flag */
} irlc_given;

enum { IRLC_MOST = 64 };

typedef struct irlc_args {
    irl_ctx    *cx;
    const char *command;
    int        *reported; /* with --json: 1 once an object has reported the failure */
    int         count, given_count;
    const char *item[IRLC_MOST]; /* what is not an option */
    irlc_given  given[IRLC_MOST];
} irlc_args;

int         has(const irlc_args *args, irlc_option option);
/* The value of the last such option, `otherwise` if there is none. */
const char *value_of(const irlc_args *args, irlc_option option, const char *otherwise);

int         is_letter(char c); /* '_' is one */
int         is_digit(char c);
const char *skip_any(const char *p, const char *which);
/* comments.c: where a string or a name in back quotes, or a comment, that begins at p ends; p if
   none begins there. */
const char *skip_quoted(const char *p);
const char *skip_comment(const char *p);
/* Returns the printed text with the comments of [text, end); free it. NULL if memory is out, or if
   the text has too many tokens. */
char *with_comments(const char *text, const char *end, const char *printed);
/* Reads a decimal number at *text, and moves *text past it. */
int         read_int(const char **text, int64_t *out);
/* "2,5,7,16" or "2x5x7x16", in brackets or not; a shape of no axes is "[]", "()" or "". */
int         read_shape(const char *text, irl_shape *out);
const char *shape_form(const char *text); /* the message for a text that is no shape */
/* "name=rest": copies the name, returns the rest; NULL if there is no '=' or the name is too
   long. */
const char *split_name(const char *text, char *name, size_t capacity);
/* --type */
irlc_status read_type(const irlc_args *args, irl_type *out);
/* The same where a type may take bits: *out is element, or NULL where it is *type, a plain one. */
irlc_status read_element(const irlc_args *args, irl_type *type, irl_bit_element *element,
                         const irl_bit_element **out);
/* --index: a scalar type as the text form or C writes it, u16, uint16, uint16_t; IRL_BOOL: none.
   emit.c */
irlc_status read_index(const irlc_args *args, irl_scalar *out);
/* --emit: 1 if it is OpenCL. */
irlc_status read_emit(const irlc_args *args, int *is_opencl);

/* ------------------------------------------------------------------ exit statuses: status.c */

/* Reports a message of irlc itself, followed by `which` unless it is NULL. Returns IRLC_BAD_INPUT.
   */
irlc_status bad_input(const irlc_args *args, const char *what, const char *which);
/* The name that was meant: near.c. *near becomes `name` where that is nearer to `word` than those
   before: *edits begins as 0. */
void        look_near(const char *word, const char *name, const char **near, int *edits);
/* Reports a message of irlc; near, preceded by `before`, is what may have been meant, or
   NULL. */
irlc_status bad_name(const irlc_args *args, const char *what, const char *given,
                     const char *before, const char *near);
/* The same with the nearest of the words that `what` lists: "--emit is ir or opencl; found". */
irlc_status bad_word(const irlc_args *args, const char *what, const char *given);
/* The same with the nearest of the names that a list of the library has; NULL or "" ends it. */
irlc_status no_name(const irlc_args *args, const char *what, const char *given,
                    const char *(*name)(int k));
/* The library's diagnostic. Returns what it means for a script. */
irlc_status failed(const irlc_args *args);
/* The same, with a hint that tells users of irlc more than that of the library. */
irlc_status failed_hint(const irlc_args *args, const char *hint);
/* A "no" of the command itself, for which the library has no diagnostic: its code says which. */
irlc_status refused(const irlc_args *args, irl_code code, const char *text);
/* What the command ends in: a result that could not be written is none, and said so, for a full
   disk must not look like "yes". */
irlc_status written(irlc_status status);
/* Writes the text to the file of this name as any program does: it is opened, truncated and
   written, so that a link, a device, a pipe and a file's mode stay what they are. */
irlc_status write_text(const irlc_args *args, const char *path, const char *text);
/* The part of the help that says which diagnostic ends in which status. */
void        print_codes(FILE *out);

/* ------------------------------------------------------------------ printing: json.c, status.c */

/* Prints the result as printf does. With -o FILE the text is kept in memory; say_end writes it to
   FILE where the command has a result, so that a command that is refused leaves FILE as it was. */
void        say(const char *format, ...);
void        say_to(const char *path); /* NULL, "-": standard output */
void        say_beside(void); /* to stderr from now on, since standard output takes data */
irlc_status say_end(const irlc_args *args, irlc_status status);


/* Commas go before every member but the first. */
typedef struct irlc_json {
    irl_ctx *cx;
    int      is_member;
} irlc_json;

void json_open(irlc_json *j, char bracket);
void json_close(irlc_json *j, char bracket);
void json_end(irlc_json *j); /* of the outermost object, and of the line */
void json_next(irlc_json *j);
void json_key(irlc_json *j, const char *key);
void json_string(irl_ctx *cx, const char *s);
void json_text(irlc_json *j, const char *key, const char *value); /* null for NULL, as below */
void json_shape(irlc_json *j, const char *key, const irl_shape *s);
void json_int(irlc_json *j, const char *key, int64_t value);
void json_number(irlc_json *j, const char *key, double value);
void print_shape(irl_ctx *cx, const irl_shape *s); /* [2, 5, 7, 16], [N, 4 * N]; numbers: cx NULL */
const irl_expr *extent_of(irl_ctx *cx, const irl_shape *s, int k);

/* Why a step of a schedule was refused, in parts; null for NULL. refusal.c */
void print_refusal(irl_ctx *cx, const irl_step_refusal *r);

/* -------------------------------------------------- names in expressions and shapes: names.c */

typedef struct irlc_names {
    int             count;
    char            name[IRLC_MOST][64];
    const irl_expr *var[IRLC_MOST];
    irl_range       range[IRLC_MOST];
} irlc_names;

/* 0 if there are too many, or it is too long. */
int add_name(const irlc_args *args, irlc_names *names, const char *text, size_t length, int64_t lo,
             int64_t hi);
/* Whether all names in an expression are declared; else which is not, and how to declare it: "write
   abc=? for <remedy>". */
irlc_status check_declared(const irlc_args *args, const irlc_names *names, const char *text,
                           const char *remedy);
/* A shape of numbers, or with names: N=? declares one, of any value from `least` on. `list` becomes
   its expressions; `what` says what else the text should be. */
irlc_status read_named_shape(const irlc_args *args, irlc_names *names, const char *text,
                             const char *what, int64_t least, const irl_expr **list,
                             irl_shape *out);
/* An expression over names, simplified; NULL on failure. */
const irl_expr *simple_of(const irlc_args *args, const irlc_names *names, const irl_expr *e);
/* A map and a shape, which may declare names, N=?, that the map has too; and a bound. */
typedef struct irlc_question {
    irlc_names      names;
    const irl_map  *map;
    irl_shape       shape, bound;
    int             has_bound;
    const irl_expr *extents[IRL_MAX_RANK], *ends[IRL_MAX_RANK]; /* of the shapes, where named */
} irlc_question;
/* Those that the command line begins with; bound: its text, or NULL. Names that --let gives a value
   are replaced by it. */
irlc_status read_question(const irlc_args *args, irlc_question *q, const char *bound);
/* The same of numbers alone. */
irlc_status read_map_and_shape(const irlc_args *args, const irl_map **map, irl_shape *shape);
/* map.c: the groups between separators of a memory, each flattened row-major: extents, or the place
   of a cell (NULL: extents); `list` becomes expressions of *out. 0 if a number overflows, or on
   failure. */
int flatten(const irlc_args *args, const irlc_names *names, const irl_map *map,
            const irl_shape *memory, const irl_shape *cell, const irl_expr **list, irl_shape *out);

/* ------------------------------------------------------- a program and its passes: program.c */

/* A function to be lowered, or a module that is lowered already. */
typedef struct irlc_program {
    /* as written, its layouts not yet applied; of a module, its host function */
    const irl_func   *f;
    const irl_func   *plain;  /* f before it was scheduled */
    const irl_func   *scheduled; /* f as it was lowered, after the automatic schedule */
    const irl_module *module; /* NULL until it is lowered */
    const irl_graph  *graph;  /* NULL: it is none; else f is what it means */
    irl_graph_fusion  fusion; /* with --fuse */
    const char      *places; /* with --place: of each tensor, and why; NULL */
    int               is_module;
} irlc_program;

/* Returns the text of a file ('-' is standard input), with a NUL after it, and its length; free it.
   NULL if it cannot be read. */
char *read_file(const char *path, size_t *length);
/* What a file holds begins after its fn and const. */
const char *after_definitions(const char *p);
/* A function or a module, whichever the text holds; the context keeps a copy of it, and the
   diagnostic. */
void parse_program(const irlc_args *args, irlc_program *p, const char *text, size_t length,
                   const char *file);
/* The file of the command line, with the options that change a function applied to it. */
irlc_status       read_program(const irlc_args *args, irlc_program *p);
/* --target; NULL with a status other than IRLC_YES if there is no such one. */
const irl_target *find_target(const irlc_args *args, irlc_status *status);
/* A name of the library's; "target name { ... }", or a file with that in it. */
const irl_target *read_target(const irlc_args *args, const char *given, irlc_status *status);
/* What --schedule says of nests that nobody scheduled: a schedule that is given, in whatever way,
   is the whole of it; without one a schedule is made. */
int               has_schedule(const irl_func *f); /* have steps been applied to it? */
irl_schedule_kind schedule_kind(const irlc_args *args, const irlc_program *p);
/* Lowers as that says, and without other options. */
irl_module       *lower_scheduled(const irlc_args *args, const irlc_program *p,
                                  const irl_target *target);
/* Does its schedule change how sums are rounded? Then the interpreter runs it as it is scheduled to
   compare with a device. */
int               is_rounded_otherwise(const irlc_program *p);
/* Lowers a function for --target. *stage is the text after the pass of --after, to be freed; NULL
   without one. It is there even where a later pass fails, because then it is wanted most: p->module
   is NULL then. */
irlc_status       lower(const irlc_args *args, irlc_program *p, char **stage);

/* The part of p->module that --weights and --prepare ask for, in its place. */
irlc_status       take_part(const irlc_args *args, irlc_program *p);

/* --html: the function before and after each step and pass, as a page. html.c */
irlc_status       print_html(const irlc_args *args, const irlc_program *program,
                             const irl_target *target, irl_lower_options *how);
/* The same for the steps of its schedule alone. */
irlc_status       print_steps_html(const irlc_args *args, const irlc_program *program);

/* ------------------------------------------------------------------ files of numbers: npy.c */

enum { IRLC_PROBLEM = 200, IRLC_NPY_HEADER = 1024, IRLC_SHAPE_TEXT = 24 * IRL_MAX_RANK };

/* What the header of a file .npy says. */
typedef struct irlc_npy {
    char      kind;       /* as numpy's dtype.kind: b, i, u, f; V: bytes */
    int       size;       /* bytes of an element */
    int       is_big;     /* the most significant byte is first */
    int       is_fortran; /* the first axis is the fastest */
    irl_shape shape;
    size_t    begin;      /* of the elements */
} irlc_npy;

int    is_npy(const unsigned char *bytes, size_t length); /* does it begin as one? */
/* 1, and then the elements are all there; or 0, and the problem. */
int    read_npy(const unsigned char *bytes, size_t length, irlc_npy *out, char *problem);
size_t write_npy(const irlc_npy *npy, char out[IRLC_NPY_HEADER]); /* its bytes */
int    is_little(void); /* this machine's order of bytes */

/* ------------------------------------------- the data of a run: data.c, files.c, results.c */

/* Elements of one result, in ascending order, where not all are compared. points.c */
typedef struct irlc_points {
    irl_shape shape; /* of the result */
    int64_t   total; /* its elements */
    int       count;
    int64_t  *element; /* their row-major numbers */
} irlc_points;
typedef struct irlc_sample {
    irlc_points of[IRL_MAX_ARGUMENTS];
    int64_t     count, total; /* of all results */
} irlc_sample;

/* The arguments of one run. */
typedef struct irlc_data {
    irl_ctx           *cx;
    const irlc_sample *sample; /* NULL: everything is computed and compared */
    int           is_wide; /* integers that are drawn are of all values, not only 0..15 */
    int           count;
    irl_tensor    tensor[IRL_MAX_ARGUMENTS];
    irl_arguments arguments;
} irlc_data;

/* A file of --in, --out or --expect. */
typedef struct irlc_file {
    irlc_option    option; /* OPT_IN, OPT_RESULT, OPT_EXPECT */
    char           name[256];
    int            param;
    const char    *path;
    int            is_npy;
    irlc_npy       npy;
    unsigned char *bytes; /* what was read */
    size_t         length;
    char           as[16]; /* of OPT_RESULT: what numpy's type is, where it lacks ours */
    /* of OPT_EXPECT, compared: its elements; how many there are, and differ; the first of these */
    irl_tensor     expected;
    int64_t        elements, different, ulp;
    irl_shape      at;
    char           is[40], wanted[40];
} irlc_file;
typedef struct irlc_files {
    int       count;
    irlc_file file[IRLC_MOST];
} irlc_files;

/* Reads what f is given, and checks the names. */
irlc_status read_files(const irlc_args *args, const irl_func *f, irlc_files *files);
void        free_files(irlc_files *files);
const irlc_file *file_of(const irlc_files *files, irlc_option option, int param); /* NULL: none */
/* The values of index parameters that --set or the shapes of files give; -1: none. Two that differ
   are said. */
irlc_status sizes_of_files(const irlc_args *args, const irl_func *f, const irlc_files *files,
                           int64_t values[IRL_MAX_ARGUMENTS]);
/* The elements of a file as the interpreter takes them, whatever the file's type, order and shape:
   they are compared with what the parameter wants. */
irlc_status load_file(const irlc_args *args, const irl_func *f, const irlc_file *file,
                      const irlc_data *d, void *to);
/* Writes --out, and compares with --expect: IRLC_NO if one differs. */
irlc_status finish_files(const irlc_args *args, const irlc_program *p, irlc_files *files,
                         const irlc_data *d);
/* Where a result differs first from a file, and how many elements do: IRLC_NO if any. results.c */
irlc_status compare_file(const irlc_args *args, const irl_func *f, irlc_file *file,
                         const irl_tensor *result);
void print_files(const irlc_files *files); /* says so */
void json_files(irlc_json *j, const irlc_files *files);

int64_t     count_of(const irl_tensor *t); /* elements */
/* Elements of bits are filled and compared as the bytes that contain them. */
int64_t     elements_of(const irl_tensor *t);
irl_type    shown_type(const irl_tensor *t);
/* --set NAME=VALUE; false if it was not given. Every --set names a scalar parameter. */
int         set_value(const irlc_args *args, const char *name, const char **text);
irlc_status check_set(const irlc_args *args, const irl_func *f);
/* Random input, the same for the same --seed, where no file gives it; scalars hold what --set says.
   Integers take all values of their type, unless the function may be undefined for some: 0..15.
   files: NULL where the command takes none. */
irlc_status make_data(const irlc_args *args, const irlc_program *p, const irlc_files *files,
                      irlc_data *d);
/* A run on the data; 0 on failure. With how (NULL: nothing is asked for) errors are written. */
int         interpret_data(const irl_func *f, const irlc_data *d,
                           const irl_interpret_options *how);
/* Seconds, roughly, for a run of f in the interpreter; -1: not known. */
double      expected_seconds(const irl_func *f, const irlc_data *d);
/* What --check says of how much is compared with f, and with `also` (NULL: nothing), which take the
   interpreter so many seconds: d->sample, or everything. stderr says how long it takes. */
irlc_status choose_sample(const irlc_args *args, const irl_func *f, const irl_func *also,
                          double seconds, irlc_data *d, irlc_sample *sample);
void        free_sample(irlc_sample *s);
/* f, computing these elements of parameter k alone; NULL if it cannot be rewritten so. sample.c */
irl_func   *sample_func(irl_ctx *cx, const irl_func *f, int k, const irlc_points *points);
/* A run of f that leaves in d what d->sample chooses. */
int         interpret_sample(const irl_func *f, const irlc_data *d,
                             const irl_interpret_options *how);
/* Keeps of each result what d->sample chooses, one after the other, and of the rest nothing; of
   their errors, too (NULL: there are none). */
void        keep_sample(irlc_data *d, double *const *errors);
irl_shape   point_of(const irl_shape *shape, int64_t n); /* the coordinates of element n */
int         is_stored(const irl_func *f, int k); /* does f store to parameter k? */
/* The elements that a check compared, of how many: "4096 elements", "checked 64 of 262144
   elements". */
const char *checked_text(const irlc_data *d, int64_t numbers, char out[80]);
#ifndef IRLC_NO_OPENCL
int         run_data_on(irl_ocl *cl, const irl_module *m, const irlc_data *d);
#endif
/* Copies the same bytes to new memory; 0 if memory is out. */
int         copy_data(const irlc_data *from, irlc_data *to);
void        free_data(irlc_data *d);
uint32_t    next_random(uint64_t *state);
/* What a run left in the arguments that the function writes. */
void print_results(const irlc_args *args, const irl_func *f, const irlc_data *before,
                   const irlc_data *after, const irlc_files *files);
/* --ulp, 0 without it. */
irlc_status read_ulp(const irlc_args *args, int64_t *ulp);

/* How a function whose schedule changes what is rounded differs from the function as it was
   written, on numbers that are rounded: rounding.c */
typedef struct irlc_rounding {
    int           is_left_out; /* it does not run on such numbers */
    irl_agreement sum;
    int64_t       undecided;
    int           found; /* a buffer that differs by more than rounding; -1 */
    int64_t       at;
} irlc_rounding;
irlc_status compare_rounding(const irlc_args *args, const irl_func *written,
                             const irl_func *scheduled, const irlc_data *data, irlc_rounding *out);
irlc_status json_shaders(const irlc_args *args, const irl_module *m);
void        json_rounding(irlc_json *j, const irl_func *f, const irlc_rounding *r);
void        print_rounding(const irl_func *f, const irlc_rounding *r);
double      worst_of(const irlc_rounding *r); /* times the bound, a number of JSON */

/* What the interpreter ran, on which arguments, and what that is: "as written". */
typedef struct irlc_ran {
    const irl_func   *f;
    const irl_module *module; /* NULL: f */
    const irlc_data  *before;
    const char       *what;
} irlc_ran;

/* How the numbers of the device compare with those of the interpreter. What is further apart than
   `ulp` is judged by the bound of rounding, where the tolerance is not said and not 0. */
typedef struct irlc_judged {
    int64_t       ulp, numbers; /* elements that were compared */
    int           found;        /* a buffer that differs; -1 */
    int64_t       at;           /* its first element that does */
    int           is_bounded;   /* `bound` says by how much of its bound */
    int           is_unbounded; /* the element that differs has none */
    irlc_rounding bound;
} irlc_judged;
irlc_status judge_results(const irlc_args *args, const irl_func *f, const irlc_data *device,
                          const irlc_data *reference, const irlc_ran *ran, irlc_judged *out);
/* The running bound's part of that. */
irlc_status judge_bounded(const irlc_args *args, const irlc_data *device, const irlc_ran *ran,
                          irlc_judged *out);
/* Says so. Where the interpreter ran the function as it is scheduled r says how that compares with
   what was written, or is NULL. IRLC_NO if anything differs. */
irlc_status print_judged(const irlc_args *args, const irl_func *f, const irlc_data *device,
                         const irlc_data *reference, const irlc_ran *ran, const irlc_judged *j,
                         const irlc_rounding *r);

#ifndef IRLC_NO_OPENCL
/* ------------------------------------------------------- what is measured on a device: time.c */

typedef struct irlc_timed {
    irl_ocl       *cl;
    irl_ocl_module *built;
    irl_arguments  memory; /* of the device; scalars are the host's */
    struct _cl_mem *own[IRL_MAX_ARGUMENTS]; /* what of it is to be freed; NULL: nothing */
    int64_t        least, median; /* nanoseconds */
    int64_t        operations, bytes; /* -1: not counted */
    int            kernels;
    const char    *checked; /* what the results are the same as */
    char           compared[80]; /* checked_text; "": nothing */
} irlc_timed;

/* --runs */
irlc_status read_runs(const irlc_args *args, int *runs);
/* Operations of floats, bytes of parameters that are read and written, and how often something
   runs: of the function as it was written. Each buffer counts once read and once written. */
void        count_work(const irl_func *f, irlc_timed *t, int64_t *iterations);
/* The results beside those of the function as it was written, in the interpreter (where the steps
   change how sums are rounded, as it is scheduled, and that beside what was written, within the
   errors of both) or, where that would take long, on the device by
   the passes alone. */
irlc_status check_results(const irlc_args *args, const irlc_program *p, const irlc_data *data,
                          int64_t iterations, irlc_timed *t);
/* Builds the module, and runs it so often. */
irlc_status take_times(const irlc_args *args, const irl_module *m, const irlc_data *d, int runs,
                       irlc_timed *t);
#endif

/* -------------------------------- what takes more than a second says what it does: progress.c */

void progress_begin(const char *name);
/* From now on this is done, part `done` of `all`; 0 of 0: in one piece. `what` stays. */
void progress(const char *what, int64_t done, int64_t all);
void progress_end(void);

/* ------------------------------------- the commands, one for each row of the table in irlc.c */

irlc_status command_map(const irlc_args *args);      /* map.c */
irlc_status command_check(const irlc_args *args);    /* check.c */
irlc_status command_inverse(const irlc_args *args);
irlc_status command_show(const irlc_args *args);     /* show.c */
irlc_status command_simplify(const irlc_args *args);
/* Whether the command line is a record, or a file for one; its verdict. record.c */
int               is_record(const irlc_args *args);
const irl_record *read_record(const irlc_args *args, irlc_status *status);
irlc_status       check_record(const irlc_args *args);
int               is_record_file(const irlc_args *args); /* its text begins with "record " */
irlc_status       emit_record(const irlc_args *args, const char **text);
irlc_status       pack_record(const irlc_args *args, const irl_target *target, int is_opencl);
irlc_status command_texture(const irlc_args *args);  /* texture.c */
irlc_status command_target(const irlc_args *args);
irlc_status command_steps(const irlc_args *args);
irlc_status command_schedule(const irlc_args *args);
irlc_status command_graph(const irlc_args *args);    /* graph.c */
irlc_status command_emit(const irlc_args *args);     /* emit.c */
irlc_status command_lower(const irlc_args *args);    /* lower.c */
irlc_status command_pack(const irlc_args *args);
irlc_status command_run(const irlc_args *args);      /* run.c */
irlc_status command_time(const irlc_args *args);     /* time.c */
irlc_status command_tune(const irlc_args *args);     /* tune.c */
irlc_status command_plan(const irlc_args *args);     /* plan.c */
irlc_status command_dma(const irlc_args *args);      /* dma.c */
irlc_status command_fmt(const irlc_args *args);      /* fmt.c */
irlc_status command_explain(const irlc_args *args);  /* explain.c */
/* What --set says of integer parameters; room for IRLC_MOST_SET. */
enum { IRLC_MOST_SET = 64 };
irlc_status read_values(const irlc_args *args, const irl_func *f, irl_value *values, int *count);
/* Whether access k is the read of an update, which the update says. */
int         is_reported(const irl_access_table *t, int k);
/* Who writes what is read, from when to when memory is touched: a part of it. flows.c */
void        print_flows(irl_ctx *cx, const irl_func *f, const irl_access_table *t);
void        json_flows(irlc_json *j, const irl_func *f);
void        explain_module(const irlc_args *args, const irl_module *m);
/* What each access costs: a part of it. costs.c */
void        print_costs(irl_ctx *cx, const irl_func *f, const irl_access_table *t,
                        const irl_cost_options *how);
void        json_costs(irlc_json *j, const irl_func *f, const irl_access_table *t,
                       const irl_cost_options *how);

#endif
