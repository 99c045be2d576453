/* texture.c - `irlc texture`: layouts of a tensor in an image; `irlc target`: what a target can
   do. */
#include "irlc.h"

/* ------------------------------------------------------------------ irlc texture */

/* --type of a texture: with lanes, so many to a texel. */
static irlc_status read_texel_type(const irlc_args *args, irl_type *out)
{
    static const int lanes[] = { 4, 8, 16 };
    const char      *type = value_of(args, OPT_TYPE, "f32");
    for (int k = 0; k < IRL__SCALAR_COUNT; k++)
        for (int j = 0; j < 3; j++) {
            *out = irl_type_of((irl_scalar)k, lanes[j]);
            if (strcmp(irl_type_text(args->cx, *out), type) == 0) return IRLC_YES;
        }
    return read_type(args, out);
}

/* --texels, --layers or --volume; 0 where it is not given. */
static irlc_status read_most(const irlc_args *args, irlc_option option, int64_t *out)
{
    const char *text = value_of(args, option, NULL), *p = text;
    *out = 0;
    if (text && (!read_int(&p, out) || *p || *out < 1))
        return bad_input(args, "a limit is at least 1; found", text);
    return IRLC_YES;
}

/* --channel, --type and the limits. */
static irlc_status read_texture_question(const irlc_args *args, irl_texture_options *q)
{
    const char *channel = value_of(args, OPT_CHANNEL, NULL),
               *limit = value_of(args, OPT_LIMIT, NULL), *p;
    irl_shape   sides;
    int64_t     axis;
    memset(q, 0, sizeof *q);
    if (!read_shape(args->item[0], &q->shape))
        return bad_input(args, "a shape is written 1x64x56x56; found", args->item[0]);
    if ((p = channel) != NULL) {
        if (!read_int(&p, &axis) || *p || axis < 0 || axis >= q->shape.rank)
            return bad_input(args, "--channel is one of the shape's axes, from 0; found", channel);
        q->has_channel = 1;
        q->channel = (int)axis;
    }
    if (limit) {
        if (!read_shape(limit, &sides) || sides.rank != 2)
            return bad_input(args, "a limit is written 8192x8192; found", limit);
        q->max_width = sides.extent[0];
        q->max_height = sides.extent[1];
        if (q->max_width < 1 || q->max_height < 1)
            return bad_input(args, "a limit is at least 1x1; found", limit);
    }
    if (read_most(args, OPT_TEXELS, &q->max_texels) ||
        read_most(args, OPT_LAYERS, &q->max_layers) || read_most(args, OPT_VOLUME, &q->max_volume))
        return IRLC_BAD_INPUT;
    return read_texel_type(args, &q->element);
}

static void json_candidate(const irlc_args *args, irlc_json *j, const irl_texture_candidate *c)
{
    json_next(j);
    json_open(j, '{');
    json_text(j, "name", c->name);
    json_text(j, "map", irl_map_text(args->cx, c->map));
    json_int(j, "width", c->width);
    json_int(j, "height", c->height);
    json_int(j, "layers", c->layers);
    json_text(j, "scope", irl_scope_text(c->scope));
    json_int(j, "waste", c->waste);
    json_key(j, "fits");
    say("%s", c->fits ? "true" : "false");
    json_text(j, "reason", c->fits ? NULL : c->reason);
    json_close(j, '}');
}

static void json_textures(const irlc_args *args, const irl_texture_choice *t)
{
    irlc_json j = { args->cx, 0 };
    irl_shape limit;
    memset(&limit, 0, sizeof limit);
    limit.rank = 2;
    limit.extent[0] = t->options.max_width;
    limit.extent[1] = t->options.max_height;
    json_open(&j, '{');
    json_shape(&j, "shape", &t->options.shape);
    json_shape(&j, "limit", &limit);
    json_int(&j, "texels", t->options.max_texels);
    json_int(&j, "layers", t->options.max_layers);
    json_int(&j, "volume", t->options.max_volume);
    json_key(&j, "candidates");
    json_open(&j, '[');
    for (int k = 0; k < t->count; k++) json_candidate(args, &j, &t->list[k]);
    json_close(&j, ']');
    json_text(&j, "chosen", t->chosen < 0 ? NULL : t->list[t->chosen].name);
    json_end(&j);
}

irlc_status command_texture(const irlc_args *args)
{
    irl_texture_options q;
    irlc_status          status = read_texture_question(args, &q);
    if (status != IRLC_YES) return status;
    irl_texture_choice t = irl_texture_candidates(args->cx, &q);
    if (!irl_ok(args->cx)) return failed(args);
    if (has(args, OPT_JSON)) json_textures(args, &t);
    for (int k = 0; !has(args, OPT_JSON) && k < t.count; k++) {
        const irl_texture_candidate *c = &t.list[k];
        char                         height[64];
        snprintf(height, sizeof height, c->layers == 1 ? "%lld" : "%lld x %lld",
                 (long long)c->height, (long long)c->layers);
        say("%c %-24s %8lld x %-12s waste %-10lld %s%s\n", k == t.chosen ? '*' : ' ', c->name,
               (long long)c->width, height, (long long)c->waste,
               c->fits ? "fits" : "no: ", c->reason);
    }
    if (!has(args, OPT_JSON) && t.chosen >= 0)
        say("chosen     %s\nmap        %s\nscope      %s\n", t.list[t.chosen].name,
               irl_map_text(args->cx, t.list[t.chosen].map),
               irl_scope_text(t.list[t.chosen].scope));
    return t.chosen >= 0 ? IRLC_YES : IRLC_NO;
}

/* ------------------------------------------------------------------ irlc target */

static void print_target(const irlc_args *args, irlc_json *j, const irl_target *target)
{
    const char *text = irl_target_text(args->cx, target);
    if (!has(args, OPT_JSON)) {
        say("%s", text);
        return;
    }
    json_next(j);
    json_open(j, '{');
    json_text(j, "name", target->name);
    json_text(j, "text", text);
    json_close(j, '}');
}

irlc_status command_target(const irlc_args *args)
{
    irlc_json         j = { args->cx, 0 };
    irlc_status       status = IRLC_YES;
    const irl_target *one = args->count ? read_target(args, args->item[0], &status) : NULL;
    if (status != IRLC_YES) return status;
    if (has(args, OPT_JSON)) json_open(&j, '[');
    if (one) print_target(args, &j, one);
    else if (!has(args, OPT_JSON)) { /* first the names, as comments */
        for (int k = 0; irl_target_name(k); k++)
            say("// %-18s %s\n", irl_target_name(k), irl_target_find(irl_target_name(k))->doc);
        say("\n");
    }
    for (int k = 0; !one && irl_target_name(k); k++)
        print_target(args, &j, irl_target_find(irl_target_name(k)));
    if (has(args, OPT_JSON)) say("]\n");
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}
