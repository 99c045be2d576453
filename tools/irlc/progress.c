/* progress.c - what is being done, on stderr, where that takes more than a second.

   Only for a person who looks: stderr is a terminal, and NO_COLOR is not set. A line at 1, 2, 4, 8
   seconds, then each 10, with its own end, so that it meets no other output. The clock is a
   signal where there are any; elsewhere it is looked at when something new is begun. */
#if !defined(_WIN32) && !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 600
#endif
#include "irlc.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#if defined(_WIN32)
#include <io.h>
#define isatty _isatty
#else
#include <unistd.h>
#endif

/* What a signal may read: it gets no argument. */
static const char *volatile    command, *volatile doing;
static volatile sig_atomic_t   done_parts, all_parts, seconds, is_on;

/* Seconds at which a line is due. */
static int is_due(int s) { return s == 1 || s == 2 || s == 4 || s == 8 || (s && s % 10 == 0); }

static char *add_text(char *at, const char *end, const char *text)
{
    while (*text && at < end) *at++ = *text++;
    return at;
}

static char *add_number(char *at, const char *end, int value)
{
    char digits[16], *d = digits + sizeof digits;
    *--d = '\0';
    do *--d = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    return add_text(at, end, d);
}

/* "irlc tune: 4 s, timing candidate 2 of 8"; nothing that a signal may not call. */
static size_t line_now(char *line, size_t room)
{
    char       *at = line;
    const char *end = line + room - 1;
    at = add_text(at, end, "irlc ");
    at = add_text(at, end, command);
    at = add_text(at, end, ": ");
    at = add_number(at, end, (int)seconds);
    at = add_text(at, end, " s, ");
    at = add_text(at, end, doing);
    if (all_parts > 0) {
        at = add_text(at, end, " ");
        at = add_number(at, end, (int)done_parts);
        at = add_text(at, end, " of ");
        at = add_number(at, end, (int)all_parts);
    }
    *at++ = '\n';
    return (size_t)(at - line);
}

#if defined(_WIN32)
static void start_clock(void) {}
static void look_at_clock(void)
{
    static time_t begin;
    char          line[256];
    const time_t  now = time(NULL);
    int           s;
    if (!begin) begin = now;
    for (s = (int)(now - begin); s > seconds && !is_due(s);) s--;
    if (s <= seconds) return;
    seconds = s;
    fwrite(line, 1, line_now(line, sizeof line), stderr);
}
#else
static void second_went(int signal_number)
{
    char      line[256];
    const int was = errno; /* of what the signal came into */
    (void)signal_number;
    seconds = seconds + 1;
    if (!is_due((int)seconds) || write(2, line, line_now(line, sizeof line)) >= 0) alarm(1);
    errno = was;
}

static void start_clock(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = second_went;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) == 0) alarm(1);
}

static void look_at_clock(void) {}
#endif

void progress_begin(const char *name)
{
    const char *none = getenv("NO_COLOR");
    command = name;
    doing = "working";
    is_on = isatty(2) && !(none && none[0]);
    if (is_on) start_clock();
}

void progress(const char *what, int64_t done, int64_t all)
{
    if (all > SIG_ATOMIC_MAX) all = 0; /* too many for what a signal may read */
    all_parts = 0; /* a signal between these lines says no wrong number */
    doing = what;
    done_parts = (sig_atomic_t)done;
    all_parts = (sig_atomic_t)all;
    if (is_on) look_at_clock();
}

void progress_end(void)
{
#if !defined(_WIN32)
    if (is_on) alarm(0);
#endif
    is_on = 0;
}
