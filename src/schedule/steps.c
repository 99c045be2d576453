/* steps.c - the steps of a schedule as text: (io, ii) = split(conv.i, 16);

   needs     the parser's tokens; primitives.h
   promises  a step that is read has the arguments that its primitive takes; parse(print(s)) is s */
#include "schedule.h"

static const irl__primitive irl__primitives[] = {
#define IRL_PRIMITIVE(name, loops, block, sees, takes, gives, example, does, needs) \
    { #name, loops, block, IRL__SEES_##sees, takes, gives, example, does, needs },
#include "primitives.h"
};

/* NULL: there is none of that name. */
static const irl__primitive *irl__primitive_find(const char *name)
{
    for (size_t k = 0; name && k < IRL__COUNTOF(irl__primitives); k++)
        if (strcmp(irl__primitives[k].name, name) == 0) return &irl__primitives[k];
    return NULL;
}

int irl__primitive_number(const irl__primitive *row) { return (int)(row - irl__primitives); }

static const irl__primitive *irl__primitive_at(int k)
{
    return k >= 0 && (size_t)k < IRL__COUNTOF(irl__primitives) ? &irl__primitives[k] : NULL;
}

const char *irl_step_name(int k) { return irl__primitive_at(k) ? irl__primitives[k].name : NULL; }
const char *irl_step_example(int k)
{
    return irl__primitive_at(k) ? irl__primitives[k].example : "";
}
const char *irl_step_doc(int k) { return irl__primitive_at(k) ? irl__primitives[k].does : ""; }
const char *irl_step_requires(int k)
{
    return irl__primitive_at(k) ? irl__primitives[k].needs : "";
}

/* ------------------------------------------------------------------ arguments */

static int irl__parse_arg_name(irl__parser *p, irl__arg *out)
{
    out->kind = IRL__ARG_NAME;
    out->name = p->token.symbol->text;
    irl__next(p);
    if (p->token.kind == '=') {
        /* key = value, at the '=': a text, a constant, or a map */
        if (!out->name) return 0;
        out->kind = IRL__ARG_NOTE;
        out->note.key = out->name;
        irl__next(p);
        if (p->token.kind == IRL__TOKEN_STRING) {
            out->note.text = irl__token_string(p);
            irl__next(p);
            return out->note.text != NULL;
        }
        if (irl__is_at_map(p)) return (out->map = irl__parse_map(p)) != NULL;
        out->note.value = irl__parse_any(p);
        return out->note.value != NULL;
    }
    if (!irl__accept(p, '.') && !irl__accept(p, ':')) return out->name != NULL;
    out->member = irl__expect_symbol(p, "a name after the dot");
    if (!out->name || !out->member || p->token.kind != '.') return out->name && out->member;
    irl__next(p); /* conv.sum.k is a loop of the block conv_sum */
    out->name = irl__namef(p->cx, "%s_%s", out->name, out->member);
    out->member = irl__expect_symbol(p, "a name after the dot");
    return out->name && out->member;
}

static int irl__parse_arg(irl__parser *p, irl__arg *out)
{
    const int is_negative = p->token.kind == '-';
    memset(out, 0, sizeof *out);
    out->loc = irl__here(p);
    if (p->token.kind == IRL__TOKEN_NAME) return irl__parse_arg_name(p, out);
    if (p->token.kind == '(') {
        out->kind = IRL__ARG_MAP;
        out->map = irl__parse_map(p);
        return out->map != NULL;
    }
    if (is_negative) irl__next(p);
    if (p->token.kind != IRL__TOKEN_INTEGER)
        return irl__unexpected(p, "a loop or block, such as conv.i, a number, or key = value");
    if (p->token.integer > INT64_MAX)
        return irl__fail(p->cx, IRL_ERROR_OVERFLOW, out->loc, "this number is beyond 63 bits");
    out->kind = IRL__ARG_NUMBER;
    out->number = is_negative ? -(int64_t)p->token.integer : (int64_t)p->token.integer;
    irl__next(p);
    return irl__ok(p->cx);
}

static int irl__arg_fits(const irl__arg *arg, char letter)
{
    switch (letter) {
    case 'F':
        return arg->kind == IRL__ARG_NUMBER ||
               (arg->kind == IRL__ARG_NAME && !arg->member && strcmp(arg->name, "_") == 0);
    case 'K':
        return (arg->kind == IRL__ARG_NUMBER && arg->number >= 0) ||
               (arg->kind == IRL__ARG_NAME && !arg->member);
    case 'N': return arg->kind == IRL__ARG_NOTE && !arg->map;
    case 'P': return arg->kind == IRL__ARG_NOTE;
    case 'M': return arg->kind == IRL__ARG_MAP;
    default: return arg->kind == IRL__ARG_NAME;
    }
}

/* Has the step the arguments and as many results as its primitive takes and gives? */
static int irl__step_check(irl__parser *p, const irl__sched_step *step)
{
    const char *takes = step->primitive->takes, *gives = step->primitive->gives;
    int         k, of_letter = 0;
    for (k = 0; k < step->arg_count && *takes; k++) {
        if (takes[1] == '?' && !irl__arg_fits(&step->args[k], *takes)) takes += 2;
        if (!*takes) break;
        if (!irl__arg_fits(&step->args[k], *takes))
            return irl__fail(p->cx, IRL_ERROR_SYNTAX, step->args[k].loc, "argument %d does not "
                             "fit; expected as in: %s", k + 1, step->primitive->example);
        of_letter = takes[1] == '+' || takes[1] == '*' ? of_letter + 1 : 0;
        if (!of_letter) takes += takes[1] == '?' ? 2 : 1;
    }
    if (*takes && takes[1] == '?') takes += 2;
    if (*takes && takes[1] == '*') of_letter = 1;
    if (k < step->arg_count || (*takes && !of_letter))
        return irl__fail(p->cx, IRL_ERROR_SYNTAX, step->loc, "%s has %d argument%s; expected as "
                         "in: %s", step->primitive->name, step->arg_count,
                         step->arg_count == 1 ? "" : "s", step->primitive->example);
    if (step->result_count > 1 && gives[0] && gives[1] != '+')
        return irl__fail(p->cx, IRL_ERROR_SYNTAX, step->loc, "%s has one result, not %d",
                         step->primitive->name, step->result_count);
    if (step->result_count && !gives[0])
        return irl__fail(p->cx, IRL_ERROR_SYNTAX, step->loc, "%s has no result that could be named",
                         step->primitive->name);
    return 1;
}

/* ------------------------------------------------------------------ steps */

/* The primitive's name, when results have been read; or the first name of the step, which is a
   result where '=' follows. */
static int irl__parse_step_name(irl__parser *p, irl__sched_step *step, const char ***results)
{
    irl_loc   loc = irl__here(p);
    irl__near nearest;
    if (p->token.kind == '(') {
        irl__next(p);
        do {
            const char *result = irl__expect_symbol(p, "a name for the result");
            if (!result || !IRL__PUSH(p->cx, *results, result)) return 0;
        } while (irl__accept(p, ','));
        if (!irl__expect(p, ')', "',' and the next result, or ')'") ||
            !irl__expect(p, '=', "'=' and a step"))
            return 0;
        loc = irl__here(p);
    }
    const char *name = irl__expect_symbol(p, "a step, such as split(conv.i, 16), or '}'");
    if (name && p->token.kind == '=' && !*results) {
        irl__next(p);
        if (!IRL__PUSH(p->cx, *results, name)) return 0;
        loc = irl__here(p);
        name = irl__expect_symbol(p, "a step");
    }
    step->primitive = irl__primitive_find(name);
    step->loc = loc;
    if (step->primitive || !name) return name != NULL;
    irl__near_of(&nearest, name, irl_step_name);
    irl__fail(p->cx, IRL_ERROR_UNKNOWN_NAME, loc, "there is no step '%s'%s", name,
              irl__near_said(&nearest));
    return irl__hint(p->cx, "correct the name; `irlc steps` lists the steps, each with an example");
}

static const irl__sched_step *irl__parse_steps(irl__parser *p, int *count)
{
    irl__sched_step *steps = NULL, step;
    if (!irl__expect(p, '{', "'{' and the steps of a schedule")) return NULL;
    while (p->token.kind != '}') {
        const char **results = NULL;
        memset(&step, 0, sizeof step);
        if (!irl__parse_step_name(p, &step, &results)) return NULL;
        irl__arg *args = NULL, arg;
        if (!irl__expect(p, '(', "'(' and the arguments")) return NULL;
        while (irl__another(p, ')', stbds_arrlen(args), "',' and the next argument, or ')'"))
            if (!irl__parse_arg(p, &arg) || !IRL__PUSH(p->cx, args, arg)) return NULL;
        IRL__TAKE_LIST(step.args, step.arg_count, args);
        if (!irl__ok(p->cx)) return NULL;
        IRL__TAKE_LIST(step.results, step.result_count, results);
        if (!(irl__step_check(p, &step) && irl__expect(p, ';', "';' at the end of the step")) ||
            !IRL__PUSH(p->cx, steps, step))
            return NULL;
    }
    irl__next(p);
    *count = (int)stbds_arrlen(steps);
    return steps;
}

const irl__sched_step *irl__sched_steps_parse(irl__parser *p, int *count)
{
    *count = -1;
    p->cx->reads_steps = 1;
    const irl__sched_step *steps = irl__parse_steps(p, count);
    p->cx->reads_steps = 0;
    return steps;
}

/* ------------------------------------------------------------------ printing */

void irl__arg_print(irl__text *t, const irl__arg *arg)
{
    switch (arg->kind) {
    case IRL__ARG_NUMBER: irl__text_int(t, arg->number); break;
    case IRL__ARG_MAP: irl__print_map(t, arg->map); break;
    case IRL__ARG_NAME:
        irl__print_symbol(t, arg->name);
        if (arg->member) {
            irl__text_putc(t, '.');
            irl__print_symbol(t, arg->member);
        }
        break;
    case IRL__ARG_NOTE:
        irl__print_symbol(t, arg->note.key);
        irl__text_puts(t, " = ");
        if (arg->note.text) irl__print_quoted(t, arg->note.text, '"');
        else if (arg->map) irl__print_map(t, arg->map);
        else irl__print_expr(t, arg->note.value);
        break;
    }
}

void irl__arg_said(const irl__arg *arg, char *text, size_t capacity)
{
    irl__text t;
    irl__text_init_fixed(&t, text, capacity);
    irl__arg_print(&t, arg);
}

void irl__sched_step_said(irl__text *t, const irl__sched_step *step)
{
    if (step->result_count > 1) irl__text_putc(t, '(');
    for (int k = 0; k < step->result_count; k++) {
        irl__text_puts(t, k ? ", " : "");
        irl__print_symbol(t, step->results[k]);
    }
    irl__text_puts(t, step->result_count > 1 ? ") = " : step->result_count ? " = " : "");
    irl__textf(t, "%s(", step->primitive->name);
    for (int k = 0; k < step->arg_count; k++) {
        irl__text_puts(t, k ? ", " : "");
        irl__arg_print(t, &step->args[k]);
    }
    irl__text_putc(t, ')');
}

void irl__sched_step_print(irl__text *t, const irl__sched_step *step)
{
    irl__sched_step_said(t, step);
    irl__text_putc(t, ';');
}
