/* fmt.c - `irlc fmt`: a function, a module or a graph as the printer writes it.

   Reductions and updates are written as loops, as the printer does. Comments keep their
   neighbouring tokens (comments.c). Schedules after a function are not changed. With
   --constants name, neither are the definitions before it. */
#include "irlc.h"

#include <stdlib.h>

/* Returns the end of the last token of the function, the module or the graph. After it come
   schedules and their comments, or nothing. */
static const char *end_of_head(const char *text)
{
    const char *p = text, *end = text;
    int         depth = 0;
    while (*p) {
        const char *next = skip_comment(p);
        if (next == p) next = skip_quoted(p);
        if (next != p) {
            if (*p != '/') end = next;
            p = next;
            continue;
        }
        depth += *p == '{' || *p == '(' || *p == '[';
        depth -= *p == '}' || *p == ')' || *p == ']';
        if (!depth && strncmp(p, "schedule", 8) == 0 && strchr(" \t\r\n{/", p[8]) &&
            (p == text || strchr("}/ \t\r\n", p[-1])))
            break;
        if (!strchr(" \t\r\n", *p)) end = p + 1;
        p++;
    }
    p = skip_any(end, " \t"); /* a comment on the line of its end is its own */
    return end == text ? end : skip_comment(p) != p ? skip_comment(p) : end;
}

static const char *text_of(const irlc_program *p, int by_name)
{
    if (p->is_module) return irl_module_text(p->module);
    if (!by_name) return p->graph ? irl_graph_text(p->graph) : irl_func_text(p->f);
    return after_definitions(p->graph ? irl_graph_text_named(p->graph) : irl_func_text_named(p->f));
}

/* The text as it is to be, in memory to be freed; NULL with status. */
static char *formatted(const irlc_args *args, const char *text, int by_name, irlc_status *status)
{
    const char  *end = end_of_head(text), *begin = text;
    irlc_program p;
    char        *head = NULL, *whole = NULL;
    *status = IRLC_YES;
    memset(&p, 0, sizeof p);
    parse_program(args, &p, text, (size_t)(end - text), args->item[0]);
    if (by_name && !p.is_module) begin = after_definitions(text);
    if (irl_ok(args->cx)) head = with_comments(begin, end, text_of(&p, by_name));
    if (!irl_ok(args->cx)) *status = failed(args);
    else if (!head) *status = bad_input(args, "the file is too large", args->item[0]);
    if (!head) return NULL;
    const char *rest = skip_any(end, " \t\r\n");
    size_t      room = (size_t)(begin - text) + strlen(head) + strlen(rest) + 2;
    whole = (char *)malloc(room);
    if (!whole) *status = bad_input(args, "the file is too large", args->item[0]);
    else snprintf(whole, room, "%.*s%s%s%s", (int)(begin - text), text, head,
                  *head && head[strlen(head) - 1] == '\n' ? "" : "\n", rest);
    free(head);
    return whole;
}

irlc_status command_fmt(const irlc_args *args)
{
    irlc_status status;
    size_t      length = 0;
    const char *constants = value_of(args, OPT_CONSTANTS, "value");
    const int   by_name = strcmp(constants, "name") == 0;
    if (!by_name && strcmp(constants, "value") != 0)
        return bad_word(args, "--constants is value or name; found", constants);
    char       *text = read_file(args->item[0], &length);
    if (!text) return bad_input(args, "cannot read the file", args->item[0]);
    if (strlen(text) != length) {
        free(text);
        return bad_input(args, "the file holds a NUL", args->item[0]);
    }
    char *whole = formatted(args, text, by_name, &status);
    if (status == IRLC_YES && !has(args, OPT_CHECK_FILE)) say("%s", whole);
    if (status == IRLC_YES && has(args, OPT_CHECK_FILE) && strcmp(whole, text) != 0)
        status = refused(args, IRL_ERROR_UNSUPPORTED, "irlc fmt would change the file");
    free(whole);
    free(text);
    return status;
}
