/* svg.c - the head of an SVG document, texts.

   needs     only texts
   promises  well-formed XML in which every class begins with irl-, so that a page can contain
             several pictures */
#include "svg.h"

/* g heading, h heading of a panel, a axis, l label, v bad verdict; n in the middle, e at the end;
   c in a cell, w in a red one, m above a walk; k cell, p padding, u unknown, r of the witness, q
   others that share; f frame, j what joins the witness, i behind it, o its ends; y walk, z its
   arrows, s its start; b box of a loop, k2 an access in it on x0 (read) to x3. A list of texts,
   because C99 knows literals of 4095 characters. */
static const char *const irl__svg_style[] = {
    "text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
    "font-size:11.5px;fill:#1f2328}"
    ".irl-g{font-size:13px;font-weight:600}.irl-h{font-weight:600}.irl-a{font-style:italic;"
    "fill:#57606a}.irl-l{fill:#57606a}.irl-v{fill:#cf222e;font-weight:600}"
    ".irl-n{text-anchor:middle}.irl-e{text-anchor:end}",
    ".irl-c{text-anchor:middle;fill:#17202a;pointer-events:none}.irl-w{fill:#fff;font-weight:600}"
    ".irl-k{stroke:#fff;stroke-width:1.5}.irl-p{fill:url(#irl-hatch);stroke:#8c959f;"
    "stroke-width:.7}.irl-u{fill:none;stroke:#8c959f;stroke-dasharray:2 2}"
    ".irl-r{fill:#d1242f;stroke:#fff;stroke-width:1.5}.irl-q{fill:#ffb3ad;stroke:#fff;"
    "stroke-width:1.5}",
    ".irl-f{fill:none;stroke:#1f2328;stroke-width:2;stroke-linecap:square}"
    ".irl-i{fill:none;stroke:#fff;stroke-width:5}.irl-j{fill:none;stroke:#82071e;"
    "stroke-width:2.5}.irl-o{fill:#82071e;stroke:#fff;stroke-width:1.5}"
    ".irl-y{fill:none;stroke:#24292f;stroke-width:1.3;stroke-linejoin:round}"
    ".irl-z{fill:none;stroke:none;marker-end:url(#irl-arrow)}.irl-s{fill:#24292f}"
    ".irl-m{paint-order:stroke;stroke:#fff;stroke-opacity:.75;stroke-width:3.5px}"
    ".irl-b{fill:#818b98;fill-opacity:.06;stroke:#8c959f}.irl-k2{fill:#17202a}"
    ".irl-x0{fill:#b6d6ff}.irl-x1{fill:#ffdf8a}.irl-x2{fill:#d8c4ff}.irl-x3{fill:#d0d7de}",
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.irl-a,.irl-l{fill:#9ba4ae}"
    ".irl-v{fill:#ff7b72}.irl-c{fill:#17202a}.irl-w{fill:#fff}.irl-k,.irl-r,.irl-q{stroke:#0d1117}"
    ".irl-f{stroke:#f0f6fc}"
    ".irl-k2{fill:#17202a}}"
};

void irl__svg_escape(irl__text *t, const char *text)
{
    for (; *text; text++) {
        if (*text == '<') irl__text_puts(t, "&lt;");
        else if (*text == '>') irl__text_puts(t, "&gt;");
        else if (*text == '&') irl__text_puts(t, "&amp;");
        else if (*text == '"') irl__text_puts(t, "&quot;");
        else irl__text_putc(t, *text);
    }
}

void irl__svg_open(irl__text *t, int width, int height, const char *title)
{
    irl__textf(t,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
               "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
               width, height, width, height);
    irl__svg_escape(t, title);
    irl__text_puts(t, "</title>\n<style>");
    for (size_t k = 0; k < IRL__COUNTOF(irl__svg_style); k++) irl__text_puts(t, irl__svg_style[k]);
    irl__text_puts(t,
                   "</style>\n<defs><pattern id=\"irl-hatch\" width=\"6\" height=\"6\" "
                   "patternUnits=\"userSpaceOnUse\"><path d=\"M-1 7L7 -1M-1 1L1 -1M5 7L7 5\" "
                   "stroke=\"#8c959f\" stroke-width=\"1.1\"/></pattern>"
                   "<marker id=\"irl-arrow\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" "
                   "markerWidth=\"6\" markerHeight=\"6\" "
                   "markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
                   "<path d=\"M0 0L6 3L0 6z\" fill=\"#24292f\"/></marker></defs>\n");
}

void irl__svg_close(irl__text *t) { irl__text_puts(t, "</svg>\n"); }

void irl__svg_text(irl__text *t, const char *classes, int x, int y, const char *text)
{
    if (!text[0]) return;
    irl__textf(t, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, classes);
    irl__svg_escape(t, text);
    irl__text_puts(t, "</text>\n");
}
