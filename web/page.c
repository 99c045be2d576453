/* page.c - what the page in the browser asks the library, compiled to WebAssembly: a layout's
   answers, a function's stages; each as one JSON text that lives until the next question.

   Built by `make page` (scripts/page.sh). Nothing of the library is changed for it; what libc would
   ask of a system is refused by the page. */
#define IRLAYOUT_IMPLEMENTATION
#define IRL_NO_FILES
#include "irlayout_ocl.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

enum { WEB_WORK = 20000000 }; /* steps that a question about a map may take: some 20 ms */

static irl_ctx *cx; /* of the last question */

EXPORT(web_room) char *web_room(int bytes) { return (char *)malloc((size_t)bytes); }
EXPORT(web_free) void web_free(char *room) { free(room); }

static void begin(void)
{
    irl_ctx_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.most_work = WEB_WORK;
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(&desc);
}

/* ------------------------------------------------------------------ a JSON text that grows */

typedef struct json {
    char  *text;
    size_t length, room;
} json;

static void put(json *j, const char *s)
{
    const size_t n = strlen(s);
    while (j->length + n + 1 > j->room) {
        j->room = j->room ? 2 * j->room : 65536;
        j->text = (char *)realloc(j->text, j->room);
        if (!j->text) __builtin_trap();
    }
    memcpy(j->text + j->length, s, n + 1);
    j->length += n;
}

static void put_text(json *j, const char *key, const char *text)
{
    put(j, j->text[j->length - 1] == '{' ? "\"" : ",\"");
    put(j, key);
    put(j, "\":");
    put(j, text ? irl_json_text(cx, text) : "null");
}

static json answer; /* the last one */

static const char *done(void)
{
    put(&answer, "}");
    return answer.text;
}

/* The diagnostic, after which the context takes questions again. */
static void put_failure(const char *key, irl_mark mark)
{
    if (irl_ok(cx)) return;
    put_text(&answer, key, irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
}

/* ------------------------------------------------------------------ a layout */

/* "64, 128" or "64x128"; 0 if it is none. */
static int read_shape(const char *p, irl_shape *out)
{
    char *end;
    memset(out, 0, sizeof *out);
    for (;;) {
        p += strspn(p, " [(");
        if (out->rank == IRL_MAX_RANK) return 0;
        out->extent[out->rank] = strtoll(p, &end, 10);
        if (end == p || out->extent[out->rank++] < 0) return 0;
        p = end + strspn(end, " ])");
        if (!*p) return 1;
        if (*p != ',' && *p != 'x') return 0;
        p++;
    }
}

static void put_packing(const irl_map *map, irl_shape shape)
{
    irl_mark    mark = irl_ctx_mark(cx);
    irl_func   *f = irl_map_pack_func(cx, map, shape, NULL);
    const char *text = irl_ocl_source(irl_func_lower(f, &irl_target_opencl12));
    if (irl_ok(cx)) put_text(&answer, "opencl", text);
    put_failure("opencl_why", mark);
}

EXPORT(web_layout)
const char *web_layout(const char *map_text, const char *shape_text, int frame, int walk)
{
    irl_picture_options how;
    irl_c_layout_options c;
    const irl_map *map;
    irl_shape   shape;
    irl_verdict v;
    irl_mark    mark;
    begin();
    answer.length = 0;
    put(&answer, "{");
    mark = irl_ctx_mark(cx);
    map = irl_map_parse(cx, map_text);
    if (map && !read_shape(shape_text, &shape)) {
        put_text(&answer, "error", "a shape is written 64, 128");
        return done();
    }
    memset(&v, 0, sizeof v);
    if (map) v = irl_map_check(cx, map, shape);
    if (!map || !irl_ok(cx)) {
        put_failure("error", mark);
        return done();
    }
    put_text(&answer, "kind", irl_verdict_name(v.kind));
    put_text(&answer, "verdict", irl_verdict_text(cx, &v));
    put_text(&answer, "method", v.method);
    put_text(&answer, "good", v.code == IRL_OK ? "yes" : NULL);
    if (v.inverse) put_text(&answer, "inverse", irl_map_text(cx, v.inverse));
    if (v.inverse && v.pad_cells) put_text(&answer, "padding", irl_expr_text(cx, v.padding));
    memset(&how, 0, sizeof how);
    how.form = IRL_PICTURE_SVG;
    how.frame = frame > 0 ? frame : 0;
    how.walk = walk;
    how.columns = 24;
    how.rows = 18;
    put_text(&answer, "svg", irl_map_picture_with(cx, map, shape, &how));
    put_failure("svg_why", mark);
    memset(&c, 0, sizeof c);
    c.type = irl_type_of(IRL_F32, 1);
    mark = irl_ctx_mark(cx);
    put_text(&answer, "c", irl_c_layout_source(cx, map, shape, &c));
    put_failure("c_why", mark);
    put_packing(map, shape);
    return done();
}

/* ------------------------------------------------------------------ a function */

static int stages; /* in the answer */

static void see(void *user, const char *pass, const char *text)
{
    int k;
    (void)user;
    for (k = 0; irl_pass_name(k) && strcmp(irl_pass_name(k), pass) != 0; k++) continue;
    put(&answer, stages++ ? ",{" : "{");
    put_text(&answer, "pass", pass);
    put_text(&answer, "doc", irl_pass_name(k) ? irl_pass_doc(k) : "");
    put_text(&answer, "text", text);
    put(&answer, "}");
}

/* "x = (i) -> (i/4, i%4)", a layout to a line; what follows a space and "texture" is its scope. */
static irl_func *set_layouts(irl_func *f, const char *line)
{
    for (; f && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char        name[64], map[1024];
        const char *start = line + strspn(line, " \t"), *equals = strchr(start, '=');
        size_t      n = equals ? strcspn(start, " =") : 0, m;
        if (*start == '\n' || !*start) continue;
        if (!equals || equals > line + strcspn(line, "\n") || !n || n >= sizeof name) {
            put_text(&answer, "error", "a layout is written x = (i, j) -> (j, i)");
            return NULL;
        }
        m = strcspn(equals + 1, "\n");
        if (m >= sizeof map) m = sizeof map - 1;
        memcpy(name, start, n);
        memcpy(map, equals + 1, m);
        name[n] = map[m] = '\0';
        f = irl_func_set_layout(f, name, irl_map_parse(cx, map));
    }
    return f;
}

EXPORT(web_lower)
const char *web_lower(const char *text, const char *layouts, int is_scheduled)
{
    irl_picture_options svg;
    irl_lower_options how;
    irl_module *m;
    irl_func   *f;
    irl_mark    mark;
    begin();
    answer.length = 0;
    stages = 0;
    put(&answer, "{");
    mark = irl_ctx_mark(cx);
    f = irl_func_parse(cx, text, IRL_TO_NUL, "kernel");
    memset(&svg, 0, sizeof svg);
    svg.form = IRL_PICTURE_SVG;
    if (f) put_text(&answer, "boxes", irl_func_picture_with(f, &svg));
    if (f) f = set_layouts(f, layouts);
    if (f) {
        memset(&how, 0, sizeof how);
        how.after_pass = see;
        how.schedule = is_scheduled ? IRL_SCHEDULE_AUTO : IRL_SCHEDULE_NONE;
        put(&answer, ",\"stages\":[");
        see(NULL, "as written", irl_func_text(f));
        m = irl_func_lower_with(f, &irl_target_opencl12, &how);
        put(&answer, "]");
        if (m) put_text(&answer, "opencl", irl_ocl_source(m));
        if (m) put_text(&answer, "warnings", irl_func_warnings(irl_module_host(m)));
        if (m && is_scheduled)
            put_text(&answer, "schedule", irl_schedule_text(irl_module_scheduled(m)));
        if (irl_ok(cx)) put_text(&answer, "c", irl_c_source(irl_func_lower(f, &irl_target_c99)));
    }
    put_failure("error", mark);
    return done();
}
