/* test_c_layouts.c - the C function of an IRL_LAYOUT and its text: written lines are run, and for
   random ones, of every irl_index, what irl_map_check says is compared with a model of C on
   machines whose int has 16 and 32 bits: it promotes, converts, overflows and rounds as C does, and
   shares no code with the library. build/split/tests/test_c_layouts x 7 takes another seed. */
#include "c_layouts.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "random64.h"
#include "map_model.h"

/* ------------------------------------------------------------------ lines as trees */

enum { VAR, NUMBER, BINARY, UNARY, CHOICE, FLOOR_DIV, FLOOR_MOD, MOST_NODES = 256 };

typedef struct node {
    int         kind, a, b, c; /* operands: nodes; of VAR which one */
    const char *sign;          /* of an operator, or behind a number */
    int64_t     value;
} node;

static node nodes[MOST_NODES];
static int  node_count, variables;

static int make(int kind, const char *sign, int a, int b, int c, int64_t value)
{
    node *n = &nodes[node_count];
    n->kind = kind;
    n->sign = sign;
    n->a = a, n->b = b, n->c = c;
    n->value = value;
    return node_count++;
}

static int some(int depth)
{
    static const char *const signs[] = { "+", "+", "-", "-", "*", "*", "/", "/", "%", "%",
                                         "<<", ">>", "&", "|", "^" };
    static const char *const compared[] = { "<", "<=", ">", ">=", "==", "!=" };
    static const int         numbers[] = { 0, 1, 2, 3, 4, 5, 7, 8, 16, 100, 255, 300, 4000, 70000 };
    int                      a, b, c, kind = random_below(12);
    if (depth == 0 || kind < 2) {
        if (random_below(2)) return make(VAR, "", random_below(variables), 0, 0, 0);
        return make(NUMBER, random_below(25) ? "" : "u", 0, 0, 0, numbers[random_below(14)]);
    }
    a = some(depth - 1);
    if (kind == 2) return make(UNARY, random_below(2) ? "-" : "~", a, 0, 0, 0);
    b = some(depth - 1);
    if (kind == 3) {
        c = make(BINARY, compared[random_below(6)], a, b, 0, 0);
        return make(CHOICE, "", c, random_below(2) ? a : b, some(depth - 1), 0);
    }
    if (kind == 4) return make(random_below(2) ? FLOOR_DIV : FLOOR_MOD, "", a, b, 0, 0);
    return make(BINARY, signs[random_below(15)], a, b, 0, 0);
}

static void write_node(irl__text *t, int k)
{
    const node *n = &nodes[k];
    switch (n->kind) {
    case VAR: irl__textf(t, "%s", n->a ? "j" : "i"); return;
    case NUMBER: irl__textf(t, "%l%s", n->value, n->sign); return;
    case FLOOR_DIV: case FLOOR_MOD:
        irl__text_puts(t, n->kind == FLOOR_DIV ? "irl_floordiv(" : "irl_floormod(");
        write_node(t, n->a);
        irl__text_puts(t, ", ");
        break;
    case UNARY:
        irl__textf(t, "(%s", n->sign);
        write_node(t, n->a);
        irl__text_putc(t, ')');
        return;
    case CHOICE:
        irl__text_putc(t, '(');
        write_node(t, n->a);
        irl__text_puts(t, " ? ");
        write_node(t, n->b);
        irl__text_puts(t, " : ");
        write_node(t, n->c);
        irl__text_putc(t, ')');
        return;
    default:
        irl__text_putc(t, '(');
        write_node(t, n->a);
        irl__textf(t, " %s ", n->sign);
    }
    write_node(t, n->b);
    irl__text_putc(t, ')');
}

/* ------------------------------------------------------------------ what C computes */

typedef struct c_type {
    int bits, is_signed;
} c_type;

typedef struct c_value {
    c_type  type;
    int64_t value; /* of all types but the upper half of the longest without a sign */
} c_value;

/* One machine, one irl_index, one point. */
typedef struct c_machine {
    int     int_bits;
    c_type  index;
    int64_t at[2];
    int     bad;  /* undefined, or left to the compiler */
    int     huge; /* beyond what this model computes with */
} c_machine;

static c_type c_type_of(int bits, int is_signed)
{
    c_type t;
    t.bits = bits;
    t.is_signed = is_signed;
    return t;
}

static int c_fits(c_type t, int64_t v)
{
    if (!t.is_signed) return v >= 0 && (t.bits >= 63 || v >> t.bits == 0);
    return t.bits == 64 || (v >= -((int64_t)1 << (t.bits - 1)) && v < (int64_t)1 << (t.bits - 1));
}

static c_value c_convert(c_machine *m, c_type t, int64_t v)
{
    c_value r;
    r.type = t;
    r.value = v;
    if (c_fits(t, v)) return r;
    if (t.bits == 64) m->huge = 1;
    else {
        uint64_t low = (uint64_t)v & (((uint64_t)1 << t.bits) - 1);
        r.value = (int64_t)low;
        if (t.is_signed && low >> (t.bits - 1)) r.value -= (int64_t)1 << t.bits;
    }
    return r;
}

static c_value c_promoted(c_machine *m, c_value v)
{
    c_type whole = c_type_of(m->int_bits, 1);
    if (v.type.bits < m->int_bits) v.type = whole;
    return v;
}

static c_type c_common(c_type a, c_type b)
{
    c_type longer = a.bits >= b.bits ? a : b;
    if (a.bits == b.bits) longer.is_signed = a.is_signed && b.is_signed;
    return longer; /* a longer one with a sign holds a shorter one without */
}

static c_value c_result(c_machine *m, c_type t, int64_t v)
{
    if (t.is_signed && !c_fits(t, v)) m->bad = 1;
    return c_convert(m, t, v);
}

static c_type c_literal(c_machine *m, int64_t v, int is_unsigned)
{
    int bits = m->int_bits;
    while (!c_fits(c_type_of(bits, !is_unsigned), v)) bits *= 2;
    return c_type_of(bits, !is_unsigned);
}

static int c_is_small(int64_t v) { return v > -((int64_t)1 << 31) && v < (int64_t)1 << 31; }

static int is_shift(const char *sign) { return sign[1] == sign[0] && sign[0] != '='; }

static c_value c_binary(c_machine *m, const char *sign, c_value a, c_value b)
{
    c_type t;
    a = c_promoted(m, a);
    b = c_promoted(m, b);
    if (is_shift(sign)) { /* the type of what is shifted */
        if (b.value < 0 || b.value >= a.type.bits || a.value < 0) return m->bad = 1, a;
        if (sign[0] == '>') return a.value >>= b.value, a;
        if (b.value > 30 || !c_is_small(a.value)) return m->huge = 1, a;
        return c_result(m, a.type, a.value * ((int64_t)1 << b.value));
    }
    t = c_common(a.type, b.type);
    a = c_convert(m, t, a.value);
    b = c_convert(m, t, b.value);
    switch (sign[0]) {
    case '+': return c_result(m, t, a.value + b.value);
    case '-': return c_result(m, t, a.value - b.value);
    case '*':
        if (!c_is_small(a.value) || !c_is_small(b.value)) return m->huge = 1, a;
        return c_result(m, t, a.value * b.value);
    case '/': return b.value == 0 ? (m->bad = 1, a) : c_result(m, t, a.value / b.value);
    case '%': return b.value == 0 ? (m->bad = 1, a) : c_result(m, t, a.value % b.value);
    case '&': return c_convert(m, t, a.value & b.value);
    case '|': return c_convert(m, t, a.value | b.value);
    case '^': return c_convert(m, t, a.value ^ b.value);
    default: break;
    }
    t = c_type_of(m->int_bits, 1);
    if (sign[0] == '=') return c_convert(m, t, a.value == b.value);
    if (sign[0] == '!') return c_convert(m, t, a.value != b.value);
    if (sign[0] == '<') return c_convert(m, t, sign[1] ? a.value <= b.value : a.value < b.value);
    return c_convert(m, t, sign[1] ? a.value >= b.value : a.value > b.value);
}

static int is_int(const node *n);

static c_value c_eval(c_machine *m, int k)
{
    const node *n = &nodes[k];
    c_value     a, b, r;
    if (n->kind == VAR) return c_convert(m, m->index, m->at[n->a]);
    if (n->kind == NUMBER) {
        r.type = c_literal(m, n->value, n->sign[0] == 'u');
        r.value = n->value;
        return r;
    }
    if (is_int(n) &&
        m->int_bits < 32) { /* compilers warn of what does not fit: taken as of 32 bits */
        c_machine wide = *m;
        wide.int_bits = 32;
        r = c_eval(&wide, k);
        m->bad |= wide.bad, m->huge |= wide.huge;
        if (c_fits(c_type_of(m->int_bits, r.type.is_signed), r.value)) r.type.bits = m->int_bits;
        return r;
    }
    a = c_eval(m, n->a);
    if (n->kind == UNARY) {
        a = c_promoted(m, a);
        return n->sign[0] == '-' ? c_result(m, a.type, -a.value) : c_convert(m, a.type, ~a.value);
    }
    if (n->kind == CHOICE) { /* converted to the type of both arms; one is computed */
        c_machine other = *m;
        c_type    t;
        b = c_eval(a.value ? m : &other, n->b);
        r = c_eval(a.value ? &other : m, n->c);
        t = c_common(c_promoted(m, b).type, c_promoted(m, r).type);
        return c_convert(m, t, a.value ? b.value : r.value);
    }
    b = c_eval(m, n->b);
    if (n->kind == BINARY) return c_binary(m, n->sign, a, b);
    a = c_convert(m, m->index, a.value);
    b = c_convert(m, m->index, b.value);
    if (b.value == 0) return m->bad = 1, a;
    r.type = m->index;
    r.value = a.value % b.value; /* as the functions of irlayout.h */
    if (n->kind == FLOOR_MOD) r = c_convert(m, m->index, r.value + (r.value < 0 ? b.value : 0));
    else r = c_convert(m, m->index, a.value / b.value - (r.value < 0));
    return r;
}

/* ------------------------------------------------------------------ what the library asks for */

/* Computed as int, which is taken to have 32 bits there. */
static int is_int(const node *n)
{
    switch (n->kind) {
    case NUMBER: return 1; /* none is longer */
    case UNARY: return is_int(&nodes[n->a]);
    case CHOICE: return is_int(&nodes[n->b]) && is_int(&nodes[n->c]);
    case BINARY: return is_int(&nodes[n->a]) && (is_shift(n->sign) || is_int(&nodes[n->b]));
    default: return 0;
    }
}

static int distance(const c_machine *m, const node *n)
{
    int bits = m->index.bits - m->index.is_signed;
    return is_int(n) && bits > 31 ? 31 : bits;
}

/* The value by the text; *fault: C may compute something else, by the rule that irlayout.h states.
 */
static int64_t strict(c_machine *m, int lower, int k, int *fault)
{
    const node *n = &nodes[k];
    int64_t     a, b, v, whole, rest;
    c_machine   plain = *m;
    c_type      room = c_type_of(64, 1);
    if (n->kind == VAR) return m->at[n->a];
    if (n->kind == NUMBER) return n->value;
    if (n->kind == UNARY && n->sign[0] == '-' && nodes[n->a].kind == NUMBER) { /* a number too */
        *fault = lower && nodes[n->a].value;
        return -nodes[n->a].value;
    }
    a = strict(m, lower, n->a, fault);
    if (n->kind == CHOICE) return *fault ? 0 : strict(m, lower, a ? n->b : n->c, fault);
    if (*fault) return 0;
    if (n->kind == UNARY) v = n->sign[0] == '-' ? -a : ~a;
    else {
        b = strict(m, lower, n->b, fault);
        if (*fault) return 0;
        whole = b ? a / b : 0, rest = b ? a % b : 0;
        if (n->kind == FLOOR_DIV || n->kind == FLOOR_MOD) {
            if (!c_fits(m->index, a) || !c_fits(m->index, b) || b <= 0) return *fault = 1;
            v = n->kind == FLOOR_DIV ? whole - (rest < 0) : rest + (rest < 0 ? b : 0);
        } else if (n->sign[0] == '/' || n->sign[0] == '%') {
            if (rest && (a < 0) != (b < 0)) return *fault = 1;
            v = n->sign[0] == '/' ? whole : rest;
        } else {
            c_value x, y;
            x.type = y.type = room;
            x.value = a, y.value = b;
            plain.int_bits = 64;
            plain.bad = plain.huge = 0;
            if (is_shift(n->sign) && (a < 0 || b < 0 || b >= distance(m, n))) return *fault = 1;
            v = c_binary(&plain, n->sign, x, y).value;
            m->huge |= plain.huge;
            if (plain.bad) return *fault = 1;
        }
    }
    if (n->kind == BINARY && strchr("<>=!", n->sign[0]) && !is_shift(n->sign)) return v;
    *fault = !c_fits(m->index, v) || (lower && v < 0);
    if (n->kind != NUMBER && is_int(n) && !*fault) *fault = !c_fits(c_type_of(32, 1), v);
    return v;
}

static int has_sign(int k, const char *sign)
{
    const node *n = &nodes[k];
    if (n->kind == NUMBER || n->kind == VAR) return n->kind == NUMBER && strcmp(n->sign, sign) == 0;
    return has_sign(n->a, sign) || (n->kind != UNARY && has_sign(n->b, sign)) ||
           (n->kind == CHOICE && has_sign(n->c, sign));
}

/* ------------------------------------------------------------------ one random line */

typedef struct c_counts {
    int proved, differ, others, looked;
} c_counts;

static void show_line(const char *text, int index, const irl_shape *shape, const char *says)
{
    printf("    %s: %s, irl_index %d, on %d, %d: %s\n", why ? why : "", text, index,
           (int)shape->extent[0], (int)shape->extent[1], says);
}

/* At one point: no fault, and both machines compute what the text says. */
static int line_at(const irl_map *map, int root, c_machine m, int lower, const irl_shape *at,
                   int agreed)
{
    irl_shape expected;
    int       fault = 0, k;
    if (model_apply(map, at, &expected) != MODEL_OK) return 1;
    for (k = 0; k < variables; k++) {
        m.at[k] = at->extent[k];
        fault |= !c_fits(m.index, m.at[k]);
    }
    if (!fault) (void)strict(&m, lower, root, &fault);
    if (m.huge) return 1;
    if (!fault) fault = !c_fits(m.index, expected.extent[0]);
    if (!agreed) return fault || wrong("a difference that is none");
    if (fault) return wrong("a part does not fit");
    for (k = 16; k <= 32; k *= 2) {
        c_value v;
        m.int_bits = k;
        m.bad = m.huge = 0;
        v = c_eval(&m, root);
        if (m.huge) continue;
        if (m.bad || c_convert(&m, m.index, v.value).value != expected.extent[0])
            return wrong("C computes something else");
    }
    return 1;
}

static void random_line(c_counts *counts)
{
    static const int kinds[] = { 1, -1, 2, -2, 4, -4, 8, -8 };
    irl_ctx         *cx = irl_ctx_create(NULL);
    irl_source_text  line;
    irl__text        t;
    const irl_map   *map;
    irl_verdict      v;
    irl_shape        shape, at;
    c_machine        m;
    int              root, k, lower;
    memset(&line, 0, sizeof line);
    memset(&shape, 0, sizeof shape);
    memset(&m, 0, sizeof m);
    node_count = 0;
    shape.rank = variables = 1 + random_below(2);
    for (k = 0; k < variables; k++)
        shape.extent[k] = random_below(6) ? 1 + random_below(20) : 100 + random_below(200);
    root = some(1 + random_below(3));
    irl__text_init(&t, cx);
    irl__text_puts(&t, variables == 2 ? "(i, j) -> (" : "(i) -> (");
    write_node(&t, root); /* and the inputs, so that it is injective */
    irl__text_puts(&t, variables == 2 ? ", i, j)" : ", i)");
    line.name = line.file = "line";
    line.line = 1;
    line.text = irl__text_done(&t);
    line.index = kinds[random_below(8)];
    m.index = c_type_of(8 * (line.index < 0 ? -line.index : line.index), line.index > 0);
    lower = line.index < 0 || has_sign(root, "u");
    map = irl_layout(cx, &line);
    v = irl_map_check(cx, map, shape);
    if (v.kind == IRL_C_DIFFERS) {
        counts->differ++;
        if (!CHECK(line_at(map, root, m, lower, &v.a, 0)))
            show_line(line.text, line.index, &shape, irl_verdict_text(cx, &v));
    } else if (v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE) {
        counts->proved++;
        point_first(&shape, &at);
        do counts->looked++;
        while (line_at(map, root, m, lower, &at, 1) && point_next(&shape, &at));
        if (!CHECK(why == NULL)) show_line(line.text, line.index, &shape, irl_verdict_text(cx, &v));
    } else counts->others++;
    why = NULL;
    irl_ctx_destroy(cx);
}

static void test_random_lines(void)
{
    c_counts counts;
    int      n, total = TEST_COUNT(4000);
    memset(&counts, 0, sizeof counts);
    for (n = 0; n < total; n++) random_line(&counts);
    printf("%d random lines: %d right in C at %d points, %d that differ, %d that are not injective "
           "or have "
           "no value\n",
           total, counts.proved, counts.looked, counts.differ, counts.others);
    CHECK(counts.proved > total / 10 && counts.differ > total / 20);
}

/* ------------------------------------------------------------------ names, and who is not asked */

static void test_names(void)
{
    static const struct { const char *text, *says; int index;
    } rows[] = {
        { "(i) -> ((i - 5) % 8, i / 8)",
          "c-differs: at (0) (i - 5) % 8 is -5 in C, which rounds towards 0, "
          "and 3 in the text: write irl_floormod, for N = 1",
          8 },
        { "(i) -> (irl_floormod(i - 5, 8), i / 8)", "injective into [8, (N + 7) / 8]", 8 },
        { "(i) -> ((i + 5) % 8, i / 8)", "injective into [", 2 },
        { "(i) -> (i > 4 ? (i - 5) / 3 : 0, i)", "undecided: ", 4 }, /* of another reason */
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        irl_source_text line = { "line", rows[k].text, "file", 1, rows[k].index };
        const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
        irl_verdict     s = irl_map_check(cx, irl_layout(cx, &line), irl_shape_of(1, &n));
        if (!CHECK(strstr(irl_verdict_text(cx, &s), rows[k].says) != NULL))
            printf("    %s\n", irl_verdict_text(cx, &s));
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

/* A layout that is lowered, and one of a text, is not C. */
static void test_lowered(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, "func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i]; }",
                                   IRL_TO_NUL, NULL);
    irl_verdict v = irl_map_check(cx, irl_layout(cx, &before), IRL_SHAPE(8));
    CHECK(v.kind == IRL_C_DIFFERS && v.a.extent[0] == 0 && v.at.extent[0] == 3);
    v = irl_map_check(cx, irl_map_parse(cx, "(i) -> ((i - 5) % 8)"), IRL_SHAPE(8));
    CHECK(v.kind == IRL_BIJECTIVE);
    CHECK(irl_func_lower(irl_func_set_layout(f, "y", irl_layout(cx, &before)),
                         &irl_target_opencl12) != NULL);
    CHECK(irl_map_pack_func(cx, irl_layout(cx, &before), IRL_SHAPE(8), NULL) != NULL);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    if (argc > 2) random64_seed(argv[2]);
    test_lines(4, 0);
    test_names();
    test_lowered();
    test_random_lines();
    return TEST_DONE();
}
