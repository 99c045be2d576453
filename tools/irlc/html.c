/* html.c - `irlc lower --html`: a function before and after each step of its schedule and each
   pass, side by side, as one page without scripts; nothing is loaded from elsewhere. `irlc schedule
   --html`: the steps alone, and what came out of them as a picture. */
#include "irlc.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ a text by lines */

enum { MOST_LINES = 4000 }; /* compared; longer texts are shown whole */

typedef struct lines {
    int          count;
    const char **at;
    size_t      *length;
} lines;

static int split_lines(const char *text, lines *out)
{
    const char *p;
    size_t      n = 1;
    for (p = text; *p; p++) n += *p == '\n';
    out->count = 0;
    out->at = (const char **)calloc(n, sizeof *out->at);
    out->length = (size_t *)calloc(n, sizeof *out->length);
    if (!out->at || !out->length) return 0;
    for (p = text; *p; p += *p == '\n') {
        out->at[out->count] = p;
        out->length[out->count] = strcspn(p, "\n");
        p += out->length[out->count++];
    }
    return 1;
}

static void free_lines(lines *l)
{
    free(l->at);
    free(l->length);
}

static int same_line(const lines *a, int i, const lines *b, int j)
{
    return a->length[i] == b->length[j] && memcmp(a->at[i], b->at[j], a->length[i]) == 0;
}

/* ------------------------------------------------------------------ printing */

static void escape(const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++)
        if (text[k] == '<') say("&lt;");
        else if (text[k] == '>') say("&gt;");
        else if (text[k] == '&') say("&amp;");
        else say("%c", text[k]);
}

static void print_line(const char *class_name, const lines *l, int k)
{
    say("<td class=\"%s\">", class_name);
    if (l) escape(l->at[k], l->length[k]);
    say("</td>");
}

/* Line i of a beside line j of b; -1: none. */
static void print_row(const lines *a, int i, const lines *b, int j, int is_same)
{
    say("<tr>");
    print_line(is_same ? "s" : i >= 0 ? "m" : "e", i >= 0 ? a : NULL, i);
    print_line(is_same ? "s" : j >= 0 ? "p" : "e", j >= 0 ? b : NULL, j);
    say("</tr>\n");
}

/* Lines [i, end) that went beside lines [j, stop) that came. */
static void print_change(const lines *a, int i, int end, const lines *b, int j, int stop)
{
    for (; i < end || j < stop; i++, j++)
        print_row(a, i < end ? i : -1, b, j < stop ? j : -1, 0);
}

/* The longest common subsequence of lines: longest[i][j] of what follows line i and line j. What is
   not in it went, on the left, or came, on the right. */
static void print_difference(const lines *a, const lines *b)
{
    const size_t width = (size_t)b->count + 1;
    uint16_t    *longest = a->count < MOST_LINES && b->count < MOST_LINES
                               ? (uint16_t *)calloc(((size_t)a->count + 1) * width, sizeof *longest)
                               : NULL;
    int          j;
    for (int i = a->count; longest && i-- > 0;)
        for (j = b->count; j-- > 0;) {
            uint16_t *here = &longest[(size_t)i * width + (size_t)j];
            if (same_line(a, i, b, j)) *here = (uint16_t)(here[width + 1] + 1);
            else *here = here[1] > here[width] ? here[1] : here[width];
        }
    say("<table>\n");
    for (int i = j = 0; i < a->count || j < b->count;) {
        const int from = i, start = j;
        while (i < a->count || j < b->count) {
            const uint16_t *here = longest ? &longest[(size_t)i * width + (size_t)j] : NULL;
            if (i < a->count && j < b->count && same_line(a, i, b, j)) break;
            if (i < a->count && (j == b->count || !here || here[width] >= here[1])) i++;
            else j++;
        }
        print_change(a, from, i, b, start, j);
        if (i < a->count && j < b->count) print_row(a, i++, b, j++, 1);
    }
    say("</table>\n");
    free(longest);
}

/* ------------------------------------------------------------------ the page */

static const char *const style[] = {
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1f2328;--dim:#59636e;--line:#d1d9e0;"
    "--minus:#ffebe9;--plus:#dafbe1}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9198a1;"
    "--line:#3d444d;--minus:#4b1d1f;--plus:#17391f}}\n",
    "body{background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;"
    "margin:2rem auto;max-width:1500px;padding:0 1rem}\n"
    "h1{font-size:1.4rem}h2{font-size:1.05rem;margin:2rem 0 .2rem}"
    "p{color:var(--dim);margin:.1rem 0 .5rem}\n",
    "table{border-collapse:collapse;table-layout:fixed;width:100%;border:1px solid var(--line)}\n"
    "td,pre{font:12.5px/1.45 ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}\n"
    "td{white-space:pre-wrap;overflow-wrap:anywhere;vertical-align:top;padding:0 .7em;"
    "width:50%}\n"
    "td+td{border-left:1px solid var(--line)}.m{background:var(--minus)}"
    ".p{background:var(--plus)}\n"
    "pre{border:1px solid var(--line);padding:.7em;overflow:auto}\n"
};

typedef struct page {
    const irlc_args *args;
    char            *before; /* the text after the last pass */
    int              count;  /* of what changed it */
    char             unchanged[2048];
} page;

static const char *doc_of(const char *pass)
{
    for (int k = 0; irl_pass_name(k); k++)
        if (strcmp(irl_pass_name(k), pass) == 0) return irl_pass_doc(k);
    return "";
}

static char *copy_of(const char *text)
{
    const size_t size = strlen(text) + 1;
    char        *copy = (char *)malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

static void print_unchanged(page *p)
{
    if (p->unchanged[0]) say("<p>without a change: %s</p>\n", p->unchanged);
    p->unchanged[0] = '\0';
}

/* A stage, beside the one before it. */
static void print_stage(page *p, const char *title, const char *doc, const char *text)
{
    lines  a, b;
    size_t used = strlen(p->unchanged);
    if (p->before && strcmp(p->before, text) == 0) {
        snprintf(p->unchanged + used, sizeof p->unchanged - used, "%s%s", used ? ", " : "", title);
        return;
    }
    print_unchanged(p);
    say("<section id=\"s%d\"><h2>%d. ", p->count, p->count);
    p->count++;
    escape(title, strlen(title));
    say("</h2>\n<p>");
    escape(doc, strlen(doc));
    say("</p>\n");
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    if (p->before && split_lines(p->before, &a) && split_lines(text, &b))
        print_difference(&a, &b);
    else {
        say("<pre>");
        escape(text, strlen(text));
        say("</pre>\n");
    }
    say("</section>\n");
    free_lines(&a);
    free_lines(&b);
    free(p->before);
    p->before = copy_of(text);
}

static void see_pass(void *user, const char *pass, const char *text)
{
    print_stage((page *)user, pass, doc_of(pass), text);
}

/* The step in a line of a schedule's text, "{", "}" and comments being none; its length. */
static size_t step_of(const char **line)
{
    *line = skip_any(*line, " \t{");
    size_t length = strcspn(*line, ";\n");
    return strncmp(*line, "//", 2) == 0 || (*line)[length] != ';' ? 0 : length;
}

/* Does the steps of a schedule's text from number `first` on to f, and shows each; how many there
   are. */
static int print_steps(page *p, const irl_func *f, const char *text, int first)
{
    irl_ctx *cx = p->args->cx;
    int      n = 0;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        const char  *step = text;
        const size_t length = step_of(&step);
        irl_mark     mark = irl_ctx_mark(cx);
        char         title[512];
        if (!length || n++ < first) continue;
        snprintf(title, sizeof title, "%.*s", (int)length, step);
        f = irl_schedule_do(f, "%s", title);
        if (!f) { /* the passes say why */
            irl_ctx_rewind(cx, mark);
            return n;
        }
        print_stage(p, title, "a step of the schedule", irl_func_text(f));
    }
    return n;
}

/* The loops of a function as nested boxes. */
static void print_boxes(const irl_func *f)
{
    irl_picture_options svg;
    memset(&svg, 0, sizeof svg);
    svg.form = IRL_PICTURE_SVG;
    say("%s", irl_func_picture_with(f, &svg));
}

static void print_head(const irl_func *f, const char *what, const char *of)
{
    const char *name = irl_func_name(f);
    say("%s", "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    escape(name, strlen(name));
    say("</title>\n<style>");
    for (size_t k = 0; k < sizeof style / sizeof style[0]; k++) say("%s", style[k]);
    say("</style>\n<h1>");
    escape(name, strlen(name));
    say(", %s</h1>\n<p>Each %s that changes the text: before it on the left, after it "
                    "on the right.</p>\n", what, of);
    print_boxes(f);
}

static void print_text(const char *title, const char *text)
{
    say("<h2>%s</h2>\n<pre>", title);
    escape(text, strlen(text));
    say("</pre>\n");
}

/* As it was written, the steps of its schedule, what was set, those of the schedule that was
   made for it. */
static void print_before_passes(page *p, const irlc_program *program, const irl_module *m)
{
    const char *made = m ? irl_schedule_text(irl_module_scheduled(m)) : "";
    print_stage(p, "as written", "the function", irl_func_text(program->plain));
    int steps = print_steps(p, program->plain, irl_schedule_text(program->f), 0);
    print_stage(p, "layouts and scopes", "what the user set", irl_func_text(program->f));
    print_steps(p, program->f, made, steps);
}

irlc_status print_html(const irlc_args *args, const irlc_program *program,
                       const irl_target *target, irl_lower_options *how)
{
    page        p;
    char        what[256];
    memset(&p, 0, sizeof p);
    p.args = args;
    irl_module *m = irl_func_lower_with(program->f, target, how);
    if (!m) return failed(args);
    snprintf(what, sizeof what, "lowered for %s", target->name);
    print_head(program->plain, what, "step and each pass");
    print_before_passes(&p, program, m);
    how->after_pass = see_pass;
    how->user = &p;
    m = irl_func_lower_with(program->f, target, how);
    print_unchanged(&p);
    print_text("OpenCL C", irl_ocl_source(m));
    say("</html>\n");
    free(p.before);
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}

irlc_status print_steps_html(const irlc_args *args, const irlc_program *program)
{
    page p;
    memset(&p, 0, sizeof p);
    p.args = args;
    print_head(program->plain, "scheduled", "step of its schedule");
    print_stage(&p, "as written", "the function", irl_func_text(program->plain));
    print_steps(&p, program->plain, irl_schedule_text(program->f), 0);
    print_unchanged(&p);
    say("<h2>As it is scheduled</h2>\n");
    print_boxes(program->f);
    print_text("The schedule", irl_schedule_text(program->f));
    say("</html>\n");
    free(p.before);
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}
