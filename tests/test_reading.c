/* test_reading.c - what a function is made of can be read by the public functions alone; asked of
   NULL, of another kind of node or past the end, they answer NULL, "" or 0. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"

/* ------------------------------------------------------------------ of nothing */

static void expressions_of_nothing(const irl_expr *e)
{
    CHECK(irl_expr_arg_count(e) == 0 && !irl_expr_arg(e, 0) && !irl_expr_arg(e, -1));
    CHECK(irl_expr_int_value(e) == 0 && irl_expr_float_value(e) == 0);
    CHECK(!*irl_expr_name(e) && !irl_expr_buffer(e) && irl_expr_pick(e, 0) == 0);
}

static void statements_of_nothing(irl_ctx *cx, const irl_stmt *s)
{
    irl_place place;
    CHECK(irl_stmt_child_count(s) == 0 && !irl_stmt_child(s, 0) && !irl_stmt_child(s, -1));
    CHECK(!irl_stmt_body(s) && !irl_stmt_then(s) && !irl_stmt_else(s));
    CHECK(irl_stmt_for_kind(s) == IRL_SERIAL && irl_stmt_axis(s) == IRL_GROUP_X);
    CHECK(!irl_stmt_min(s) && !irl_stmt_extent(s) && !irl_stmt_var(s) && !irl_stmt_value(s));
    CHECK(!irl_stmt_condition(s) && !irl_stmt_buffer(s));
    CHECK(irl_stmt_arg_count(s) == 0 && !irl_stmt_arg(s, 0) && !irl_stmt_arg(s, -1));
    CHECK(!*irl_stmt_name(s) && !*irl_stmt_message(s) && irl_stmt_scope(s) == IRL_SCOPE_GLOBAL);
    CHECK(irl_stmt_note_count(s) == 0 && !irl_stmt_note(s, 0) && !irl_stmt_note(s, -1));
    CHECK(!irl_stmt_block_desc(s) && irl_stmt_id(s) == 0);
    CHECK(!irl_stmt_place(cx, s, &place) && !*place.file && !place.line && !place.column);
    CHECK(!irl_stmt_place(cx, s, NULL));
}

static void buffers_of_nothing(irl_ctx *cx)
{
    irl_place place;
    CHECK(!*irl_buffer_name(NULL) && irl_buffer_type(NULL).lanes == 1);
    CHECK(irl_buffer_scope(NULL) == IRL_SCOPE_GLOBAL && irl_buffer_rank(NULL) == 0);
    CHECK(!irl_buffer_extent(NULL, 0) && !irl_buffer_stride(NULL, 0) && !irl_buffer_offset(NULL));
    CHECK(irl_buffer_alignment(NULL) == 0 && irl_buffer_texel(NULL) == 0);
    CHECK(irl_buffer_separator_count(NULL) == 0 && irl_buffer_separator(NULL, 0) == 0);
    CHECK(!irl_buffer_place(cx, NULL, &place) && !place.line);
}

static void functions_of_nothing(const irl_func *f)
{
    CHECK(!irl_func_param_name(f, 0) && !irl_func_param_scalar(f, 0));
    CHECK(!irl_func_param_is_buffer(f, 0) && !irl_func_param_buffer(f, -1));
    CHECK(irl_func_param_logical_rank(f, 0) == 0 && !irl_func_param_logical_extent(f, 0, 0));
    CHECK(!irl_func_param_map(f, 0) && !irl_func_param_padding(f, 0));
    CHECK(irl_func_layout_count(f) == 0 && !*irl_func_layout_buffer(f, 0));
    CHECK(!irl_func_layout_map(f, 0) && !irl_func_layout_padding(f, 0));
    CHECK(!irl_func_layout_is_assumed(f, -1));
    CHECK(irl_func_attr_count(f) == 0 && !irl_func_attr(f, 0));
}

static void nothing(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *empty = irl_func_new(cx, "f", 0, NULL, irl_stmt_seq(cx, 0, NULL));
    expressions_of_nothing(NULL);
    expressions_of_nothing(irl_expr_undef(cx, irl_type_of(IRL_F32, 1)));
    CHECK(irl_expr_op(NULL) == IRL_OP_NONE && !irl_op_info(IRL_OP_NONE));
    statements_of_nothing(cx, NULL);
    statements_of_nothing(cx, irl_func_body(empty));
    CHECK(irl_stmt_kind_of(NULL) == IRL_STMT_NONE);
    CHECK(irl_stmt_kind_of(irl_func_body(empty)) == IRL_STMT_SEQ);
    buffers_of_nothing(cx);
    CHECK(!irl_map_input(NULL, 0) && !irl_map_output(NULL, 0));
    CHECK(irl_map_rest_input(NULL) == -1 && irl_map_rest_output(NULL) == -1);
    functions_of_nothing(NULL);
    functions_of_nothing(empty);
    CHECK(!*irl_func_name(NULL) && irl_func_role(NULL) == IRL_ROLE_PLAIN && !irl_func_body(NULL));
    CHECK(irl_func_param_count(NULL) == 0 && irl_func_param_count(empty) == 0);
    CHECK(!*irl_module_name(NULL) && !*irl_module_target(NULL) && !irl_module_host(NULL));
    CHECK(irl_module_kernel_count(NULL) == 0 && !irl_module_kernel(NULL, 0));
    CHECK(!irl_scalar_info((irl_scalar)99) && !irl_scalar_info((irl_scalar)-1));
    CHECK(strcmp(irl_axis_text((irl_axis)99), "?") == 0);
    CHECK(strcmp(irl_for_kind_text((irl_for_kind)99), "?") == 0);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

int main(void)
{
    nothing();
    return TEST_DONE();
}
