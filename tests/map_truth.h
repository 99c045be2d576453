/* map_truth.h - the truth about a verdict, found by looking at every point and every cell, with
   irl__value_at and nothing of the analysis under test. */
#ifndef IRL_MAP_TRUTH_H
#define IRL_MAP_TRUTH_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

/* The next point of a box; 0 after the last. */
static int truth_next(const irl_shape *box, irl_shape *at)
{
    int k;
    for (k = box->rank - 1; k >= 0; k--) {
        if (++at->extent[k] < box->extent[k]) return 1;
        at->extent[k] = 0;
    }
    return 0;
}

static int truth_empty(const irl_shape *box)
{
    int k;
    for (k = 0; k < box->rank; k++)
        if (box->extent[k] <= 0) return 1;
    return 0;
}

static int truth_apply(const irl_map *m, const irl_shape *at, irl_shape *out)
{
    int k;
    memset(out, 0, sizeof *out);
    out->rank = m->output_count;
    for (k = 0; k < m->output_count; k++)
        if (irl__value_at(m->outputs[k], m->input_count, m->inputs, at->extent, &out->extent[k]) !=
            IRL__FOLD_OK)
            return 0;
    return 1;
}

static int truth_same(const irl_shape *a, const irl_shape *b)
{
    return a->rank == b->rank &&
           memcmp(a->extent, b->extent, (size_t)a->rank * sizeof *a->extent) == 0;
}

/* a and b differ, lie in the shape, and go to `at`. */
static int truth_witness(const irl_map *m, const irl_verdict *v)
{
    irl_shape x, y;
    int       k;
    for (k = 0; k < v->shape.rank; k++)
        if (v->a.extent[k] < 0 || v->a.extent[k] >= v->shape.extent[k] || v->b.extent[k] < 0 ||
            v->b.extent[k] >= v->shape.extent[k])
            return 0;
    return !truth_same(&v->a, &v->b) && truth_apply(m, &v->a, &x) && truth_apply(m, &v->b, &y) &&
           truth_same(&x, &y) && truth_same(&x, &v->at);
}

/* inverse(map(i)) == i at every point. */
static int truth_inverse(const irl_map *m, const irl_verdict *v)
{
    irl_shape at, y, x;
    memset(&at, 0, sizeof at);
    at.rank = v->shape.rank;
    if (truth_empty(&v->shape)) return 1;
    do {
        if (!truth_apply(m, &at, &y) || !truth_apply(v->inverse, &y, &x) || !truth_same(&at, &x))
            return 0;
    } while (truth_next(&v->shape, &at));
    return 1;
}

/* The predicate is true for exactly the cells of the physical box that no point reaches, and they
   are as many as said. */
static int truth_padding(const irl_map *m, const irl_verdict *v)
{
    irl_shape      at, y;
    int64_t        cells = 1, number, unused = 0;
    unsigned char *hit;
    int            k, ok = 1;
    for (k = 0; k < v->physical.rank; k++) cells *= v->physical.extent[k];
    hit = (unsigned char *)calloc((size_t)cells + 1, 1);
    if (!hit) return 0;
    memset(&at, 0, sizeof at);
    at.rank = v->shape.rank;
    if (!truth_empty(&v->shape)) do {
            if (!truth_apply(m, &at, &y)) ok = 0;
            for (k = 0, number = 0; k < y.rank; k++) {
                ok &= y.extent[k] >= 0 && y.extent[k] < v->physical.extent[k];
                number = number * v->physical.extent[k] + y.extent[k];
            }
            if (ok) hit[number] = 1;
        } while (ok && truth_next(&v->shape, &at));
    memset(&y, 0, sizeof y);
    y.rank = v->physical.rank;
    number = 0;
    if (ok && cells) do {
            int64_t pad = 0;
            if (v->padding)
                ok &= irl__value_at(v->padding, m->output_count, v->inverse->inputs, y.extent,
                                    &pad) == IRL__FOLD_OK;
            ok &= (pad != 0) == !hit[number];
            unused += !hit[number];
            number++;
        } while (ok && truth_next(&v->physical, &y));
    free(hit);
    return ok && unused == v->pad_cells;
}

static unsigned truth_nodes_of_map(const irl_map *m)
{
    unsigned n = 0;
    int      k;
    for (k = 0; k < m->output_count; k++) n += m->outputs[k]->size;
    return n;
}

#endif
