/* ops.h - every operator of the expression language, one row each.

     IRL_OPERATOR(NAME, text, form, arity, precedence, rule, fold, ocl, doc)
     IRL_FLOAT_OPERATOR(NAME, fold, arity, doc)

   The second is of a function of floats, and an IRL_OPERATOR too where no other macro of that name
   is defined: its form is CALL, its rule SAME_FLOAT; text and ocl are as fold.

   NAME        the enumerator is IRL_OP_<NAME>
   text        how it is written; two rows may share a text where the types decide ("/" floors
               integers, divides floats)
   form        LEAF, PREFIX, INFIX, CALL (written text(a, b)), SPECIAL (the printer and parser treat
               it by hand)
   arity       number of operands; -1 is any
   precedence  of infix forms, C's order: 12 is * / %, 3 is ||
   rule        what the operand types must be and what the result is (see irl__type_rule in type.c):
                 SAME_ARITH  integers, index or floats, all alike -> the same
                 SAME_INT    integers or index, all alike -> the same
                 SAME_FLOAT  floats, all alike -> the same
                 SAME_BITS   integers or bool, all alike -> the same
                 COMPARE     two alike -> bool of as many lanes
                 BOOL        bools -> bool
                 OWN         a rule of its own
   fold        the scalar function irl__calc_<fold> in scalar.c, of a function of floats
               irl__float_<fold> in scalar_float.c; `none` where there is none
   ocl         the spelling in OpenCL C: an infix operator, a function's name, or "" where the
               emitter decides

   Of f16 and bf16 an operator gives f32's result, rounded. Normalised types are loaded, stored and
   cast, and no arithmetic rule takes them. Re-includable; undefines its macro. To add an operator:
   CONTRIBUTING.md. */
/* re-includable table */
#ifndef IRL_FLOAT_OPERATOR
#define IRL_FLOAT_OPERATOR(name, fold, arity, doc) \
    IRL_OPERATOR(name, #fold, CALL, arity, 0, SAME_FLOAT, fold, #fold, doc)
#endif

/* leaves */
IRL_OPERATOR(INT, "", LEAF, 0, 0, OWN, none, "", "an integer, bool or index constant")
IRL_OPERATOR(FLOAT, "", LEAF, 0, 0, OWN, none, "", "a floating point constant, rounded to its type")
IRL_OPERATOR(VAR, "", LEAF, 0, 0, OWN, none, "", "a variable: a loop's, a let's, a parameter, or "
             "the data of a buffer")
IRL_OPERATOR(UNDEF, "undef", SPECIAL, 0, 0, OWN, none, "", "undef(f32): any value; reading it into "
             "a result is an error")

/* arithmetic */
IRL_OPERATOR(ADD, "+", INFIX, 2, 11, SAME_ARITH, add, "+", "sum; integers wrap at their width, "
             "index overflow is an error")
IRL_OPERATOR(SUB, "-", INFIX, 2, 11, SAME_ARITH, sub, "-", "difference")
IRL_OPERATOR(MUL, "*", INFIX, 2, 12, SAME_ARITH, mul, "*", "product")
IRL_OPERATOR(DIV, "/", INFIX, 2, 12, SAME_FLOAT, div, "/", "quotient of floats")
IRL_OPERATOR(FLOORDIV, "/", INFIX, 2, 12, SAME_INT, floordiv, "",
             "quotient of integers, rounded towards minus infinity")
IRL_OPERATOR(FLOORMOD, "%", INFIX, 2, 12, SAME_INT, floormod, "",
             "remainder of floor division: it has the divisor's sign")
IRL_OPERATOR(TRUNCDIV, "truncdiv", CALL, 2, 0, SAME_INT, truncdiv, "",
             "quotient of integers, rounded towards zero: C's /")
IRL_OPERATOR(TRUNCMOD, "truncmod", CALL, 2, 0, SAME_INT, truncmod, "",
             "remainder of truncating division: C's %")
IRL_OPERATOR(NEG, "-", PREFIX, 1, 13, SAME_ARITH, neg, "-", "negation")
IRL_OPERATOR(MIN, "min", CALL, 2, 0, SAME_ARITH, min, "min", "the smaller; floats as fmin: a NaN "
             "loses")
IRL_OPERATOR(MAX, "max", CALL, 2, 0, SAME_ARITH, max, "max", "the larger; floats as fmax: a NaN "
             "loses")
IRL_OPERATOR(ABS, "abs", CALL, 1, 0, SAME_ARITH, abs, "", "absolute value")

/* comparison and logic */
IRL_OPERATOR(EQ, "==", INFIX, 2, 8, COMPARE, eq, "==", "equal")
IRL_OPERATOR(NE, "!=", INFIX, 2, 8, COMPARE, ne, "!=", "not equal")
IRL_OPERATOR(LT, "<", INFIX, 2, 9, COMPARE, lt, "<", "less")
IRL_OPERATOR(LE, "<=", INFIX, 2, 9, COMPARE, le, "<=", "less or equal")
IRL_OPERATOR(GT, ">", INFIX, 2, 9, COMPARE, gt, ">", "greater")
IRL_OPERATOR(GE, ">=", INFIX, 2, 9, COMPARE, ge, ">=", "greater or equal")
IRL_OPERATOR(AND, "&&", INFIX, 2, 4, BOOL, and, "&&", "both; the right side is evaluated only "
             "where the left is true")
IRL_OPERATOR(OR, "||", INFIX, 2, 3, BOOL, or, "||", "either; the right side is evaluated only "
             "where the left is false")
IRL_OPERATOR(NOT, "!", PREFIX, 1, 13, BOOL, not, "!", "not")

/* bits */
IRL_OPERATOR(BITAND, "&", INFIX, 2, 7, SAME_BITS, bitand, "&", "bitwise and")
IRL_OPERATOR(BITXOR, "^", INFIX, 2, 6, SAME_BITS, bitxor, "^", "bitwise exclusive or")
IRL_OPERATOR(BITOR, "|", INFIX, 2, 5, SAME_BITS, bitor, "|", "bitwise or")
IRL_OPERATOR(BITNOT, "~", PREFIX, 1, 13, SAME_INT, bitnot, "~", "bitwise not")
IRL_OPERATOR(SHL, "<<", INFIX, 2, 10, SAME_INT, shl, "<<", "shift left; the distance must be in "
             "[0, width)")
IRL_OPERATOR(SHR, ">>", INFIX, 2, 10, SAME_INT, shr, ">>", "shift right, arithmetic where signed; "
             "the distance must be in [0, width)")

/* choice */
IRL_OPERATOR(SELECT, "select", CALL, 3, 0, OWN, none, "", "select(c, a, b): both arms are "
             "evaluated, lane by lane")
IRL_OPERATOR(IF_THEN_ELSE, "if_then_else", CALL, 3, 0, OWN, none, "",
             "if_then_else(c, a, b): one arm is evaluated; c is a scalar")

/* conversion and lanes */
IRL_OPERATOR(CAST, "", SPECIAL, 1, 0, OWN, none, "", "f32(x): conversion of the value, as C does "
             "it")
IRL_OPERATOR(REINTERPRET, "as", SPECIAL, 1, 0, OWN, none, "",
             "as(u32, x): the same bits under another type of the same total width")
IRL_OPERATOR(RAMP, "ramp", SPECIAL, 2, 0, OWN, none, "", "ramp(base, stride, lanes): base, base + "
             "stride, ...")
IRL_OPERATOR(BROADCAST, "broadcast", SPECIAL, 1, 0, OWN, none, "",
             "broadcast(x, lanes): x repeated")
IRL_OPERATOR(SHUFFLE, "shuffle", SPECIAL, -1, 0, OWN, none, "",
             "shuffle(a, b, [0, 5]): lanes picked from the operands laid end to end")
IRL_OPERATOR(LANE, "lane", CALL, 2, 0, OWN, none, "", "lane(v, k): one lane; k may vary")

/* binding, memory, calls */
IRL_OPERATOR(LET, "let", SPECIAL, 3, 0, OWN, none, "", "let(v = e, body): body with v bound to e")
IRL_OPERATOR(LOAD, "", SPECIAL, -1, 0, OWN, none, "", "x[i, j]: the element at the indices")
IRL_OPERATOR(CALL_EXTERN, "extern", SPECIAL, -1, 0, OWN, none, "",
             "extern(f32, name, a, b): a function of the target, by name")
IRL_OPERATOR(CALL_INTRINSIC, "intrinsic", SPECIAL, -1, 0, OWN, none, "",
             "intrinsic(f32, name, a, b): a function that a pass or an emitter knows")

/* pure functions of floats */
IRL_FLOAT_OPERATOR(EXP, exp, 1, "e to the power x")
IRL_FLOAT_OPERATOR(EXP2, exp2, 1, "2 to the power x")
IRL_FLOAT_OPERATOR(LOG, log, 1, "natural logarithm")
IRL_FLOAT_OPERATOR(LOG2, log2, 1, "logarithm to base 2")
IRL_FLOAT_OPERATOR(SQRT, sqrt, 1, "square root")
IRL_FLOAT_OPERATOR(RSQRT, rsqrt, 1, "1 / square root")
IRL_FLOAT_OPERATOR(SIN, sin, 1, "sine of radians")
IRL_FLOAT_OPERATOR(COS, cos, 1, "cosine of radians")
IRL_FLOAT_OPERATOR(TAN, tan, 1, "tangent of radians")
IRL_FLOAT_OPERATOR(TANH, tanh, 1, "hyperbolic tangent")
IRL_FLOAT_OPERATOR(POW, pow, 2, "x to the y")
IRL_FLOAT_OPERATOR(FMA, fma, 3, "a * b + c rounded once")
IRL_FLOAT_OPERATOR(FLOOR, floor, 1, "rounded towards minus infinity")
IRL_FLOAT_OPERATOR(CEIL, ceil, 1, "rounded towards plus infinity")
IRL_FLOAT_OPERATOR(TRUNC, trunc, 1, "rounded towards zero")
IRL_FLOAT_OPERATOR(RINT, rint, 1, "rounded to nearest, ties to even")

/* more functions of floats; a prototype or a fn of the same name hides one (IRL__OP_HIDEABLE) */
IRL_FLOAT_OPERATOR(ACOS, acos, 1, "arc cosine, in radians")
IRL_FLOAT_OPERATOR(ACOSH, acosh, 1, "inverse hyperbolic cosine")
IRL_FLOAT_OPERATOR(ASIN, asin, 1, "arc sine, in radians")
IRL_FLOAT_OPERATOR(ASINH, asinh, 1, "inverse hyperbolic sine")
IRL_FLOAT_OPERATOR(ATAN, atan, 1, "arc tangent, in radians")
IRL_FLOAT_OPERATOR(ATANH, atanh, 1, "inverse hyperbolic tangent")
IRL_FLOAT_OPERATOR(CBRT, cbrt, 1, "cube root")
IRL_FLOAT_OPERATOR(COSH, cosh, 1, "hyperbolic cosine")
IRL_FLOAT_OPERATOR(ERF, erf, 1, "error function")
IRL_FLOAT_OPERATOR(ERFC, erfc, 1, "1 - erf(x), accurate where that is small")
IRL_FLOAT_OPERATOR(EXP10, exp10, 1, "10 to the power x")
IRL_FLOAT_OPERATOR(EXPM1, expm1, 1, "exp(x) - 1, accurate near 0")
IRL_FLOAT_OPERATOR(LOG10, log10, 1, "logarithm to base 10")
IRL_FLOAT_OPERATOR(LOG1P, log1p, 1, "log(1 + x), accurate near 0")
IRL_FLOAT_OPERATOR(ROUND, round, 1, "rounded to nearest, ties away from zero")
IRL_FLOAT_OPERATOR(SINH, sinh, 1, "hyperbolic sine")
IRL_FLOAT_OPERATOR(TGAMMA, tgamma, 1, "gamma function")
IRL_FLOAT_OPERATOR(ATAN2, atan2, 2, "angle of the point (x, y), from -pi to pi: atan2(y, x)")
IRL_FLOAT_OPERATOR(COPYSIGN, copysign, 2, "the size of x with the sign of y")
IRL_FLOAT_OPERATOR(FMOD, fmod, 2, "remainder of x / y rounded towards zero")
IRL_FLOAT_OPERATOR(HYPOT, hypot, 2, "sqrt(x * x + y * y), without overflow on the way")
IRL_FLOAT_OPERATOR(REMAINDER, remainder, 2, "remainder of x / y rounded to nearest, ties to even")
IRL_FLOAT_OPERATOR(LGAMMA, lgamma, 1, "logarithm of the absolute value of the gamma function")

#undef IRL_OPERATOR
#undef IRL_FLOAT_OPERATOR
