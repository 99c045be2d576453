/* runtime_binary.c - a directory of built programs, if the user wants one: irl_ocl_desc.binaries.

   needs     runtime.c; stdio
   promises  a program is taken from the directory only if all of its input is equal: the source,
             the device, its driver and the build options, which the file holds and which are
             compared, not only their hash. A program whose file is truncated, changed or foreign is
             built again, and so is one that the device refuses. A file is first written under
             another name and then renamed, so a reader never sees a part of one. Only memory can
             fail here: a program that cannot be stored is not stored
   cost      reading and writing a file of the program's size */
#include "runtime.h"
#include <stdio.h>
#include <time.h>

enum { IRL__BINARY_HEAD = 32, IRL__BINARY_WORDS = 256, IRL__BINARY_MOST = 1 << 22 };

static const char irl__binary_magic[] = "IRLPROG1";

/* What a program is found by, in scratch memory of the caller. */
typedef struct irl__binary_key {
    char  *text; /* all that it is made of */
    size_t bytes;
    char  *name; /* of the file */
} irl__binary_key;

static uint64_t irl__binary_hash(uint64_t hash, const char *data, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++) { /* FNV-1a */
        hash ^= (unsigned char)data[k];
        hash *= UINT64_C(1099511628211);
    }
    return hash;
}

static uint64_t irl__binary_sum(const char *key, size_t key_bytes, const char *data, size_t bytes)
{
    return irl__binary_hash(
        irl__binary_hash(UINT64_C(14695981039346656037), key, key_bytes), data, bytes);
}

static void irl__binary_put(unsigned char *at, uint64_t value)
{
    for (int k = 0; k < 8; k++) at[k] = (unsigned char)(value >> (8 * k) & 255);
}

static uint64_t irl__binary_get(const char *at)
{
    uint64_t value = 0;
    for (int k = 8; k-- > 0;) value = value << 8 | (unsigned char)at[k];
    return value;
}

/* ------------------------------------------------------------------ the key */

/* DIRECTORY/HASH.bin, the hash of 128 bits. */
static char *irl__binary_name(const irl_ocl *cl, const char *text, size_t bytes)
{
    static const char hex[] = "0123456789abcdef";
    const size_t n = cl->binaries_bytes - 1;
    char        *name = (char *)irl__scratch_alloc(cl->cx, n + 40, 1);
    uint64_t     hash[2];
    if (!name) return NULL;
    hash[0] = irl__binary_hash(UINT64_C(14695981039346656037), text, bytes);
    hash[1] = irl__binary_hash(hash[0] ^ UINT64_C(0x9e3779b97f4a7c15), text, bytes);
    memcpy(name, cl->binaries, n);
    name[n] = '/';
    for (int k = 0; k < 32; k++) name[n + 1 + (size_t)k] = hex[hash[k / 16] >> (4 * (k % 16)) & 15];
    memcpy(name + n + 33, ".bin", 5);
    return name;
}

static int irl__binary_key_of(const irl_ocl *cl, const char *source, irl__binary_key *key)
{
    char         device[4 * IRL__BINARY_WORDS];
    const size_t count = strlen(source);
    size_t       n, options = cl->options_bytes;
    /* What the device says of itself, each in a line. */
    const size_t                room = sizeof device;
    static const cl_device_info asked[] = {CL_DEVICE_VENDOR, CL_DEVICE_NAME, CL_DEVICE_VERSION,
                                           CL_DRIVER_VERSION};
    size_t                      k, j = 0;
    for (k = 0; k < IRL__COUNTOF(asked); k++) {
        size_t bytes = 0;
        if (clGetDeviceInfo(cl->device, asked[k], room - j - 1, device + j, &bytes) != CL_SUCCESS)
            return 0;
        j += strlen(device + j);
        device[j++] = '\n';
        device[j] = '\0';
    }
    n = strlen(device);
    key->bytes = n + options + count;
    key->text = (char *)irl__scratch_alloc(cl->cx, key->bytes + 1, 1);
    if (!key->text) return 0;
    memcpy(key->text, device, n);
    memcpy(key->text + n, cl->options, options); /* with its end */
    memcpy(key->text + n + options, source, count);
    key->name = irl__binary_name(cl, key->text, key->bytes);
    return key->name != NULL;
}

/* ------------------------------------------------------------------ from a file */

/* The program in the file's bytes; NULL: it is not this one, or not whole. */
static const char *irl__binary_in(const irl__file *file, const irl__binary_key *key, size_t *bytes)
{
    const char *text = file->text ? file->text + IRL__BINARY_HEAD : NULL;
    if (!text || file->bytes <= IRL__BINARY_HEAD + key->bytes ||
        memcmp(file->text, irl__binary_magic, 8) != 0 ||
        irl__binary_get(file->text + 8) != key->bytes)
        return NULL;
    *bytes = file->bytes - IRL__BINARY_HEAD - key->bytes;
    return irl__binary_get(file->text + 16) == *bytes &&
                   memcmp(text, key->text, key->bytes) == 0 &&
                   irl__binary_get(file->text + 24) ==
                       irl__binary_sum(text, key->bytes, text + key->bytes, *bytes)
               ? text + key->bytes
               : NULL;
}

static cl_program irl__binary_program(irl_ocl *cl, const char *data, size_t bytes)
{
    const unsigned char *binary = (const unsigned char *)data;
    cl_int         status = CL_SUCCESS, taken = CL_SUCCESS;
    cl_program           program =
        clCreateProgramWithBinary(cl->context, 1, &cl->device, &bytes, &binary, &taken, &status);
    if (status != CL_SUCCESS) return NULL;
    if (taken == CL_SUCCESS &&
        clBuildProgram(program, 1, &cl->device, cl->options, NULL, NULL) == CL_SUCCESS)
        return program;
    clReleaseProgram(program);
    return NULL;
}

cl_program irl__runtime_kept_program(irl_ocl *cl, const char *source)
{
    irl__binary_key key;
    cl_program      program = NULL;
    if (!cl->binaries) return NULL;
    irl__arena_mark mark = irl__scratch_begin(cl->cx);
    if (irl__binary_key_of(cl, source, &key)) {
        irl__file   file = irl__file_read(cl->cx, key.name);
        size_t      bytes = 0;
        const char *data = irl__binary_in(&file, &key, &bytes);
        if (data) program = irl__binary_program(cl, data, bytes);
        if (file.text) irl__file_free(cl->cx, &file);
    }
    irl__scratch_end(cl->cx, mark);
    cl->made.binaries += program != NULL;
    return program;
}

/* ------------------------------------------------------------------ into a file */

/* Of the one device; 0: there is none, or too much. */
static size_t irl__binary_size(cl_program program)
{
    cl_uint devices = 0;
    size_t  bytes = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof devices, &devices, NULL) !=
            CL_SUCCESS ||
        devices != 1 ||
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) !=
            CL_SUCCESS)
        return 0;
    return bytes < IRL__BINARY_MOST ? bytes : 0;
}

static int irl__binary_write(const char *name, const irl__binary_key *key, const char *data,
                             size_t bytes)
{
    unsigned char head[IRL__BINARY_HEAD];
    FILE    *f = fopen(name, "wb");
    int      ok;
    if (!f) return 0;
    memcpy(head, irl__binary_magic, 8);
    irl__binary_put(head + 8, key->bytes);
    irl__binary_put(head + 16, bytes);
    irl__binary_put(head + 24, irl__binary_sum(key->text, key->bytes, data, bytes));
    ok = fwrite(head, 1, sizeof head, f) == sizeof head &&
         fwrite(key->text, 1, key->bytes, f) == key->bytes && fwrite(data, 1, bytes, f) == bytes;
    return (fclose(f) == 0) & ok;
}

/* Under a name that others do not take at this time, then under its own. */
static void irl__binary_place(irl_ctx *cx, const irl__binary_key *key, const char *data,
                              size_t bytes)
{
    const size_t n = strlen(key->name);
    char        *name = (char *)irl__scratch_alloc(cx, n + 20, 1);
    uint64_t     own = (uint64_t)(uintptr_t)data ^ (uint64_t)time(NULL) << 20 ^ (uint64_t)clock();
    if (!name) return;
    memcpy(name, key->name, n);
    name[n] = '.';
    for (int k = 0; k < 16; k++) name[n + 1 + (size_t)k] = (char)('a' + (own >> (4 * k) & 15));
    if (!irl__binary_write(name, key, data, bytes) || rename(name, key->name) != 0) remove(name);
}

void irl__runtime_keep_program(irl_ocl *cl, const char *source, cl_program program)
{
    irl__binary_key key;
    const size_t    bytes = cl->binaries ? irl__binary_size(program) : 0;
    unsigned        char  *data = bytes ? (unsigned char *)irl__raw_try(cl->cx, bytes) : NULL;
    if (!data) return;
    irl__arena_mark mark = irl__scratch_begin(cl->cx);
    if (irl__binary_key_of(cl, source, &key) &&
        key.bytes + bytes < IRL__BINARY_MOST - IRL__BINARY_HEAD &&
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, NULL) == CL_SUCCESS)
        irl__binary_place(cl->cx, &key, (const char *)data, bytes);
    irl__scratch_end(cl->cx, mark);
    irl__raw_free(cl->cx, data, bytes);
}
