/* status.c - what a command answers to a script: the exit statuses, and how a command says no.

   The library's table of diagnostics (src/base/diags.h) says what each means; nothing else does. */
#include "irlc.h"

#include <stdarg.h>
#include <stdlib.h>

typedef struct args_text {
    const char *key, *value;
    int         is_first;
} args_text;

/* A text as a JSON string without a context: there may be none yet. */
static void print_string(const char *s)
{
    if (!s) {
        say("null");
        return;
    }
    say("%c", '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') say("\\%c", c);
        else if (c < 32 || c > 126) say("\\u%04x", c);
        else say("%c", c);
    }
    say("%c", '"');
}

static void print_member(const args_text *m, irl_ctx *cx)
{
    const char *text = cx && m->value ? irl_json_text(cx, m->value) : NULL;
    say("%s\"%s\": ", m->is_first ? "{" : ", ", m->key);
    if (text) say("%s", text);
    else print_string(m->value);
}

/* With --json a failure is one object on standard output, in parts, once. `found` and `expected`
   are those of a message "... is expected; found ...", else the message is what was found. */
static void print_failure(const irlc_args *args, irlc_status status, const char *code,
                          const irl_diag *d, const char *text, const char *message,
                          const char *found, const char *hint)
{
    const char *split = strstr(message, "; found"), *start = message;
    char        expected[sizeof d->message];
    args_text   member[] = { { "command", NULL, 1 }, { "code", NULL, 0 },  { "text", NULL, 0 },
                             { "file", NULL, 0 },    { "found", NULL, 0 }, { "expected", NULL, 0 },
                             { "hint", NULL, 0 } };
    irl_ctx    *cx = args->cx;
    if (!args->reported || *args->reported) return;
    *args->reported = 1;
    if (strncmp(start, "expected ", strlen("expected ")) == 0) start += strlen("expected ");
    snprintf(expected, sizeof expected, "%.*s",
             split ? (int)(split - start) : (int)strlen(start), start);
    member[0].value = args->command;
    member[1].value = code;
    member[2].value = text;
    member[3].value = d && d->file[0] ? d->file : NULL;
    member[4].value = found ? found : split ? split + strlen("; found ") : message;
    member[5].value = found || split ? expected : NULL;
    member[6].value = hint;
    for (int k = 0; k < 7; k++) {
        print_member(&member[k], cx);
        if (k == 3) say(", \"line\": %d, \"column\": %d", d ? d->line : 0, d ? d->column : 0);
    }
    say(", \"refusal\": ");
    print_refusal(cx, d ? irl_schedule_refusal(cx) : NULL);
    say(", \"status\": %d}\n", (int)status);
}

irlc_status bad_input(const irlc_args *args, const char *what, const char *which)
{
    char text[1024];
    snprintf(text, sizeof text, "irlc %s: %s%s%s", args->command, what, which ? ": " : "",
             which ? which : "");
    fprintf(stderr, "%s\n", text);
    print_failure(args, IRLC_BAD_INPUT, irl_code_name(IRL_ERROR_BAD_ARGUMENT), NULL, text, what,
                  which, irl_code_remedy(IRL_ERROR_BAD_ARGUMENT));
    return IRLC_BAD_INPUT;
}

irlc_status failed(const irlc_args *args) { return failed_hint(args, NULL); }

irlc_status failed_hint(const irlc_args *args, const char *hint)
{
    const irl_diag *d = irl_diag_of(args->cx);
    const char     *text = d ? irl_diag_text(args->cx) : "irlc: failed without a diagnostic";
    irlc_status     status = d ? (irlc_status)irl_code_outcome(d->code) : IRLC_BAD_INPUT;
    fprintf(stderr, "%s\n", text);
    if (hint) fprintf(stderr, "irlc %s: %s\n", args->command, hint);
    print_failure(args, status, d ? irl_code_name(d->code) : NULL, d, text,
                  d ? d->message : text, NULL, hint || !d ? hint : d->remedy);
    return status;
}

irlc_status refused(const irlc_args *args, irl_code code, const char *text)
{
    irlc_status status = (irlc_status)irl_code_outcome(code);
    fprintf(stderr, "%s\n", text);
    print_failure(args, status, irl_code_name(code), NULL, text, text, NULL,
                  irl_code_remedy(code));
    return status;
}

irlc_status written(irlc_status status)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    fputs("irlc: the result cannot be written\n", stderr);
    return IRLC_BAD_INPUT;
}

void print_codes(FILE *out)
{
    fputs("The exit status for each code of a diagnostic, which is [code] at the end of its first "
          "line:\n", out);
    for (int status = IRLC_NO; status <= IRLC_UNDECIDED; status++) {
        int column = fprintf(out, "    %d ", status);
        for (int code = IRL_OK + 1; code < IRL__CODE_COUNT; code++) {
            const char *name = irl_code_name((irl_code)code);
            if ((int)irl_code_outcome((irl_code)code) != status) continue;
            if (column + 1 + (int)strlen(name) > 100) column = fprintf(out, "\n      ") - 1;
            column += fprintf(out, " %s", name);
        }
        fputc('\n', out);
    }
}

irlc_status write_text(const irlc_args *args, const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    if (!f) return bad_input(args, "cannot write", path);
    int is_right = fputs(text, f) >= 0;
    is_right &= fclose(f) == 0;
    return is_right ? IRLC_YES : bad_input(args, "cannot write", path);
}

/* What a command prints: with -o FILE a text that is kept until the command ends. */
static struct irlc_said {
    const char *path; /* NULL: nothing is kept */
    int         is_beside; /* it is printed on stderr */
    char       *text;
    size_t      length, room;
    int         is_lost; /* there was no memory for it */
} said;

void say_to(const char *path)
{
    memset(&said, 0, sizeof said);
    if (path && strcmp(path, "-") != 0) said.path = path;
}

void say_beside(void) { said.is_beside = 1; }

void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = said.path ? vsnprintf(NULL, 0, format, args)
                      : vfprintf(said.is_beside ? stderr : stdout, format, args);
    va_end(args);
    if (!said.path || n < 0 || said.is_lost) return;
    if (said.room - said.length <= (size_t)n) {
        const size_t room = 2 * said.room + (size_t)n + 1024;
        char        *text = (char *)realloc(said.text, room);
        said.is_lost = !text;
        if (!text) return;
        said.text = text, said.room = room;
    }
    va_start(args, format);
    vsnprintf(said.text + said.length, (size_t)n + 1, format, args);
    va_end(args);
    said.length += (size_t)n;
}

irlc_status say_end(const irlc_args *args, irlc_status status)
{
    const int is_result = status == IRLC_YES || (status != IRLC_BAD_INPUT && said.length);
    if (said.path && said.is_lost) status = bad_input(args, "no memory for the text of", said.path);
    else if (said.path && is_result) {
        const irlc_status end = write_text(args, said.path, said.text ? said.text : "");
        if (end != IRLC_YES) status = end;
    }
    free(said.text);
    return status;
}
