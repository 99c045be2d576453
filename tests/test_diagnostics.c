/* test_diagnostics.c - what is wrong with a text or a function is said by its code, at the token or
   statement that is wrong. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/text/text.h"
#endif
#include "test.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

typedef struct text_case {
    irl_code    code;
    const char *text; /* '@' stands before the place that the diagnostic shows, and is taken out */
} text_case;

/* Functions that are refused while they are read. */
static const text_case functions[] = {
    /* tokens */
    { IRL_ERROR_SYNTAX, "@" },
    { IRL_ERROR_SYNTAX, "@function f() { }" },
    { IRL_ERROR_SYNTAX, "func @(x: f32[4]) { }" },
    { IRL_ERROR_SYNTAX, "func f() { } @func g() { }" },
    { IRL_ERROR_SYNTAX, "func f() { @# }" },
    { IRL_ERROR_SYNTAX, "func f() { @\xc3\xa9[0] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f() { @/* no end }" },
    { IRL_ERROR_SYNTAX, "func f() { assert(true, @\"no end); }" },
    { IRL_ERROR_SYNTAX, "func f() { assert(true, \"bad @\\q\"); }" },
    { IRL_ERROR_SYNTAX, "func f() { assert(true, \"bad @\\x00\"); }" },
    { IRL_ERROR_SYNTAX, "func @`no end() { }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] = @12ab; }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] = @010; }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] = @0x; }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] = @5u; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { x[0] = @1e; }" },
    { IRL_ERROR_OVERFLOW, "func f(x: i32[4]) { x[0] = @99999999999999999999; }" },
    { IRL_ERROR_OVERFLOW, "func f(x: i32[@9223372036854775808]) { }" },
    { IRL_ERROR_OVERFLOW, "func f(x: i32[4]) { x[0] = @2147483648; }" },
    /* updates, reductions, labels */
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] @+ = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] += @= 1; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: i32[4], y: f32[4]) { x[0] @+= y[0]; }" },
    { IRL_ERROR_UNSUPPORTED, "func f(x: i32[4]) { x[extern(index, next)] @+= 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] = sum(@1); }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] = prod(k: 4@); }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] = sum(k: 4, @); }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] = sum(k: 4, x[k]@, 3); }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] = max(i32: @x[0], 3); }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: i32[4]) { x[0] = sum(k: 4, x[k]) + i32(@k); }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: i32[4]) { x[0] = sum(k: @k, x[k]); }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f(x: i32[4]) { x[0] = sum(k: 4, @k: 4, x[k]); }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: i32[4], y: f32[4]) { y[0] = @sum(k: 4, x[k]); }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: unorm8[4], y: unorm8[4]) { y[0] = sum(k: 4, @x[k]); }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: bool[4]) { x[0] = max(k: 4, @x[k]); }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { for (i: @sum(k: 4, k)) x[0] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4], y: i32[@sum(k: 4, k)]) { x[0] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { x[0] = sum(k: @max(l: 4, l), x[k]); }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { block b(v: spatial(4) = @sum(k: 4, k)) x[v] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) layout(x: (i) -> (@sum(k: 4, i))) { x[0] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { @a: x[0] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { a: @if (true) x[0] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: i32[4]) { a: @b: for (i: 4) x[0] = 1; }" },
    { IRL_ERROR_OVERFLOW, "func f(x: u8[4]) { x[0] = @-1; }" },
    { IRL_ERROR_OVERFLOW, "func f(x: u8[4]) { x[0] = x[1] + @256; }" },
    { IRL_ERROR_OVERFLOW, "func f(x: f32[4]) { x[0] = @1e39f; }" },
    { IRL_ERROR_OVERFLOW, "func f(x: f32[4]) { x[0] = @1e39; }" },
    { IRL_ERROR_OVERFLOW, "func f(x: f16[4]) { x[0] = @65520; }" },
    { IRL_ERROR_OVERFLOW, "func f(x: f32[4]) { x[0] = @1e999; }" },
    { IRL_ERROR_OVERFLOW, "func f(x: i64[4]) { x[0] = 9223372036854775807 @+ 1; }" },
    { IRL_ERROR_OVERFLOW, "func f(N: index) { for (i: -2 .. @9223372036854775807) { } }" },
    { IRL_ERROR_DIVISION_BY_ZERO, "func f(x: i32[4]) { x[0] = 1 @/ 0; }" },
    { IRL_ERROR_DIVISION_BY_ZERO, "func f(x: i32[4]) { x[0] = 1 @% (2 - 2); }" },
    /* what was expected */
    { IRL_ERROR_SYNTAX, "func f(x@) { }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4] @{ }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4] @nonsense) { }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4] scope(@here)) { }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4] scope(shared) @scope(local)) { }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) @bogus { }" },
    { IRL_ERROR_SYNTAX, "func f(@true: f32[4]) { }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { x[0] = 1 @}" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { x[0] = @; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { x[0] @+ 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { @x = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { x[0 @1] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { x[0] = (1@; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { x[0] = max(1@); }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { x[0] = f32(1@, 2); }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { for (i@) x[i] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { for @sideways (i: 4) x[i] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { for bind(@local.w) (i: 4) x[i] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { if @true x[0] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { assert(true@); }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { block b() @x[0] = 1; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { block b(i: @normal(4) = 0) { } }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { block b() where(true) @where(true) { } }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { alloc @y: f32[4] data(x); }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { decl y: f32[4]@; }" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4]) { x[0] = 1;@" },
    { IRL_ERROR_SYNTAX, "func f(x: f32[4] logical([4], pad(@x[0]))) { }" },
    { IRL_ERROR_BAD_STRUCTURE, "func f() { barrier(@local); }" },
    { IRL_ERROR_BAD_ARGUMENT, "func f(x: f32[4]) @attr(numbers = \"nonsense\") { }" },
    { IRL_ERROR_BAD_ARGUMENT, "func f(x: f32[4]) @attr(numbers = 1) { }" },
    { IRL_ERROR_BAD_ARGUMENT,
      "func f(x: f32[4]) { for (i: 4) @note(order = \"any\") x[i] = 1; }" },
    { IRL_ERROR_BAD_ARGUMENT,
      "func f(x: f32[4]) { block b(v: spatial(4) = 0) @note(order = 2) { x[v] = 1; } }" },
    /* names */
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) { @z[0] = 1; }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) { x[@i] = 1; }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) { x[0] = @y[0]; }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) { x[0] = @sqart(x[0]); }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[@N + 1]) { }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4] logical([@N])) { }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f() { alloc x: f32[@N]; }" },
    { IRL_ERROR_BAD_STRUCTURE, "func f(@n: index implicit, x: f32[n + 1]) { }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(@n: i32 implicit, x: f32[4]) { }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) { for (i: 4) x[i] = 1; x[@i] = 2; }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) { { let a = 1; } x[@a] = 2; }" },
    { IRL_ERROR_UNKNOWN_NAME,
      "func f(x: f32[4]) { if (true) { alloc y: f32[4]; } else @y[0] = 1; }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) { x[0] = let(a = @a, 1); }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) { decl y: f32[4] data(@z); }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) layout(x: (i) -> (@j)) { }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) { block b(i: spatial(4) = @i) { } }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) { block b() reads(@y[0]) { } }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f(x: f32[4], @x: f32[4]) { }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f(n: index, @n: index) { }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f(n: index) { let @n = 4; }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f() { let a = 1; let @a = 2; }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f() { for (i: 4, @i: 4) { } }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f() { alloc a: f32[4]; alloc @a: f32[4]; }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f(x: f32[4]) layout(x: (i, @i) -> (i)) { }" },
    /* types */
    { IRL_ERROR_BAD_TYPE, "func f(x: @float[4]) { }" },
    { IRL_ERROR_BAD_TYPE, "func f(x: @f32x1[4]) { }" },
    { IRL_ERROR_BAD_TYPE, "func f(x: @f32x65[4]) { }" },
    { IRL_ERROR_BAD_TYPE, "func f(@x: index[4]) { }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4], y: i32[4]) { x[0] = @y[0]; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4], y: i32[4]) { x[0] = x[0] @+ y[0]; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: unorm8[4]) { x[0] = x[1] @* x[2]; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: snorm16[4]) { x[0] = @-x[2]; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { x[0] = x[1] @% x[2]; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: i32[4]) { x[0] = @0.5; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: i32[4]) { x[0] = x[1] @+ 0.5; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: bool[4]) { x[0] = @1; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { x[@x[0]] = 1; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { x[@0.5] = 1; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { if (@x[0]) x[0] = 1; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { for (i: @x[0]) x[0] = 1; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { x[0] = @exp(true); }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { x[0] = @select(x[1], 1, 2); }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { x[0] = @as(f32, true); }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { x[0] = x[1] @&& true; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4, 4]) { @x[ramp(0, 1, 4), 0] = 1; }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { x[ramp(0, 1, 4)] = @broadcast(x[0], 2); }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { x[0] = @f32(x[ramp(0, 1, 4)]); }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(n: index) { decl y: f32[4] data(@n); }" },
    { IRL_ERROR_BAD_TYPE, "func f(x: f32x4[64]) { x[0] = lane(@x[ramp(0, 1, 32)], 0); }" },
    { IRL_ERROR_RANK_MISMATCH, "func f(x: f32[4, 4]) { @x[0] = 1; }" },
    { IRL_ERROR_RANK_MISMATCH, "func f(x: f32[4, 4]) { x[0, 0] = @x[0, 0, 0]; }" },
    { IRL_ERROR_RANK_MISMATCH, "func f(@x: f32[4, 4] strides(1)) { }" },
    { IRL_ERROR_RANK_MISMATCH, "func f(x: f32[4, 4]) { block b() reads(@x[0]) { } }" },
    { IRL_ERROR_BAD_ARGUMENT, "func f(@x: f32[-4]) { }" },
    { IRL_ERROR_BAD_ARGUMENT, "func f(x: f32[4] align(@3)) { }" },
    { IRL_ERROR_BAD_ARGUMENT, "func f(x: f32[4]) { x[0] = lane(broadcast(x[1], @1), 0); }" },
    { IRL_ERROR_BAD_ARGUMENT, "func f(x: f32x4[4]) { x[0] = @shuffle(x[1], [0, 1, 2, 4]); }" },
    { IRL_ERROR_TOO_LARGE,
      "func f(@x: f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]) { }" },
    { IRL_ERROR_BAD_SEPARATORS, "func f(@x: f32[4, 4] sep(0)) { }" },
    { IRL_ERROR_BAD_SEPARATORS, "func f(@x: f32[4, 4] sep(2)) { }" },
    { IRL_ERROR_BAD_SEPARATORS, "func f(@x: f32[4, 4, 4] sep(1, 1)) { }" },
    /* prototypes */
#define SCALE "extern s(x: ptr(f32, global) reads(n), y: ptr(f32, global) writes(n), n: index): f32"
    { IRL_ERROR_SYNTAX, "func f() extern @(x: f32): f32 { }" },
    { IRL_ERROR_SYNTAX, "func f() extern g(x: f32) @{ }" },
    { IRL_ERROR_SYNTAX, "func f() extern g(x: f32, @): f32 { }" },
    { IRL_ERROR_SYNTAX, "func f() extern g(x: f32@[4]): f32 { }" },
    { IRL_ERROR_SYNTAX, "func f() extern g(x: ptr(f32, global) reads(1) @reads(2)): f32 { }" },
    { IRL_ERROR_BAD_TYPE, "func f() extern g(x: ptr(@int, global)): f32 { }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f() extern g(x: f32, @x: f32): f32 { }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f() extern g(x: f32): f32 extern @g(x: f64): f32 { }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f() extern g(): f32 extern @g(): f32 pure { }" },
    { IRL_ERROR_DUPLICATE_NAME, "func f() extern g(x: ptr(i8, global) reads(2)): f32 "
                                "extern @g(x: ptr(i8, global) reads(3)): f32 { }" },
    { IRL_ERROR_UNDECLARED, "func f(m: index) extern @g(x: ptr(f32, global) reads(m)): f32 { }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f() extern g(x: ptr(f32, global) reads(@m)): f32 { }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f() extern g(x: ptr(f32, global) reads(@1.5)): f32 { }" },
    { IRL_ERROR_TYPE_MISMATCH,
      "func f() extern @g(x: ptr(f32, global) reads(index(a)), a: f32): f32 { }" },
    { IRL_ERROR_TYPE_MISMATCH,
      "func f() extern @g(x: ptr(f32, global) reads(extern(index, g, x))): f32 { }" },
    { IRL_ERROR_BAD_STRUCTURE, "func f() extern @g(x: f32 reads(1)): f32 { }" },
    { IRL_ERROR_BAD_STRUCTURE, "func f() extern @g(x: ptr(f32, global) reads): f32 pure { }" },
    { IRL_ERROR_BAD_STRUCTURE, "func f() extern @g(): ptr(f32, global) pure { }" },
    { IRL_ERROR_BAD_STRUCTURE, "func f() extern @g(x: ptr(f32, constant) writes(1)): f32 { }" },
    { IRL_ERROR_UNSUPPORTED, "func f() extern @g(x: ptr(f32, texture) reads(1)): f32 { }" },
    { IRL_ERROR_ARGUMENT_MISMATCH,
      "func f(x: f32[4]) " SCALE " { @evaluate extern(f32, s, x, x); }" },
    { IRL_ERROR_ARGUMENT_MISMATCH, "func f() " SCALE " { @evaluate extern(f32, s); }" },
    { IRL_ERROR_TYPE_MISMATCH,
      "func f(x: f32[4], y: f64[4]) " SCALE " { @evaluate extern(f32, s, x, y, 4); }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4], y: f32[4] scope(constant)) " SCALE
                               " { @evaluate extern(f32, s, x, y, 4); }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) " SCALE
                               " { @x[0] = 1 + extern(f32, s, x, x, i32(4)); }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) extern g(a: i32x4): f32 "
                               "{ @x[0] = extern(f32, g, i32(4)); }" },
    { IRL_ERROR_TYPE_MISMATCH,
      "func f(x: f32[4]) " SCALE " { @evaluate extern(i32, s, x, x, 4); }" },
};

static const text_case maps[] = {
    { IRL_ERROR_SYNTAX, "@" },
    { IRL_ERROR_SYNTAX, "@i -> (i)" },
    { IRL_ERROR_SYNTAX, "(i) @(i)" },
    { IRL_ERROR_SYNTAX, "(i) -> (i)@x" },
    { IRL_ERROR_SYNTAX, "(i) -> (i@" },
    { IRL_ERROR_SYNTAX, "(i @+ 1) -> (i)" },
    { IRL_ERROR_UNKNOWN_NAME, "(i) -> (@j)" },
    { IRL_ERROR_DUPLICATE_NAME, "(i, @i) -> (i)" },
    { IRL_ERROR_TYPE_MISMATCH, "(i) -> (@i < 3)" },
    { IRL_ERROR_TYPE_MISMATCH, "(i) -> (@0.5)" },
    { IRL_ERROR_BAD_SEPARATORS, "(i) -> (@|, i)" },
    { IRL_ERROR_BAD_SEPARATORS, "@(i) -> (i, |)" },
    { IRL_ERROR_BAD_SEPARATORS, "(i, j) -> (i, |, @|, j)" },
    { IRL_ERROR_BAD_SEPARATORS, "(i) -> (), @(i)" },
    { IRL_ERROR_BAD_MAP, "(i) -> (@ramp(i, 1, 4))" },
    { IRL_ERROR_BAD_MAP, "(i) -> (@sum(k: 4, i))" },
    { IRL_ERROR_BAD_MAP, "(i) -> (@lane(i, 0))" },
    { IRL_ERROR_BAD_MAP, "@(..., i) -> (i)" },
    { IRL_ERROR_BAD_MAP, "@(i) -> (..., i)" },
    { IRL_ERROR_BAD_MAP, "(..., @..., i) -> (..., i)" },
    { IRL_ERROR_TOO_LARGE,
      "(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,A,B,C,D,E,F,@G) -> (a)" },
    { IRL_ERROR_OVERFLOW, "(i) -> (i + @9223372036854775808)" },
    { IRL_ERROR_DIVISION_BY_ZERO, "(i) -> (i + 1 @/ 0)" }
};

static const text_case modules[] = {
    { IRL_ERROR_SYNTAX, "@func f() { }" },
    { IRL_ERROR_SYNTAX, "module @{ }" },
    { IRL_ERROR_SYNTAX, "module m target(@) { }" },
    { IRL_ERROR_SYNTAX, "module m { host func f() { } @" },
    { IRL_ERROR_BAD_STRUCTURE, "@module m { }" },
    { IRL_ERROR_BAD_STRUCTURE, "module m { host func f() { } host func @g() { } }" },
    { IRL_ERROR_BAD_STRUCTURE, "module m { func @g() { } }" }
};

/* tests/test_graph.c has more of them */
static const text_case graphs[] = {
    { IRL_ERROR_SYNTAX, "graph @{ }" },
    { IRL_ERROR_BAD_GRAPH, "graph @g { }" },
    { IRL_ERROR_BAD_GRAPH,
      "graph g { func f(x: f32[2], y: f32[2]) { y[0] = x[0]; } input x: f32[3]; y = f(@x); }" }
};

/* Functions that can be written and are not valid. */
static const text_case invalid[] = {
    { IRL_ERROR_BAD_ALIAS, "func f(x: f32[16]) { @decl y: f32[17] data(x); }" },
    { IRL_ERROR_BAD_ALIAS, "func f(x: f32[16]) { @decl y: f64[9] data(x); }" },
    { IRL_ERROR_BAD_ALIAS, "func f(x: f32[16] align(8)) { @decl y: f32x4[4] data(x); }" },
    { IRL_ERROR_BAD_ALIAS, "func f(x: f32[16] align(32)) { @decl y: f32[16] align(64) data(x); }" },
    { IRL_ERROR_BAD_ALIAS,
      "func f() { let p = extern(ptr(f32, global), g); @decl y: f32x4[4] data(p); }" },
    { IRL_ERROR_BAD_ALIAS, "func f(x: f32[16]) { @decl y: f32[15] data(x) offset(2); }" },
    { IRL_ERROR_BAD_ALIAS, "func f(x: f32[16]) { @decl y: f32[2, 4] data(x) strides(16, 1); }" },
    { IRL_ERROR_BAD_ALIAS, "func f() { alloc x: f32[4, 4]; { @decl y: f32x4[5] data(x); } }" },
    { IRL_ERROR_BAD_ALIAS,
      "func f(x: f32[4]) { decl y: f32[4] data(x); @decl z: f32[5] data(y); }" },
    { IRL_ERROR_BAD_SEPARATORS, "func f(x: f32[4, 4] sep(1)) { @decl y: f32[16] data(x); }" },
    { IRL_ERROR_BAD_SEPARATORS, "func f(x: f32[4, 4]) { @decl y: f32[4, 4] sep(1) data(x); }" },
    { IRL_ERROR_BAD_SEPARATORS, "func f(@x: f32[4, 4] sep(1) offset(1)) { }" },
    { IRL_ERROR_TYPE_MISMATCH, "func f(x: f32[4]) { @decl y: f32[4] data(x) scope(shared); }" },
    { IRL_ERROR_OVERFLOW, "func f(@x: f32[4611686018427387904]) { }" },
    { IRL_ERROR_OVERFLOW, "func f() { @alloc x: f32[4294967296, 4294967296]; }" },
    { IRL_ERROR_BAD_STRUCTURE, "func f() { @launch g(); }" },
    { IRL_ERROR_BAD_STRUCTURE, "host func f() { @barrier(shared); }" },
    { IRL_ERROR_BAD_STRUCTURE, "host func f() { @for bind(local.x) (i: 4) { } }" },
    { IRL_ERROR_BAD_STRUCTURE,
      "func f() { for bind(local.x) (i: 4) { @for bind(local.x) (j: 4) { } } }" },
    { IRL_ERROR_BAD_STRUCTURE, "func f(x: f32[4] scope(constant)) { @x[0] = 1; }" },
    { IRL_ERROR_UNKNOWN_NAME, "func f(x: f32[4]) @layout(y: (i) -> (i)) { }" },
    { IRL_ERROR_RANK_MISMATCH, "func f(@x: f32[4, 4] logical([16], (i, j) -> (i, j))) { }" },
    { IRL_ERROR_RANK_MISMATCH, "func f(@x: f32[4, 4] logical([16], (i) -> (i))) { }" },
    { IRL_ERROR_TYPE_MISMATCH,
      "func f(x: f32[4]) { @block b() { match m: i32[4] = x[0: 4]; } }" }
};

static const text_case invalid_modules[] = {
    { IRL_ERROR_UNDECLARED, "module m { host func f(x: f32[4]) { @launch g(x); } }" },
    { IRL_ERROR_ARGUMENT_MISMATCH,
      "module m { host func f(x: f32[4]) { @launch g(x); } kernel func g() { } }" },
    { IRL_ERROR_TYPE_MISMATCH,
      "module m { host func f(x: f32[4]) { @launch g(x); } kernel func g(x: i32[4]) { } }" },
    { IRL_ERROR_TYPE_MISMATCH,
      "module m { host func f(x: f32[4]) { @launch g(5); } kernel func g(x: i32) { } }" },
    { IRL_ERROR_DUPLICATE_NAME,
      "module m { host func f() { } kernel func g() { } kernel func @g() { } }" },
    { IRL_ERROR_BAD_STRUCTURE,
      "module m { host func f() { } kernel func g() { @launch g(); } }" }
};

/* Reads the case without its marks into `text`; returns where the first mark stood, or SIZE_MAX. */
static size_t unmark(const char *marked, char *text)
{
    size_t at = (size_t)-1, n = 0;
    for (; *marked; marked++) {
        if (*marked == '@' && at == (size_t)-1) at = n;
        else text[n++] = *marked;
    }
    text[n] = '\0';
    return at;
}

typedef void run_case(irl_ctx *cx, const char *text);

static void run_func(irl_ctx *cx, const char *text)
{
    CHECK(irl_func_parse(cx, text, strlen(text), "case.irl") == NULL);
}
static void run_map(irl_ctx *cx, const char *text) { CHECK(irl_map_parse(cx, text) == NULL); }
static void run_module(irl_ctx *cx, const char *text)
{
    CHECK(irl_module_parse(cx, text, strlen(text), NULL) == NULL);
}

static void run_graph(irl_ctx *cx, const char *text)
{
    CHECK(irl_graph_parse(cx, text, strlen(text), NULL) == NULL);
}

static void test_cases(const text_case *cases, int count, run_case *run)
{
    char text[512];
    int  k;
    for (k = 0; k < count; k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        size_t          at = unmark(cases[k].text, text);
        const irl_diag *d;
        int             before = test_failed;
        run(cx, text);
        CHECK_CODE(cx, cases[k].code);
        d = irl_diag_of(cx);
        if (d) CHECK(d->line == 1 && d->column == (int)at + 1);
        if (d)
            CHECK(d->message[0] && strstr(d->text, irl_code_name(d->code)) && d->remedy[0] &&
                  strstr(d->text, d->code == IRL_ERROR_SYNTAX && run == run_map
                                      ? "hint: write a map as in (y, x) ->"
                                      : d->remedy));
        if (test_failed != before) printf("  %s\n%s\n", text, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* How many letters differ, where two names are equally long; else how many they are apart. */
static int names_differ(const char *a, const char *b)
{
    int n = 0;
    for (; *a && *b; a++, b++) n += *a != *b;
    return n + (int)strlen(a) + (int)strlen(b);
}

/* Every code has a name, a remedy and an outcome; what is not a text has no answer. No two names
   could be taken for one another. */
static void test_outcomes(void)
{
    int code, other;
    CHECK(irl_code_outcome(IRL_OK) == IRL_OUTCOME_YES);
    for (code = IRL_OK + 1; code < IRL__CODE_COUNT; code++) {
        CHECK(irl_code_name((irl_code)code)[0] && irl_code_remedy((irl_code)code)[0]);
        CHECK(irl_code_outcome((irl_code)code) != IRL_OUTCOME_YES);
        for (other = IRL_OK + 1; other < code; other++)
            CHECK(names_differ(irl_code_name((irl_code)code), irl_code_name((irl_code)other)) > 1);
    }
    CHECK(irl_code_outcome(IRL_ERROR_SYNTAX) == IRL_OUTCOME_NONE);
    CHECK(irl_code_outcome(IRL_ERROR_OUT_OF_MEMORY) == IRL_OUTCOME_NONE);
    CHECK(irl_code_outcome(IRL_ERROR_LOSSY_MAP) == IRL_OUTCOME_NO);
    CHECK(irl_code_outcome(IRL_ERROR_BAD_VALUE) == IRL_OUTCOME_NO);
    CHECK(irl_code_outcome(IRL_ERROR_UNDECIDED) == IRL_OUTCOME_UNDECIDED);
    CHECK(irl_code_outcome(IRL__CODE_COUNT) == IRL_OUTCOME_NONE);
}

/* ----------------------------------------------------------- places, suggestions, stickiness */

static void test_places(void)
{
    static const char text[] = "func f(x: f32[4],\n       y: f32[4]) {\n    // a comment\n    x[0] "
                               "= 1;\n\ty[0] = z[1];\n}\n";
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl_mark        mark = irl_ctx_mark(cx);
    const irl_diag *d;
    irl_func       *f;
    CHECK(irl_func_parse(cx, text, sizeof text - 1, "a/file.irl") == NULL);
    d = irl_diag_of(cx);
    CHECK_CODE(cx, IRL_ERROR_UNKNOWN_NAME);
    CHECK(d && d->line == 5 && d->column == 9 && strcmp(d->file, "a/file.irl") == 0);
    CHECK(d && strstr(d->text, "\ty[0] = z[1];\n    \t       ^\n") != NULL);
    CHECK(irl_func_parse(cx, "func f() { }", 12, NULL) == NULL); /* the first failure stays */
    CHECK_CODE(cx, IRL_ERROR_UNKNOWN_NAME);
    irl_ctx_rewind(cx, mark);
    f = irl_func_parse(cx, "func f() { }", 12, NULL);
    CHECK(f != NULL);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* Words that a text takes from a list: what was meant is the last that is said. */
static void test_near_words(void)
{
#define NEAR_FUNC "func f(x: f32[4], y: f32[4]) { for (i: 4) y[i] = x[i]; } schedule s "
    static const char *const cases[][2] = {
        { "func f(x: f23[4]) { }", "f32" },
        { "func f(x: f32[4] scope(textrue)) { }", "texture" },
        { "func f(x: f32[4]) { for bind(globl.x) (i: 4) x[i] = 0; }", "global.x" },
        { "func f(x: f32[4]) { for paralel (i: 4) x[i] = 0; }", "parallel" },
        { "func f(x: f32[4]) { fro (i: 4) x[i] = 0; }", "for" },
        { "fucn f(x: f32[4]) { }", "func" },
        { "func f(x: f32[4]) attr(numbers = \"strikt\") { }", "strict" },
        { NEAR_FUNC "{ spilt(y.i, 2); }", "split" },
        { NEAR_FUNC "{ split(y.ii, 2); }", "i" },
        { NEAR_FUNC "{ split(yy.i, 2); }", "y" },
        { NEAR_FUNC "{ bind(y.i, globa.x); }", "global.x" },
        { NEAR_FUNC "{ cache_read(y, x, sharde); }", "shared" },
    };
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    char     meant[64];
    int      k, edits = 0;
    for (k = 0; k < COUNT(cases); k++) {
        sprintf(meant, "; is '%s' meant?", cases[k][1]);
        CHECK(!irl_func_parse_scheduled(cx, cases[k][0], IRL_TO_NUL, NULL, NULL));
        if (!CHECK(strstr(irl_diag_of(cx)->message, meant) != NULL)) puts(irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
    }
    CHECK(!irl_func_run_pass(irl_func_parse(cx, "func f() { }", IRL_TO_NUL, NULL), "simplfy"));
    CHECK(strstr(irl_diag_text(cx), "is 'simplify' meant?") != NULL);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_target_parse(cx, "target t: opencl13 { }", IRL_TO_NUL, NULL));
    CHECK(strstr(irl_diag_text(cx), "is 'opencl12' meant?") != NULL);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_target_parse(cx, "target t { width = 1; }", IRL_TO_NUL, NULL));
    CHECK(strstr(irl_diag_text(cx), "is 'widths' meant?") != NULL);
    irl_ctx_destroy(cx);
    /* a program's own names: fewer edits than before, and few */
    CHECK(irl_name_is_nearer("colour", "clouds", &edits) == 0 && edits == 0);
    CHECK(irl_name_is_nearer("colour", "colors", &edits) && edits == 2);
    CHECK(irl_name_is_nearer("colour", "color", &edits) && edits == 1);
    CHECK(!irl_name_is_nearer("colour", "colours", &edits) && edits == 1);
    CHECK(irl_name_is_nearer("colour", "colour", NULL));
    CHECK(!irl_name_is_nearer(NULL, "a", &edits) && !irl_name_is_nearer("a", NULL, &edits));
    CHECK(!irl_name_is_nearer("", "", NULL));
}

static void test_suggestions(void)
{
    static const char *const cases[][2] = {
        { "func f(input: f32[4]) { inptu[0] = 1; }", "'input'" },
        { "func f(x: f32[4]) { x[0] = sqrrt(x[0]); }", "'sqrt'" },
        { "func f(width: index, x: f32[4]) { x[widht] = 1; }", "'width'" },
        { "func f(x: f32[4]) { x[0] = f23(x[0]); }", "'f32'" }
    };
    int k;
    for (k = 0; k < COUNT(cases); k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        CHECK(irl_func_parse(cx, cases[k][0], strlen(cases[k][0]), NULL) == NULL);
        CHECK_CODE(cx, IRL_ERROR_UNKNOWN_NAME);
        CHECK(strstr(irl_diag_of(cx)->message, cases[k][1]) != NULL);
        irl_ctx_destroy(cx);
    }
}

/* What a newcomer from C writes first, and what the answer must hold besides its place. */
static void test_newcomers(void)
{
    static const char *const cases[][2] = {
        { "func f(x: float[4]) { }", "'float' is not a type; is 'f32' meant?" },
        { "func f(n: size_t) { }", "is 'index' meant?" },
        { "func f(float x[4]) { }", "as in x: f32[4, 4]" },
        { "func f(x: f32[4][4]) { }",
          "all extents are in one pair of brackets, f32[4, 4]; found '['" },
        { "func f(x: f32[4, 4]) { x[0][0] = 1; }",
          "all indices are in one pair of brackets, y[i, j]; found '['" },
        { "func f(x: f32[4]) { x[0]++; }", "expected '=' and the value that is stored; found '+'" },
        { "func f(x: i32[4]) { x[0] &&= 1; }", "'=' and the value that is stored; found '&&'" },
        { "func f(x: f32[4]) { x[0] = sum(x[0]); }",
          "expected the ranges of a reduction, as in sum(k: 64, x[k]); found 'x'" },
        { "func f(x: f32[4]) { x[0] * 2; }",
          "expected '=' and the value that is stored; found '*'" },
        { "func f(x: f32[4]) { float t = x[0]; }",
          "let t = x[i] names a value and alloc t: f32[16] makes memory; found 'float'" },
        { "func f(x: f32[4], y: f32) { y = x[0]; }", "what is stored are elements of buffers" },
        { "func f(x: f32[4]) { for (int i = 0; i < 4; i++) x[i] = 1; }",
          "as in for (i: 16), or a range, for (i: 2 .. 6); found 'i'" },
        { "func f(x: f32[4], y: i32[4]) { x[0] = (f32)y[0]; }",
          "a cast is written like a call: f32(...)" },
        { "func f(x: f32[4], y: i32[4]) { x[0] = (float)y[0]; }",
          "a cast is written like a call: f32(...)" },
        { "func f(x: f32[4], y: i32[4]) { x[0] = float(y[0]); }",
          "there is no function 'float' here; is 'f32' meant?" },
        { "func f(x: f32[4]) { for (i: 4) x[floormod(i, 3)] = 0; }",
          "there is no function 'floormod' here; it is written x % y" },
        { "func f(x: f32[4]) {\n  x[0] = 1 // one\n\n  x[1] = 2;\n}",
          ":2:11: error: expected ';' at the end of the statement; found 'x'" },
        { "func f(x: f32[4]) {\n  x[0\n    = 1; }", ":2:6: error: expected" },
        { "func f(x: f32[4]) { x[0] = 1\t x[1] = 2; }", ":1:31: error: expected ';'" },
        { "func f(x: u8[4]) { x[0] = 300; }", "300 does not fit u8" },
        { "func f(x: u8[4]) { x[0] = -1; }", "-1 does not fit u8" },
    };
    int k;
    for (k = 0; k < COUNT(cases); k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        CHECK(irl_func_parse(cx, cases[k][0], strlen(cases[k][0]), NULL) == NULL);
        if (!CHECK(strstr(irl_diag_text(cx), cases[k][1]) != NULL))
            printf("  %s\n%s\n", cases[k][0], irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* What to write, where the text is right in another language or a type does not fit. */
static void test_hints(void)
{
    static const char *const cases[][2] = {
        { "y[n] = 0; for (k: n) z[k] = k;", "hint: write i32(k)" },
        { "z[0] = (n + 1) * 2;", "hint: write i32((n + 1) * 2)" },
        { "for (k: n) y[k] = y[k] / n;", "hint: write f32(n) for the right operand" },
        { "for (k: n) y[k] = y[k] / (n + k);", "hint: write f32(n + k) for the right operand" },
        { "for (k: n) y[k] = 2 * k - y[k];", "hint: write f32(2 * k) for the left operand" },
        { "for (k: n) y[k] = (k % 2) * 0.5;", "hint: write f32(k % 2) for the left operand" },
        { "for (k: n) y[k] = 0.5 - (2 * (k + 1)) % 7;",
          "hint: write f32((2 * (k + 1)) % 7) for the right operand" },
        { "for (k: n) y[k] = k / 2.0;", "hint: write f32(k) for the left operand" },
        { "for (k: n) y[k] = min(k, 0.5);", "hint: write f32(k) for the left operand" },
        { "for (k: n) y[k] = k > 2 ? 2 * k : 0.5;", "hint: write f32(2 * k) for the left operand" },
        { "for (k: n) y[k] = k > 2 ? 0.5 : k;", "hint: write f32(k) for the right operand" },
        { "for (k: n) y[k] = sqrt(k + 1);", "hint: write f32(k + 1)" },
        { "for (k: n) y[k] = sigmoid(k);", "hint: write f32(k)" },
        { "for (k: n) z[k] = 0.5;", "hint: write a whole number" },
        { "let b = u8(y[0]); z[0] = b | b << 8;", "hint: write i32(b) | i32(b) << 8" },
        { "z[0] = sum(k: n, y[k] > 0 ? 1 : k);", "hint: write i32(sum(k: n, y[k] > 0 ? 1 : k))" },
        { "for (k: n) y[k] = (y[k] > 0.0f) * y[k];",
          "hint: write select(y[k] > 0.0f, y[k], 0); or f32(y[k] > 0.0f), if" },
        { "for (k: n) z[k] = z[k] * (z[k] > 0);", "hint: write i32(z[k] > 0)" },
        { "for (k: n) y[k] = y[k] + (k < 2);", "hint: write f32(k < 2)" },
        { "let s = 0.0; for (k: n) s += y[k];",
          "hint: 's' is a value, which does not change: write alloc s: f32[]; s[] = ...;" },
        { "let s = n; s = 2;", "write alloc s: i64[];" },
        { "y = 2;", "hint: write y[...] = ..." },
        { "let a, b = argmax(j: 2, y[j]);", "let binds one name; a value and its index" },
        { "let (a, b) = argmax(j: 2, y[j]);", "let binds one name; a value and its index" },
        { "y[0] = y[1] ** 2;", "there is no operator **: write x * x, or pow(x, y)" },
        { "y[0] = y[0] + *;", "hint: examples of the form" },
        { "for (k: n) y[k] = m[k, :];", "hint: there are no slices: write a loop over the axis" },
        { "for (k: n) y[k] = m[:, k];", "hint: there are no slices" },
        { "for (k: n) m[k, 0:2] = 1;", "hint: there are no slices" },
        { "y[0] = sum(m[0, :]);", "hint: write a range first, sum(k: n, x[i, k])" },
        { "y[0] = sum(y);", "hint: write a range first, sum(k: n, x[i, k])" },
        { "z[0], y[0] = argmax(k: n, y[k]);", "hint: store the value first and its index second: "
                                              "y[...], z[...] = ..." },
        { "y[0] = n > 2 ? : 1;", "hint: examples of the form" },
        { "let s: float = y[0];", "hint: write f32: types are called" },
        { "alloc t: int[4];", "hint: write i32: types are called" },
        { "alloc t: double[4];", "hint: write f64: types are called" },
        { "y[0] = double(y[1]);", "hint: write f64(...)" },
        { "float s = 0;",
          "hint: write let t = ...; for a value that does not change, or alloc t: f32[]" },
        { "s: f32 = 0;", "hint: write let s = ...; to name a value, or alloc s: f32[16];" },
        { "for (i in 0..8) y[i] = 1;", "hint: a loop is written for (i: 16) y[i] = ...;" },
        { "for i in 0..8 { y[i] = 1; }", "hint: a loop is written" },
        { "for (i = 0; i < 8; i++) y[i] = 1;", "hint: a loop is written" },
        { "for (int i = 0; i < 8; i++) y[i] = 1;", "hint: a loop is written" },
        { "i32 s = 0;", "write let t = ...; for a value that does not change, or alloc t: i32[]" },
        { "z[0]++;", "hint: write y[i] += 1" },
        { "z[0]--;", "hint: write y[i] -= 1" },
        { "for (k: n) { if (y[k] > 0) break; }", "hint: there is no break: the first i" },
        { "for (k: n) { if (y[k] > 0) continue; }", "hint: there is no continue" },
        { "return y[0];", "hint: a function stores its results in parameters" },
        { "while (n > 0) y[0] = 0;", "hint: there is no while" },
        { "do y[0] = 0;", "hint: there is no do:" },
        { "switch (n) { }", "hint: there is no switch" },
        { "for (k: n) y[k] = clamp(y[k], 0, 1);", "hint: write min(max(x, low), high)" },
        { "n = 2;", "hint: 'n' is a parameter that is passed by value: declare n: i64[]" },
        { "alloc t: f32[total + lenght];", "no variable 'lenght' here; is 'length' meant?" },
        { "y[0] = m[0][1];", "hint: write all indices in one pair of brackets, m[i, j]" },
        { "m[0][1] = 1;", "hint: write all indices in one pair of brackets" },
        { "y[0][0] = 1;", "hint: write all indices in one pair of brackets" },
        { "s += y[0];", "hint: write let t = ...; to name a value; a number that changes is" },
        { "var s: f32;", "hint: write let t = ...; to name a value" },
        { "alloc s: f32; s[] = 0;", "hint: a buffer with one element is written s: f32[]" },
        { "y[0] = 1 }", "hint: write ; after each statement" },
        { "z[0] = (i32)y[0];", "hint: write i32(...)" },
        { "y[0] = reluu6(y[0]);", "fn reluu6(x: f32) -> f32 = ...;" },
    };
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    for (int k = 0; k < COUNT(cases); k++) {
        char text[256];
        snprintf(text, sizeof text, "func f(n: index, total: index, length: index, y: f32[n], "
                                    "z: i32[n], m: f32[n, 4]) { %s }", cases[k][0]);
        CHECK(irl_func_parse(cx, text, IRL_TO_NUL, NULL) == NULL);
        const irl_diag *d = irl_diag_of(cx);
        const char     *hint = strstr(irl_diag_text(cx), "hint: ");
        CHECK(d && hint && strcmp(hint + 6, d->remedy) == 0);
        if (!CHECK(strstr(irl_diag_text(cx), cases[k][1]) != NULL))
            printf("  %s\n%s\n", cases[k][0], irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
    }
    irl_func *f = irl_func_parse(cx, "func f(x: f32[rows, cols], y: f32[rows, cosl]) "
                                     "{ for (i: rows, j: cols) y[i, j] = x[i, j]; }",
                                 IRL_TO_NUL, NULL);
    CHECK(f && strstr(irl_func_warnings(f), "is 'cols' meant?"));
    irl_ctx_destroy(cx);
}

/* The same for texts that are not the body of a function. */
static void test_hints_of_texts(void)
{
    static const struct {
        char        kind; /* f: a function, m: a map, r: a record */
        const char *text, *hint;
    } rows[] = {
        { 'f', "f(x: f32[8]) { }", "hint: write func f(x: f32[8])" },
        { 'f', "func f(float x[8]) { }", "hint: a parameter is written name: type[extents]" },
        { 'f', "func f(x: f32[8]) -> f32 { }", "hint: a function stores its results" },
        { 'f', "func f(x: f32[8]) layout(w: (i) -> (i)) { }", "hint: name a parameter that is a" },
        { 'm', "(y, x) -> (y * W + x)", "irl_layout_let(cx, &layout, IRL_LET(N))" },
        { 'm', "(y, x) -> y", "hint: write a map as in" },
        { 'r', "struct s { }", "hint: a record is written" },
        { 'r', "record s { a: u5; }", "hint: a record is written" },
        { 'r', "record s bytes(2) { u5 a; }", "hint: a record is written" },
        { 'r', "record s bytes(2) { a: u5, b: u6; }", "hint: a record is written" },
        { 'r', "record s bytes(2) { a: u5 at(3); }", "hint: a record is written" },
        { 'r', "record s bytes(2) { a: u5; b: u5 when(a = 3); }", "hint: a record is written" },
        { 'r', "record s bytes(2) { a: u5; b: u5 when(c == 3); }", "hint: a record is written" },
    };
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    for (int k = 0; k < COUNT(rows); k++) {
        if (rows[k].kind == 'f') CHECK(!irl_func_parse(cx, rows[k].text, IRL_TO_NUL, NULL));
        if (rows[k].kind == 'm') CHECK(!irl_map_parse(cx, rows[k].text));
        if (rows[k].kind == 'r') CHECK(!irl_record_parse(cx, rows[k].text, IRL_TO_NUL, NULL));
        if (!CHECK(strstr(irl_diag_text(cx), rows[k].hint) != NULL))
            printf("  %s\n%s\n", rows[k].text, irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
    }
    irl_ctx_destroy(cx);
}

/* The warnings of the function `body`; "refused" if it is. */
static const char *warned(irl_ctx *cx, const char *body)
{
    char text[320];
    snprintf(text, sizeof text, "func f(n: index, y: f32[n], z: i32[n], h: f16[n]) { %s }", body);
    irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    return f ? irl_func_warnings(f) : "refused";
}

/* What is well-formed and not meant: a warning with the text to write, none where it is right. */
static void test_traps(void)
{
    static const char *const cases[][2] = {
        { "for (k: n) y[k] = 1/2 * y[k];", "1:71: warning: 1/2 is a division of integers, which "
          "gives 0, in an expression of floats; write 1.0/2, or f32(1/2) if this is meant\n" },
        { "for (k: n) y[k] = pow(y[k], 1 / 3);", "write 1.0 / 3, or" },
        { "for (k: n) y[k] = y[k] * (-7 / 2);", "which gives -4, in an expression of floats; write "
          "-7.0 / 2" },
        { "for (k: n) y[k] = y[k] > 1/2 ? 1 : 2/3;", "write 2.0/3" },
        { "for (k: n) y[k] = (0.5 + 1/2) * y[k];", "write 1.0/2" },
        { "for (k: n) y[k] = sum(j: n, 3/2 * y[j]);", "write 3.0/2" },
        { "for (k: n) y[k] = f32(1/2) * y[k] + 4/2;", NULL },
        { "let a = 1/2; for (k: n) y[k] = f32(a) * y[k];", "1:61: warning: 1/2 is a division of "
          "integers, which gives 0, in an expression of floats; write 1.0/2, or index(1/2) if this "
          "is meant\n" },
        { "y[0] = let(a = -7 / 2, f64(a) + f64(f16(a)) > 0.0 ? 1 : 2);",
          "write -7.0 / 2, or index(" },
        { "let a = (5 / 3); let b = a; h[0] = f16(a);", "write 5.0 / 3, or index(5 / 3)" },
        { "let a = 1/2; let b = 4/2; let c = index(1/2); let d: index = 1/2; y[a + c + d] = "
          "f32(b + c) + f32(d) + f32(i32(a));", NULL },
        { "let a = 3/2; for (k: n) { let a = y[k]; y[k] = f32(a); } z[a] = i32(a);", NULL },
        { "for (k: n) y[k] = y[k] * 1/2 + 1.0/2;", NULL },
        { "for (k: n) z[k] = z[k] * (7/2);", NULL },
        { "for (k: n / 2) y[k / 2 + 5/2 - 2] = 0;", NULL },
        { "y[0] = y[0] + 16777217;", "no f32 has the value 16777217, so it is rounded; write "
          "16777217.0 if" },
        { "h[0] = 2049;", "no f16 has the value 2049" },
        { "y[0] = y[0] + 16777216; h[0] = 2048; y[0] = 16777217.0;", NULL },
        { "z[0] = i32(2.5f);", "2.5f is not a value of i32, so the cast changes it" },
        { "z[0] = i32(1e30f);", "1e30f is not a value of i32" },
        { "z[0] = i32(i8(i32(300)));", "i32(300) is not a value of i8" },
        { "z[0] = i32(2.0f) + i32(-1.0f) + i32(y[0]) + i32(u32(i32(-1)));", NULL },
        { "for (i: 15 .. 0) y[i] = 0;", "1:61: warning: the range 15 .. 0 is empty" },
        { "for (i: n - 1 .. 0) y[i] = 0;", "the range n - 1 .. 0 is empty" },
        { "for (i: n - 1 .. -1) y[i] = 0;", "is empty" },
        { "y[0] = sum(i: 3 .. 2, y[i]);", "the range 3 .. 2 is empty" },
        { "for (i: 0 .. 8 : -2) y[i] = 0;", "the range 0 .. 8 : -2 is empty, since it" },
        { "for (i: 15 .. 0 : -1) y[i] = 0; for (i: n - 1 .. -1 : -1) y[i] = 0;", NULL },
        { "for (i: 3 .. 3) y[i] = 0; for (i: -n .. 0) y[-i - 1] = 0;", NULL },
        { "for (i: n - 1 .. n) y[i] = 0; for (i: n) for (j: i .. 0) y[j] = 0;", NULL },
    };
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    for (int k = 0; k < COUNT(cases); k++) {
        const char *said = warned(cx, cases[k][0]);
        if (!CHECK(cases[k][1] ? strstr(said, cases[k][1]) != NULL : !*said))
            printf("  %s\n%s\n%s\n", cases[k][0], said, irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
    }
    irl_func *f = irl_func_parse(cx, "func f(y: f32[m], k: index) { for (i: m .. 0) y[i] = 0; "
                                     "for (i: k .. 0) y[-i] = 0; }", IRL_TO_NUL, NULL);
    const char *of_size = strstr(irl_func_warnings(f), "the range m .. 0 is empty");
    CHECK(of_size && !strstr(of_size, "k .. 0 is empty"));
    f = irl_func_parse(cx, "const third = 4 / 3; const c: i32 = 4 / 3; "
                           "func f(y: f32[9], z: i32[9]) { y[third] = f32(c) + f32(third); "
                           "z[0] = third + i32(third); y[0] = f32(third); }", IRL_TO_NUL, NULL);
    CHECK(strcmp(irl_func_warnings(f),
                 "text:1:15: warning: 4 / 3 is a division of integers, which gives 1, in an "
                 "expression of floats; write 4.0 / 3, or index(4 / 3) if this is meant\n") == 0);
    CHECK(strstr(warned(cx, "y[0] = 1/2; y[0] = 1/2; y[0] = 1/2; y[0] = 1/2; y[0] = 1/2;"
                            "y[0] = 1/2; y[0] = 1/2; y[0] = 1/2; y[0] = 1/2; y[0] = 1/2;"),
                 "warning: 2 more warnings about numbers and ranges\n"));
    irl_ctx_destroy(cx);
}

/* Quotients, ranges and casts of drawn numbers: there is a warning where something is lost. */
static void test_drawn_traps(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    for (int k = 0; k < TEST_COUNT(1000); k++) {
        const int a = TEST_RANDOM(200) - 100, b = TEST_RANDOM(20) + 1;
        const int c = TEST_RANDOM(1 << 25), d = TEST_RANDOM(200) - 100;
        char      body[4][96];
        snprintf(body[0], sizeof body[0], "y[0] = y[0] * (%d / %d);", a, b);
        snprintf(body[1], sizeof body[1], "y[0] = y[0] + %d;", c);
        snprintf(body[2], sizeof body[2], "for (i: %d .. %d) if (i >= 0 && i < n) y[i] = 0;", a, d);
        snprintf(body[3], sizeof body[3], "z[0] = i32(%d.%df);", a, (int)(b % 2));
        const int lost[4] = { a % b != 0, (int)(float)c != c, a > d, b % 2 != 0 };
        for (int j = 0; j < 4; j++) {
            const char *said = warned(cx, body[j]);
            if (!CHECK((*said != 0) == lost[j])) printf("  %s\n%s\n", body[j], said);
        }
        irl_ctx_rewind(cx, mark);
    }
    irl_ctx_destroy(cx);
}

/* The message of the context's failure, which is then taken back. */
static int says(irl_ctx *cx, irl_mark mark, const char *part)
{
    int right = strstr(irl_diag_text(cx), part) != NULL;
    if (!right) printf("  %s\n", irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    return right;
}

/* Ranks: whose axes, how many, and what the layouts before made of them. */
static void test_ranks(void)
{
    static const char text[] = "func f(x: f32[1, 8, 8, 6], y: f32[1]) { y[0] = x[0, 0, 0, 0]; }";
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_func      *f = irl_func_parse(cx, text, sizeof text - 1, NULL);
    const irl_map *three = irl_map_parse(cx, "(h, w, c) -> (c/4, h, w, c%4)"),
                  *four = irl_map_parse(cx, "(n, h, w, c) -> (n, c/4, h, w, c%4)");
    irl_mark       mark = irl_ctx_mark(cx);
    irl_verdict    v;
    irl_verdict    s;
    CHECK(!irl_func_run_pass(irl_func_set_layout(f, "x", three), "apply_layouts"));
    CHECK(says(cx, mark, "this layout of 'x' takes 3 axes; 'x' has 4: [1, 8, 8, 6]"));
    CHECK(!irl_func_run_pass(irl_func_set_layout(irl_func_set_layout(f, "x", four), "x", four),
                             "apply_layouts"));
    CHECK(says(
        cx, mark,
        "this layout of 'x' takes 4 axes; 'x' has 5 after its earlier layout: [1, 2, 8, 8, 4]"));
    CHECK(!irl_func_run_pass(
        irl_func_set_layout(f, "x",
                            irl_map_parse(cx, "(a, b, c, d, ..., e) -> (..., a, b, c, d, e)")),
        "apply_layouts"));
    CHECK(says(cx, mark, "takes at least 5 axes; 'x' has 4"));
    /* a verdict says itself why it knows nothing, and so does one that is asked after a failure */
    v = irl_map_check(cx, four, IRL_SHAPE(4, 4));
    CHECK(v.kind == IRL_UNDECIDED &&
          strcmp(irl_verdict_text(cx, &v),
                 "undecided: the map takes 4 axes, (n, h, w, c); 2 are given") == 0);
    CHECK(strstr(irl_verdict_json(cx, four, &v),
                 "\"reason\": \"the map takes 4 axes, (n, h, w, c); 2 are given\"") != NULL);
    v = irl_map_check(cx, three, IRL_SHAPE(1, 2, 3));
    CHECK(v.kind == IRL_UNDECIDED &&
          strcmp(v.reason, "the map takes 4 axes, (n, h, w, c); 2 are given") == 0);
    irl_ctx_rewind(cx, mark);
    s = irl_map_check(cx, three, irl_shape_of(0, NULL));
    CHECK(s.kind == IRL_UNDECIDED &&
          strcmp(s.reason, "the map takes 3 axes, (h, w, c); 0 are given") == 0);
    CHECK(says(cx, mark, "rank-mismatch"));
    irl_ctx_destroy(cx);
}

/* NULL where something was expected is said, if nothing failed before: a NULL result without a
   diagnostic would be a riddle. */
static void test_null(void)
{
    static const char text[] = "func f(x: f32[4], y: f32[4]) { for (i: 4) y[i] = x[i]; }";
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, text, sizeof text - 1, NULL);
    irl_mark    mark = irl_ctx_mark(cx);
    irl_verdict v = irl_map_check(cx, NULL, IRL_SHAPE(4));
    CHECK(v.kind == IRL_UNDECIDED &&
          strcmp(irl_verdict_text(cx, &v),
                 "undecided: the map is NULL") == 0);
    CHECK(says(cx, mark, "the map is NULL [bad-argument]"));
    CHECK(
        !irl_func_set_layout(f, "X", irl_map_parse(cx, "(i) -> (i)")) &&
        says(cx, mark,
             "'X' is neither a parameter nor an allocation of 'f', whose parameters are 'x', 'y'"));
    CHECK(!irl_func_set_scope(f, NULL, IRL_SCOPE_GLOBAL) &&
          says(cx, mark, "whose parameters are 'x', 'y'"));
    CHECK(!irl_func_set_layout(f, "x", NULL) &&
          says(cx, mark, "the layout of 'x' is NULL [bad-argument]"));
    CHECK(!irl_func_lower(f, irl_target_find("opencl2")) && says(cx, mark, "no target"));
    CHECK(!irl_kernel(cx, NULL) && says(cx, mark, "there is no text: the pointer is NULL"));
    CHECK(!irl_layout(cx, NULL) && says(cx, mark, "there is no text: the pointer is NULL"));
    CHECK(!irl_func_parse(cx, text, sizeof text, NULL) &&
          says(cx, mark, "the length of the text includes its final NUL; IRL_TO_NUL stops "
                         "before it"));
    CHECK(irl_func_parse(cx, text, IRL_TO_NUL, NULL) && irl_ok(cx));
    v = irl_map_check(NULL, NULL, IRL_SHAPE(4));
    CHECK(v.kind == IRL_UNDECIDED && v.reason[0]);
    irl_ctx_destroy(cx);
}

/* An argument that does not fit is shown beside what it must be. */
static void test_arguments(void)
{
    static const char text[] =
        "func f(a: f32, x: f32[4, 2], y: f32[4, 2]) { for (i: 4, j: 2) y[i, j] = a * x[i, j]; }";
    irl_ctx   *cx = irl_ctx_create(NULL);
    irl_func  *f = irl_func_parse(cx, text, sizeof text - 1, NULL);
    irl_mark   mark = irl_ctx_mark(cx);
    float      a = 1, x[8] = { 0 }, y[8];
    irl_tensor t[3];
    int        k;
    for (k = 0; k < 3; k++)
        CHECK(irl_func_param_tensor(f, k, IRL_POINTERS(NULL, NULL, NULL), &t[k]));
    t[0].data = &a, t[1].data = x, t[2].data = y;
    CHECK(irl_func_interpret_tensors(f, 3, t));
    CHECK(!irl_func_interpret_tensors(f, 2, t) &&
          says(cx, mark, "f takes 3 arguments; found 2"));
    t[2].bytes = 12;
    CHECK(!irl_func_interpret_tensors(f, 3, t) &&
          says(cx, mark, "y.bytes must be at least 32; found 12"));
    t[2].bytes = 32, t[2].shape = IRL_SHAPE(2, 4);
    CHECK(!irl_func_interpret_tensors(f, 3, t) &&
          says(cx, mark, "y.shape[0] must be 4; found 2"));
    t[2].shape = IRL_SHAPE(8);
    CHECK(!irl_func_interpret_tensors(f, 3, t) &&
          says(cx, mark, "y.ndim must be 2; found 1"));
    t[2].shape = IRL_SHAPE(4, 2), t[0].type = irl_type_of(IRL_F64, 1);
    CHECK(!irl_func_interpret_tensors(f, 3, t) &&
          says(cx, mark, "a.dtype.bits must be 32; found 64"));
    /* constants that were not passed: the number is judged before the sizes */
    static const char implicit[] =
        "func g(x: f32[H, W], y: f32[H, W]) { for (i: H, j: W) y[i, j] = x[i, j]; }";
    int64_t h = 4, w = 2;
    f = irl_func_parse(cx, implicit, sizeof implicit - 1, NULL);
    mark = irl_ctx_mark(cx);
    CHECK(irl_func_interpret(f, IRL_ARGS(&h, &w, x, y)));
    CHECK(!irl_func_interpret(f, IRL_ARGS(x, y)) &&
          says(cx, mark, "'g' takes 4 arguments, one for each parameter; 2 given; H, W are "
                         "parameters because nothing declares them: a constant is passed with "
                         "IRL_LET(H, W)"));
    CHECK(!irl_func_interpret(f, IRL_ARGS(&a, &w, x, y)) &&
          says(cx, mark, "index needs 8 (IRL_POINTERS passes memory unchecked); H, W are "
                         "parameters because nothing declares them"));
    irl_ctx_destroy(cx);
}

/* A condition of C, or a type that is not converted, gets the form that is wanted. */
static void test_wanted_types(void)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        { "func f(z: i32[8], o: i32[8]) { for (i: 8) o[i] = z[i] + i; }",
          "hint: write i32(z[i] + i)" },
        { "func f(z: i32[8], o: f32[8]) { for (i: 8) o[i] = z[i]; }",
          "hint: write f32(z[i])" },
        { "func f(z: i32[8], o: i32[8]) { for (i: 8) if (i % 2) o[i] = z[i]; }",
          "hint: write (i % 2) != 0" },
        { "func f(z: i32[8], o: i32[8]) { for (i: 8) o[i] = !z[i] ? 1 : 2; }",
          "hint: write z[...] != 0" },
        { "func f(z: i32[8], o: i32[8]) { for (i: 8) if (i > 2 && z[i]) o[i] = 1; }",
          "hint: write z[...] != 0" },
        { "func f(o: f32[H * W]) { o[0] = 1; }", "there is no variable 'H' here" }
    };
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        CHECK(!irl_func_parse(cx, cases[k].text, IRL_TO_NUL, NULL) &&
              says(cx, mark, cases[k].says));
    irl_ctx_destroy(cx);
}

/* A name of a megabyte, a NUL, no text at all. */
static void test_extremes(void)
{
    size_t   n = 1 << 20;
    char    *text = (char *)malloc(n + 64);
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    memcpy(text, "func f() { ", 11);
    memset(text + 11, 'a', n);
    memcpy(text + 11 + n, "[0] = 1; }", 10);
    CHECK(irl_func_parse(cx, text, n + 21, NULL) == NULL);
    CHECK_CODE(cx, IRL_ERROR_UNKNOWN_NAME);
    irl_ctx_rewind(cx, mark);
    CHECK(irl_func_parse(cx, "func f() { \0 }", 14, NULL) == NULL);
    CHECK_CODE(cx, IRL_ERROR_SYNTAX);
    CHECK(irl_diag_of(cx)->column == 12);
    irl_ctx_rewind(cx, mark);
    CHECK(irl_func_parse(cx, "func f() { /* \0 */ }", 20, NULL) == NULL);
    CHECK_CODE(cx, IRL_ERROR_SYNTAX);
    irl_ctx_rewind(cx, mark);
    CHECK(irl_func_parse(cx, NULL, 0, NULL) == NULL && irl_map_parse(NULL, "(i) -> (i)") == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    CHECK(irl_layout(cx, NULL) == NULL && irl_kernel(cx, NULL) == NULL &&
          !irl_map_text(cx, NULL)[0] && !irl_func_text(NULL)[0]);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    free(text);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------- functions that only calls can build */

typedef struct parts {
    const irl_expr   *i, *j, *four, *zero, *one;
    const irl_buffer *x, *y;
    irl_param_desc    params[2];
} parts;

static void make_parts(irl_ctx *cx, parts *p)
{
    memset(p, 0, sizeof *p);
    p->i = irl_expr_var(cx, "i", irl_type_of(IRL_INDEX, 1));
    p->j = irl_expr_var(cx, "j", irl_type_of(IRL_INDEX, 1));
    p->four = irl_expr_index(cx, 4);
    p->zero = irl_expr_index(cx, 0);
    p->one = irl_expr_float(cx, irl_type_of(IRL_F32, 1), 1.0);
    p->x = irl_buffer_new(cx, "x", irl_type_of(IRL_F32, 1), IRL_SCOPE_GLOBAL, 1, &p->four);
    p->y = irl_buffer_new(cx, "y", irl_type_of(IRL_F32, 1), IRL_SCOPE_GLOBAL, 1, &p->four);
    p->params[0].buffer = p->x;
    p->params[1].buffer = p->y;
}

static const irl_stmt *store(irl_ctx *cx, const irl_buffer *b, const irl_expr *index,
                             const irl_expr *value)
{
    return irl_stmt_store(cx, b, value, 1, &index);
}

/* What build k makes: a body for func f(x: f32[4]). */
static const irl_stmt *build(irl_ctx *cx, parts *p, int k, irl_code *code)
{
    const irl_stmt *two[2];
    *code = IRL_ERROR_UNDECLARED;
    switch (k) {
    case 0: return store(cx, p->x, p->i, p->one); /* i is nowhere */
    case 1: return store(cx, p->y, p->zero, p->one);
    case 2: return store(cx, p->x, p->zero, irl_expr_load(cx, p->y, 1, &p->zero));
    case 3: /* behind its loop */
        two[0] =
            irl_stmt_for(cx, IRL_SERIAL, p->i, p->zero, p->four, store(cx, p->x, p->i, p->one));
        two[1] = store(cx, p->x, p->i, p->one);
        return irl_stmt_seq(cx, 2, two);
    case 4: /* before its declaration */
        two[0] = store(cx, p->x, p->i, p->one);
        two[1] = irl_stmt_let(cx, p->i, p->four);
        return irl_stmt_seq(cx, 2, two);
    /* memory that is nowhere */
    case 5:
        return irl_stmt_decl(cx,
                             irl_buffer_alias(cx, "z", p->y, irl_type_of(IRL_F32, 1), 1, &p->four));
    /* in its own extent */
    case 6: return irl_stmt_for(cx, IRL_SERIAL, p->i, p->zero, p->i, store(cx, p->x, p->i, p->one));
    case 7: /* behind the let expression that binds it */
        return store(cx, p->x,
                     irl_expr_op2(cx, IRL_OP_ADD, irl_expr_let(cx, p->i, p->zero, p->i), p->i),
                     p->one);
    case 8: return irl_stmt_let(cx, p->i, p->i);
    default: break;
    }
    *code = IRL_ERROR_REDECLARED;
    switch (k) {
    case 9:
        return irl_stmt_for(
            cx, IRL_SERIAL, p->i, p->zero, p->four,
            irl_stmt_for(cx, IRL_SERIAL, p->i, p->zero, p->four, store(cx, p->x, p->i, p->one)));
    case 10: /* one loop's variable in two places */
        two[0] =
            irl_stmt_for(cx, IRL_SERIAL, p->i, p->zero, p->four, store(cx, p->x, p->i, p->one));
        two[1] =
            irl_stmt_for(cx, IRL_SERIAL, p->i, p->zero, p->four, store(cx, p->x, p->i, p->one));
        return irl_stmt_seq(cx, 2, two);
    case 11:
        two[0] = two[1] = irl_stmt_alloc(cx, p->y);
        return irl_stmt_seq(cx, 2, two);
    case 12: return irl_stmt_alloc(cx, p->x); /* a parameter's */
    case 13:
        return store(cx, p->x,
                     irl_expr_let(cx, p->i, p->zero, irl_expr_let(cx, p->i, p->four, p->i)),
                     p->one);
    default: *code = IRL_OK; return NULL;
    }
}

static void test_built(void)
{
    int k;
    for (k = 0;; k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        parts           p;
        irl_code        code;
        const irl_stmt *body;
        irl_func       *f;
        make_parts(cx, &p);
        body = build(cx, &p, k, &code);
        f = body ? irl_func_new(cx, "f", 1, p.params, body) : NULL;
        if (f) {
            CHECK_OK(cx);
            CHECK(irl_func_text(f)[0]); /* what is wrong can be looked at */
            CHECK(!irl__verify(f));
            if (!CHECK_CODE(cx, code)) printf("  build %d\n", k);
        }
        irl_ctx_destroy(cx);
        if (!body) break;
    }
    CHECK(k == 14);
}

/* What is shared by interning or given twice is no second declaration. */
static void test_shared(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    parts           p;
    const irl_expr *let;
    const irl_stmt *two[2];
    const irl_map  *map = irl_map_parse(cx, "(i) -> (i / 2, i % 2)");
    irl_func       *f;
    make_parts(cx, &p);
    let = irl_expr_let(cx, p.i, p.zero, irl_expr_op2(cx, IRL_OP_ADD, p.i, p.i));
    two[0] = store(cx, p.x, irl_expr_op2(cx, IRL_OP_MUL, let, let), p.one);
    two[1] = store(cx, p.y, let, p.one);
    f = irl_func_new(cx, "f", 2, p.params, irl_stmt_seq(cx, 2, two));
    f = irl__func_copy(cx, f);
    if (CHECK(f && map)) {
        irl__layout *layouts = (irl__layout *)irl__alloc_array(cx, 2, sizeof *layouts);
        layouts[0].buffer = "x";
        layouts[1].buffer = "y";
        layouts[0].map = layouts[1].map = map;
        f->layouts = layouts;
        f->layout_count = 2;
        CHECK(irl__verify(f));
        CHECK_OK(cx);
    }
    irl_ctx_destroy(cx);
}

/* Nodes that no constructor makes. */
static void test_broken(void)
{
    static const irl_code codes[] = { IRL_ERROR_TYPE_MISMATCH,  IRL_ERROR_RANK_MISMATCH,
                                      IRL_ERROR_TYPE_MISMATCH,  IRL_ERROR_BAD_STRUCTURE,
                                      IRL_ERROR_TYPE_MISMATCH,  IRL_ERROR_BAD_STRUCTURE,
                                      IRL_ERROR_BAD_SEPARATORS, IRL_ERROR_TYPE_MISMATCH };
    static const int      separators[] = { 1 };
    int                   k;
    for (k = 0; k < COUNT(codes); k++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        parts             p;
        irl_expr         *e;
        irl_buffer       *b;
        irl_stmt         *s;
        const irl_stmt   *body = NULL;
        const irl_expr   *load;
        irl_func         *f;
        make_parts(cx, &p);
        load = irl_expr_load(cx, p.x, 1, &p.zero);
        e = (irl_expr *)irl__copy(cx, load, 1, sizeof *load);
        b = irl__buffer_copy(cx, p.y);
        s = irl__stmt_new(cx, IRL__EVALUATE, irl__nowhere());
        if (!e || !b || !s) break;
        switch (k) {
        case 0: e->type = irl_type_of(IRL_I32, 1); body = irl_stmt_evaluate(cx, e); break;
        case 1: e->count = 0; body = irl_stmt_evaluate(cx, e); break;
        case 2: e->a = &p.one; body = irl_stmt_evaluate(cx, e); break;
        case 3: body = s; break; /* no value */
        case 4: b->scope = IRL_SCOPE_SHARED; body = irl_stmt_alloc(cx, b); break;
        case 5: s->kind = 99; body = s; break;
        case 6:
            b->separators = separators;
            b->separator_count = 1;
            body = irl_stmt_alloc(cx, b);
            break;
        case 7: b->type = irl_type_of(IRL_I32, 1); body = irl_stmt_alloc(cx, b); break;
        default: break;
        }
        f = irl_func_new(cx, "f", 1, p.params, body);
        CHECK_OK(cx);
        CHECK(f && !irl__verify(f));
        if (!CHECK_CODE(cx, codes[k])) printf("  case %d\n", k);
        irl_ctx_destroy(cx);
    }
}

int main(void)
{
    test_cases(functions, COUNT(functions), run_func);
    test_cases(maps, COUNT(maps), run_map);
    test_cases(modules, COUNT(modules), run_module);
    test_cases(graphs, COUNT(graphs), run_graph);
    test_cases(invalid, COUNT(invalid), run_func); /* the verifier is a part of parsing */
    test_cases(invalid_modules, COUNT(invalid_modules), run_module);
    test_outcomes();
    test_places();
    test_suggestions();
    test_near_words();
    test_newcomers();
    test_hints();
    test_hints_of_texts();
    test_traps();
    test_drawn_traps();
    test_ranks();
    test_null();
    test_arguments();
    test_wanted_types();
    test_extremes();
    test_built();
    test_shared();
    test_broken();
    return TEST_DONE();
}
