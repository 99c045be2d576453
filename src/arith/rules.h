/* rules.h - what the simplifier knows, one row each: IRL_RULE(NAME, before, after, constants,
   facts).

   x, y, z are any index expressions, n is one that is at least 1; a, c, d, g, k, m are
   constants.
   constants  what must hold between the constants for the rule to apply
   facts      what must be known, from ranges or from conditions, about the expressions
   These rules hold for integers of any size. A side may leave 64 bits where the other one does not:
   keep.c ensures that the returned expression has a value wherever the given one had one, in every
   intermediate result, and applies no rule if that is not proved.
   The code keeps sums in a canonical form rather than walking this table; tests/test_arith.c
   checks, for every row and many constants, by enumeration that both sides are equal, and that both
   become the same expression (up to the order of terms), and near the limits of 64 bits that an
   expression which had a value keeps it. Re-includable; undefines its macro. To add a rule: its
   code, and a row here. */
/* re-includable table */

/* sums: sum_expr.c, sum_merge.c */
IRL_RULE(LIKE_TERMS, "x*a + x*c", "x*(a + c)", "", "")
IRL_RULE(CANCEL, "x + y - x", "y", "", "")
IRL_RULE(DISTRIBUTE, "(x + a)*c", "x*c + a*c", "", "")
IRL_RULE(COMMON_FACTOR, "x*n + y*n", "(x + y)*n", "", "")
IRL_RULE(COMMON_SCALE, "x*c - y*c", "(x - y)*c", "", "")
IRL_RULE(HORNER, "x*(y*z) + z", "(x*y + 1)*z", "", "")
IRL_RULE(DIV_MOD, "x/c*c + x%c", "x", "c > 0", "")
IRL_RULE(DIV_MOD_SHIFTED, "(x + a)/c*c + (x + a)%c", "x + a", "c > 0", "")
IRL_RULE(DIV_MOD_SUM, "(x*a + y)/c*c + (x*a + y)%c", "x*a + y", "c > 0", "")
IRL_RULE(DIGITS, "x/(c*d)*(c*d) + x/c%d*c + x%c", "x", "c > 0 && d > 0", "")
IRL_RULE(LOW_DIGITS, "x/c%d*c + x%c", "x%(c*d)", "c > 0 && d > 0", "")
IRL_RULE(REMAINDER, "x - x/c*c", "x%c", "c > 0", "")
IRL_RULE(REMAINDER_SHIFTED, "x - (x + a)/c*c", "(x + a)%c - a", "c > 1", "")
IRL_RULE(REMAINDER_SUM, "(x + y)/c*c - x", "y - (x + y)%c", "c > 1", "")
IRL_RULE(DIFFERENCE, "(x + a)/c - x/c", "(x%c + a)/c", "c > 1 && a > 0", "")
IRL_RULE(MIRRORED, "(a - x)/c + (x + k)/c", "0 - ((x + k)%c + c - 1 - a - k)/c",
         "c > 1 && (a + 1)%c != 0", "")
IRL_RULE(MIRRORED_NONE, "(0 - x)/c + (x + (c - 1))/c", "0", "c > 1", "")
IRL_RULE(TRUNC_DIV_MOD, "truncdiv(x, c)*c + truncmod(x, c)", "x", "c > 0", "")
IRL_RULE(TRUNC_REMAINDER, "x - truncdiv(x, c)*c", "truncmod(x, c)", "c > 1", "")
IRL_RULE(TRUNC_DIGITS, "truncdiv(x, c*d)*(c*d) + truncmod(truncdiv(x, c), d)*c + truncmod(x, c)",
         "x", "c > 1 && d > 1", "")
IRL_RULE(MIN_TIMES_MAX, "min(x, y)*max(x, y)", "x*y", "", "")

/* masks: simplify.c */
IRL_RULE(MASK_HIGH, "x & ~7", "x/8*8", "", "")
IRL_RULE(MASK_BOTH, "(x & ~7) + (x & 7)", "x", "", "")

/* division by a number: divmod.c */
IRL_RULE(DIV_ONE, "x/1", "x", "", "")
IRL_RULE(DIV_NEGATIVE, "x/(0 - c)", "(0 - x)/c", "c > 0", "")
IRL_RULE(DIV_CELL, "(x + a*c)/c", "a", "c > 0", "0 <= x && x < c")
IRL_RULE(DIV_GCD, "(x*g + k)/(c*g)", "x/c", "g > 0 && c > 0 && k >= 0 && k < g", "")
IRL_RULE(DIV_MULTIPLE, "(x*(a*c) + y)/c", "x*a + y/c", "c > 0", "")
IRL_RULE(DIV_CONSTANT, "(x + a*c)/c", "x/c + a", "c > 0", "")
IRL_RULE(DIV_NESTED, "(x/a + k)/c", "(x + k*a)/(a*c)", "a > 0 && c > 0", "")
IRL_RULE(DIV_OF_MOD, "x%(c*m)/c", "x/c%m", "c > 0 && m > 0", "")
IRL_RULE(DIV_OF_DIGIT, "x/a%m/c", "x%(a*m)/(a*c)", "a > 0 && m > 0 && c > 0 && m%c != 0", "")
IRL_RULE(DIV_DIGITS, "(x*g + y)/(g*d)", "x/d", "g > 0 && d > 0", "0 <= y && y < g")
IRL_RULE(DIV_TWO_VALUES, "(x%2 + 1)/2", "x%2", "", "")
IRL_RULE(DIV_MIRRORED, "(c - 1 - x)/c", "0 - x/c", "c > 0", "")
IRL_RULE(DIV_MIRRORED_SUM, "(a*c - 1 - x*d - y)/c", "a - 1 - (x*d + y)/c", "c > 0 && d > 0", "")
IRL_RULE(DIV_WHOLE, "(x - x%m)/m", "x/m", "m > 1", "")

/* modulo a number: divmod.c */
IRL_RULE(MOD_ONE, "x%1", "0", "", "")
IRL_RULE(MOD_NEGATIVE, "x%(0 - c)", "0 - (0 - x)%c", "c > 0", "")
IRL_RULE(MOD_CELL, "(x + a*c)%c", "x", "c > 0", "0 <= x && x < c")
IRL_RULE(MOD_GCD, "(x*g + k)%(c*g)", "x%c*g + k", "g > 0 && c > 0 && k >= 0 && k < g", "")
IRL_RULE(MOD_MULTIPLE, "(x*(a*c) + y)%c", "y%c", "c > 0", "")
IRL_RULE(MOD_CONSTANT, "(x + a*c + k)%c", "(x + k)%c", "c > 0", "")
IRL_RULE(MOD_COEFFICIENT, "(x*(c*a + k) + y)%c", "(x*k + y)%c", "c > 0 && k > 0 && k < c && a > 0",
         "")
IRL_RULE(MOD_OF_MOD, "(x%(c*m) + y)%c", "(x + y)%c", "c > 0 && m > 0", "")
IRL_RULE(MOD_DIGITS, "(x*g + y)%(g*d)", "x%d*g + y", "g > 0 && d > 0", "0 <= y && y < g")
IRL_RULE(MOD_MIRRORED, "(c - 1 - x)%c", "c - 1 - x%c", "c > 0", "")
IRL_RULE(MOD_MIRRORED_SUM, "(a*c - 1 - x*d - y)%c", "c - 1 - (x*d + y)%c", "c > 0 && d > 0", "")
IRL_RULE(MOD_WHOLE, "(x - x%m)%m", "0", "m > 1", "")

/* divisors that have names: divmod.c */
IRL_RULE(DIV_SAME, "n/n", "1", "", "")
IRL_RULE(DIV_FACTOR, "(x*n + y)/n", "x + y/n", "", "")
IRL_RULE(MOD_FACTOR, "(x*n + y)%n", "y%n", "", "")
IRL_RULE(DIV_FACTOR_CELL, "(x*n + y)/n", "x", "", "0 <= y && y < n")
IRL_RULE(MOD_FACTOR_CELL, "(x*n + y)%n", "y", "", "0 <= y && y < n")
IRL_RULE(DIV_COMMON, "(x*n)/(n*c)", "x/c", "c > 0", "")
IRL_RULE(MOD_COMMON, "(x*n)%(n*c)", "x%c*n", "c > 0", "")

/* digits by names: divmod.c, sum_merge.c */
IRL_RULE(NAMED_NESTED, "x/c/n", "x/(n*c)", "c > 0", "")
IRL_RULE(NAMED_DIGIT, "x%(n*c)/n", "x/n%c", "c > 0", "")
IRL_RULE(NAMED_INNER_MOD, "(x%(n*c) + y)%n", "(x + y)%n", "c > 0", "")
IRL_RULE(NAMED_INNER_MOD_SCALED, "(x%n*c + y)%(n*c)", "(x*c + y)%(n*c)", "c > 0", "")
IRL_RULE(NUMBER_INNER_MOD, "(x%(n*c) + y)%c", "(x + y)%c", "c > 0", "")
IRL_RULE(NAMED_DIV_MOD, "x/n*n + x%n", "x", "", "")
IRL_RULE(NAMED_DIV_MOD_SCALED, "x/n*(n*y) + x%n*y", "x*y", "", "")
IRL_RULE(NAMED_LOW_DIGITS, "x/n%c*n + x%n", "x%(n*c)", "c > 0", "")
IRL_RULE(NAMED_DIGITS, "x/(n*c)*(n*c) + x/n%c*n + x%n", "x", "c > 0", "")
IRL_RULE(NAMED_DIV_MOD_SUM, "x/(n + c)*n + x/(n + c)*c + x%(n + c)", "x", "c > 0", "")
IRL_RULE(NAMED_LONG_DIVISION, "(x*n*n + y*n + z)/n", "x*n + y + z/n", "", "")

/* C's division: simplify.c */
IRL_RULE(TRUNC_FLOOR_DIV, "truncdiv(x, c)", "x/c", "c > 0", "x >= 0")
IRL_RULE(TRUNC_FLOOR_MOD, "truncmod(x, c)", "x%c", "c > 0", "x >= 0")
IRL_RULE(TRUNC_MULTIPLE_DIV, "truncdiv(x*(a*c), c)", "x*a", "c > 0", "")
IRL_RULE(TRUNC_MULTIPLE_MOD, "truncmod(x*(a*c), c)", "0", "c > 0", "")
IRL_RULE(TRUNC_GCD_DIV, "truncdiv(x*g, c*g)", "truncdiv(x, c)", "g > 0 && c > 0", "")
IRL_RULE(TRUNC_GCD_MOD, "truncmod(x*g, c*g)", "truncmod(x, c)*g", "g > 0 && c > 0", "")
IRL_RULE(TRUNC_NESTED, "truncdiv(truncdiv(x, a), c)", "truncdiv(x, a*c)", "a > 0 && c > 0", "")
IRL_RULE(TRUNC_NEGATIVE_DIV, "truncdiv(x, 0 - c)", "0 - truncdiv(x, c)", "c > 0", "")
IRL_RULE(TRUNC_NEGATIVE_MOD, "truncmod(x, 0 - c)", "truncmod(x, c)", "c > 0", "")

/* bits of an index: simplify.c */
IRL_RULE(SHIFT_LEFT, "x << k", "x*(1 << k)", "k >= 0 && k < 8", "")
IRL_RULE(SHIFT_RIGHT, "x >> k", "x/(1 << k)", "k >= 0 && k < 8", "")
IRL_RULE(MASK, "x & ((1 << k) - 1)", "x%(1 << k)", "k > 0 && k < 8", "")
IRL_RULE(XOR_SAME, "x ^ x", "0", "", "")
IRL_RULE(XOR_TWICE, "x ^ y ^ y", "x", "", "")
IRL_RULE(AND_SAME, "x & x", "x", "", "")
IRL_RULE(OR_SAME, "x | x", "x", "", "")
IRL_RULE(OR_APART, "x*16 | y%16", "x*16 + y%16", "", "x >= 0")
IRL_RULE(XOR_APART, "x%4*8 ^ y%8", "x%4*8 + y%8", "", "")
IRL_RULE(NOT_NOT, "~~x", "x", "", "")

/* minimum and maximum: minmax.c, within sums sum_choice.c */
IRL_RULE(MIN_KNOWN, "min(x, y)", "x", "", "x <= y")
IRL_RULE(MAX_KNOWN, "max(x, y)", "y", "", "x <= y")
IRL_RULE(MIN_SHIFT, "min(x + a, x + c)", "x + min(a, c)", "", "")
IRL_RULE(MIN_SAME, "min(min(x, y), x)", "min(x, y)", "", "")
IRL_RULE(MAX_SAME, "max(max(x, y), y)", "max(x, y)", "", "")
IRL_RULE(MIN_ABSORBS, "min(x, max(x, y))", "x", "", "")
IRL_RULE(MAX_ABSORBS, "max(x, min(y, x))", "x", "", "")
IRL_RULE(MIN_CONSTANTS, "min(min(x, a), c)", "min(x, a)", "a <= c", "")
IRL_RULE(MIN_DISTRIBUTES, "min(max(x, y), max(x, z))", "max(min(y, z), x)", "", "")
IRL_RULE(MAX_DISTRIBUTES, "max(min(x, y), min(x, z))", "min(max(y, z), x)", "", "")
IRL_RULE(MIN_COMMON, "min(x + y, x + z)", "x + min(y, z)", "", "")
IRL_RULE(MIN_NEGATIVE, "min(x - y, x - z)", "x - max(y, z)", "", "")
IRL_RULE(MIN_SCALE, "min(x*c, y*c)", "min(x, y)*c", "c > 0", "")
IRL_RULE(MIN_DIVIDED, "min(x/c, y/c)", "min(x, y)/c", "c > 0", "")
IRL_RULE(MIN_MOVE_IN, "x + min(y - x, z)", "min(y, x + z)", "", "")
IRL_RULE(MAX_MOVE_IN, "x - min(x + y, z)", "max(0 - y, x - z)", "", "")
IRL_RULE(MIN_PLUS_MAX, "min(x, y) + max(x, y)", "x + y", "", "")
IRL_RULE(MIN_LESS_MIN, "min(x + a, y + a) - min(x, y)", "a", "", "")
IRL_RULE(SELECT_PLUS, "select(x < 0, y, z) + select(x < 0, a - y, a - z)", "a", "", "")
IRL_RULE(ROUND_UP, "min(x, (x + (c - 1))/c*c)", "x", "c > 1", "")
IRL_RULE(ROUND_DOWN, "max(x, x/c*c)", "x", "c > 1", "")

/* comparisons: compare.c */
IRL_RULE(COMPARE_SHIFT, "x + a < y + a", "x < y", "", "")
IRL_RULE(COMPARE_COMMON, "x + y <= x + z", "y <= z", "", "")
IRL_RULE(COMPARE_SCALE, "x*c < y*c", "x < y", "c > 0", "")
IRL_RULE(COMPARE_SCALE_CONSTANT, "x*c <= c*a + k", "x <= a", "c > 0 && k >= 0 && k < c", "")
IRL_RULE(COMPARE_NEGATIVE, "x*(0 - c) < y*(0 - c)", "y < x", "c > 0", "")
IRL_RULE(COMPARE_STRICT, "x < y + 1", "x <= y", "", "")
IRL_RULE(COMPARE_DIV_LT, "x/c < a", "x < a*c", "c > 0", "")
IRL_RULE(COMPARE_DIV_GE, "x/c >= a", "x >= a*c", "c > 0", "")
IRL_RULE(COMPARE_TRUNC_LT, "truncdiv(x, c) < a", "x < a*c", "c > 1 && a > 0", "")
IRL_RULE(COMPARE_TRUNC_GE, "truncdiv(x, c) >= a", "x >= a*c", "c > 1 && a > 0", "")
IRL_RULE(COMPARE_DIGITS, "x*g + y < a*g", "x < a", "g > 1", "0 <= y && y < g")
IRL_RULE(COMPARE_MIN, "min(x, a) < c", "x < c", "a >= c", "")
IRL_RULE(COMPARE_MAX, "max(x, a) < c", "x < c", "a < c", "")
IRL_RULE(EQUAL_PARITY, "x*c == y*c + k", "false", "c > 1 && k > 0 && k < c", "")
IRL_RULE(EQUAL_SHIFTED, "(x + a)%c == k", "x%c == (k - a)%c", "c > 1 && k >= 0 && k < c", "")
IRL_RULE(EQUAL_SCALE, "x*c == y*c", "x == y", "c > 0", "")
IRL_RULE(COMPARE_KNOWN, "x < y", "true", "", "x < y")
IRL_RULE(COMPARE_FACT, "x + a <= y + c", "true", "a <= c", "x <= y")
IRL_RULE(COMPARE_DENIED, "x < y", "false", "", "y <= x")

/* logic and choice: logic.c */
IRL_RULE(NOT_LESS, "!(x < y)", "y <= x", "", "")
IRL_RULE(NOT_AND, "!(x < y && y < z)", "y <= x || z <= y", "", "")
IRL_RULE(NOT_OR, "!(x < y || y < z)", "y <= x && z <= y", "", "")
IRL_RULE(AND_DENIED, "x == y && x != y", "false", "", "")
IRL_RULE(OR_DENIED, "x < y || y <= x", "true", "", "")
IRL_RULE(AND_IMPLIED, "x < a && x < c", "x < a", "a <= c", "")
IRL_RULE(OR_IMPLIED, "x < a || x < c", "x < c", "a <= c", "")
IRL_RULE(AND_DIGITS, "x/c == a && x%c == k", "x == a*c + k", "c > 1 && k >= 0 && k < c", "")
IRL_RULE(SELECT_SAME, "select(x < y, z, z)", "z", "", "")
IRL_RULE(SELECT_KNOWN, "select(x < y, x, z)", "x", "", "x < y")
IRL_RULE(ARM_KNOWS, "if_then_else(x < a, min(x, a), y)", "if_then_else(x < a, x, y)", "", "")
#undef IRL_RULE
