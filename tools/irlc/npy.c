/* npy.c - the header of a file .npy, read and written.

   A file has the bytes 93 "NUMPY", the version, the length of the header (2 bytes in version 1, 4
   in 2 and 3, the least significant first), the header, and the elements. The header is a
   dictionary as Python writes it, {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, and
   nothing else is read. A file is anybody's: no length or number in it is used before it is
   checked. */
#include "irlc.h"

typedef struct npy_reader {
    const char *begin, *at, *end; /* of the header */
    char       *problem;
} npy_reader;

/* What was expected at r->at, and what is there; returns 0. */
static int expected(npy_reader *r, const char *what)
{
    char   found[24];
    size_t n = 0;
    for (; r->at + n < r->end && n < 16; n++) {
        const char c = r->at[n];
        found[n] = (char)(c >= ' ' && c <= '~' ? c : '?');
    }
    found[n] = '\0';
    snprintf(r->problem, IRLC_PROBLEM, "byte %d of the header: expected %s, found %s%s%s",
             (int)(r->at - r->begin), what, n ? "\"" : "its end", found, n ? "\"" : "");
    return 0;
}

static int is_next(npy_reader *r, const char *text)
{
    const size_t n = strlen(text);
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t')) r->at++;
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, text, n) != 0) return 0;
    r->at += n;
    return 1;
}

/* A string of at most `room` - 1 characters, without escapes. */
static int read_string(npy_reader *r, const char *what, char *out, size_t room)
{
    const char  quote = (char)(is_next(r, "'") ? '\'' : is_next(r, "\"") ? '"' : 0);
    const char *begin = r->at;
    size_t      n = 0;
    while (quote && begin + n < r->end && n + 1 < room && begin[n] != quote && begin[n] != '\\') {
        out[n] = begin[n];
        n++;
    }
    out[n] = '\0';
    if (!quote || begin + n >= r->end || begin[n] != quote) return expected(r, what);
    r->at = begin + n + 1;
    return 1;
}

/* '<f4': the order of the bytes, the kind and the bytes of an element. */
static int read_descr(npy_reader *r, irlc_npy *out)
{
    static const char sizes[] = "1248";
    char              descr[8];
    is_next(r, "");
    const char *begin = r->at;
    if (is_next(r, "["))
        return r->at = begin, expected(r, "a type such as '<f4' (records are not read)");
    if (!read_string(r, "a type such as '<f4'", descr, sizeof descr)) return 0;
    out->is_big = descr[0] == '>';
    out->kind = descr[0] ? descr[1] : '\0';
    if (strlen(descr) == 3 && strchr("<>|", descr[0]) && strchr("biufV", descr[1]) &&
        strchr(sizes, descr[2])) {
        out->size = descr[2] - '0';
        /* one byte has no order, and more have one; those of V may lack it */
        if (descr[0] != '|' || out->size == 1 || out->kind == 'V') return 1;
    }
    r->at = begin;
    return expected(r, "a type of numbers, '<f4', '>i2', '|u1', ...");
}

static int read_extent(npy_reader *r, int64_t *out)
{
    is_next(r, "");
    const char *begin = r->at;
    for (*out = 0; r->at < r->end && is_digit(*r->at); r->at++) {
        if (*out > (INT64_MAX - (*r->at - '0')) / 10)
            return r->at = begin, expected(r, "an extent of at most 63 bits");
        *out = *out * 10 + (*r->at - '0');
    }
    if (r->at == begin) return expected(r, "an extent, or ')'");
    is_next(r, "L"); /* as Python 2 wrote it */
    return 1;
}

/* (), (3,), (3, 4), (3, 4,) */
static int read_tuple(npy_reader *r, irl_shape *out)
{
    int has_comma = 1;
    out->rank = 0;
    if (!is_next(r, "(")) return expected(r, "a shape, such as (3, 4)");
    while (!is_next(r, ")")) {
        if (!has_comma) return expected(r, "',' or ')'");
        if (out->rank == IRL_MAX_RANK) return expected(r, "no more axes");
        if (!read_extent(r, &out->extent[out->rank++])) return 0;
        has_comma = is_next(r, ",");
    }
    return out->rank != 1 || has_comma || expected(r, "',' in a shape of one axis, (3,)");
}

static int read_order(npy_reader *r, irlc_npy *out)
{
    out->is_fortran = is_next(r, "True");
    return out->is_fortran || is_next(r, "False") || expected(r, "True or False");
}

static int read_entries(npy_reader *r, irlc_npy *out)
{
    static const char *const keys[] = { "descr", "fortran_order", "shape" };
    char                     key[16];
    int                      seen = 0, k, has_comma = 1;
    if (!is_next(r, "{")) return expected(r, "'{'");
    while (!is_next(r, "}")) {
        if (!has_comma) return expected(r, "',' or '}'");
        if (!read_string(r, "a key, 'descr', 'fortran_order' or 'shape'", key, sizeof key))
            return 0;
        for (k = 0; k < 3 && strcmp(keys[k], key) != 0; k++) continue;
        if (k == 3 || seen >> k & 1)
            return expected(r, k == 3 ? "the keys 'descr', 'fortran_order' and 'shape' before this"
                                      : "each key once; one is repeated before this");
        seen |= 1 << k;
        if (!is_next(r, ":")) return expected(r, "':'");
        if (k == 0 ? !read_descr(r, out)
                   : k == 1 ? !read_order(r, out) : !read_tuple(r, &out->shape))
            return 0;
        has_comma = is_next(r, ",");
    }
    if (seen != 7) return expected(r, "'descr', 'fortran_order' and 'shape' before this");
    is_next(r, "");
    return r->at == r->end || expected(r, "nothing more");
}

/* Whether there are as many elements as the shape says. */
static int is_whole(const irlc_npy *npy, size_t length, char *problem)
{
    const uint64_t there = (uint64_t)length - npy->begin;
    uint64_t       bytes = (uint64_t)npy->size;
    int            is_empty = 0, is_large = 0;
    for (int k = 0; k < npy->shape.rank; k++) is_empty |= npy->shape.extent[k] == 0;
    for (int k = 0; k < npy->shape.rank && !is_empty; k++) {
        is_large |= bytes > (uint64_t)INT64_MAX / (uint64_t)npy->shape.extent[k];
        if (!is_large) bytes *= (uint64_t)npy->shape.extent[k];
    }
    if (is_empty) bytes = 0;
    if (!is_large && bytes == there) return 1;
    if (is_large) snprintf(problem, IRLC_PROBLEM, "its shape has more elements than memory can "
                                                  "hold");
    else
        snprintf(problem, IRLC_PROBLEM,
                 "its shape has %llu bytes of elements, found %llu (the file is %s)",
                 (unsigned long long)bytes, (unsigned long long)there,
                 there < bytes ? "cut off" : "too long");
    return 0;
}

int is_npy(const unsigned char *bytes, size_t length)
{
    return length >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

int read_npy(const unsigned char *bytes, size_t length, irlc_npy *out, char *problem)
{
    npy_reader r;
    memset(out, 0, sizeof *out);
    if (!is_npy(bytes, length)) {
        snprintf(problem, IRLC_PROBLEM, "it does not begin as a file .npy does, with 93 NUMPY");
        return 0;
    }
    if (length >= 8 && (bytes[6] < 1 || bytes[6] > 3)) {
        snprintf(problem, IRLC_PROBLEM, "version 1, 2 or 3 is read, found %d.%d", bytes[6],
                 bytes[7]);
        return 0;
    }
    size_t before = length >= 8 && bytes[6] > 1 ? 12 : 10;
    size_t header = length < before ? 0 : (size_t)bytes[8] | (size_t)bytes[9] << 8;
    if (length >= before && before == 12)
        header |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (length < before || header > length - before) {
        snprintf(problem, IRLC_PROBLEM, "its header ends at byte %llu, found %llu bytes",
                 (unsigned long long)(before + header), (unsigned long long)length);
        return 0;
    }
    out->begin = before + header;
    r.begin = r.at = (const char *)bytes + before;
    r.end = r.begin + header;
    r.problem = problem;
    return read_entries(&r, out) && is_whole(out, length, problem);
}

int is_little(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

size_t write_npy(const irlc_npy *npy, char out[IRLC_NPY_HEADER])
{
    const char order = npy->size == 1 ? '|' : npy->is_big ? '>' : '<';
    int        n = sprintf(out + 10, "{'descr': '%c%c%d', 'fortran_order': %s, 'shape': (", order,
                           npy->kind, npy->size, npy->is_fortran ? "True" : "False");
    for (int k = 0; k < npy->shape.rank; k++)
        n += sprintf(out + 10 + n, k ? ", %lld" : "%lld", (long long)npy->shape.extent[k]);
    n += sprintf(out + 10 + n, npy->shape.rank == 1 ? ",), }" : "), }");
    while ((10 + n + 1) % 64) out[10 + n++] = ' ';
    out[10 + n++] = '\n';
    memcpy(out, "\x93NUMPY\x01", 7);
    out[7] = 0;
    out[8] = (char)(n & 255);
    out[9] = (char)(n >> 8);
    return (size_t)(10 + n);
}
