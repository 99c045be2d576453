/* lower_textures.c - in preparation. */
#include "pass.h"
