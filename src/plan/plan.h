/* plan.h - what is chosen for a user before anything is lowered: an image for a tensor.

   needs     arith */
#ifndef IRL__PLAN_H
#define IRL__PLAN_H

#include "../arith/arith.h"

#endif
