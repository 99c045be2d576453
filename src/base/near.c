/* near.c - the name that was probably meant: the nearest of those that exist.

   needs     nothing
   promises  irl__near_said names the first of the names tried that is fewest edits away, and few;
             names of more than IRL__NEAR_LENGTH bytes have none. The time of a try is at most the
             product of both lengths */
#include "base.h"

enum { IRL__NEAR_LENGTH = 32 };

/* Edits (insert, delete, replace, swap neighbours) from a to b, both at most IRL__NEAR_LENGTH
   long. */
static int irl__near_distance(const char *a, size_t m, const char *b, size_t n)
{
    int    row[3][IRL__NEAR_LENGTH + 1];
    size_t j;
    for (j = 0; j <= n; j++) row[0][j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        int *now = row[i % 3], *above = row[(i + 2) % 3], *above2 = row[(i + 1) % 3];
        now[0] = (int)i;
        for (j = 1; j <= n; j++) {
            int best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best) best = above[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                above2[j - 2] + 1 < best)
                best = above2[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[m % 3][n];
}

void irl__near_begin(irl__near *n, const char *wanted, size_t length)
{
    memset(n, 0, sizeof *n);
    n->wanted = wanted;
    n->wanted_length = length;
    /* fewer are worth saying; one letter is as near to any other */
    n->edits = length < 2 ? 0 : 2 + (int)(length / 4);
}

int irl__near_try(irl__near *n, const char *name, size_t length)
{
    if (!length || length > IRL__NEAR_LENGTH || n->wanted_length > IRL__NEAR_LENGTH ||
        length > n->wanted_length + 2 || n->wanted_length > length + 2)
        return 0;
    int edits = irl__near_distance(n->wanted, n->wanted_length, name, length);
    if (edits >= n->edits) return 0;
    n->edits = edits;
    n->best = name;
    n->best_length = length;
    return 1;
}

void irl__near_of(irl__near *n, const char *wanted, const char *(*name)(int k))
{
    irl__near_begin(n, wanted, strlen(wanted));
    for (int k = 0; name(k) && *name(k); k++) irl__near_try(n, name(k), strlen(name(k)));
}

const char *irl__near_said(irl__near *n)
{
    irl__text t;
    irl__text_init_fixed(&t, n->said, sizeof n->said);
    n->said[0] = '\0';
    if (!n->best) return n->said;
    irl__text_puts(&t, "; is '");
    irl__text_append(&t, n->best, n->best_length);
    irl__text_puts(&t, "' meant?");
    return n->said;
}

int irl_name_is_nearer(const char *wanted, const char *name, int *edits)
{
    irl__near n;
    if (!wanted || !name) return 0;
    irl__near_begin(&n, wanted, strlen(wanted));
    if (edits && *edits > 0 && *edits < n.edits) n.edits = *edits;
    if (!irl__near_try(&n, name, strlen(name))) return 0;
    if (edits) *edits = n.edits;
    return 1;
}
