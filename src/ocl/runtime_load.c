/* runtime_load.c - from the text of a graph, or its JSON, to an object that runs on the device.

   needs     runtime_graph.c, runtime_formats.c; the graph's parsers, fuse.c, places.c
   promises  limits of the device are found before a kernel is built: images are chosen within its
             limits, each is made once as a test when it is chosen, and if one cannot be made, the
             next layout is tried and this is reported. Those of the lowered module are tested once
             more: an image that nobody stated and that cannot be made becomes plain memory; one
             that a function states is refused with its sides */
#include "runtime.h"

/* What is being loaded. */
typedef struct irl__load {
    irl_ocl                     *cl;
    const irl_target            *target;
    const irl_ocl_graph_options *how;
    irl_graph                   *g; /* parsed, and fused */
    unsigned char               *is_plain; /* of each tensor: its image was tried, and failed */
    const char                 **why;
    char                         answer[160]; /* of the device, to the last trial */
} irl__load;

/* An image that is made and given back. */
static int irl__load_make(irl_ocl *cl, const irl_buffer *b, const int64_t *size)
{
    cl_mem memory = irl__runtime_image(cl, b, size);
    if (memory) clReleaseMemObject(memory);
    return memory != NULL;
}

/* One as large as the buffer's. */
static int irl__load_try(irl_ocl *cl, const irl_buffer *b)
{
    int64_t extent[IRL_MAX_RANK], size[IRL__TEXEL_AXES];
    for (int k = 0; k < b->rank; k++) extent[k] = b->shape[k]->u.i; /* a graph's are numbers */
    return irl__image_size(b, extent, size) && irl__load_make(cl, b, size);
}

/* What the device answered; the diagnostic is taken back. */
static void irl__load_answer(irl__load *l, irl_mark mark)
{
    irl__text t;
    irl__text_init_fixed(&t, l->answer, sizeof l->answer);
    irl__text_puts(&t, irl_diag_of(l->cl->cx)->message);
    irl_ctx_rewind(l->cl->cx, mark);
}

/* irl_graph_storage_options.try_image */
static int irl__load_try_sides(void *user, const irl_graph_tensor *tensor, int64_t width,
                               int64_t height, const char **why)
{
    irl__load     *l = (irl__load *)user;
    const irl_mark mark = irl_ctx_mark(l->cl->cx);
    const int      row = 0;
    irl_buffer     b;
    const int64_t  size[IRL__TEXEL_AXES] = { width, height, 1 };
    memset(&b, 0, sizeof b);
    b.separator_count = 1; /* of two dimensions */
    b.separators = &row;
    b.name = tensor->name;
    b.type = tensor->type;
    b.scope = IRL_SCOPE_TEXTURE;
    b.texel = IRL__TEXEL_LANES;
    if (irl__load_make(l->cl, &b, size)) return 1;
    if (irl_diag_of(l->cl->cx)->code == IRL_ERROR_OUT_OF_MEMORY) return 0; /* a failure */
    irl__load_answer(l, mark);
    *why = l->answer;
    return 0;
}

/* Tensors whose images cannot be made, tried as the lowered host function has them: 1 where there
   are more of them now, and why; -1 on failure. */
typedef struct irl__load_trial {
    irl__load *l;
    int        found;
} irl__load_trial;

/* What a function states, or a copy is, and cannot be made: refused with its sides. */
static void irl__load_refuse(irl__load *l, const irl_buffer *b, irl_mark mark)
{
    int64_t   extent[IRL_MAX_RANK], size[IRL__TEXEL_AXES];
    char      sides[96];
    irl__text t;
    if (irl_diag_of(l->cl->cx)->code == IRL_ERROR_IMAGE_LIMIT) return; /* says them */
    irl__load_answer(l, mark);
    for (int k = 0; k < b->rank; k++) extent[k] = b->shape[k]->u.i;
    irl__text_init_fixed(&t, sides, sizeof sides);
    if (irl__image_size(b, extent, size)) irl__image_size_text(&t, irl__image_of(b), size);
    irl__fail(l->cl->cx, IRL_ERROR_DEVICE_ERROR, b->loc,
              "'%s' is in an image of %s texels, which the device cannot make: %s", b->name,
              sides, l->answer);
}

static void irl__load_see(irl__load_trial *trial, const irl_buffer *b)
{
    irl__load *l = trial->l;
    irl_ctx   *cx = l->cl->cx;
    irl_mark   mark = irl_ctx_mark(cx);
    int        k;
    if (!irl__scope_is_image(b->scope) || !irl__ok(cx) || irl__load_try(l->cl, b) ||
        irl_diag_of(cx)->code == IRL_ERROR_OUT_OF_MEMORY)
        return;
    for (k = 0; k < irl_graph_tensor_count(l->g); k++)
        if (strcmp(irl_graph_tensor_of(l->g, k)->name, b->name) == 0) break;
    if (k == irl_graph_tensor_count(l->g) || l->is_plain[k]) {
        irl__load_refuse(l, b, mark);
        return;
    }
    irl__load_answer(l, mark);
    l->is_plain[k] = 1;
    l->why[k] = irl__text_or_empty(irl__format(cx, "no image on this device: %s", l->answer));
    trial->found = 1;
}

static int irl__load_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    if (s->kind == IRL__ALLOC) irl__load_see((irl__load_trial *)v->user, s->u.alloc.buffer);
    return 1;
}

static int irl__load_try_all(irl__load *l, const irl_module *m)
{
    irl__load_trial trial;
    irl__visitor    v = irl__visitor_make(&trial, NULL, irl__load_see_stmt);
    trial.l = l;
    trial.found = 0;
    for (int k = 0; k < m->host->param_count; k++)
        if (m->host->params[k].buffer) irl__load_see(&trial, m->host->params[k].buffer);
    irl__visit_stmt(&v, m->host->body);
    return irl__ok(l->cl->cx) ? trial.found : -1;
}

/* Each round that finds an image which cannot be made has one image less. */
static irl_module *irl__load_lower(irl__load *l, const char **text)
{
    irl_graph_storage_options storage;
    irl_module               *m;
    int                       found = 1;
    memset(&storage, 0, sizeof storage);
    if (l->how->storage) storage = *l->how->storage;
    int64_t most[IRL__TEXEL_AXES];
    cl_bool has_images = CL_FALSE;
    if (!irl__runtime_ask(l->cl, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images) ||
        !irl__runtime_image_limits(l->cl, IRL__IMAGE_2D, most))
        return NULL;
    storage.max_width = most[0];
    storage.max_height = most[1];
    storage.no_images = !has_images || l->cl->pretended.no_images;
    storage.plain = l->why;
    storage.try_image = irl__load_try_sides;
    storage.try_user = l;
    while (found > 0) {
        m = irl_graph_lower(irl_graph_place_tensors(l->g, l->target, &storage, text), l->target);
        found = m ? irl__load_try_all(l, m) : -1;
    }
    return found == 0 ? m : NULL;
}

static irl_graph *irl__load_parse(const irl__load *l, const char *text, size_t length)
{
    const irl_ocl_graph_options *how = l->how;
    irl_graph                   *g = irl_graph_load(l->cl->cx, text, length, how->file);
#ifndef IRLAYOUT_NO_SCHEDULES /* which nodes are fused by */
    if (!how->keeps_nodes) return irl_graph_fuse(g, NULL);
#endif
    return g;
}

irl_ocl_graph *irl_ocl_graph_load(irl_ocl *cl, const char *text, size_t length,
                                  const irl_ocl_graph_options *how, const char **places)
{
    irl_ocl_graph_options defaults;
    irl__load             l;
    irl_module           *m = NULL;
    if (places) *places = "";
    if (!cl || !irl__ok(cl->cx)) return NULL;
    memset(&defaults, 0, sizeof defaults);
    memset(&l, 0, sizeof l);
    l.cl = cl;
    l.how = how ? how : &defaults;
    l.target = l.how->target ? l.how->target : &irl_target_opencl12;
    l.g = irl__load_parse(&l, text, length);
    if (!l.g) return NULL;
    size_t          tensors = (size_t)irl_graph_tensor_count(l.g) + 1;
    irl__arena_mark mark = irl__scratch_begin(cl->cx);
    l.is_plain = (unsigned char *)irl__scratch_alloc(cl->cx, tensors, 1);
    l.why = IRL__SCRATCH(cl->cx, const char *, tensors);
    if (l.is_plain && l.why) m = irl__load_lower(&l, places);
    irl__scratch_end(cl->cx, mark);
    return m ? irl_ocl_graph_create_prepared(cl, m, l.how->weights) : NULL;
}
