/* test_graph.c - graphs: their text both ways, what a wrong one is told, what they compute: node by
   node, as one function, as one module for several targets, all in the interpreter; texts that are
   changed at random, and memory that runs out.

   usage  test_graph [FIRST [COUNT]]     seeds of generated graphs
          test_graph json COUNT          so many changed texts of JSON */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "failing.h"
#include "generate_graph.h"
#include "place_graph.h"
#include "mutate.h"
#include "test.h"

#include <limits.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define ADD "func add(x: f32[n], y: f32[n], z: f32[n]) { for (i: n) z[i] = x[i] + y[i]; } "
#define SCALE "func scale(x: f32[n], a: f32, y: f32[n]) { for (i: n) y[i] = x[i] * a; } "
#define ROWS \
    "func rows(x: f32[n, m], y: f32[n], z: f32[m]) { for (i: n) y[i] = x[i, 0]; for (j: m) z[j] " \
    "= x[0, j]; } "

/* ------------------------------------------------------------------ wrong graphs */

/* '@' stands where the caret does. */
static const struct {
    irl_code    code;
    const char *text, *says;
} wrong[] = {
    { IRL_ERROR_UNKNOWN_NAME, "graph g { " ADD "input x: f32[4]; y = add(x, @t); output y; }",
      "'t' is not an input" },
    { IRL_ERROR_UNKNOWN_NAME, "graph g { " ADD "input x: f32[4]; y = add(x, @y); output y; }",
      "'y' is not an input" },
    { IRL_ERROR_UNKNOWN_NAME,
      "graph g { " ADD "input x: f32[4]; a = add(x, @b); b = add(x, a); output b; }",
      "is not an input of the graph, and no node before this one writes it" },
    { IRL_ERROR_UNKNOWN_NAME, "graph g { " ADD "input x: f32[4]; y = @sub(x, x); output y; }",
      "no function 'sub'" },
    { IRL_ERROR_UNKNOWN_NAME, "graph g { " ADD "input x: f32[4]; y = add(x, x); output @z; }",
      "the output 'z'" },
    { IRL_ERROR_DUPLICATE_NAME,
      "graph g { " ADD "input x: f32[4]; y = add(x, x); @y = add(x, y); output y; }",
      "'y' is written already" },
    { IRL_ERROR_DUPLICATE_NAME, "graph g { " ADD "input x: f32[4]; @x = add(x, x); output x; }",
      "'x' is written already, at 1:" },
    { IRL_ERROR_DUPLICATE_NAME, "graph g { " ROWS "input x: f32[4, 4]; (a, @a) = rows(x); output "
                                "a; }", "'a' is written already" },
    { IRL_ERROR_DUPLICATE_NAME, "graph g { " ADD "func @add(x: f32[4], y: f32[4]) { for (i: 4) "
                                "y[i] = x[i]; } input x: f32[4]; y = add(x, x); output y; }",
      "another function 'add'" },
    { IRL_ERROR_BAD_GRAPH, "graph @g { " ADD "input x: f32[4]; y = add(x, x); }", "no output" },
    { IRL_ERROR_BAD_GRAPH, "graph g { " ADD "input x: f32[4]; y = @add(x); output y; }",
      "takes 2 arguments" },
    { IRL_ERROR_BAD_GRAPH, "graph g { " ADD "input x: f32[4]; y = @add(x, x, x); output y; }",
      "found 3" },
    { IRL_ERROR_BAD_GRAPH, "graph g { " ADD "input x: f32[4]; (y, z) = @add(x, x); output y; }",
      "has 1 results" },
    { IRL_ERROR_BAD_GRAPH, "graph g { " ADD "input x: f32[4]; () = @add(x, x); output x; }",
      "found 0" },
    { IRL_ERROR_BAD_GRAPH,
      "graph g { " ADD "input x: f32[4]; input y: f32[5]; z = add(x, @y); output z; }",
      "extent 0 of parameter 'y' of 'add' is n, which is 4 here; of the tensor 'y' it is 5" },
    { IRL_ERROR_BAD_GRAPH,
      "graph g { " ADD "input x: f32[4]; input y: f32[4, 1]; z = add(x, @y); output z; }",
      "has 1 axes; the tensor 'y' has 2" },
    { IRL_ERROR_BAD_GRAPH,
      "graph g { " ADD "input x: f32[4]; input y: i32[4]; z = add(x, @y); output z; }",
      "of type f32; the tensor 'y' of i32" },
    { IRL_ERROR_BAD_GRAPH, "graph g { func f(x: f32[n], y: f32[m]) { for (i: n) y[i] = x[i]; } "
                           "input x: f32[4]; @y = f(x); output y; }", "which does not follow" },
    { IRL_ERROR_BAD_GRAPH, "graph g { func f(x: f32[n], y: f32[n - 5]) { for (i: n - 5) y[i] = "
                           "x[i]; } input x: f32[4]; @y = f(x); output y; }", "is -1" },
    { IRL_ERROR_BAD_GRAPH, "graph g { func f(x: f32[n], y: f32[n / (n - 4)]) { for (i: n) y[0] = "
                           "x[i]; } input x: f32[4]; @y = f(x); output y; }",
                           "which does not follow" },
    { IRL_ERROR_BAD_GRAPH, "graph g { " ADD "input @x: f32[-4]; y = add(x, x); output y; }",
      "is -4" },
    { IRL_ERROR_UNKNOWN_NAME, "graph g { " ADD "input x: f32[@n]; y = add(x, x); output y; }",
      "'n'" },
    { IRL_ERROR_BAD_GRAPH, "graph g { kernel func @k(x: f32[4]) { x[0] = 1.0; } input x: f32[4]; "
                           "output x; }", "host or kernel" },
    { IRL_ERROR_UNSUPPORTED, "graph g { func f(@p: ptr(f32, global), y: f32[4]) { y[0] = 1.0; } }",
      "is a pointer" },
    { IRL_ERROR_UNSUPPORTED, "graph g { func f(@x: f32[2, 2] logical([4], (i) -> (i / 2, i % 2)), "
                             "y: f32[1]) { y[0] = x[0, 0]; } }", "layout(x: ...)" },
    { IRL_ERROR_UNSUPPORTED, "graph g { func f(@x: f32[4] strides(2), y: f32[1]) { y[0] = x[0]; } "
                             "}", "compact" },
    { IRL_ERROR_SYNTAX, "graph g { " ADD "input x: f32[4]; y = add(x, x); output y; } @z", NULL },
    { IRL_ERROR_SYNTAX, "graph g { " ADD "input x: f32[4]; y = add(x, @2.0); output y; }", NULL },
    { IRL_ERROR_SYNTAX, "graph g { " ADD "input x: f32[4] @y = add(x, x); output y; }", NULL },
    { IRL_ERROR_SYNTAX, "graph @{ }", NULL },
    { IRL_ERROR_UNKNOWN_NAME, "graph g { " SCALE "input x: f32[4]; y = scale(x, @x); output y; }",
      "'x'" },
};

static void check_wrong(void)
{
    int k;
    for (k = 0; k < COUNT(wrong); k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        char        text[2048];
        const char *at = strchr(wrong[k].text, '@');
        const int   column = (int)(at - wrong[k].text) + 1;
        sprintf(text, "%.*s%s", column - 1, wrong[k].text, at + 1);
        CHECK(irl_graph_parse(cx, text, IRL_TO_NUL, "file") == NULL);
        CHECK_CODE(cx, wrong[k].code);
        if (!CHECK(irl_diag_of(cx) && irl_diag_of(cx)->column == column &&
                   (!wrong[k].says || strstr(irl_diag_text(cx), wrong[k].says))))
            printf("%d: %d, %s\n", k, column, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ by calls */

static void check_calls(void)
{
    irl_ctx           *cx = irl_ctx_create(NULL);
    irl_func          *add = irl_func_parse(cx, ADD, IRL_TO_NUL, NULL),
             *scale = irl_func_parse(cx, SCALE, IRL_TO_NUL, NULL);
    const irl_expr    *two = irl_expr_float(cx, irl_type_of(IRL_F32, 1), 2);
    irl_graph_tensor   x;
    irl_graph_argument first[2] = { { "x", NULL }, { NULL, NULL } },
                       second[2] = { { "t", NULL }, { "x", NULL } };
    const char        *t = "t", *y = "y";
    irl_graph_call     nodes[2];
    irl_graph_desc     desc;
    irl_graph         *g, *read;
    irl_mark           mark = irl_ctx_mark(cx);
    first[1].scalar = two;
    memset(&x, 0, sizeof x);
    memset(nodes, 0, sizeof nodes);
    memset(&desc, 0, sizeof desc);
    x.name = "x";
    x.type = irl_type_of(IRL_F32, 1);
    x.shape = IRL_SHAPE(100);
    nodes[0].func = scale;
    nodes[1].func = add;
    nodes[0].argument_count = nodes[1].argument_count = 2;
    nodes[0].arguments = first;
    nodes[1].arguments = second;
    nodes[0].result_count = nodes[1].result_count = 1;
    nodes[0].results = &t;
    nodes[1].results = &y;
    desc.name = "net";
    desc.input_count = desc.output_count = 1;
    desc.node_count = 2;
    desc.inputs = &x;
    desc.nodes = nodes;
    desc.outputs = &y;
    g = irl_graph_new(cx, &desc);
    read = irl_graph_parse(cx, "graph net { " SCALE ADD "input x: f32[100]; t = scale(x, 2.0); y = "
                               "add(t, x); output y; }", IRL_TO_NUL, NULL);
    CHECK_OK(cx);
    CHECK(g && read && irl_graph_equal(g, read));
    CHECK(irl_graph_tensor_count(g) == 3 && irl_graph_node_count(g) == 2);
    CHECK(irl_graph_input_count(g) == 1 && irl_graph_output_count(g) == 1);
    CHECK(irl_graph_input(g, 0) == 0 && irl_graph_output(g, 0) == 2 && irl_graph_output(g, 1) < 0);
    CHECK(irl_graph_tensor_of(g, 1)->node == 0);
    CHECK(irl_graph_tensor_of(g, 1)->shape.extent[0] == 100);
    CHECK(strcmp(irl_graph_name(g), "net") == 0 && !irl_graph_node_of(g, 2));
    CHECK(irl_graph_node_of(g, 0)->is_result[3] && irl_graph_node_of(g, 0)->tensors[1] == 0);
    mark = irl_ctx_mark(cx);
    first[1].scalar = irl_expr_float(cx, irl_type_of(IRL_F64, 1), 2);
    CHECK(!irl_graph_new(cx, &desc));
    CHECK_CODE(cx, IRL_ERROR_BAD_GRAPH);
    irl_ctx_rewind(cx, mark);
    first[1].scalar = two;
    desc.outputs = NULL;
    CHECK(!irl_graph_new(cx, &desc));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    desc.outputs = &y;
    y = NULL;
    CHECK(!irl_graph_new(cx, &desc));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_graph_new(cx, NULL) && !irl_graph_new(NULL, &desc));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ JSON */

/* No two tensors that are alive together have one storage: read from the text, and lives found by
   asking for each pair who is read when. */
static void check_storage(const irl_graph *g, const char *json)
{
    const char *at = strstr(json, "\"list_int\", [");
    int         storage[GRAPH_TENSORS + 8], tensor[GRAPH_TENSORS + 8], first[GRAPH_TENSORS + 8],
        last[GRAPH_TENSORS + 8], n = 0, k, j, p;
    if (!CHECK(at != NULL)) return;
    for (k = 0; k < irl_graph_input_count(g); k++) tensor[n++] = irl_graph_input(g, k);
    for (k = 0; k < irl_graph_tensor_count(g); k++)
        if (irl_graph_tensor_of(g, k)->node >= 0) tensor[n++] = k;
    at += strlen("\"list_int\", [");
    for (k = 0; k < n; k++) {
        const irl_graph_tensor *t = irl_graph_tensor_of(g, tensor[k]);
        storage[k] = atoi(at);
        at = strpbrk(at, ",]") + 1;
        first[k] = t->node;
        last[k] = t->node < 0 || t->is_output ? 1000 : t->node;
        if (t->node >= 0 && t->is_output) first[k] = -1;
        for (j = 0; j < irl_graph_node_count(g); j++)
            for (p = 0; p < irl_func_param_count(irl_graph_node_of(g, j)->func); p++)
                if (irl_graph_node_of(g, j)->tensors[p] == tensor[k] && last[k] < j) last[k] = j;
    }
    for (k = 0; k < n; k++)
        for (j = 0; j < k; j++)
            if (!CHECK(storage[k] != storage[j] || last[k] < first[j] || last[j] < first[k]))
                printf("%d and %d share %d\n%s\n", k, j, storage[k], json);
}

static void check_json(irl_ctx *cx, const irl_graph *g)
{
    const char *json = irl_graph_json(g);
    irl_graph  *read = irl_graph_parse_json(cx, json, IRL_TO_NUL, "json");
    if (!CHECK(read && irl_graph_equal(g, read) && strcmp(json, irl_graph_json(read)) == 0))
        printf("%s\n%s\n", irl_diag_text(cx), json);
    read = irl_graph_load(cx, json, IRL_TO_NUL, "either");
    CHECK(read && irl_graph_equal(g, read));
    read = irl_graph_load(cx, irl_graph_text(g), IRL_TO_NUL, "either");
    CHECK(read && irl_graph_equal(g, read));
    check_storage(g, json);
}

#define JSON_FUNC "\"func f(x: f32[n], a: f32, y: f32[n]) { for (i: n) y[i] = x[i] * a; }\""
#define JSON_REST(types, shapes) \
    ", \"heads\": [[1, 0, 0]], \"attrs\": {\"dltype\": [\"list_str\", " types "], \"shape\": " \
    "[\"list_shape\", " shapes "]}}"
#define JSON_ROWS(inputs, scalars) \
    "{\"functions\": [" JSON_FUNC "], \"nodes\": [{\"op\": \"null\", \"name\": \"x\"}, {\"op\": " \
    "\"tvm_op\", \"name\": \"y\", \"attrs\": {\"func_name\": \"f\"}, \"inputs\": " inputs \
    ", \"scalars\": " scalars "}]"
#define JSON_LINK(name, from) \
    ", {\"op\": \"tvm_op\", \"name\": \"" name "\", \"attrs\": {\"func_name\": \"g\"}, " \
    "\"inputs\": [[" from ", 0, 0]]}"
/* x -> a -> b -> c -> y */
#define JSON_CHAIN(ids, rest) \
    "{\"functions\": [\"func g(x: f32[n], y: f32[n]) { for (i: n) y[i] = x[i] + 1.0; }\"], " \
    "\"nodes\": [{\"op\": \"null\", \"name\": \"x\"}" JSON_LINK("a", "0") JSON_LINK("b", "1") \
    JSON_LINK("c", "2") JSON_LINK("y", "3") "], \"heads\": [[4, 0, 0]], \"attrs\": {\"dltype\": " \
    "[\"list_str\", [\"float32\", \"float32\", \"float32\", \"float32\", \"float32\"]], " \
    "\"shape\": [\"list_shape\", [[4], [4], [4], [4], [4]]], \"storage_id\": [\"list_int\", " \
    ids "]" rest "}}"
#define F32S "[\"float32\", \"float32\"]"

static const struct {
    irl_code    code; /* IRL_OK: a graph */
    const char *text, *says;
} json_cases[] = {
    { IRL_OK, JSON_ROWS("[[0, 0, 0]]", "[\"2.0f\"]") JSON_REST(F32S, "[[4], [4]]"), NULL },
    { IRL_OK, JSON_ROWS("[[0, 0]]", "[\"2\"], \"other\": {\"a\": [1e9, null, -0.5]}")
                  JSON_REST(F32S, "[[4], [4]]"), NULL },
    { IRL_ERROR_BAD_GRAPH, JSON_ROWS("[[1, 0, 0]]", "[\"2\"]") JSON_REST(F32S, "[[4], [4]]"),
      "[row, output, 0] of an earlier row" },
    { IRL_ERROR_BAD_GRAPH, JSON_ROWS("[[-1, 0, 0]]", "[\"2\"]") JSON_REST(F32S, "[[4], [4]]"),
      "[row, output, 0] of an earlier row" },
    { IRL_ERROR_BAD_GRAPH, JSON_ROWS("[[0, 1, 0]]", "[\"2\"]") JSON_REST(F32S, "[[4], [4]]"),
      "the number of an output of that row" },
    { IRL_ERROR_BAD_GRAPH, JSON_ROWS("[]", "[\"2\"]") JSON_REST(F32S, "[[4], [4]]"),
      "none is given for 'x'" },
    { IRL_ERROR_BAD_GRAPH, JSON_ROWS("[[0, 0, 0]]", "[]") JSON_REST(F32S, "[[4], [4]]"),
      "none is given for 'a'" },
    { IRL_ERROR_BAD_GRAPH,
      JSON_ROWS("[[0, 0, 0], [0, 0, 0]]", "[\"2\"]") JSON_REST(F32S, "[[4], [4]]"),
      "no more arguments" },
    { IRL_ERROR_BAD_GRAPH, JSON_ROWS("[[0, 0, 0]]", "[\"2\"]") JSON_REST(F32S, "[[4], [5]]"),
      "the shape of 'y'" },
    { IRL_ERROR_BAD_GRAPH, JSON_ROWS("[[0, 0, 0]]", "[\"2\"]")
                               JSON_REST("[\"float32\", \"int32\"]", "[[4], [4]]"),
      "the type of 'y' is f32" },
    { IRL_ERROR_BAD_GRAPH, JSON_ROWS("[[0, 0, 0]]", "[\"2\"]")
                               JSON_REST("[\"float33\", \"float32\"]", "[[4], [4]]"),
      "expected a type" },
    { IRL_ERROR_BAD_GRAPH, JSON_ROWS("[[0, 0, 0]]", "[\"2\"]") JSON_REST(F32S, "[[4]]"),
      "has 1 values" },
    { IRL_ERROR_BAD_GRAPH, JSON_ROWS("[[0, 0, 0]]", "[\"2\"]") JSON_REST(F32S, "[[-4], [-4]]"),
      "is -4" },
    { IRL_ERROR_BAD_GRAPH,
      JSON_ROWS("[[0, 0, 0]]", "[\"2\"]") JSON_REST(F32S, "[[99999999999999999999], [4]]"),
      "an extent" },
    { IRL_ERROR_UNKNOWN_NAME, JSON_ROWS("[[0, 0, 0]]", "[\"n\"]") JSON_REST(F32S, "[[4], [4]]"),
      "'n'" },
    { IRL_OK, JSON_CHAIN("[0, 1, 2, 1, 3]", ""), NULL },
    { IRL_OK,
      JSON_CHAIN("[0, 1, 2, 1, 3]",
                 ", \"storage_scope\": [\"list_str\", [\"a\", \"b\", \"c\", \"b\", \"a\"]]"),
      NULL },
    { IRL_ERROR_BAD_GRAPH, JSON_CHAIN("[0, 1, 1, 2, 3]", ""),
      "'a' and 'b' have storage 1, and are needed at the same time" },
    { IRL_ERROR_BAD_GRAPH, JSON_CHAIN("[0, 1, 2, 0, 3]", ""), "'x' and 'c' have storage 0" },
    { IRL_ERROR_BAD_GRAPH, JSON_CHAIN("[3, 1, 2, 1, 3]", ""), "'x' and 'y' have storage 3" },
    { IRL_ERROR_BAD_GRAPH, JSON_CHAIN("[0, 1, 2, 1, -3]", ""), "an integer from 0 on" },
    { IRL_ERROR_BAD_GRAPH, JSON_CHAIN("[0, 1, 2, \"1\", 3]", ""), "an integer from 0 on" },
    { IRL_ERROR_BAD_GRAPH, JSON_CHAIN("[0, 1, 2, 1]", ""), "has 4 values" },
    { IRL_ERROR_BAD_GRAPH,
      JSON_CHAIN("[0, 1, 2, 1, 3]",
                 ", \"storage_scope\": [\"list_str\", [\"a\", \"b\", \"c\", \"d\", \"a\"]]"),
      "'a' and 'c' have storage 1, but are in scope b and in d" },
    { IRL_ERROR_BAD_GRAPH,
      JSON_CHAIN("[0, 1, 2, 1, 3]",
                 ", \"storage_scope\": [\"list_str\", [\"a\", \"b\", 7, \"d\", \"a\"]]"),
      "a storage_scope, a string" },
    { IRL_ERROR_SYNTAX, "{\"name\": \"\\u00\"}", "hexadecimal" },
    { IRL_ERROR_SYNTAX, "{\"name\": \"\\ud800\"}", "surrogate" },
    { IRL_ERROR_SYNTAX, "{\"name\": 01}", "JSON" },
    { IRL_ERROR_SYNTAX, "{\"name\": \"a", "at the end of the string" },
    { IRL_ERROR_SYNTAX, "{} {}", "the end of the text" },
    { IRL_ERROR_SYNTAX, "", "a value" },
    { IRL_ERROR_BAD_GRAPH, "[]", "'attrs'" },
};

/* Images share storage where both are no larger in it than alone: a column and a row do not, as
   signatures and as layouts have them. */
static void check_image_storage(void)
{
    static const struct {
        const char *first, *second, *says;
    } cases[] = {
        { "[400, 1, 4] scope(texture)", "[1, 400, 4] scope(texture)", "[0, 1, 2, 3]" },
        { "[400, 1, 4] scope(texture)", "[1, 400, 4] scope(texture:weight)", "[0, 1, 2, 3]" },
        { "[400, 1, 4] scope(texture)", "[300, 1, 4] scope(texture)", "[0, 1, 0, 2]" },
        { "[300, 1, 4] scope(texture)", "[400, 1, 4] scope(texture)", "[0, 1, 0, 2]" },
        { "[400, 1, 4] scope(texture)", "[400, 1, 4]", "[0, 1, 2, 3]" },
        { "[1, 400, 4] scope(texture)", "[1, 400, 4] scope(texture)) layout(y: (i, j, k) -> (j, |, "
          "i, k)", "[0, 1, 2, 3]" },
        { "[1, 400, 4] scope(texture)", "[400, 1, 4] scope(texture)) layout(y: (i, j, k) -> (j, |, "
          "i, k)", "[0, 1, 0, 2]" },
    };
    size_t k;
    for (k = 0; k < COUNT(cases); k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        char        text[1024], says[80];
        const char *json;
        sprintf(text, "graph g { func w(y: f32%s) { for (i: %d, j: %d, k: 4) y[i, j, k] = 1.0; } "
                      "func s(x: f32[n, m, l]%s, y: f32[l]) { for (k: l) y[k] = x[0, 0, k]; } func "
                      "v(x: f32[4], y: f32%s) { for (i: %d, j: %d, k: 4) y[i, j, k] = x[k]; } t = "
                      "w(); u = s(t); z = v(u); y = s(z); output y; }", cases[k].first,
                atoi(cases[k].first + 1), cases[k].first[1] == '1' ? 400 : 1, " scope(texture)",
                cases[k].second, atoi(cases[k].second + 1),
                cases[k].second[1] == '1' ? 400 : 1);
        sprintf(says, "\"storage_id\": [\"list_int\", %s]", cases[k].says);
        json = irl_graph_json(irl_graph_parse(cx, text, IRL_TO_NUL, NULL));
        if (!CHECK(strstr(json, says) != NULL)) puts(irl_diag_text(cx)), puts(json);
        irl_ctx_destroy(cx);
    }
}

static void check_json_cases(void)
{
    static char deep[600];
    irl_ctx    *cx;
    int         k;
    for (k = 0; k < COUNT(json_cases); k++) {
        cx = irl_ctx_create(NULL);
        irl_graph_parse_json(cx, json_cases[k].text, IRL_TO_NUL, "file");
        CHECK_CODE(cx, json_cases[k].code);
        if (!CHECK(!json_cases[k].says || strstr(irl_diag_text(cx), json_cases[k].says)))
            printf("%d: %s\n", k, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
    /* storage that grows: c takes the place of a, which is smaller */
    cx = irl_ctx_create(NULL);
    CHECK(strstr(irl_graph_json(irl_graph_parse(
                     cx, "graph g { func wide(x: f32[n], y: f32[n + 2]) { for (i: n + 2) y[i] = "
                         "1.0; } input x: f32[4]; a = wide(x); b = wide(a); c = wide(b); y = "
                         "wide(c); output y; }", IRL_TO_NUL, NULL)),
                 "\"storage_id\": [\"list_int\", [0, 1, 2, 1, 3]]"));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
    check_image_storage();
    memset(deep, '[', sizeof deep - 1);
    cx = irl_ctx_create(NULL);
    CHECK(!irl_graph_parse_json(cx, deep, IRL_TO_NUL, NULL));
    CHECK_CODE(cx, IRL_ERROR_TOO_DEEP);
    irl_ctx_destroy(cx);
}

static void check_mutated_json(int n)
{
    static graph_gen gen;
    static char      text[2 * GRAPH_TEXT + 1];
    int              k, right = 0;
    for (k = 0; k < n; k++) {
        irl_ctx   *cx = irl_ctx_create(NULL);
        irl_graph *g, *read;
        size_t     length;
        graph_generate(&gen, (unsigned long)k % 50 + 1, 2);
        g = irl_graph_parse(cx, gen.text, IRL_TO_NUL, "generated");
        length = strlen(irl_graph_json(g));
        if (!CHECK(length && length < sizeof text)) return;
        memcpy(text, irl_graph_json(g), length + 1);
        test_seed = (unsigned long)k + 7777;
        mutate(text, &length, sizeof text - 1);
        g = irl_graph_parse_json(cx, text, length, "changed");
        CHECK(g ? irl_ok(cx) : !irl_ok(cx));
        if (g) {
            right++;
            read = irl_graph_parse_json(cx, irl_graph_json(g), IRL_TO_NUL, "written");
            CHECK(read && irl_graph_equal(g, read));
        }
        irl_ctx_destroy(cx);
    }
    CHECK(right > n / 50 && right < n);
    printf("%d of %d changed texts of JSON are graphs\n", right, n);
}

/* ------------------------------------------------------------------ where tensors lie */

static int count_in(const char *text, const char *what)
{
    int n = 0;
    for (text = strstr(text, what); text; text = strstr(text + 1, what)) n++;
    return n;
}

/* Recorded choices of the reference implementation, two versions of it, for what is packed in
   fours. Its sides stay below the limit, ours reach it; its newer version does not take the
   squarest. */
static void check_scopes(void)
{
    static const struct {
        int         extent[4];
        const char *ours, *theirs, *newer;
    } recorded[] = {
        { { 1, 32, 56, 56 }, "texture,", "texture,", "texture:nhwc," },
        { { 1, 1, 1, 1 }, "texture:weight,", "texture:weight,", "texture:weight," },
        { { 1, 8, 20000, 2 }, "no image", "no image", "no image" },
        { { 1, 256, 7, 7 }, "texture:nhwc,", "texture:nhwc,", "texture:weight," },
        { { 1, 22, 20, 20 }, "texture:nhwc,", "texture:nhwc,", "texture:weight," },
        { { 16384, 1, 1, 1 }, "texture:weight,", "no image", "no image" },
        { { 1, 1, 200, 100 }, "texture,", "texture,", "texture," },
    };
    size_t k;
    int    same = 0;
    for (k = 0; k < COUNT(recorded); k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        const int  *e = recorded[k].extent;
        const char *why, *line;
        char        text[512];
        irl_graph  *g;
        sprintf(text, "graph g { func f(x: f32[a, b, c, d, 4], y: f32[a, b, c, d, 4]) { for (i: a, "
                      "j: b, k: c, l: d, m: 4) y[i, j, k, l, m] = x[i, j, k, l, m] + 1.0; } "
                      "input x: f32[%d, %d, %d, %d, 4]; y = f(x); output y; }", e[0], e[1], e[2],
                e[3]);
        g = irl_graph_place_tensors(irl_graph_parse(cx, text, IRL_TO_NUL, NULL),
                                    &irl_target_adreno, NULL, &why);
        CHECK(g != NULL && irl_graph_lower(g, &irl_target_adreno) != NULL);
        line = strrchr(why, 'y');
        line = line ? strstr(why, ": ") : "";
        if (!CHECK(strstr(line, recorded[k].ours) != NULL)) puts(why);
        same += strcmp(recorded[k].ours, recorded[k].theirs) == 0;
        irl_ctx_destroy(cx);
    }
    CHECK(same == 6);
}

static int collect_mixed(void *user, const irl_graph *g, irl_graph_place *places)
{
    const irl_map *map = irl_map_parse((irl_ctx *)user, "(i, j, c) -> (i, |, j, c)");
    int            k;
    for (k = 0; k < irl_graph_tensor_count(g); k++)
        if (strcmp(irl_graph_tensor_of(g, k)->name, "u") == 0) {
            places[k].scope = IRL_SCOPE_TEXTURE;
            places[k].map = map;
        }
    return 1;
}

static int collect_nothing(void *user, const irl_graph *g, irl_graph_place *places)
{
    (void)user, (void)g, (void)places;
    return 0;
}

/* Layouts that functions state flow through what computes cell by cell, to where nobody states
   one; of two the one that more nodes state, and the other gets a copy. */
static void check_flow(void)
{
    static const char funcs[] =
        "graph g { func inc(x: f32[h, w, c], y: f32[h, w, c]) { for (i: h, j: w, k: c) y[i, j, k] "
        "= x[i, j, k] + 1.0; } func fours(x: f32[h, w, c], y: f32[h]) layout(x: (h, w, c) -> (c / "
        "4, h, w, c % 4)) { for (i: h) y[i] = x[i, 0, 0] + x[i, w - 1, c - 1]; } func turned(x: "
        "f32[h, w, c], y: f32[h]) layout(x: (h, w, c) -> (c, h, w)) { for (i: h) y[i] = x[i, 0, 0] "
        "* x[i, w - 1, c - 1]; } func both(x: f32[h, w, c], u: f32[h, w, c], v: f32[h, w, c]) { "
        "for (i: h, j: w, k: c) { u[i, j, k] = x[i, j, k]; v[i, j, k] = -x[i, j, k]; } } "
        "input x: f32[3, 4, 8]; ";
    static const struct {
        const char *nodes;
        const char *says[3];
        int         copies;
    } cases[] = {
        { "a = inc(x); b = inc(a); p = fours(b); output p; }",
          { "x: global (h, w, c) -> (c / 4, h, w, c % 4): as another tensor of",
            "a: global (h, w, c) -> (c / 4, h",
            "b: global (h, w, c) -> (c / 4, h, w, c % 4): as the nodes that read" }, 0 },
        { "a = inc(x); p = turned(a); q = fours(a); r = fours(a); output p, q, r; }",
          { "a: global (h, w, c) -> (c / 4, h, w, c % 4): as most", "x: global (h",
            "p: global: plain" }, 1 },
        { "(u, v) = both(x); p = turned(u); output v, p; }",
          { "u: global (h, w, c) -> (c, h, w)", "v: global: plain", "x: global: plain" }, 0 },
    };
    size_t k;
    for (k = 0; k < COUNT(cases); k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        const char *why;
        char        text[2048];
        irl_graph  *g, *placed;
        irl_module *m;
        float       x[96], out[2][3][96];
        void       *args[2][4];
        int         j, at, wrong = 0;
        sprintf(text, "%s%s", funcs, cases[k].nodes);
        g = irl_graph_parse(cx, text, IRL_TO_NUL, NULL);
        placed = irl_graph_place_tensors(g, &irl_target_opencl12, NULL, &why);
        m = irl_graph_lower(placed, &irl_target_opencl12);
        if (!CHECK(m != NULL)) printf("%s\n", irl_diag_text(cx));
        for (j = 0; j < 3; j++)
            if (!CHECK(strstr(why, cases[k].says[j]) != NULL)) printf("%s\n", why);
        if (!CHECK(count_in(irl_module_text(m), "launch copy") == cases[k].copies))
            printf("%s\n", irl_module_text(m));
        memset(out, 0, sizeof out);
        for (j = 0; j < 96; j++) x[j] = (float)j;
        for (j = 0; j < 2; j++) {
            args[j][0] = x;
            for (at = 0; at < 3; at++) args[j][1 + at] = out[j][at];
        }
        for (j = 0; j < 2; j++) {
            irl_arguments a;
            memset(&a, 0, sizeof a);
            a.count = 1 + irl_graph_output_count(g);
            for (at = 0; at < a.count; at++) a.data[at] = args[j][at];
            CHECK(j ? irl_module_interpret(m, a) : irl_func_interpret(irl_graph_func(g), a));
        }
        wrong = memcmp(out[0], out[1], sizeof out[0]) != 0;
        CHECK(!wrong);
        irl_ctx_destroy(cx);
    }
}

/* What the user's function says is refused where results of a node would be in two scopes. */
static void check_mixed(void)
{
    static const char text[] =
        "graph g { func both(x: f32[h, w, c], u: f32[h, w, c], v: f32[h, w, c]) { for (i: h, j: w, "
        "k: c) { u[i, j, k] = x[i, j, k]; v[i, j, k] = -x[i, j, k]; } } input x: f32[3, 4, 4]; "
        "(u, v) = both(x); output u, v; }";
    irl_ctx                  *cx = irl_ctx_create(NULL);
    irl_graph                *g = irl_graph_parse(cx, text, IRL_TO_NUL, NULL);
    const irl_mark            mark = irl_ctx_mark(cx);
    irl_graph_storage_options how;
    memset(&how, 0, sizeof how);
    how.collect = collect_mixed;
    how.user = cx;
    CHECK(!irl_graph_place_tensors(g, &irl_target_opencl12, &how, NULL));
    CHECK_CODE(cx, IRL_ERROR_BAD_GRAPH);
    CHECK(strstr(irl_diag_text(cx), "'u' would be in texture, and 'v' in global") != NULL);
    irl_ctx_rewind(cx, mark);
    how.collect = collect_nothing;
    CHECK(!irl_graph_place_tensors(g, &irl_target_opencl12, &how, NULL));
    CHECK_CODE(cx, IRL_ERROR_BAD_GRAPH);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ images that are refused */

static const char offered_text[] =
    "graph g { func f(x: f32[n, h, w, c], y: f32[n, h, w, c]) { for (a: n, i: h, j: w, k: c) y[a, "
    "i, j, k] = x[a, i, j, k] + 1.0; } func sum(x: f32[n, h, w, c], y: f32[n]) { for (a: n) y[a] "
    "= sum(i: h, j: w, k: c, x[a, i, j, k]); } input x: f32[1, 1, 1, 1600]; t = f(x); y = sum(t); "
    "output y; }";

/* A device that refuses so many images, and a row that does. */
typedef struct refusing {
    int         asked, refused; /* of those asked */
    irl_target *row;            /* its nodes are refused as often; NULL: never */
} refusing;

static int refuse_image(void *user, const irl_graph_tensor *tensor, int64_t width, int64_t height,
                        const char **why)
{
    refusing *r = (refusing *)user;
    (void)width, (void)height;
    CHECK(strcmp(tensor->name, "t") == 0);
    *why = "so";
    r->asked++;
    if (!r->row) return r->asked > r->refused;
    r->row->buffer_bytes = r->asked > r->refused ? 1 << 20 : 1024;
    return 1;
}

/* What a limit refuses, a device, and a row that a node is lowered for: the next layout is taken by
   one rule, which says what the first was and why; behind the last one plain memory. */
static void check_refused_images(void)
{
    static const struct {
        int         extent, width;    /* of the row's images; most that the device's are wide */
        int         refused, has_row; /* by the device, or by the row where a node is lowered */
        const char *says;
    } cases[] = {
        { 400, 0, 0, 0, "\nt: texture (n, h, w, c) -> (n, h, w, |, c / 4, c % 4): texture, 400 x 1 "
                        "texels\n" },
        { 400, 100, 0, 0, "tflite, 1 x 400 texels; 1 refused before, first texture, 400 x 1 "
                          "texels: width 400 is over the limit of 100\n" },
        { 100, 0, 0, 0, "20 x 20 texels; 2 refused before, first texture, 400 x 1 texels: width "
                        "400 is over the limit of 100\n" },
        { 19, 0, 0, 0, "\nt: global: no image: none of " },
        { 400, 0, 1, 0, "tflite, 1 x 400 texels; 1 refused before, first texture, 400 x 1 texels: "
                        "so\n" },
        { 400, 0, 2, 0, "20 x 20 texels; 2 refused before, first texture, 400 x 1 texels: "
                        "so\n" },
        { 400, 0, 99, 0, "\nt: global: no image: 3 layouts refused, first texture, 400 x 1 texels: "
                         "so\n" },
        { 400, 0, 1, 1, "tflite, 1 x 400 texels; 1 refused before, first texture, 400 x 1 texels: "
                        "'f' writes it, and is refused: 'x' has 1600 elements of f32; " },
        { 400, 0, 2, 1, "20 x 20 texels; 2 refused before, first texture, 400 x 1 texels: 'f' "
                        "writes it, and is refused: 'x' has 1600 elements of f32; target " },
        { 400, 0, 99, 1, "\nt: global: no image: 3 layouts refused, first texture, 400 x 1 texels: "
                         "'f' writes it, and is refused: 'x' has 1600" },
    };
    size_t k;
    for (k = 0; k < COUNT(cases); k++) {
        irl_ctx                  *cx = irl_ctx_create(NULL);
        irl_graph                *g = irl_graph_parse(cx, offered_text, IRL_TO_NUL, NULL);
        irl_graph_storage_options how;
        irl_target                columns = irl_target_adreno;
        const irl_target         *row;
        const char               *why, *plain[3] = { "held", NULL, NULL };
        refusing                  r = { 0, 0, NULL };
        columns.name = "row";
        columns.image_extent = cases[k].extent;
        row = irl_target_new(cx, &columns);
        memset(&how, 0, sizeof how);
        how.max_width = cases[k].width;
        how.plain = plain;
        how.try_image = refuse_image;
        how.try_user = &r;
        r.refused = cases[k].refused;
        if (cases[k].has_row) memcpy(&r.row, &row, sizeof row);
        g = irl_graph_place_tensors(g, row, &how, &why);
        if (!CHECK(strstr(why, cases[k].says) != NULL)) puts(why);
        CHECK(r.asked <= IRL_MAX_IMAGE_TRIES && irl_graph_lower(g, row));
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

/* An argument that a row refuses in an image does not take the results of its node along; of two
   results of which one is refused both lie in plain memory; and what other nodes read of it does
   not matter. */
static void check_refused_alone(void)
{
    static const struct {
        const char *nodes, *says[3];
    } cases[] = {
        { "func f(x: f32[n, h, w, c], y: f32[n, h, w, 4]) { for (a: n, i: h, j: w, k: 4) y[a, i, "
          "j, k] = x[a, i, j, k] + 1.0; } input x: f32[1, 2, 9, 6]; t = f(x); output t; }",
          { "x: global: no image: 1 layouts refused, first ", "'f' reads it, and is refused: 'x' "
            "has 144 elements of f32; target 'row' has buffers of 432 bytes", "t: texture (" } },
        { "func f(x: f32[n, h, w, c], y: f32[n, h, w, c], u: f32[n, h, w, 4]) { for (a: n, i: h, "
          "j: w) { for (k: c) y[a, i, j, k] = x[a, i, j, k] + 1.0; for (k: 4) u[a, i, j, k] = "
          "x[a, i, j, k]; } } input x: f32[1, 2, 9, 6]; (t, u) = f(x); output t, u; }",
          { "x: global: no image: 1 layouts refused, first ", "t: global: no image: 1 layouts "
            "refused, first ", "u: global: no image: another result of the node is not in an "
                               "image" } },
    };
    size_t k, j;
    for (k = 0; k < COUNT(cases); k++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        irl_target        columns = irl_target_adreno;
        const irl_target *row;
        const char       *why = "";
        char              text[1024];
        irl_graph        *g;
        columns.name = "row";
        columns.buffer_bytes = 432; /* 6 channels; their image has 8 */
        row = irl_target_new(cx, &columns);
        sprintf(text, "graph g { %s", cases[k].nodes);
        g = irl_graph_place_tensors(irl_graph_parse(cx, text, IRL_TO_NUL, NULL), row, NULL, &why);
        if (!CHECK(g && irl_graph_lower(g, row))) puts(irl_diag_text(cx));
        for (j = 0; j < 3; j++)
            if (!CHECK(strstr(why, cases[k].says[j]) != NULL)) puts(why);
        irl_ctx_destroy(cx);
    }
}

static int place_refused(irl_ctx *cx, int which)
{
    irl_graph_storage_options how;
    refusing                  r = { 0, 0, NULL };
    const char               *why = "", *plain[3] = { "held", NULL, NULL };
    r.refused = which;
    memset(&how, 0, sizeof how);
    how.plain = plain;
    how.try_image = refuse_image;
    how.try_user = &r;
    return irl_graph_place_tensors(irl_graph_parse(cx, offered_text, IRL_TO_NUL, NULL),
                                   &irl_target_adreno, &how, &why) != NULL &&
           CHECK(strstr(why, which < 3 ? "2 refused before" : "3 layouts refused") != NULL);
}

/* ------------------------------------------------------------------ generated graphs */

static const char *const targets[] = { "opencl12", "c99", "strict", "scalar", "c-gnu",
                                       "opencl12-embedded" };
static int kernels, launches, copies;

static void check_module(irl_ctx *cx, const irl_graph *g, const graph_data *expected,
                         unsigned long seed, const char *target, int is_scheduled)
{
    irl_lower_options how;
    graph_data        d;
    irl_module       *m, *read;
    irl_mark          mark = irl_ctx_mark(cx);
    memset(&how, 0, sizeof how);
    m = is_scheduled ? irl_graph_lower(g, irl_target_find(target))
                     : irl_graph_lower_with(g, irl_target_find(target), &how);
    graph_data_new(&d, g, seed);
    if (!CHECK(m && irl_module_interpret(m, graph_arguments(g, &d)) &&
               graph_same(g, &d, expected)))
        printf("seed %lu for %s: %s\n%s\n%s\n", seed, target, irl_diag_text(cx), irl_graph_text(g),
               irl_module_text(m));
    if (m && is_scheduled) { /* what the nodes do behind their schedules, in one function */
        graph_data_free(&d);
        graph_data_new(&d, g, seed);
        CHECK(irl_func_interpret(irl_module_scheduled(m), graph_arguments(g, &d)) &&
              graph_same(g, &d, expected));
    }
    if (m) {
        read = irl_module_parse(cx, irl_module_text(m), IRL_TO_NUL, "module");
        CHECK(read && irl_module_equal(m, read));
        kernels += irl_module_kernel_count(m);
        launches += count_in(irl_module_text(m), "launch ");
        copies += count_in(irl_module_text(m), "launch copy");
    }
    graph_data_free(&d);
    irl_ctx_rewind(cx, mark);
}

static int fused, fusable, inside;

/* The same with nodes fused: fewer of them, and the same results. */
static void check_fused(irl_ctx *cx, const irl_graph *g, const graph_data *expected,
                        unsigned long seed)
{
    irl_graph_fusion what;
    irl_graph       *f = irl_graph_fuse(g, &what), *read;
    graph_data       d, of_f;
    int              k, same = 1;
    if (!CHECK(f != NULL)) {
        printf("seed %lu: %s\n%s\n", seed, irl_diag_text(cx), irl_graph_text(g));
        return;
    }
    CHECK(irl_graph_node_count(f) == irl_graph_node_count(g) - what.count);
    CHECK(irl_graph_input_count(f) == irl_graph_input_count(g));
    CHECK(irl_graph_output_count(f) == irl_graph_output_count(g));
    inside += count_in(what.text, " is kept inside ");
    CHECK(what.count == count_in(what.text, " is removed: ") + count_in(what.text,
                                                                        " is kept inside "));
    fused += what.count;
    fusable += count_in(what.text, "\n");
    graph_data_new(&d, g, seed);
    graph_data_new(&of_f, f, seed);
    for (k = 0; k < irl_graph_input_count(g); k++)
        memcpy(of_f.data[irl_graph_input(f, k)], d.data[irl_graph_input(g, k)],
               (size_t)d.count[irl_graph_input(g, k)] * sizeof(int32_t));
    CHECK(graph_run_nodes(f, &of_f));
    for (k = 0; k < irl_graph_output_count(g); k++)
        same &= memcmp(of_f.data[irl_graph_output(f, k)], expected->data[irl_graph_output(g, k)],
                       (size_t)d.count[irl_graph_output(g, k)] * sizeof(int32_t)) == 0;
    if (!CHECK(same))
        printf("seed %lu\n%s\n%s\n%s\n", seed, irl_graph_text(g), what.text, irl_graph_text(f));
    read = irl_graph_parse(cx, irl_graph_text(f), IRL_TO_NUL, "fused");
    if (!CHECK(read && irl_graph_equal(f, read)))
        printf("seed %lu: %s\n%s\n", seed, irl_diag_text(cx), irl_graph_text(f));
    if (what.count) check_module(cx, f, &of_f, seed, targets[seed % COUNT(targets)], 1);
    graph_data_free(&d);
    graph_data_free(&of_f);
}

static int images;

/* The same with other places for the tensors, which are drawn: images, and layouts. */
static void check_placed(irl_ctx *cx, const irl_graph *g, const graph_data *expected,
                         unsigned long seed)
{
    collect_state             state;
    irl_graph_storage_options how;
    const char               *why;
    irl_graph                *p;
    int                       k;
    memset(&how, 0, sizeof how);
    state.cx = cx;
    state.state = seed;
    how.user = &state;
    how.collect = collect_random;
    for (k = 0; k < 2 && irl_graph_node_count(g); k++) {
        const char *target = k ? targets[seed % COUNT(targets)] : "adreno";
        state.has_images = !k;
        p = irl_graph_place_tensors(g, irl_target_find(target), &how, &why);
        if (!CHECK(p != NULL)) {
            printf("seed %lu: %s\n%s\n", seed, irl_diag_text(cx), irl_graph_text(g));
            return;
        }
        images += count_in(why, ": texture");
        CHECK(count_in(why, "\n") == irl_graph_tensor_count(g));
        check_json(cx, p);
        check_module(cx, p, expected, seed, target, (int)(seed & 1));
    }
}

/* Equal functions have one hash; it does not look at their own names. */
static void check_hashes(irl_ctx *cx, const irl_graph *a, const irl_graph *b)
{
    const irl_func *first = irl_graph_node_of(a, 0)->func;
    int             k;
    for (k = 0; k < irl_graph_node_count(a); k++) {
        const irl_func *f = irl_graph_node_of(a, k)->func, *g = irl_graph_node_of(b, k)->func;
        CHECK(irl_func_hash(f) && irl_func_hash(f) == irl_func_hash(g));
        CHECK(strcmp(irl_func_name(f), irl_func_name(first)) == 0 ||
              irl_func_hash(f) != irl_func_hash(first));
    }
    CHECK_OK(cx);
}

static void check_generated(unsigned long seed)
{
    static graph_gen gen;
    irl_ctx         *cx = irl_ctx_create(NULL);
    graph_data       expected, d;
    irl_graph       *g, *read;
    irl_func        *f;
    graph_generate(&gen, seed, 1 + (int)(seed % 9));
    g = irl_graph_parse(cx, gen.text, IRL_TO_NUL, "generated");
    if (!CHECK(g != NULL)) {
        printf("seed %lu: %s\n%s\n", seed, irl_diag_text(cx), gen.text);
        irl_ctx_destroy(cx);
        return;
    }
    read = irl_graph_parse(cx, irl_graph_text(g), IRL_TO_NUL, "printed");
    if (!CHECK(read && irl_graph_equal(g, read)))
        printf("seed %lu: %s\n%s\n", seed, irl_diag_text(cx), irl_graph_text(g));
    check_hashes(cx, g, read);
    check_json(cx, g);
    graph_data_new(&expected, g, seed);
    graph_data_new(&d, g, seed);
    CHECK(graph_run_nodes(g, &expected));
    f = irl_graph_func(g);
    if (!CHECK(f && irl_func_interpret(f, graph_arguments(g, &d)) && graph_same(g, &d, &expected)))
        printf("seed %lu: %s\n%s\n%s\n", seed, irl_diag_text(cx), gen.text, irl_func_text(f));
    check_module(cx, g, &expected, seed, targets[seed % COUNT(targets)], 1);
    check_module(cx, g, &expected, seed, targets[seed / 7 % COUNT(targets)], 0);
    check_fused(cx, g, &expected, seed);
    check_placed(cx, g, &expected, seed);
    CHECK_OK(cx);
    graph_data_free(&expected);
    graph_data_free(&d);
    irl_ctx_destroy(cx);
}

/* Nodes that are alike share one kernel; others of the same function do not. */
static void check_shared(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_graph  *g = irl_graph_parse(
        cx, "graph g { " SCALE "input x: f32[8]; input z: f32[9]; a = scale(x, 2.0); b = scale(a, "
            "2.0); c = scale(b, 3.0); d = scale(z, 2.0); output c, d; }", IRL_TO_NUL, NULL);
    irl_module *m = irl_graph_lower(g, &irl_target_opencl12);
    CHECK(m && irl_module_kernel_count(m) == 3);
    CHECK(m && count_in(irl_module_text(m), "launch ") == 4);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* Functions declared apart: those of one form share their kernels, whatever names they have. */
static void check_forms(void)
{
    static const struct {
        const char *of_b; /* function b, beside a */
        int         same;
    } cases[] = {
        { "(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] * 2.0f; }", 1 },
        { "(p: f32[n], q: f32[n]) { for (other: n) q[other] = p[other] * 2.0f; }", 1 },
        { "(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] * -2.0f; }", 0 },
        { "(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[7 - i] * 2.0f; }", 0 },
        { "(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] + 2.0f; }", 0 },
        { "(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] * x[i]; }", 0 },
        { "(x: f32[8], y: f32[8]) layout(y: (i) -> (i / 4, i % 4)) { for (i: 8) y[i] = x[i] * "
          "2.0f; }", 0 },
        { "(x: f32[8], y: f32[8]) attr(tag = 3) { for (i: 8) y[i] = x[i] * 2.0f; }", 0 },
        { "(x: f32[8], y: f32[8]) { for vectorized(i: 8) y[i] = x[i] * 2.0f; }", 0 },
    };
    int k;
    for (k = 0; k < COUNT(cases); k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        char        text[1024];
        irl_graph  *g;
        irl_module *m;
        sprintf(text, "graph g { func a(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] * 2.0f; } "
                      "func b%s input x: f32[8]; s = a(x); t = b(s); u = a(t); output u; }",
                cases[k].of_b);
        g = irl_graph_parse(cx, text, IRL_TO_NUL, NULL);
        m = irl_graph_lower_with(g, &irl_target_opencl12, NULL);
        if (!CHECK(m && (irl_module_kernel_count(m) == 1) == cases[k].same &&
                   count_in(irl_module_text(m), "launch ") >= 3))
            printf("%s\n%s", irl_diag_text(cx), m ? irl_module_text(m) : text);
        irl_ctx_destroy(cx);
    }
}

/* Pairs that are alike become one function; what an output is stays; a sum, and what reads it cell
   by cell, become one function of both. */
static void check_fused_pairs(void)
{
    irl_ctx         *cx = irl_ctx_create(NULL);
    irl_graph_fusion what;
    irl_graph       *g = irl_graph_parse(
        cx, "graph g { " SCALE ADD "func sums(x: f32[n], y: f32[]) { y[] = sum(i: n, x[i]); } func "
            "less(x: f32[], y: f32[]) { y[] = x[] - 1.0f; } input x: f32[8]; input z: f32[8]; a = "
            "scale(x, 2.0); b = add(a, z); c = scale(z, 2.0); d = add(c, x); e = scale(x, 4.0); f "
            "= scale(e, 2.0); s = sums(f); q = less(s); output b, d, e, q; }", IRL_TO_NUL, NULL);
    g = irl_graph_fuse(g, &what);
    CHECK(g && what.count == 4 && what.bytes == 3 * 32);
    CHECK(count_in(irl_graph_text(g), " = scale_add(") == 2);
    CHECK(count_in(irl_graph_text(g), "func ") == 3);
    CHECK(count_in(irl_graph_text(g), " = scale_sums_less(e)") == 1);
    if (!CHECK(strstr(what.text, "s is kept inside ") != NULL))
        printf("%s\n%s\n%s\n", irl_diag_text(cx), what.text, irl_graph_text(g));
    CHECK(!strstr(what.text, "s is kept: ")); /* the first round said so, the second found a way */
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

#define SUMS \
    "func sums(x: i32[n, 64, 32], y: i32[n, 32]) { for (i: n, k: 32) " \
    "y[i, k] = sum(j: 64, x[i, j, k]); } "
#define CELLS \
    "func cells(x: i32[n, m], v: i32[m], y: i32[n, m]) { for (i: n, k: m) " \
    "y[i, k] = max(x[i, k] + v[k], 0); } "

/* One kernel computes the sum and what reads it cell by cell; what reads it otherwise, or twice, or
   beside another, stays a node. */
static void check_fused_sums(void)
{
    static const struct {
        const char *text;
        int         nodes, launches;
    } cases[] = {
        { "graph g { " SUMS CELLS "input x: i32[8, 64, 32]; input v: i32[32]; s = sums(x); "
          "y = cells(s, v); output y; }", 1, 1 },
        /* bias, then the ReLU: one node first, then behind the sum */
        { "graph g { " SUMS CELLS "input x: i32[8, 64, 32]; input v: i32[32]; s = sums(x); "
          "t = cells(s, v); y = cells(t, v); output y; }", 1, 1 },
        { "graph g { " SUMS CELLS "input x: i32[8, 64, 32]; input v: i32[32]; s = sums(x); "
          "y = cells(s, v); output s, y; }", 2, 2 },
        { "graph g { " SUMS CELLS "input x: i32[8, 64, 32]; input v: i32[32]; s = sums(x); "
          "y = cells(s, v); z = cells(s, v); output y, z; }", 3, 3 },
        { "graph g { " SUMS "func turned(x: i32[32, 32], y: i32[32, 32]) { for (i: 32, k: 32) "
          "y[i, k] = x[k, i] + 1; } input x: i32[32, 64, 32]; s = sums(x); y = turned(s); "
          "output y; }", 2, 2 },
        /* two sums: one of them */
        { "graph g { " SUMS "func both(a: i32[n, m], b: i32[n, m], y: i32[n, m]) { "
          "for (i: n, k: m) y[i, k] = a[i, k] - b[i, k]; } input x: i32[8, 64, 32]; "
          "input z: i32[8, 64, 32]; s = sums(x); t = sums(z); y = both(s, t); output y; }", 2, 2 },
    };
    irl_ctx   *cx = irl_ctx_create(NULL);
    graph_data d, e;
    size_t     k;
    for (k = 0; k < COUNT(cases); k++) {
        irl_graph  *g = irl_graph_parse(cx, cases[k].text, IRL_TO_NUL, NULL), *f;
        irl_module *m;
        int         j;
        if (!CHECK((f = irl_graph_fuse(g, NULL)) != NULL)) return;
        m = irl_graph_lower(f, &irl_target_opencl12);
        CHECK(irl_graph_node_count(f) == cases[k].nodes);
        if (!CHECK(m && count_in(irl_module_text(m), "launch ") == cases[k].launches))
            printf("case %d: %s\n%s\n", (int)k, irl_diag_text(cx), m ? irl_module_text(m) : "");
        graph_data_new(&d, g, k);
        graph_data_new(&e, f, k);
        for (j = 0; j < irl_graph_input_count(g); j++)
            memcpy(d.data[irl_graph_input(g, j)], e.data[irl_graph_input(f, j)],
                   (size_t)d.count[irl_graph_input(g, j)] * sizeof(int32_t));
        CHECK(graph_run_nodes(g, &d) && graph_run_nodes(f, &e));
        for (j = 0; j < irl_graph_output_count(g); j++)
            CHECK(memcmp(e.data[irl_graph_output(f, j)], d.data[irl_graph_output(g, j)],
                         (size_t)d.count[irl_graph_output(g, j)] * sizeof(int32_t)) == 0);
        check_module(cx, f, &e, k, "opencl12", 1);
        graph_data_free(&d);
        graph_data_free(&e);
    }
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ changed texts, no memory */

static void check_mutated(int n)
{
    static graph_gen gen;
    static char      text[GRAPH_TEXT + 1];
    int              k, right = 0;
    for (k = 0; k < n; k++) {
        irl_ctx   *cx = irl_ctx_create(NULL);
        irl_graph *g, *read;
        size_t     length;
        graph_generate(&gen, (unsigned long)k % 50 + 1, 3);
        test_seed = (unsigned long)k + 77;
        length = strlen(gen.text);
        memcpy(text, gen.text, length + 1);
        mutate(text, &length, GRAPH_TEXT);
        g = irl_graph_parse(cx, text, length, "changed");
        CHECK(g ? irl_ok(cx) : !irl_ok(cx));
        if (g) {
            right++;
            read = irl_graph_parse(cx, irl_graph_text(g), IRL_TO_NUL, "printed");
            CHECK(read && irl_graph_equal(g, read));
            if (k % 8 == 0) irl_graph_lower(g, &irl_target_opencl12); /* or refused */
        }
        irl_ctx_destroy(cx);
    }
    CHECK(right > n / 50 && right < n);
    printf("%d of %d changed graphs are right\n", right, n);
}

#define LAID \
    "graph g { func laid(x: f32[n, m], a: f32, y: f32[n, m]) layout(y: (i, j) -> (i, j / 4, j % " \
    "4), pad(0.0f)) { for (i: n, j: m) y[i, j] = x[i, j] * a; } " ROWS \
    "input x: f32[3, 5]; t = laid(x, 2.0); (a, b) = rows(t); output a, b; }"

#define FUSED \
    "graph g { " SCALE ADD "input x: f32[8]; a = scale(x, 2.0); b = add(a, x); output b; }"

static int ask_lower(irl_ctx *cx, int which)
{
    irl_graph *g = irl_graph_parse(cx, which == 4 ? FUSED : LAID, IRL_TO_NUL, NULL);
    if (which == 0) return g && irl_graph_text(g)[0];
    if (which == 1) return irl_graph_func(g) != NULL;
    if (which == 4) return irl_graph_fuse(g, NULL) != NULL;
    if (which == 3) return irl_graph_parse_json(cx, irl_graph_json(g), IRL_TO_NUL, NULL) != NULL;
    return irl_graph_lower(g, &irl_target_opencl12) != NULL;
}

/* ------------------------------------------------------------------ several points in one cell */

static const char *const sharing_maps[] = { "", "layout(x: (i, j) -> (j, i))",
                                            "layout(x: (i, j) -> (j))",
                                            "layout(x: (i, j) -> (i / 2 * 2, j))",
                                            "layout(x: (i, j) -> (n * m + j))" };

/* An input, or what a node makes of it, is read by one node or two, by layouts of which some map
   several points to one cell. That is right for an input which all read alike, and nowhere else. */
static void check_sharing(int n)
{
    int refused = 0, k;
    test_seed = 5;
    for (k = 0; k < n; k++) {
        const int  a = 1 + TEST_RANDOM(4), b = 1 + TEST_RANDOM(4), is_made = TEST_RANDOM(2);
        const int  left = TEST_RANDOM(5), right = TEST_RANDOM(3) ? TEST_RANDOM(5) : left;
        const int  lossy = a > 1 && (left > 1 || right > 1);
        const int  is_wrong = lossy && (is_made || left != right);
        const char *read = is_made ? "s" : "t";
        char        text[2048];
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_module *m;
        sprintf(text,
                "graph net { func f(x: i32[n, m], y: i32[n, m]) %s { for (i: n, j: m) y[i, j] = "
                "x[i, j] + 1; } func g(x: i32[n, m], y: i32[n, m]) %s { for (i: n, j: m) y[i, j] = "
                "x[i, j] * 3; } func h(x: i32[n, m], y: i32[n, m]) { for (i: n, j: m) y[i, j] = "
                "x[i, j] - 2; }\ninput t: i32[%d, %d]; %s u = f(%s); v = g(%s); output u; output "
                "v; }",
                sharing_maps[left], sharing_maps[right], a, b, is_made ? "s = h(t);" : "", read,
                read);
        m = irl_graph_lower(irl_graph_parse(cx, text, strlen(text), NULL), &irl_target_opencl12);
        if (is_wrong) CHECK_CODE(cx, IRL_ERROR_LOSSY_MAP);
        if (is_wrong) CHECK(strstr(irl_diag_text(cx), "both map to [") ||
                            strstr(irl_diag_text(cx), "different points to one cell"));
        if (!CHECK((m == NULL) == is_wrong))
            printf("case %d: %s\n%s\n", k, irl_diag_text(cx), text);
        refused += is_wrong;
        irl_ctx_destroy(cx);
    }
    printf("%d of %d graphs with lossy layouts are wrong\n", refused, n);
}

int main(int argc, char **argv)
{
    unsigned long seed, first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int           n = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(GRAPH_MOST);
    if (argc > 2 && strcmp(argv[1], "json") == 0) {
        check_mutated_json(atoi(argv[2]));
        return TEST_DONE();
    }
    test_seeds(first, n);
    for (seed = first; seed < first + (unsigned long)n; seed++) check_generated(seed);
    printf("%d of %d pairs of nodes fused, %d of them a sum and what reads it\n", fused, fusable,
           inside);
    printf("%d tensors in images\n", images);
    printf("%d kernels for %d launches, %d of them copies\n", kernels, launches, copies);
    if (argc > 1) return TEST_DONE();
    check_wrong();
    check_calls();
    check_shared();
    check_forms();
    check_fused_pairs();
    check_fused_sums();
    check_scopes();
    check_flow();
    check_mixed();
    check_refused_images();
    check_refused_alone();
    check_sharing(TEST_COUNT(300));
    failing_each(place_refused, 2, 0);
    failing_each(place_refused, 3, 1);
    check_mutated(TEST_COUNT(3000));
    check_json_cases();
    check_mutated_json(TEST_COUNT(1000));
    for (n = 0; n < 5; n++) failing_each(ask_lower, n, 0), failing_each(ask_lower, n, 1);
    return TEST_DONE();
}
