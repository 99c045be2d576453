/* status.c - what a command answers to a script: the exit statuses, and how a command says no.

   The library's table of diagnostics (src/base/diags.h) says what each means; nothing else does. */
#include "irlc.h"

irlc_status bad_input(const irlc_args *args, const char *what, const char *which)
{
    fprintf(stderr, "irlc %s: %s%s%s\n", args->command, what, which ? ": " : "",
            which ? which : "");
    return IRLC_BAD_INPUT;
}

irlc_status failed(const irlc_args *args)
{
    const irl_diag *d = irl_diagnostic(args->cx);
    fprintf(stderr, "%s\n", d ? irl_diag_text(args->cx) : "irlc: failed without a diagnostic");
    return d ? (irlc_status)irl_code_outcome(d->code) : IRLC_BAD_INPUT;
}

irlc_status written(irlc_status status)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    fputs("irlc: the result cannot be written\n", stderr);
    return IRLC_BAD_INPUT;
}

void print_codes(FILE *out)
{
    int status, code, column;
    fputs("A diagnostic's code, [code] at the end of its first line, and what it ends in:\n", out);
    for (status = IRLC_NO; status <= IRLC_UNDECIDED; status++) {
        column = fprintf(out, "    %d ", status);
        for (code = IRL_OK + 1; code < IRL__CODE_COUNT; code++) {
            const char *name = irl_code_name((irl_code)code);
            if ((int)irl_code_outcome((irl_code)code) != status) continue;
            if (column + 1 + (int)strlen(name) > 100) column = fprintf(out, "\n      ") - 1;
            column += fprintf(out, " %s", name);
        }
        fputc('\n', out);
    }
}
