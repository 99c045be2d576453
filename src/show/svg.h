/* svg.h - what files that write SVG share: the head of a document, texts.

   needs     show.h
   promises  what comes from a program is escaped */
#ifndef IRL__SVG_H
#define IRL__SVG_H

#include "show.h"

/* The head with its styles, and what all pictures use: hatching, arrows. */
IRL__FN void irl__svg_open(irl__text *t, int width, int height, const char *title);
IRL__FN void irl__svg_close(irl__text *t);
/* A text at a place, in classes of irl__svg_open's style; nothing for "". */
IRL__FN void irl__svg_text(irl__text *t, const char *classes, int x, int y, const char *text);
/* A text as it stands in XML and HTML. */
IRL__FN void irl__svg_escape(irl__text *t, const char *text);

#endif
