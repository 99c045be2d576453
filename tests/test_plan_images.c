/* test_plan_images.c - pools of images: the rule by hand, on random lives against a count step by
   step; the recorded traces of allocators beside our pools, and beside the storage that the JSON of
   a graph with such lives says, with both sizes
   (../shared/oracle/tvm_cases.json; without it that part is skipped). */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "failing.h"
#include "json.h"
#include "test.h"

enum { MOST = 60 };

static irl_plan_image image(int64_t width, int64_t height, int64_t first, int64_t last)
{
    irl_plan_image one;
    one.width = width;
    one.height = height;
    one.kind = 0;
    one.first = first;
    one.last = last;
    return one;
}

/* ------------------------------------------------------------------ by hand */

static void by_hand(void)
{
    irl_ctx                    *cx = irl_ctx_create(NULL);
    irl_plan_image              list[4];
    const irl_plan_image_pools *p;
    list[0] = image(60, 60, 0, 0);
    list[1] = image(100, 40, 0, 0);
    list[2] = image(50, 30, 1, 1); /* waste 2100 against 2500 */
    p = irl_plan_images(cx, 3, list, 16384, 16384);
    CHECK(p && p->pool_count == 2 && p->pool_of[2] == 0 && p->texels == 7600);
    list[2] = image(70, 50, 1, 1); /* 600 more against 1000 */
    p = irl_plan_images(cx, 3, list, 16384, 16384);
    CHECK(p && p->pool_of[2] == 0 && p->pools[0].width == 70 && p->pools[0].height == 60);
    p = irl_plan_images(cx, 3, list, 100, 60); /* the same at the limits */
    CHECK(p && p->pools[0].width == 70);
    list[2] = image(61, 61, 1, 1); /* beyond the limits: a pool of its own */
    p = irl_plan_images(cx, 3, list, 100, 61);
    CHECK(p && p->pool_of[2] == 0);
    list[0] = image(90, 10, 0, 0);
    list[1] = image(10, 90, 0, 0);
    list[2] = image(50, 50, 1, 1); /* 3600 more, and 2500 alone */
    p = irl_plan_images(cx, 3, list, 16384, 16384);
    CHECK(p && p->pool_count == 3);
    /* the chain of planning: c takes a's pool */
    list[0] = image(64, 64, 0, 1);
    list[1] = image(128, 32, 1, 2);
    list[2] = image(64, 64, 2, 3);
    p = irl_plan_images(cx, 3, list, 16384, 16384);
    CHECK(p && p->texels == 8192 && p->lower_bound == 8192 && p->separate == 12288);
    list[2].kind = 1; /* of another type */
    p = irl_plan_images(cx, 3, list, 16384, 16384);
    CHECK(p && p->pool_count == 3 && p->pools[2].kind == 1);
    p = irl_plan_images(cx, 0, NULL, 1, 1);
    CHECK(p && p->pool_count == 0 && p->texels == 0);
    CHECK_OK(cx);
    CHECK(!irl_plan_images(cx, 3, list, 127, 64));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    CHECK(strstr(irl_diag_text(cx), "image 1: 128 by 32") != NULL);
    irl_ctx_destroy(cx);
    CHECK(!irl_plan_images(NULL, 0, NULL, 1, 1));
}

/* ------------------------------------------------------------------ at random */

static int together(const irl_plan_image *a, const irl_plan_image *b)
{
    return a->first <= b->last && b->first <= a->last;
}

static int is_right(int n, const irl_plan_image *list, const irl_plan_image_pools *p)
{
    int64_t texels = 0, width[MOST] = { 0 }, height[MOST] = { 0 }, most = 0;
    int     k, j;
    for (k = 0; k < n; k++) {
        const int in = p->pool_of[k];
        int64_t   alive = 0;
        if (in < 0 || in >= p->pool_count || p->pools[in].kind != list[k].kind) return 0;
        if (list[k].width > width[in]) width[in] = list[k].width;
        if (list[k].height > height[in]) height[in] = list[k].height;
        for (j = 0; j < n; j++) {
            if (j < k && p->pool_of[j] == in && together(&list[j], &list[k])) return 0;
            if (list[j].first <= list[k].first && list[k].first <= list[j].last)
                alive += list[j].width * list[j].height;
        }
        if (alive > most) most = alive;
    }
    for (k = 0; k < p->pool_count; k++) {
        if (p->pools[k].width != width[k] || p->pools[k].height != height[k]) return 0;
        texels += width[k] * height[k];
    }
    return p->texels == texels && p->lower_bound == most && p->texels <= p->separate &&
           p->texels >= most;
}

static void draw(irl_plan_image *list, int n)
{
    int k;
    for (k = 0; k < n; k++) {
        list[k].width = 1 + TEST_RANDOM(100);
        list[k].height = 1 + TEST_RANDOM(100);
        list[k].kind = TEST_RANDOM(3);
        list[k].first = TEST_RANDOM(n);
        list[k].last = list[k].first + TEST_RANDOM(6);
    }
}

static void at_random(void)
{
    irl_plan_image list[MOST];
    int            trial;
    for (trial = 0; trial < TEST_COUNT(3000); trial++) {
        irl_ctx                    *cx = irl_ctx_create(NULL);
        const int                   n = 1 + TEST_RANDOM(MOST);
        const irl_plan_image_pools *p;
        draw(list, n);
        p = irl_plan_images(cx, n, list, 100, 100);
        if (!CHECK(p && is_right(n, list, p))) break;
        irl_ctx_destroy(cx);
    }
}

static int ask(irl_ctx *cx, int which)
{
    static irl_plan_image list[20];
    (void)which;
    test_seed = 3;
    draw(list, 20);
    return irl_plan_images(cx, 20, list, 100, 100) != NULL;
}

/* ------------------------------------------------------------------ recorded traces */

typedef struct trace {
    int            count, theirs[MOST]; /* where each request went; -1: nowhere */
    irl_plan_image image[MOST];
    irl_plan_item  item[MOST];
    int64_t        size[MOST]; /* of their blocks: texels or bytes */
} trace;

/* [1, 22, 20, 20, 4] by its scope: rows are what stands in front of the separator. */
static void sides(const json *shape, const char *scope, irl_plan_image *one)
{
    const int   rank = json_count(shape);
    const int   rows = strstr(scope, "weight") ? 1 : strstr(scope, "nhwc") ? 2 : rank - 2;
    const json *d;
    int         k = 0;
    one->width = one->height = 1;
    for (d = shape->first; d && k < rank - 1; d = d->next, k++)
        *(k < rows ? &one->height : &one->width) *= json_int(d);
}

/* A request for number k at a step; it lives until it is released. */
static void request(trace *t, int k, int step, int theirs, int64_t size)
{
    t->theirs[k] = theirs;
    t->size[theirs] = size;
    t->image[k].first = t->item[k].first = step;
    t->image[k].last = t->item[k].last = 1000;
    if (k >= t->count) t->count = k + 1;
}

static void release(trace *t, int k, int step) { t->image[k].last = t->item[k].last = step - 1; }

static void read_tokens(trace *t, const json *c)
{
    const json *token = json_get(json_get(c, "input"), "tokens")->first, *s;
    int         k = 0, step = 0;
    for (; token; token = token->next, k++) {
        const json *scope = json_get(token, "scope");
        t->image[k].kind = (int)json_int(json_get(token, "bits"));
        if (scope) sides(json_get(token, "shape"), json_text(scope), &t->image[k]);
        t->item[k].size = json_int(json_get(token, "bytes"));
    }
    for (s = json_get(json_get(c, "expected"), "steps")->first; s; s = s->next, step++) {
        const int which = (int)json_int(json_get(s, "token"));
        const int id = (int)json_int(json_get(s, "storage_id"));
        if (strcmp(json_text(json_get(s, "op")), "release") == 0) release(t, which, step);
        else
            request(t, which, step, id,
                    json_get(s, "max_bytes") ? json_int(json_get(s, "max_bytes"))
                                             : json_int(json_get(s, "block_w")) *
                                                   json_int(json_get(s, "block_h")));
    }
}

/* An image that is made again, larger, is the same pool. */
static void read_pool(trace *t, const json *c)
{
    const json *s = json_get(json_get(c, "expected"), "steps")->first;
    int         step = 0, n = 0, freed = 0, pool_of_handle[MOST] = { 0 }, pools = 0;
    for (; s; s = s->next, step++) {
        const int   handle = (int)json_int(json_get(s, "handle"));
        const char *log = json_text(json_get(s, "device_log"));
        if (strcmp(json_text(json_get(s, "op")), "free") == 0) {
            freed = (int)json_int(json_get(s, "alloc_index"));
            release(t, freed, step);
            continue;
        }
        if (strncmp(log, "destroy", 7) == 0) pool_of_handle[handle] = t->theirs[freed];
        else if (log[0]) pool_of_handle[handle] = pools++;
        t->image[n].width = json_int(json_get(s, "w"));
        t->image[n].height = json_int(json_get(s, "h"));
        t->image[n].kind = (int)(json_int(json_get(s, "code")) * 100 +
                                 json_int(json_get(s, "bits")));
        request(t, n++, step, pool_of_handle[handle],
                json_int(json_get(s, "entry_w")) * json_int(json_get(s, "entry_h")));
    }
}

/* Do both put the same requests together? */
static int is_same(const trace *t, const int *ours)
{
    int k, j;
    for (k = 0; k < t->count; k++)
        for (j = 0; j < k; j++)
            if ((t->theirs[k] == t->theirs[j]) != (ours[k] == ours[j])) return 0;
    return 1;
}

static void compare(irl_ctx *cx, const json *c)
{
    const char *id = json_text(json_get(c, "id")), *feature = json_text(json_get(c, "feature"));
    const int   is_flat = strcmp(feature, "token_allocator_1d") == 0;
    const json *defect = json_get(c, "tvm_defect");
    trace       t;
    int64_t     theirs = 0, ours = -1;
    int         k, same = 0;
    memset(&t, 0, sizeof t);
    if (strcmp(feature, "texture_pool") == 0) read_pool(&t, c);
    else read_tokens(&t, c);
    for (k = 0; k < MOST; k++) theirs += t.size[k];
    if (is_flat) {
        const irl_plan_offsets *o = irl_plan_arena(cx, t.count, t.item, 0);
        if (o) ours = o->bytes;
    } else {
        const irl_plan_image_pools *p = irl_plan_images(cx, t.count, t.image, 16384, 32768);
        if (p) ours = p->texels;
        if (p) same = is_same(&t, p->pool_of);
    }
    printf("%-28s %-6s theirs %8ld, ours %8ld%s%s\n", id, is_flat ? "bytes" : "texels",
           (long)theirs, (long)ours, is_flat ? ", one arena" : same ? ", the same pools" : "",
           defect ? "; a listed defect" : "");
    CHECK(ours >= 0 && (ours <= theirs || defect));
    CHECK(is_flat || same || defect || ours < theirs);
}

static int64_t product(const json *shape)
{
    int64_t     n = 1;
    const json *d;
    for (d = shape->first; d; d = d->next) n *= json_int(d);
    return n;
}

/* What was given one storage_id lives one after another: the memory for all of these, in bytes;
   theirs is -1 where they refuse it. */
static void pool_bytes(irl_ctx *cx, const json *c, int id, int64_t *theirs, int64_t *ours)
{
    const json    *e = json_get(json_get(c, "input"), "entries")->first, *pool;
    irl_plan_image image[MOST];
    irl_plan_item  item[MOST];
    char           key[8];
    int            n = 0, is_flat = 1, k;
    memset(image, 0, sizeof image);
    memset(item, 0, sizeof item);
    for (; e; e = e->next) {
        const char *scope = json_text(json_get(e, "scope"));
        const int   bits = (int)json_int(json_get(e, "bits"));
        if (json_int(json_get(e, "storage_id")) != id) continue;
        item[n].first = item[n].last = image[n].first = image[n].last = n;
        item[n].align = 1;
        item[n].size = product(json_get(e, "shape")) * bits / 8;
        image[n].kind = bits;
        if (strstr(scope, "texture")) is_flat = 0, sides(json_get(e, "shape"), scope, &image[n]);
        n++;
    }
    sprintf(key, "%d", id);
    pool = json_get(json_get(c, "expected"), key);
    *theirs = pool ? product(json_get(pool, "shape")) *
                         (strstr(json_text(json_get(pool, "dtype")), "16") ? 2 : 4)
                   : -1;
    *ours = n ? 0 : -1;
    if (n && is_flat) {
        const irl_plan_offsets *o = irl_plan_arena(cx, n, item, 0);
        *ours = o ? o->bytes : -1;
    } else if (n) {
        const irl_plan_image_pools *p = irl_plan_images(cx, n, image, 16384, 16384);
        for (k = 0; p && k < p->pool_count; k++)
            *ours += p->pools[k].width * p->pools[k].height * 4 * p->pools[k].kind / 8;
        if (!p) *ours = -1;
    }
}

static void compare_pools(irl_ctx *cx, const json *c)
{
    int64_t theirs, ours;
    int     id;
    for (id = 0; id < 4; id++) {
        pool_bytes(cx, c, id, &theirs, &ours);
        if (ours < 0) continue;
        if (theirs < 0)
            printf("%-28s id %d   theirs refused, ours %8ld\n", json_text(json_get(c, "id")), id,
                   (long)ours);
        else
            printf("%-28s id %d   theirs %8ld, ours %8ld\n", json_text(json_get(c, "id")), id,
                   (long)theirs, (long)ours);
        CHECK(ours > 0 && (theirs < 0 || ours <= theirs));
    }
}

/* ------------------------------------------------------------------ what a graph's JSON says */

/* Tensors with lives as recorded, as a graph writes them to JSON. */
typedef struct stored {
    int            count;
    const json    *shape[MOST];
    const char    *scope[MOST];
    int            bits[MOST];
    irl_plan_image image[MOST]; /* a life of each; sides of images */
    char           text[60000], nodes[4000];
    int            entries, entry[MOST]; /* in JSON: inputs, then results of nodes in order */
} stored;

static void put_stored(stored *s, int k)
{
    const char *type = s->bits[k] == 8 ? "u8" : s->bits[k] == 16 ? "f16" : "f32";
    const char *scope = strstr(s->scope[k], "weight") ? " scope(texture:weight)"
                        : strstr(s->scope[k], "nhwc") ? " scope(texture) sep(2)"
                        : strstr(s->scope[k], "texture") ? " scope(texture)" : "";
    char        extents[80] = "", loops[160] = "", at[80] = "", zeros[80] = "", *end;
    const json *d;
    int         n = 0;
    for (d = s->shape[k]->first; d; d = d->next, n++) {
        const char *comma = n ? ", " : "";
        sprintf(extents + strlen(extents), "%s%d", comma, (int)json_int(d));
        sprintf(loops + strlen(loops), "%si%d: %d", comma, n, (int)json_int(d));
        sprintf(at + strlen(at), "%si%d", comma, n);
        sprintf(zeros + strlen(zeros), "%s0", comma);
    }
    end = s->text + strlen(s->text);
    end += sprintf(end, "func w%d(x: %s[1], y: %s[%s]%s) { for (%s) y[%s] = x[0]; }\n", k, type,
                   type, extents, scope, loops, at);
    end += sprintf(end, "func r%d(x: %s[%s]%s, y: %s[1]) { y[0] = x[%s]; }\n", k, type, extents,
                   scope, type, zeros);
    sprintf(end, "input x%d: %s[1];\n", k, type);
}

static void put_stored_nodes(stored *s, int step, int is_end)
{
    int k;
    for (k = 0; k < s->count; k++) {
        char *end = s->nodes + strlen(s->nodes);
        if (!is_end && s->image[k].first == step) {
            sprintf(end, "t%d = w%d(x%d);\n", k, k, k);
            s->entry[k] = s->entries++;
        }
        if (is_end && s->image[k].last == step) {
            sprintf(end, "z%d = r%d(t%d);\noutput z%d;\n", k, k, k, k);
            s->entries++;
        }
    }
}

/* What lies in one storage_id is as large, and as wide and high, as the largest. */
static int64_t stored_bytes(const stored *s, const int *id)
{
    int64_t all = 0;
    int     k, j;
    for (k = 0; k < s->count; k++) {
        const int is_image = s->image[k].width > 0;
        int64_t   width = 0, height = 0, bytes = 0;
        for (j = 0; j < k && id[j] != id[k]; j++) {}
        for (; j == k || (j > k && j < s->count); j++) {
            if (id[j] != id[k]) continue;
            CHECK(s->bits[j] == s->bits[k] || !is_image);
            if (s->image[j].width > width) width = s->image[j].width;
            if (s->image[j].height > height) height = s->image[j].height;
            if (product(s->shape[j]) * s->bits[j] / 8 > bytes)
                bytes = product(s->shape[j]) * s->bits[j] / 8;
        }
        all += is_image ? width * height * 4 * s->bits[k] / 8 : bytes;
    }
    return all;
}

/* theirs: -1: they refuse it. */
static void compare_stored(irl_ctx *cx, const json *c, stored *s, int64_t theirs)
{
    irl_graph  *g;
    const char *at;
    int         k, step, id[2 * MOST] = { 0 }, of[MOST];
    int64_t     ours;
    strcpy(s->text, "graph g {\n");
    s->nodes[0] = '\0';
    s->entries = s->count;
    for (k = 0; k < s->count; k++) {
        put_stored(s, k);
        if (strstr(s->scope[k], "texture")) sides(s->shape[k], s->scope[k], &s->image[k]);
    }
    for (step = 0; step <= 1000; step++) {
        put_stored_nodes(s, step, 0);
        put_stored_nodes(s, step, 1);
    }
    strcat(strcat(s->text, s->nodes), "}\n");
    g = irl_graph_parse(cx, s->text, IRL_TO_NUL, NULL);
    at = strstr(irl_graph_json(g), "\"storage_id\": [\"list_int\", [");
    if (!CHECK(g && at)) {
        printf("%s\n%s\n", irl_diag_text(cx), s->text);
        return;
    }
    at += strlen("\"storage_id\": [\"list_int\", [");
    for (k = 0; k < s->entries; k++, at += strcspn(at, ",") + 1) id[k] = atoi(at);
    for (k = 0; k < s->count; k++) of[k] = id[s->entry[k]];
    ours = stored_bytes(s, of);
    if (theirs < 0) printf("%-28s JSON   theirs  refused", json_text(json_get(c, "id")));
    else printf("%-28s JSON   theirs %8ld", json_text(json_get(c, "id")), (long)theirs);
    printf(", ours %8ld bytes%s\n", (long)ours,
           json_get(c, "tvm_defect") ? "; a listed defect" : "");
    CHECK(ours > 0 && (theirs < 0 || ours <= theirs || json_get(c, "tvm_defect")));
}

/* A trace of requests and releases. */
static void compare_tokens(irl_ctx *cx, const json *c)
{
    static stored s;
    trace         t;
    const json   *token = json_get(json_get(c, "input"), "tokens")->first;
    int64_t       theirs = 0;
    int           k, j;
    memset(&t, 0, sizeof t);
    memset(&s, 0, sizeof s);
    read_tokens(&t, c);
    s.count = t.count;
    for (k = 0; k < t.count; k++, token = token->next) {
        s.shape[k] = json_get(token, "shape");
        s.scope[k] = json_text(json_get(token, "scope"));
        s.bits[k] = (int)json_int(json_get(token, "bits"));
        s.image[k].first = t.item[k].first;
        s.image[k].last = t.item[k].last;
        for (j = 0; j < k && t.theirs[j] != t.theirs[k]; j++) {}
        if (j == k)
            theirs += t.size[t.theirs[k]] *
                      (strstr(s.scope[k], "texture") ? 4 * s.bits[k] / 8 : 1);
    }
    compare_stored(cx, c, &s, theirs);
}

/* Pools: what has one id lives one after another, beside all of other ids. */
static void compare_entries(irl_ctx *cx, const json *c)
{
    static stored s;
    const json   *e = json_get(json_get(c, "input"), "entries")->first, *pool;
    int64_t       theirs = 0;
    int           k, j, id[MOST], is_refused = json_get(json_get(c, "expected"), "error") != NULL;
    memset(&s, 0, sizeof s);
    for (; e; e = e->next) {
        k = s.count++;
        s.shape[k] = json_get(e, "shape");
        s.scope[k] = json_text(json_get(e, "scope"));
        s.bits[k] = (int)json_int(json_get(e, "bits"));
        id[k] = (int)json_int(json_get(e, "storage_id"));
    }
    for (k = 0; k < s.count; k++) {
        int alone = 1;
        for (j = 0; j < s.count; j++) alone &= j == k || id[j] != id[k];
        s.image[k].first = alone ? 0 : k + 1;
        s.image[k].last = alone ? 1000 : k + 1;
    }
    pool = json_get(c, "expected")->first;
    for (; !is_refused && pool; pool = pool->next)
        theirs += product(json_get(pool, "shape")) *
                  (strstr(json_text(json_get(pool, "dtype")), "16") ? 2 : 4);
    compare_stored(cx, c, &s, is_refused ? -1 : theirs);
}

/* Where a tensor between two nodes lies by the rule of the row adreno: in an image of its texels
   and no more, or in plain memory. */
static void compare_scopes(irl_ctx *cx, const json *c)
{
    const json               *shape = json_get(json_get(c, "input"), "shape");
    const json               *expected = json_get(c, "expected");
    const int                 rank = json_count(shape);
    irl_graph_storage_options how;
    char                      text[512], extents[80] = "", line[80] = "";
    const char               *places = "", *at, *end;
    const char               *theirs = json_text(json_get(expected, "v0.14"));
    long                      width = 0, height = 0;
    const json               *d;
    for (d = shape->first; d; d = d->next)
        sprintf(extents + strlen(extents), "%s%ld", d == shape->first ? "" : ", ",
                (long)json_int(d));
    memset(&how, 0, sizeof how);
    how.max_width = how.max_height = json_int(json_get(json_get(c, "input"),
                                                       "texture_spatial_limit"));
    sprintf(text, "graph g { func f(x: f32[%s], y: f32[%s]) { for (%s) y[%s] = x[%s] + 1.0f; } "
                  "input x: f32[%s]; t = f(x); y = f(t); output y; }",
            rank == 5 ? "a, b, c, d, e" : "a, b, c, d", rank == 5 ? "a, b, c, d, e" : "a, b, c, d",
            rank == 5 ? "h: a, i: b, j: c, k: d, l: e" : "h: a, i: b, j: c, k: d",
            rank == 5 ? "h, i, j, k, l" : "h, i, j, k", rank == 5 ? "h, i, j, k, l" : "h, i, j, k",
            extents);
    CHECK(irl_graph_place_tensors(irl_graph_parse(cx, text, IRL_TO_NUL, NULL), &irl_target_adreno,
                                  &how, &places) != NULL);
    if (!CHECK((at = strstr(places, "t: ")) != NULL)) return;
    end = strchr(at, '\n');
    if (end) at += 3;
    for (; end > at && end[-1] != ':'; end--) {} /* what stands behind the map */
    sscanf(end, " %70[^\n]", line);
    if (strchr(line, ',')) sscanf(strchr(line, ',') + 1, "%ld x %ld", &width, &height);
    printf("%-28s theirs %s, %s; ours %s: %s\n", json_text(json_get(c, "id")), theirs,
           json_text(json_get(expected, "main_2026")),
           strncmp(at, "texture", 7) == 0 ? "an image" : "plain memory", line);
    CHECK(strncmp(at, "texture", 7) != 0 || width * height * 4 == product(shape));
    /* where theirs is an image by the rule of the squarest, ours is that one */
    CHECK(!strstr(theirs, "texture") ||
          strncmp(line, strchr(theirs, '-') ? strchr(theirs, '-') + 1 : "texture", 4) == 0);
}

static void recorded(void)
{
    static const char *const features[] = { "token_allocator_1d", "token_allocator_2d",
                                            "texture_pool" };
    json_file   f;
    const json *root = json_oracle(&f, "tvm_cases.json"), *c;
    irl_ctx    *cx = irl_ctx_create(NULL);
    int         k, seen = 0, pools = 0, scopes = 0;
    if (!root) TEST_SKIP("no recorded file tvm_cases.json beside the repository");
    for (c = root ? json_get(root, "cases")->first : NULL; c; c = c->next) {
        const char *feature = json_text(json_get(c, "feature"));
        if (strcmp(feature, "graph_runtime_pool") == 0) {
            compare_pools(cx, c);
            compare_entries(cx, c);
            pools++;
        }
        if (strcmp(feature, "texture_scope_choice") == 0) compare_scopes(cx, c), scopes++;
        for (k = 0; k < 3; k++)
            if (strcmp(json_text(json_get(c, "feature")), features[k]) == 0) {
                compare(cx, c);
                if (k < 2) compare_tokens(cx, c);
                seen++;
            }
    }
    CHECK(!root || (seen == 19 && pools == 4 && scopes == 8));
    CHECK_OK(cx);
    if (root) json_free(&f);
    irl_ctx_destroy(cx);
}

int main(void)
{
    by_hand();
    at_random();
    failing_each(ask, 0, 0);
    failing_each(ask, 0, 1);
    recorded();
    return TEST_DONE();
}
