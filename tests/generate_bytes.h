/* generate_bytes.h - functions that store and load values of several types in memory of bytes,
   through views of it.

   needs     generate.h
   promises  a seed gives the same function always; values are small and not negative, so that each
             type holds them; what is read was written */
#ifndef IRL_GENERATE_BYTES_H
#define IRL_GENERATE_BYTES_H

static gen_case gen_bytes_function(uint64_t seed)
{
    static const char *const types[] = { "f32", "i16", "u32", "f64", "i64", "u16", "i32", "i8" };
    static const int         bytes[] = { 4, 2, 4, 8, 8, 2, 4, 1 };
    uint64_t                 state = seed * 977 + 5;
    int                      pick[6], k;
    char                     text[900];
    gen_case                 c;
    for (k = 0; k < 6; k++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        pick[k] = (int)(state >> 60) % 8;
    }
    const int from = pick[0], to = pick[1], size = 64 / bytes[from], at = pick[2] % 4;
    const int room = 64 / bytes[to] - at, count = room < size ? room : size;
    memset(&c, 0, sizeof c);
    c.seed = seed;
    snprintf(text, sizeof text,
             "func bytes(x: u8[64], y: u8[64], z: %s[8]) {\n"
             "    decl v: %s[%d] data(x);\n    decl w: %s[%d] data(y);\n"
             "    for (i: %d)\n        v[i] = %s(i * %d + %d);\n"
             "    for (i: %d)\n        w[i + %d] = %s(v[%d - i]) + %s(%d);\n"
             "    for (i: 8)\n        z[i] = %s(w[i * 5 %% %d + %d]) - %s(v[i * 3 %% %d]);\n}\n",
             pick[3] % 2 ? "f32" : "i32", types[from], size, types[to], 64 / bytes[to], size,
             types[from], 1 + pick[4] % 2, pick[5], count, at, types[to], count - 1, types[to],
             pick[4], pick[3] % 2 ? "f32" : "i32", count, at, pick[3] % 2 ? "f32" : "i32", size);
    c.text = (char *)gen_kept(malloc(strlen(text) + 1));
    strcpy(c.text, text);
    gen_case_param(&c, "x", IRL_U8, 1, 64, 0);
    gen_case_param(&c, "y", IRL_U8, 1, 64, 0);
    gen_case_param(&c, "z", pick[3] % 2 ? IRL_F32 : IRL_I32, 1, 8, 0);
    return c;
}

#endif
