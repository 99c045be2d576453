/* fuzz_parse.c - libFuzzer over the parser, the verifier, the printer and equality.

     clang -g -O1 -fsanitize=fuzzer,address,undefined -I. -I/usr/include/stb tests/fuzz_parse.c -lm
     -o build/fuzz_parse build/fuzz_parse -max_len=4096 -max_total_time=600

   Any bytes give a diagnostic or an object; what is valid reads back equal from its printed
   form. */
#define IRLAYOUT_IMPLEMENTATION
#include "../irlayout.h"

#include <stdlib.h>

static void require(int ok)
{
    if (!ok) abort();
}

static void fuzz_func(irl_ctx *cx, const char *text, size_t length)
{
    irl_func   *f = irl_func_parse(cx, text, length, NULL), *again;
    const char *printed;
    require((f != NULL) == irl_ok(cx));
    if (!f || !irl__verify(f)) return;
    printed = irl_func_text(f);
    again = irl_func_parse(cx, printed, strlen(printed), NULL);
    require(again && irl_func_equal(f, again) && irl__verify(again));
}

static void fuzz_module(irl_ctx *cx, const char *text, size_t length)
{
    irl_module *m = irl_module_parse(cx, text, length, NULL), *again;
    const char *printed;
    require((m != NULL) == irl_ok(cx));
    if (!m || !irl__verify_module(m)) return;
    printed = irl_module_text(m);
    again = irl_module_parse(cx, printed, strlen(printed), NULL);
    require(again && irl_module_equal(m, again) && irl__verify_module(again));
}

static void fuzz_map(irl_ctx *cx, const char *text, size_t length)
{
    char          *copy = (char *)malloc(length + 1);
    const irl_map *m, *again;
    if (!copy) return;
    memcpy(copy, text, length);
    copy[length] = '\0';
    m = irl_map_parse(cx, copy);
    free(copy);
    require((m != NULL) == irl_ok(cx));
    if (!m) return;
    again = irl_map_parse(cx, irl_map_text(cx, m));
    require(again && irl__map_equal_text(m, again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    const char *text = (const char *)data;
    if (size && cx) {
        if (text[0] == '(') fuzz_map(cx, text, size);
        else if (text[0] == 'm') fuzz_module(cx, text, size);
        else fuzz_func(cx, text, size);
    }
    irl_ctx_destroy(cx);
    return 0;
}
