/* file.c - the user's own source file, so that a diagnostic can show the line that was written.

   needs     stdio where there is a libc, and stat where the system has it; memory.c
   promises  only a regular file is opened (a pipe would wait, a device need not end), and nothing
             larger than IRL__MOST_SOURCE is read. If memory is out, if the file has changed, or
             without a libc (IRL_NO_FILES, IRL_NO_LIBC_ALLOCATOR), the diagnostic shows the text
             that the library has */
#include "base.h"

#if !defined(IRL_NO_LIBC_ALLOCATOR) && !defined(IRL_NO_FILES)
#include <stdio.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/stat.h>
#endif

enum { IRL__MOST_SOURCE = 1 << 22 }; /* bytes */

/* Neither a folder nor a pipe nor a device, where the system says what it is. */
static int irl__file_is_regular(const char *name)
{
#if defined(__unix__) || defined(__APPLE__)
    struct stat info;
    return stat(name, &info) == 0 && S_ISREG(info.st_mode);
#else
    return name[0] != '\0';
#endif
}

irl__file irl__file_read(irl_ctx *cx, const char *name)
{
    irl__file file = { NULL, 0 };
    FILE     *f = name[0] && irl__file_is_regular(name) ? fopen(name, "rb") : NULL;
    if (!f) return file;
    /* Its bytes; 0: it has none, too many, or cannot be wound back. */
    long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
    file.bytes = size > 0 && size <= (long)IRL__MOST_SOURCE && fseek(f, 0, SEEK_SET) == 0
                     ? (size_t)size
                     : 0;
    file.text = file.bytes ? (char *)irl__raw_try(cx, file.bytes) : NULL;
    if (file.text && fread(file.text, 1, file.bytes, f) != file.bytes) irl__file_free(cx, &file);
    fclose(f);
    return file;
}
#else
irl__file irl__file_read(irl_ctx *cx, const char *name)
{
    irl__file file = { NULL, 0 };
    (void)cx, (void)name;
    return file;
}
#endif

void irl__file_free(irl_ctx *cx, irl__file *file)
{
    irl__raw_free(cx, file->text, file->bytes);
    file->text = NULL;
}
