#!/bin/bash
# IRL_ARGS carries sizes and IRL_POINTERS none, in C and C++, by every compiler, without a warning, for up to 32 arguments.
. "$(dirname "$0")/common"
needs clang g++ clang++

cat > "$T/arguments.c" <<'END'
#include "irlayout.h"
typedef struct four { float x, y, z, w; } four;
enum color { RED, GREEN };
static int is(const irl_arguments *a, int k, const void *data, size_t size, int number)
{
    return a->data[k] == data && a->size[k] == size && (!IRL__IS_NUMBER(&size) || a->is_number[k] == number);
}
int main(void)
{
    float               x[10] = { 0 }, rows[3][4] = { { 0 } };
    const float        *c = x;
    const int64_t       n = 3;
    double              d = 0;
    four                v[2] = { { 0, 0, 0, 0 } };
    enum color          e = RED;
    unsigned char       b = 0;
    float              *pointer = x;
    void               *bytes = rows;
    const irl_arguments a = IRL_ARGS(&n, x, &x, c, rows, &d, v, &e, &b, &rows[1], &rows[1][0], &pointer);
    const irl_arguments p = IRL_POINTERS(0, bytes, x);
    const irl_arguments most = IRL_ARGS(x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x,
                                        x, x, x, &d);
    if (a.count != 12 || !is(&a, 0, &n, 8, 1) || !is(&a, 1, x, 4, 1) || !is(&a, 2, &x, sizeof x, 0)) return 1;
    if (!is(&a, 3, x, 4, 1) || !is(&a, 4, rows, 16, 0) || !is(&a, 5, &d, sizeof d, 1) || !is(&a, 6, v, 16, 0)) return 2;
    if (!is(&a, 7, &e, sizeof e, 1) || !is(&a, 8, &b, 1, 1) || !is(&a, 9, &rows[1], 16, 0)) return 3;
    if (!is(&a, 10, &rows[1][0], 4, 1) || !is(&a, 11, &pointer, sizeof pointer, 0) || a.size[12] != 0) return 4;
    if (p.count != 3 || p.size[1] != 0 || p.is_number[2] != 0 || p.data[1] != rows) return 5;
    return most.count != IRL_MAX_ARGUMENTS || !is(&most, 31, &d, sizeof d, 1);
}
END
n=0
for cc in "gcc $STRICT" "clang $STRICT" "gcc -std=gnu17 -O2 -Wall -Wextra -Werror" "g++ $STRICT_CPP" "clang++ $STRICT_CPP" "g++ -std=c++20 -x c++ -Wall -Wextra -Werror" tcc; do
    command -v "${cc%% *}" > /dev/null || continue
    $cc -I. -o "$T/arguments" "$T/arguments.c" > "$T/log" 2>&1 || { cat "$T/log"; fail "$cc"; }
    "$T/arguments" || fail "$cc carries something else: $?"
    n=$((n + 1))
done
# a pointer without a type is no argument of IRL_ARGS
sed 's/IRL_POINTERS(0, bytes, x)/IRL_ARGS(bytes, x)/' "$T/arguments.c" > "$T/void.c"
g++ $STRICT_CPP -I. -fsyntax-only "$T/void.c" 2> /dev/null && fail "a void * by IRL_ARGS compiles in C++"
gcc $STRICT -I. -fsyntax-only "$T/void.c" 2> /dev/null && fail "a void * by IRL_ARGS compiles in C"
ok "$n compilers"
