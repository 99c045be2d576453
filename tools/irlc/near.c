/* near.c - the name that was meant: the nearest of those that there are. */
#include "irlc.h"

void look_near(const char *word, const char *name, const char **near, int *edits)
{
    if (irl_name_is_nearer(word, name, edits)) *near = name;
}

irlc_status bad_name(const irlc_args *args, const char *what, const char *given,
                     const char *before, const char *near)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s%s%s%s", given, near ? "; did you mean " : "",
             near ? before : "", near ? near : "", near ? "?" : "");
    return bad_input(args, what, text);
}

irlc_status no_name(const irlc_args *args, const char *what, const char *given,
                    const char *(*name)(int k))
{
    const char *near = NULL;
    int         edits = 0;
    for (int k = 0; name(k) && *name(k); k++) look_near(given, name(k), &near, &edits);
    /* a part of a name is nearer than a name with other letters: stm32-mdma for mdma */
    for (int k = 0; strlen(given) > 2 && name(k) && *name(k); k++)
        if (strstr(name(k), given)) return bad_name(args, what, given, "", name(k));
    return bad_name(args, what, given, "", near);
}

irlc_status bad_word(const irlc_args *args, const char *what, const char *given)
{
    char        word[32], best[32];
    const char *at = strstr(what, " is "), *near = NULL;
    int         edits = 0;
    for (at = at ? at + 4 : what; *at && *at != ';'; at += strspn(at, ", ")) {
        const size_t n = strcspn(at, ", ;");
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        at += n;
        if (strcmp(word, "or") == 0 || !irl_name_is_nearer(given, word, &edits)) continue;
        near = strcpy(best, word);
    }
    return bad_name(args, what, given, "", near);
}
