/* plan_text.c - a plan as text with its timeline, as C, as JSON.

   needs     module.c
   promises  the same plan has the same text on every machine
   cost      linear; the timeline times its rows, of which there are IRL__PLAN_ROWS at most */
#include "plan.h"

enum {
    IRL__PLAN_ROWS = 32,   /* of a timeline */
    IRL__PLAN_COLUMNS = 96 /* launches that one shows */
};

static void irl__plan_pad(irl__text *t, const char *text, int width)
{
    int n = (int)strlen(text);
    for (; n < width; n++) irl__text_putc(t, ' ');
    irl__text_puts(t, text);
}

static void irl__plan_number(irl__text *t, int64_t value, int width)
{
    char      digits[24];
    irl__text one;
    irl__text_init_fixed(&one, digits, sizeof digits);
    irl__text_int(&one, value);
    irl__plan_pad(t, digits, width);
}

/* a ... z, then A ... Z, then again. */
static char irl__plan_letter(int k)
{
    k %= 52;
    return (char)(k < 26 ? 'a' + k : 'A' + k - 26);
}

/* ------------------------------------------------------------------ the timeline */

/* Who holds byte `at` of a pool while a launch runs; -1: nobody. */
static int irl__plan_holder(const irl_module_plan *p, int pool, int64_t at, int launch)
{
    for (int k = 0; k < p->count; k++) {
        const irl_plan_temporary *one = &p->list[k];
        if (one->pool == pool && one->first <= launch && launch <= one->last &&
            one->offset <= at && at - one->offset < one->bytes)
            return k;
    }
    return -1;
}

/* Where the rows of the picture begin, from the bottom: where something begins or ends if there are
   few such places, else evenly. */
static int irl__plan_cuts(const irl_module_plan *p, int pool, int64_t *cut)
{
    const int64_t bytes = p->pools[pool].bytes;
    int           k, j, side, n = 0;
    for (k = 0; k < p->count; k++) {
        if (p->list[k].pool != pool) continue;
        for (side = 0; side < 2; side++) {
            const int64_t at = p->list[k].offset + (side ? p->list[k].bytes : 0);
            for (j = n; j > 0 && cut[j - 1] > at; j--) {}
            if (at >= bytes || (j > 0 && cut[j - 1] == at)) continue;
            if (n == IRL__PLAN_ROWS) {
                for (n = 0; n < IRL__PLAN_ROWS; n++) cut[n] = bytes / IRL__PLAN_ROWS * n;
                return n;
            }
            memmove(cut + j + 1, cut + j, (size_t)(n - j) * sizeof *cut);
            cut[j] = at;
            n++;
        }
    }
    return n;
}

/* ------------------------------------------------------------------ as text */

static void irl__plan_row_text(irl__text *t, const irl_module_plan *p, int k)
{
    const irl_plan_temporary *one = &p->list[k];
    irl__textf(t, "  %c ", irl__plan_letter(k));
    if (one->pool < 0) irl__plan_pad(t, "own", 10);
    else irl__plan_number(t, one->offset, 10);
    irl__text_putc(t, ' ');
    if (one->bytes >= 0) irl__plan_number(t, one->bytes, 11);
    else irl__plan_pad(t, one->size ? irl_expr_text(t->cx, one->size) : "?", 11);
    if (one->first < 0) irl__text_puts(t, "  never");
    else irl__textf(t, "  %d-%d", one->first, one->last);
    irl__textf(t, "  %s", one->name);
    if (irl__scope_is_image(one->scope))
        irl__textf(t, "  (%s)", irl_scope_text(one->scope));
    irl__text_putc(t, '\n');
}

const char *irl_plan_text(const irl_module_plan *p)
{
    irl__text t;
    if (!p || !irl__ok(p->module->cx)) return "";
    irl__text_init(&t, p->module->cx);
    irl__textf(&t, "plan of %s: %d launches, %d temporaries\n", p->module->name, p->launch_count,
               p->count);
    if (p->count) irl__text_puts(&t, "        offset       bytes  launches\n");
    for (int k = 0; k < p->count; k++) irl__plan_row_text(&t, p, k);
    /* Which are in the bytes of another: they are no temporaries any more. */
    const irl_func *host = p->module->host;
    for (int k = 0; k < host->annotation_count; k++)
        if (strcmp(host->annotations[k].key, IRL__ATTR_IN_PLACE) == 0 && host->annotations[k].text)
            irl__textf(&t, "  in place    %s\n", host->annotations[k].text);
    for (int k = 0; k < p->pool_count; k++) {
        const irl_plan_pool *one = &p->pools[k];
        irl__textf(&t, "pool %d, %s: %l bytes, aligned to %l; at least %l, at launch %d", k,
                   irl_scope_text(one->scope), one->bytes, one->align, one->lower_bound,
                   one->fullest);
        if (one->is_least) irl__text_puts(&t, "; proved to be the least");
        else {
            const int64_t more = one->bytes - one->lower_bound;
            irl__textf(&t, "; %l more", more);
        }
        if (one->width) irl__textf(&t, "; an image of %l by %l texels", one->width, one->height);
        irl__textf(&t, "; %l if each had its own memory\n", one->separate);
        int64_t   cut[IRL__PLAN_ROWS + 1];
        const int columns =
            p->launch_count < IRL__PLAN_COLUMNS ? p->launch_count : IRL__PLAN_COLUMNS;
        for (int row = irl__plan_cuts(p, k, cut); row-- > 0;) {
            irl__plan_number(&t, cut[row], 14);
            irl__text_puts(&t, " |");
            for (int j = 0; j < columns; j++) {
                int who = irl__plan_holder(p, k, cut[row], j);
                irl__text_putc(&t, who < 0 ? '.' : irl__plan_letter(who));
            }
            irl__text_puts(&t, columns < p->launch_count ? " ...\n" : "\n");
        }
    }
    for (int k = 0; k < p->module->kernel_count; k++) {
        const irl_func *kernel = p->module->kernels[k];
        if (!irl__stmt_holds(kernel->body, 1u << IRL__ALLOC)) continue;
        const irl_array_plan *arrays = irl_func_plan_arrays(kernel);
        if (!arrays || arrays->count) irl__text_puts(&t, irl_array_plan_text(arrays));
    }
    return irl__text_or_empty(irl__text_done(&t));
}

/* ------------------------------------------------------------------ as C */

/* A name of the language may hold any bytes; what C does not take is '_'. False: something was. */
static int irl__plan_word(irl__text *t, const char *name)
{
    int same = 1;
    for (; *name; name++) {
        irl__text_putc(t, irl__in_identifier(*name) ? *name : '_');
        same &= irl__in_identifier(*name);
    }
    return same;
}

/* The module's name and '_', with which all macros begin. */
static void irl__plan_module(irl__text *t, const irl_module_plan *p)
{
    const char *name = p->module->name;
    if (*name >= '0' && *name <= '9') irl__text_puts(t, "v_");
    (void)irl__plan_word(t, name);
    irl__text_putc(t, '_');
}

const char *irl_plan_c(const irl_module_plan *p)
{
    irl__text t;
    if (!p || !irl__ok(p->module->cx)) return "";
    irl__text_init(&t, p->module->cx);
    for (int k = 0; k < p->pool_count; k++) {
        static const char *const what[] = { "bytes", "align" };
        irl__textf(&t, "/* pool %d: the most alive at once is %l bytes */\n", k,
                   p->pools[k].lower_bound);
        for (int j = 0; j < 2; j++) {
            irl__text_puts(&t, "#define ");
            irl__plan_module(&t, p);
            irl__textf(&t, "pool_%d_%s %l\n", k, what[j],
                       j ? p->pools[k].align : p->pools[k].bytes);
        }
    }
    for (int k = 0; k < p->count; k++) {
        if (p->list[k].pool < 0) continue;
        irl__text_puts(&t, "#define ");
        /* With its number where another one has this name too, or may. */
        int j;
        irl__plan_module(&t, p);
        int same = irl__plan_word(&t, p->list[k].name);
        for (j = 0; j < p->count; j++)
            if (j != k && strcmp(p->list[j].name, p->list[k].name) == 0) break;
        if (j < p->count || !same) irl__textf(&t, "_%d", k);
        irl__textf(&t, "_offset %l /* in pool %d: %l bytes, launches %d to %d */\n",
                   p->list[k].offset, p->list[k].pool, p->list[k].bytes, p->list[k].first,
                   p->list[k].last);
    }
    return irl__text_or_empty(irl__text_done(&t));
}

/* ------------------------------------------------------------------ as JSON */

const char *irl_plan_json(const irl_module_plan *p)
{
    irl__text t;
    if (!p || !irl__ok(p->module->cx)) return "";
    irl__text_init(&t, p->module->cx);
    irl__text_puts(&t, "{\"module\": ");
    irl__json_string(&t, p->module->name);
    irl__text_puts(&t, ", \"launches\": [");
    for (int k = 0; k < p->launch_count; k++) {
        irl__text_puts(&t, k ? ", " : "");
        irl__json_string(&t, p->launches[k]);
    }
    irl__text_puts(&t, "], \"temporaries\": [");
    for (int k = 0; k < p->count; k++) {
        irl__text_puts(&t, k ? ", " : "");
        irl__text_puts(&t, "{\"name\": ");
        irl__json_string(&t, p->list[k].name);
        irl__text_puts(&t, ", \"scope\": ");
        irl__json_string(&t, irl_scope_text(p->list[k].scope));
        irl__text_puts(&t, ", \"size\": ");
        irl__json_string(&t, p->list[k].size ? irl_expr_text(t.cx, p->list[k].size) : NULL);
        irl__textf(&t,
                   ", \"bytes\": %l, \"first\": %d, \"last\": %d, \"pool\": %d, \"offset\": %l}",
                   p->list[k].bytes, p->list[k].first, p->list[k].last, p->list[k].pool,
                   p->list[k].offset);
    }
    irl__text_puts(&t, "], \"pools\": [");
    for (int k = 0; k < p->pool_count; k++) {
        const irl_plan_pool *one = &p->pools[k];
        irl__text_puts(&t, k ? ", {\"scope\": " : "{\"scope\": ");
        irl__json_string(&t, irl_scope_text(one->scope));
        irl__textf(&t, ", \"bytes\": %l, \"align\": %l, \"lower_bound\": %l, \"fullest\": %d, "
                       "\"separate\": %l, \"is_least\": %d, \"width\": %l, \"height\": %l}",
                   one->bytes, one->align, one->lower_bound, one->fullest, one->separate,
                   one->is_least, one->width, one->height);
    }
    irl__text_puts(&t, "]}\n");
    return irl__text_or_empty(irl__text_done(&t));
}
