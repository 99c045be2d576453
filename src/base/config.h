/* config.h - how the library is compiled: linkage, limits, small portability.

   needs     the public part of irlayout.h (it is included from there or by a room's header)
   promises  no object, no function: macros only */
#ifndef IRL__CONFIG_H
#define IRL__CONFIG_H

#include "../../irlayout.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define IRL__MAYBE_UNUSED __attribute__((__unused__))
#else
#define IRL__MAYBE_UNUSED
#endif

/* The prototype alone carries the linkage: C99 6.2.2p5 lets a later plain definition inherit it. */
#if defined(IRL_SPLIT_BUILD)
#if defined(__GNUC__) || defined(__clang__)
#define IRL__FN extern __attribute__((__visibility__("hidden")))
#else
#define IRL__FN extern
#endif
#else
#define IRL__FN IRL__MAYBE_UNUSED static
#endif

#define IRL__COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* Expressions and statements nest at most this deep, so that recursion over them fits a small
   stack. */
#ifndef IRL_MAX_DEPTH
#define IRL_MAX_DEPTH 400
#endif

#endif
