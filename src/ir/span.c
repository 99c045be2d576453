/* span.c - elements of bits at constant places: which bits of a memory they have.

   needs     bitfield.c
   promises  every bit of every element is examined, so the answer is exact
   cost      linear in the bits of the elements */
#include "ir.h"

int64_t irl__span_at(const irl__span *s, int64_t number)
{
    int64_t at = s->offset;
    for (int k = s->rank; k-- > 0;) {
        if (s->extent[k] == 0) return -1;
        at += number % s->extent[k] * s->stride[k];
        number /= s->extent[k];
    }
    return number ? -1 : at;
}

int64_t irl__span_bit(const irl__span *s, int64_t p)
{
    return s->is_msb ? p / 8 * 8 + 7 - p % 8 : p;
}

static int irl__span_holds(int64_t value, int64_t least)
{
    return value >= least && value <= IRL__SPAN_MOST;
}

int64_t irl__span_end(const irl__span *s)
{
    int64_t end, count = 1;
    if (!irl__span_holds(s->offset, 0)) return -1;
    end = s->offset + s->width;
    for (int k = 0; k < s->rank; k++) {
        if (!irl__span_holds(s->extent[k], 0) || !irl__span_holds(s->stride[k], 0)) return -1;
        if (s->extent[k] == 0) return 0;
        count *= s->extent[k];
        end += (s->extent[k] - 1) * s->stride[k];
        if (end > IRL__SPAN_MOST || count > IRL__SPAN_MOST) return -1;
    }
    return end;
}

/* Over all bits of all elements: the bit, from the start of memory or of a period of it. */
int irl__span_mark(const irl__span *s, int64_t period, unsigned char *owner, int number,
                   int may_repeat, irl__span_hit *out)
{
    const int mine = may_repeat ? number + 1 : 0;
    int64_t   at;
    for (int64_t n = 0; (at = irl__span_at(s, n)) >= 0; n++)
        for (int k = 0; k < s->width; k++) {
            int64_t bit = irl__span_bit(s, at + k);
            if (owner[bit % period] && owner[bit % period] != mine) {
                out->element = n;
                out->bit = bit;
                return owner[bit % period] - 1;
            }
            owner[bit % period] = (unsigned char)(number + 1);
        }
    return -1;
}

void irl__span_first(const irl__span *s, int64_t period, int64_t bit, irl__span_hit *out)
{
    int64_t at;
    memset(out, 0, sizeof *out);
    for (int64_t n = 0; (at = irl__span_at(s, n)) >= 0; n++)
        for (int k = 0; k < s->width; k++) {
            if (irl__span_bit(s, at + k) % period != bit % period) continue;
            out->element = n;
            out->bit = irl__span_bit(s, at + k);
            return;
        }
}

void irl__span_text(irl__text *t, const irl__span *s, const char *name, int outer, int64_t outer_at,
                    int64_t element)
{
    int64_t place[IRL_MAX_RANK];
    for (int k = s->rank; k-- > 0; element /= s->extent[k]) place[k] = element % s->extent[k];
    irl__text_puts(t, name);
    if (outer + s->rank == 0) return;
    for (int k = 0; k < outer; k++)
        irl__textf(t, k ? ", %l" : "[%l", k + 1 < outer ? (int64_t)0 : outer_at);
    for (int k = 0; k < s->rank; k++) irl__textf(t, outer + k ? ", %l" : "[%l", place[k]);
    irl__text_putc(t, ']');
}

void irl__span_unused_text(irl__text *t, int64_t count, int64_t all, int64_t first)
{
    irl__textf(t, "%l of %l bits %s unused", count, all, count == 1 ? "is" : "are");
    if (first >= 0) irl__textf(t, ", the first is bit %l of byte %l", first % 8, first / 8);
}

void irl__span_shared_text(irl__text *t, int64_t bit)
{
    irl__textf(t, " have bit %l of byte %l", bit % 8, bit / 8);
}
