/* ops.h - every operator of the expression language, one row each.

     IRL_OPERATOR(NAME, text, form, arity, precedence, rule, fold, ocl, doc)

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
   fold        the scalar function irl__fold_<fold> in scalar.c; `none` where there is none
   ocl         the spelling in OpenCL C: an infix operator, a function's name, or "" where the
               emitter decides

   Of f16 and bf16 an operator gives f32's result, rounded. Normalised types are loaded, stored and
   cast, and no arithmetic rule takes them. Re-includable; undefines its macro. To add an operator:
   CONTRIBUTING.md. */
/* re-includable table */

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
IRL_OPERATOR(EXP, "exp", CALL, 1, 0, SAME_FLOAT, exp, "exp", "e to the x")
IRL_OPERATOR(EXP2, "exp2", CALL, 1, 0, SAME_FLOAT, exp2, "exp2", "2 to the x")
IRL_OPERATOR(LOG, "log", CALL, 1, 0, SAME_FLOAT, log, "log", "natural logarithm")
IRL_OPERATOR(LOG2, "log2", CALL, 1, 0, SAME_FLOAT, log2, "log2", "logarithm to base 2")
IRL_OPERATOR(SQRT, "sqrt", CALL, 1, 0, SAME_FLOAT, sqrt, "sqrt", "square root")
IRL_OPERATOR(RSQRT, "rsqrt", CALL, 1, 0, SAME_FLOAT, rsqrt, "rsqrt", "1 / square root")
IRL_OPERATOR(SIN, "sin", CALL, 1, 0, SAME_FLOAT, sin, "sin", "sine of radians")
IRL_OPERATOR(COS, "cos", CALL, 1, 0, SAME_FLOAT, cos, "cos", "cosine of radians")
IRL_OPERATOR(TAN, "tan", CALL, 1, 0, SAME_FLOAT, tan, "tan", "tangent of radians")
IRL_OPERATOR(TANH, "tanh", CALL, 1, 0, SAME_FLOAT, tanh, "tanh", "hyperbolic tangent")
IRL_OPERATOR(POW, "pow", CALL, 2, 0, SAME_FLOAT, pow, "pow", "x to the y")
IRL_OPERATOR(FMA, "fma", CALL, 3, 0, SAME_FLOAT, fma, "fma", "a * b + c rounded once")
IRL_OPERATOR(FLOOR, "floor", CALL, 1, 0, SAME_FLOAT, floor, "floor",
             "rounded towards minus infinity")
IRL_OPERATOR(CEIL, "ceil", CALL, 1, 0, SAME_FLOAT, ceil, "ceil", "rounded towards plus infinity")
IRL_OPERATOR(TRUNC, "trunc", CALL, 1, 0, SAME_FLOAT, trunc, "trunc", "rounded towards zero")
IRL_OPERATOR(RINT, "rint", CALL, 1, 0, SAME_FLOAT, rint, "rint", "rounded to nearest, ties to even")

/* more functions of floats; a prototype or a fn of the same name hides one (IRL__OP_HIDEABLE) */
IRL_OPERATOR(ACOS, "acos", CALL, 1, 0, SAME_FLOAT, acos, "acos", "arc cosine, in radians")
IRL_OPERATOR(ACOSH, "acosh", CALL, 1, 0, SAME_FLOAT, acosh, "acosh", "inverse hyperbolic cosine")
IRL_OPERATOR(ASIN, "asin", CALL, 1, 0, SAME_FLOAT, asin, "asin", "arc sine, in radians")
IRL_OPERATOR(ASINH, "asinh", CALL, 1, 0, SAME_FLOAT, asinh, "asinh", "inverse hyperbolic sine")
IRL_OPERATOR(ATAN, "atan", CALL, 1, 0, SAME_FLOAT, atan, "atan", "arc tangent, in radians")
IRL_OPERATOR(ATANH, "atanh", CALL, 1, 0, SAME_FLOAT, atanh, "atanh", "inverse hyperbolic tangent")
IRL_OPERATOR(CBRT, "cbrt", CALL, 1, 0, SAME_FLOAT, cbrt, "cbrt", "cube root")
IRL_OPERATOR(COSH, "cosh", CALL, 1, 0, SAME_FLOAT, cosh, "cosh", "hyperbolic cosine")
IRL_OPERATOR(ERF, "erf", CALL, 1, 0, SAME_FLOAT, erf, "erf", "error function")
IRL_OPERATOR(ERFC, "erfc", CALL, 1, 0, SAME_FLOAT, erfc, "erfc",
             "1 - erf(x), accurate where that is small")
IRL_OPERATOR(EXP10, "exp10", CALL, 1, 0, SAME_FLOAT, exp10, "exp10", "10 to the x")
IRL_OPERATOR(EXPM1, "expm1", CALL, 1, 0, SAME_FLOAT, expm1, "expm1", "exp(x) - 1, accurate near 0")
IRL_OPERATOR(LOG10, "log10", CALL, 1, 0, SAME_FLOAT, log10, "log10", "logarithm to base 10")
IRL_OPERATOR(LOG1P, "log1p", CALL, 1, 0, SAME_FLOAT, log1p, "log1p", "log(1 + x), accurate near 0")
IRL_OPERATOR(ROUND, "round", CALL, 1, 0, SAME_FLOAT, round, "round",
             "rounded to nearest, ties away from zero")
IRL_OPERATOR(SINH, "sinh", CALL, 1, 0, SAME_FLOAT, sinh, "sinh", "hyperbolic sine")
IRL_OPERATOR(TGAMMA, "tgamma", CALL, 1, 0, SAME_FLOAT, tgamma, "tgamma", "gamma function")
IRL_OPERATOR(ATAN2, "atan2", CALL, 2, 0, SAME_FLOAT, atan2, "atan2",
             "angle of the point (x, y), from -pi to pi: atan2(y, x)")
IRL_OPERATOR(COPYSIGN, "copysign", CALL, 2, 0, SAME_FLOAT, copysign, "copysign",
             "the size of x with the sign of y")
IRL_OPERATOR(FMOD, "fmod", CALL, 2, 0, SAME_FLOAT, fmod, "fmod",
             "remainder of x / y rounded towards zero")
IRL_OPERATOR(HYPOT, "hypot", CALL, 2, 0, SAME_FLOAT, hypot, "hypot",
             "sqrt(x * x + y * y), without overflow on the way")
IRL_OPERATOR(REMAINDER, "remainder", CALL, 2, 0, SAME_FLOAT, remainder, "remainder",
             "remainder of x / y rounded to nearest, ties to even")

#undef IRL_OPERATOR
