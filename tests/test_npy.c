/* test_npy.c - the header of a file .npy, as irlc reads it: what is written is read again, in each
   form that Python writes; a changed header is refused or says what the file holds.

   Each text is in memory of its own length, so that a sanitizer sees a byte read beyond it. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "../tools/irlc/npy.c"
#include "random64.h"
#include "test.h"

int is_digit(char c) { return c >= '0' && c <= '9'; }

/* A file of these bytes; 0 with its problem. */
static int reads(const char *bytes, size_t length, irlc_npy *out, char problem[IRLC_PROBLEM])
{
    unsigned char *exact = (unsigned char *)malloc(length ? length : 1);
    int            ok;
    if (!CHECK(exact != NULL)) return 0;
    memcpy(exact, bytes, length);
    problem[0] = '\0';
    ok = read_npy(exact, length, out, problem);
    CHECK(ok != (problem[0] != '\0'));
    free(exact);
    return ok;
}

/* A file of this version with this header and no more. */
static size_t file_of_header(char *out, int version, const char *header)
{
    const size_t n = strlen(header), before = version == 1 ? 10 : 12;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (char)version;
    memset(out + 7, 0, 5);
    out[8] = (char)(n & 255);
    out[9] = (char)(n >> 8);
    memcpy(out + before, header, n);
    return before + n;
}

/* Refused, and the problem says this. */
static void check_refused(const char *header, const char *word)
{
    char     file[1500], problem[IRLC_PROBLEM];
    irlc_npy npy;
    size_t   n = file_of_header(file, 1, header);
    if (!CHECK(!reads(file, n, &npy, problem) && strstr(problem, word)))
        printf("%s: '%s' is not in: %s\n", header, word, problem);
}

static void check_forms(void)
{
    static const char *const right[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }  \n",
        "{\"shape\":(0,3),\"fortran_order\":False,\"descr\":\"<f4\"}",
        "{'shape': (0L, 3L), 'descr': '<f4', 'fortran_order': False}\n",
        " { 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 0 , 3 , ) , } \n",
    };
    char     file[1500], problem[IRLC_PROBLEM];
    irlc_npy npy;
    int      k, version;
    for (k = 0; k < 4; k++)
        for (version = 1; version <= 3; version++)
            CHECK(reads(file, file_of_header(file, version, right[k]), &npy, problem) &&
                  npy.shape.rank == 2 && npy.shape.extent[1] == 3 && npy.kind == 'f' &&
                  npy.size == 4 && !npy.is_big && !npy.is_fortran);
    CHECK(!reads(file, file_of_header(file, 4, right[0]), &npy, problem) &&
          strstr(problem, "version 1, 2 or 3"));
    check_refused("{'descr': '<f4', 'fortran_order': False}", "'shape'");
    check_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", "(3,)");
    check_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}", "an extent");
    check_refused("{'descr': '<f4', 'fortran_order': 0, 'shape': (0,)}", "True or False");
    check_refused("{'descr': '<f4', 'descr': '<f4', 'shape': (0,)}", "repeated");
    check_refused("{'descr': '<c8', 'fortran_order': False, 'shape': (0,)}", "type of numbers");
    check_refused("{'descr': '|O', 'fortran_order': False, 'shape': (0,)}", "type of numbers");
    check_refused("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (0,)}", "records");
    check_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (0,)} + 1", "nothing more");
    check_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "cut off");
    check_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 4)}",
                  "more elements than memory");
    check_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}",
                  "63 bits");
    check_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}",
                  "more elements than memory");
    check_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (0,1,2,3,4,5,6,7,8,9,0,1,2,3,"
                  "4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2)}",
                  "no more axes");
}

static void draw(irlc_npy *npy)
{
    int k;
    memset(npy, 0, sizeof *npy);
    npy->kind = "biuf"[random_below(4)];
    npy->size = 1 << (npy->kind == 'b' ? 0 : npy->kind == 'f' ? 1 + random_below(3)
                                                               : random_below(4));
    npy->is_big = npy->size > 1 && random_below(2);
    npy->is_fortran = random_below(2);
    npy->shape.rank = random_below(5);
    for (k = 0; k < npy->shape.rank; k++) npy->shape.extent[k] = random_below(5);
}

static int64_t elements(const irlc_npy *npy)
{
    int64_t n = 1;
    int     k;
    for (k = 0; k < npy->shape.rank; k++)
        if (npy->shape.extent[k] == 0) return 0; /* the others may be anything */
    for (k = 0; k < npy->shape.rank; k++) n *= npy->shape.extent[k];
    return n;
}

/* One to three changes of the header, or of the length. */
static size_t mutate(char *file, size_t length)
{
    static const char *const words[] = { "(", ")", ",", "'", "{", "}", "9", "99999999999", "True",
                                         "shape", "-1", ":", "\"", "\\", "L", "[", "<f8", "|" };
    int                      changes = 1 + random_below(3);
    while (changes-- > 0 && length > 0) {
        const size_t      at = (size_t)random_below((int)(length < 140 ? length : 140));
        const char *const word = words[random_below(18)];
        const size_t      n = strlen(word);
        switch (random_below(5)) {
        case 0: file[at] = (char)random_below(256); break;
        case 1: file[at] ^= (char)(1 << random_below(8)); break;
        case 2: length = at; break;
        case 3: memmove(file + at, file + at + 1, length - at - 1), length--; break;
        default:
            memmove(file + at + n, file + at, length - at);
            memcpy(file + at, word, n);
            length += n;
        }
    }
    return length;
}

int main(void)
{
    static char file[8192];
    const int   count = TEST_COUNT(400000);
    int         k, accepted = 0;
    CHECK(sizeof file > IRLC_NPY_HEADER + 4 * 4 * 4 * 4 * 8 + 3 * 12);
    check_forms();
    for (k = 0; k < count; k++) {
        irlc_npy npy, again;
        char     problem[IRLC_PROBLEM];
        size_t   length, begin;
        draw(&npy);
        npy.begin = begin = write_npy(&npy, file);
        length = begin + (size_t)(elements(&npy) * npy.size);
        memset(file + begin, 0x5a, length - begin);
        if (k % 8 == 0)
            CHECK(begin % 64 == 0 && reads(file, length, &again, problem) &&
                  memcmp(&npy.shape, &again.shape, sizeof npy.shape) == 0 &&
                  npy.kind == again.kind && npy.size == again.size &&
                  npy.is_big == again.is_big && npy.is_fortran == again.is_fortran &&
                  npy.begin == again.begin);
        length = mutate(file, length);
        if (!reads(file, length, &again, problem)) continue;
        accepted++;
        CHECK(again.begin <= length &&
              (uint64_t)elements(&again) * (uint64_t)again.size == length - again.begin);
    }
    CHECK(accepted > count / 1000 && accepted < count);
    printf("%d headers, of the changed ones %d are read\n", count, accepted);
    return TEST_DONE();
}
