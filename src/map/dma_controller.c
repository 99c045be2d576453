/* dma_controller.c - the rows of DMA controllers, and a row as a text: a key on each line.

   needs     the parser's tokens
   promises  a row that is accepted has limits that dma_fit.c can compare with; a text that is
             printed reads back as an equal row; a diagnostic names the key, what was found and what
             was expected

     name = "mine"  beats = 1, 2, 4  level_count = 1  level0_count_field = "COUNT" */
#include "dma.h"
#include "../text/parse.h"
#include "../text/print.h"

/* ------------------------------------------------------------------ the rows

   No list was run on a chip. The numbers are the widths of registers, which the sources name:
   generic: a list of (source, target, bytes) as scatter-gather engines take it.
   stm32-gpdma: channels with 2-D addressing. RM0456, chapter 17, and the comments of the HAL. A
     burst offset is taken to be added after every burst, the last of a block included.
   edma3: TI's EDMA3, parameter sets (SPRUFL1C, section 2.3) in AB-synchronized mode (section 2.2).
     LINK names the next set.
   rp2040: datasheet, section 2.5. CHx_TRANS_COUNT has 32 bits and counts beats; CHx_CTRL_TRIG:
     DATA_SIZE 1, 2 or 4 bytes, INCR_READ, INCR_WRITE, RING_SIZE 4 bits, at most 2^15 bytes,
     RING_SEL one side. A second channel writes control blocks (READ_ADDR, WRITE_ADDR, TRANS_COUNT,
     CTRL_TRIG) into the first, which starts it again by CHAIN_TO. So a list runs without the CPU.
   stm32-dma2d: mode memory to memory without conversion, where FGPFCCR.CM gives the size of a pixel
     on both sides. RM0456, chapter 20 (20.1: copies of a part of an image; 20.2: offsets in pixels
     or bytes), RM0455, chapter 18, and RM0433: registers DMA2D_NLR (PL 14 bits, NL 16 bits),
     DMA2D_FGOR and DMA2D_OOR (LO 14 bits without a sign, added after a line). LO counts pixels: LOM
     is 0, or does not exist. Where LO has 16 bits, a chip can do more than this row says. The CPU
     starts each transfer.
   stm32-mdma: RM0399, chapter 15; RM0433, chapter 14 (14.2: an increment wider than the data, to
     interleave; 14.3: the function). MDMA_CxTCR: SINC, DINC up or down, SINCOS, DINCOS 1, 2, 4 or 8
     bytes, not less than SSIZE, DSIZE. MDMA_CxBNDTR: BNDT 17 bits, at most 65536 bytes (HAL), BRC
     12 bits, the repeats after the first block, BRSUM and BRDUM the signs of SUV and DUV, 16 bits
     each (MDMA_CxBRUR), which are added to the address at which a block ended (HAL). MDMA_CxLAR
     names the next transfer. Fixed addresses and beats of 8 bytes are left out: both are forbidden
     on the AHB port.
   nxp-edma: a transfer control descriptor. Reference manuals of K22F (section 22.3), K64 and
     i.MX RT1060, registers TCDn.
     SSIZE, DSIZE 1, 2 or 4 bytes on both chips (8, 16 and 32 on one of them only); SOFF, DOFF 16
     bits with a sign, added after each access, multiples of the size; NBYTES 30 bits, but 10 bits
     where SMLOE or DMLOE adds MLOFF, 20 bits with a sign, to one or both addresses after a minor
     loop (EMLM is 1); BITER, CITER 15 bits without channel links. ESG loads the next descriptor.
     SMOD and DMOD are not used.
   esp32-gdma: ESP32-S3 technical reference manual, chapter GDMA, and dma_descriptor_t of ESP-IDF
     (hal/dma_types.h): linked descriptors, their size and length 12 bits of bytes. A transfer is a
     descriptor of an outlink and one of an inlink, in mode memory to memory. It is for internal RAM
     without bursts: external RAM needs aligned blocks. */
static const irl_dma_controller irl__dma_controllers[] = {
    { "generic", "a scatter-gather list: runs of bytes", 1 | 2 | 4 | 8, 0, 0, 1, "", 0, "", 0,
      { { "count", "", "", UINT32_MAX, 0, 0 } }, 0, 0, 0, 0, 0, "" },
    { "stm32-gpdma",
      "STM32 GPDMA, channels with 2-D addressing: bursts of beats, bursts to a block, blocks",
      1 | 2 | 4, 1, 1, 3, "BNDT", 65535, "", 0,
      { { "SBL_1", "SINC", "DINC", 64, 0, 0 },
        { "bursts", "SAO", "DAO", 65535, -8191, 8191 },
        { "BRC", "BRSAO", "BRDAO", 2048, -65535, 65535 } }, 0, 0, 0, 0, 0, "CLLR" },
    { "edma3", "TI EDMA3, AB-synchronized: arrays of bytes, arrays to a frame, frames", 1, 0, 0, 3,
      "", 0, "", 0,
      { { "ACNT", "", "", 65535, 0, 0 },
        { "BCNT", "SRCBIDX", "DSTBIDX", 65535, -32768, 32767 },
        { "CCNT", "SRCCIDX", "DSTCIDX", 65535, -32768, 32767 } }, 0, 0, 0, 0, 0, "LINK" },
    { "rp2040", "RP2040: a run of beats, one side of which may wrap at a power of two", 1 | 2 | 4,
      0, 1, 1, "", 0, "RING_SIZE", 15,
      { { "TRANS_COUNT", "INCR_READ", "INCR_WRITE", UINT32_MAX, 0, 0 } }, 0, 0, 0, 0, 0,
      "CHAIN_TO" },
    { "stm32-dma2d", "STM32 DMA2D, memory to memory: pixels to a line, lines", 1 | 2 | 4, 1, 0, 2,
      "", 0, "", 0,
      { { "PL", "", "", 16383, 0, 0 }, { "NL", "FGOR", "OOR", 65535, 0, 16383 } }, 0, 1, 0, 0, 0,
      "" },
    { "stm32-mdma", "STM32 MDMA: beats to a block, repeated blocks", 1 | 2 | 4, 1, 0, 2, "BNDT",
      65536, "", 0,
      { { "beats", "SINCOS", "DINCOS", 0, -8, 8 }, { "BRC", "SUV", "DUV", 4096, -65535, 65535 } },
      1, 0, 1, 0, 0, "LAR" },
    { "nxp-edma", "NXP eDMA: accesses to a minor loop, minor loops", 1 | 2 | 4, 1, 0, 2, "NBYTES",
      (INT64_C(1) << 30) - 1, "", 0,
      { { "accesses", "SOFF", "DOFF", 0, -32768, 32767 },
        { "CITER", "MLOFF", "MLOFF", 32767, -524288, 524287 } }, 1, 0, 0, 1, 1023, "ESG" },
    { "esp32-gdma", "ESP32-S3 GDMA, memory to memory: descriptors of bytes", 1, 0, 0, 1, "", 0, "",
      0, { { "size", "", "", 4095, 0, 0 } }, 0, 0, 0, 0, 0, "next" }
};

const char *irl_dma_controller_name(int k)
{
    return k >= 0 && (size_t)k < IRL__COUNTOF(irl__dma_controllers) ? irl__dma_controllers[k].name
                                                                    : NULL;
}

const irl_dma_controller *irl_dma_controller_find(const char *name)
{
    for (size_t k = 0; name && k < IRL__COUNTOF(irl__dma_controllers); k++)
        if (strcmp(irl__dma_controllers[k].name, name) == 0) return &irl__dma_controllers[k];
    return NULL;
}

/* ------------------------------------------------------------------ the keys */

typedef enum irl__dma_key_kind {
    IRL__DMA_KEY_TEXT,
    IRL__DMA_KEY_FLAG,
    IRL__DMA_KEY_INT,
    IRL__DMA_KEY_LONG,
    IRL__DMA_KEY_BEATS
} irl__dma_key_kind;

typedef struct irl__dma_key {
    const char       *name;
    irl__dma_key_kind kind;
    int               is_needed, may_be_null;
    size_t            at; /* in an irl_dma_controller, or in an irl_dma_level_limits */
    int64_t           least, most;
} irl__dma_key;

#define IRL__DMA_KEY(of, name, kind, needed, null, least, most) \
    { #name, IRL__DMA_KEY_##kind, needed, null, offsetof(irl_dma_##of, name), least, most }
static const irl__dma_key irl__dma_keys[] = {
    IRL__DMA_KEY(controller, name, TEXT, 1, 0, 0, 0),
    IRL__DMA_KEY(controller, doc, TEXT, 0, 1, 0, 0),
    IRL__DMA_KEY(controller, beats, BEATS, 1, 0, 1, 127),
    IRL__DMA_KEY(controller, is_relative, FLAG, 0, 0, 0, 1),
    IRL__DMA_KEY(controller, may_stay, FLAG, 0, 0, 0, 1),
    IRL__DMA_KEY(controller, level_count, INT, 1, 0, 1, IRL_DMA_LEVELS),
    IRL__DMA_KEY(controller, block_field, TEXT, 0, 0, 0, 0),
    IRL__DMA_KEY(controller, block_bytes, LONG, 0, 0, 0, INT64_MAX),
    IRL__DMA_KEY(controller, ring_field, TEXT, 0, 0, 0, 0),
    IRL__DMA_KEY(controller, ring_bits, INT, 0, 0, 0, 47),
    IRL__DMA_KEY(controller, block_levels, INT, 0, 0, 0, IRL_DMA_LEVELS),
    IRL__DMA_KEY(controller, steps_in_beats, FLAG, 0, 0, 0, 1),
    IRL__DMA_KEY(controller, has_power_steps, FLAG, 0, 0, 0, 1),
    IRL__DMA_KEY(controller, has_one_step, FLAG, 0, 0, 0, 1),
    IRL__DMA_KEY(controller, offset_block_bytes, LONG, 0, 0, 0, INT64_MAX),
    IRL__DMA_KEY(controller, chain_field, TEXT, 0, 1, 0, 0)
};
static const irl__dma_key irl__dma_level_keys[] = {
    IRL__DMA_KEY(level_limits, count_field, TEXT, 1, 0, 0, 0),
    IRL__DMA_KEY(level_limits, source_field, TEXT, 0, 0, 0, 0),
    IRL__DMA_KEY(level_limits, target_field, TEXT, 0, 0, 0, 0),
    IRL__DMA_KEY(level_limits, most_count, LONG, 0, 0, 0, INT64_MAX),
    IRL__DMA_KEY(level_limits, least_step, LONG, 0, 0, INT64_MIN, INT64_MAX),
    IRL__DMA_KEY(level_limits, most_step, LONG, 0, 0, INT64_MIN, INT64_MAX)
};
#undef IRL__DMA_KEY
enum {
    IRL__DMA_KEYS = sizeof irl__dma_keys / sizeof irl__dma_keys[0],
    IRL__DMA_LEVEL_KEYS = sizeof irl__dma_level_keys / sizeof irl__dma_level_keys[0],
    IRL__DMA_ALL_KEYS = IRL__DMA_KEYS + IRL_DMA_LEVELS * IRL__DMA_LEVEL_KEYS
};

/* Key k of all, the keys of level 0 after those of the controller: its row, its level or -1, its
   name, and where its value is in a controller. */
typedef struct irl__dma_key_place {
    const irl__dma_key *key;
    int                 level;
    size_t              at;
    char                name[32];
} irl__dma_key_place;

static irl__dma_key_place irl__dma_key_at(int k)
{
    irl__dma_key_place p;
    irl__text          t;
    irl__text_init_fixed(&t, p.name, sizeof p.name);
    p.level = k < IRL__DMA_KEYS ? -1 : (k - IRL__DMA_KEYS) / IRL__DMA_LEVEL_KEYS;
    p.key = p.level < 0 ? &irl__dma_keys[k]
                        : &irl__dma_level_keys[(k - IRL__DMA_KEYS) % IRL__DMA_LEVEL_KEYS];
    p.at = p.key->at;
    if (p.level >= 0) {
        p.at += offsetof(irl_dma_controller, level) +
                (size_t)p.level * sizeof(irl_dma_level_limits);
        irl__textf(&t, "level%d_", p.level);
    }
    irl__text_puts(&t, p.key->name);
    return p;
}

static int64_t irl__dma_key_number(const irl_dma_controller *c, const irl__dma_key_place *p)
{
    const char *at = (const char *)c + p->at;
    return p->key->kind == IRL__DMA_KEY_LONG ? *(const int64_t *)(const void *)at
                                             : *(const int *)(const void *)at;
}

static const char *irl__dma_key_text(const irl_dma_controller *c, const irl__dma_key_place *p)
{
    return *(const char *const *)(const void *)((const char *)c + p->at);
}

/* ------------------------------------------------------------------ checks */

/* A comment in C can contain it. NULL is right for a text that says "" if it is left out. */
static int irl__dma_key_text_ok(const irl__dma_key_place *p, const char *s)
{
    if (!s) return p->key->may_be_null;
    for (; *s; s++)
        if (*s < ' ' || *s > '~' || (s[0] == '*' && s[1] == '/') || (s[0] == '/' && s[1] == '*'))
            return 0;
    return 1;
}

static int irl__dma_key_number_ok(irl_ctx *cx, const irl__dma_key_place *p, int64_t n,
                                  irl_loc where)
{
    return (n >= p->key->least && n <= p->key->most) ||
           irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where,
                     p->key->kind == IRL__DMA_KEY_BEATS
                         ? "a controller's %s are powers of two from 1 to 64, their sum %l .. %l; "
                           "found %l"
                         : "a controller's %s is %l .. %l; found %l",
                     p->name, p->key->least, p->key->most, n);
}

static int irl__dma_key_ok(irl_ctx *cx, const irl_dma_controller *c, const irl__dma_key_place *p,
                           irl_loc where)
{
    if (p->key->kind != IRL__DMA_KEY_TEXT)
        return irl__dma_key_number_ok(cx, p, irl__dma_key_number(c, p), where);
    return irl__dma_key_text_ok(p, irl__dma_key_text(c, p)) ||
           irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where,
                     "a controller's %s is a text of printable ASCII characters without the "
                     "beginning or the end of a comment of C", p->name);
}

/* What two keys say together. `at`: where the text states each key, or NULL. */
static int irl__dma_keys_agree(irl_ctx *cx, const irl_dma_controller *c, const irl_loc *at)
{
    irl_loc where = irl__nowhere();
    if (at) where = at[0];
    for (int k = 0; k < c->level_count; k++)
        if (c->level[k].least_step > c->level[k].most_step)
            return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where, "controller %s: level%d_least_step "
                             "is %l, more than level%d_most_step, which is %l", c->name, k,
                             c->level[k].least_step, k, c->level[k].most_step);
    if (c->ring_bits && c->level_count > 1)
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where,
                         "controller %s: one that wraps (ring_bits is %d) has one level; "
                         "level_count is %d", c->name, c->ring_bits, c->level_count);
    if (c->block_levels > c->level_count)
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where, "controller %s: block_levels is %d, "
                         "but level_count is %d", c->name, c->block_levels, c->level_count);
    if (c->offset_block_bytes && c->offset_block_bytes < 64)
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where,
                         "controller %s: offset_block_bytes is 0, or at least 64, the largest "
                         "beat; found %l", c->name, c->offset_block_bytes);
    return 1;
}

int irl__dma_controller_ok(irl_ctx *cx, const irl_dma_controller *c, const irl_loc *at)
{
    for (int k = 0; k < IRL__DMA_ALL_KEYS; k++) {
        const irl__dma_key_place p = irl__dma_key_at(k);
        if (p.level < c->level_count &&
            !irl__dma_key_ok(cx, c, &p, at && at[k].source ? at[k] : irl__nowhere()))
            return 0;
    }
    return irl__dma_keys_agree(cx, c, at);
}

/* ------------------------------------------------------------------ printing */

const char *irl_dma_controller_text(irl_ctx *cx, const irl_dma_controller *c)
{
    irl__text t;
    if (!cx || !irl__ok(cx) || !c || !irl__dma_controller_ok(cx, c, NULL)) return "";
    irl__text_init(&t, cx);
    for (int k = 0; k < IRL__DMA_ALL_KEYS; k++) {
        const irl__dma_key_place p = irl__dma_key_at(k);
        const int     is_text = p.key->kind == IRL__DMA_KEY_TEXT;
        const char   *text = is_text ? irl__dma_key_text(c, &p) : NULL;
        const int64_t n = is_text ? 0 : irl__dma_key_number(c, &p);
        if (p.level >= c->level_count ||
            (!p.key->is_needed && (is_text ? !text || !*text : n == 0)))
            continue;
        irl__textf(&t, "%s = ", p.name);
        if (is_text) irl__print_quoted(&t, text, '"');
        else if (p.key->kind == IRL__DMA_KEY_FLAG) irl__text_puts(&t, n ? "true" : "false");
        else if (p.key->kind != IRL__DMA_KEY_BEATS) irl__text_int(&t, n);
        else
            for (int64_t beat = 1, before = 0; beat <= 64; beat *= 2)
                if (n & beat) irl__textf(&t, before++ ? ", %l" : "%l", beat);
        irl__text_putc(&t, '\n');
    }
    return irl__text_or_empty(irl__text_done(&t));
}

/* ------------------------------------------------------------------ reading */

typedef struct irl__dma_row_reader {
    irl_dma_controller c;
    irl_loc            at[IRL__DMA_ALL_KEYS]; /* of the value of each key that the text states */
} irl__dma_row_reader;

static int irl__dma_read_number(irl__parser *p, int64_t *out)
{
    const int      is_negative = irl__accept(p, '-');
    const uint64_t n = p->token.integer;
    if (p->token.kind != IRL__TOKEN_INTEGER) return irl__unexpected(p, "a number");
    if (n > (uint64_t)INT64_MAX + (uint64_t)is_negative)
        return IRL__FAIL_AT(p, IRL_ERROR_BAD_ARGUMENT, p->token.offset, "%u does not fit 64 bits",
                            n);
    *out = is_negative ? -(int64_t)(n - 1) - 1 : (int64_t)n;
    irl__next(p);
    return 1;
}

/* 1, 2, 4: each a power of two. */
static int irl__dma_read_beats(irl__parser *p, int64_t *beats)
{
    *beats = 0;
    do {
        const irl_loc at = irl__here(p);
        int64_t       n = 0;
        if (!irl__dma_read_number(p, &n)) return 0;
        if (n < 1 || n > 64 || (n & (n - 1)))
            return irl__fail(p->cx, IRL_ERROR_BAD_ARGUMENT, at,
                             "a beat has 1, 2, 4, 8, 16, 32 or 64 bytes; found %l", n);
        *beats |= n;
    } while (irl__accept(p, ','));
    return 1;
}

static int irl__dma_read_value(irl__parser *p, irl_dma_controller *c,
                               const irl__dma_key_place *place)
{
    char         *at = (char *)c + place->at;
    const irl_loc where = irl__here(p);
    const int     is_true = irl__token_is(&p->token, "true");
    int64_t       n = is_true;
    switch (place->key->kind) {
    case IRL__DMA_KEY_TEXT:
        if (p->token.kind != IRL__TOKEN_STRING) return irl__unexpected(p, "a text in quotes");
        *(const char **)(void *)at = irl__token_string(p);
        irl__next(p);
        return irl__ok(p->cx) && irl__dma_key_ok(p->cx, c, place, where);
    case IRL__DMA_KEY_FLAG:
        if (!is_true && !irl__token_is(&p->token, "false"))
            return irl__unexpected(p, "true or false");
        irl__next(p);
        break;
    case IRL__DMA_KEY_BEATS:
        if (!irl__dma_read_beats(p, &n)) return 0;
        break;
    default:
        if (!irl__dma_read_number(p, &n)) return 0;
    }
    if (!irl__dma_key_number_ok(p->cx, place, n, where)) return 0;
    if (place->key->kind == IRL__DMA_KEY_LONG) *(int64_t *)(void *)at = n;
    else *(int *)(void *)at = (int)n;
    return 1;
}

/* "unexpected 'x'; expected a key: name, doc, ..." */
static int irl__dma_no_key(irl__parser *p)
{
    char      names[512];
    irl__text t;
    irl__text_init_fixed(&t, names, sizeof names);
    irl__text_puts(&t, "a key: ");
    for (int k = 0; k < IRL__DMA_KEYS; k++) irl__textf(&t, "%s, ", irl__dma_keys[k].name);
    irl__text_puts(&t, "or of a level ");
    for (int k = 0; k < IRL__DMA_LEVEL_KEYS; k++)
        irl__textf(&t, k ? ", level0_%s" : "level0_%s", irl__dma_level_keys[k].name);
    irl__unexpected(p, names);
    irl__hint(p->cx, "write a line key = value for each limit; irlc dma --as controller prints the "
                     "lines of a known controller");
    return 0;
}

/* One line: a key and its value. */
static int irl__dma_read_line(irl__parser *p, irl__dma_row_reader *r)
{
    irl__dma_key_place place = irl__dma_key_at(0);
    int                k = 0;
    while (k < IRL__DMA_ALL_KEYS && !irl__token_is(&p->token, place.name))
        if (++k < IRL__DMA_ALL_KEYS) place = irl__dma_key_at(k);
    if (k == IRL__DMA_ALL_KEYS) return irl__dma_no_key(p);
    if (r->at[k].source)
        return IRL__FAIL_AT(p, IRL_ERROR_DUPLICATE_NAME, p->token.offset, "'%s' is stated twice",
                            place.name);
    irl__next(p);
    if (!irl__expect(p, '=', "'=' and a value")) return 0;
    r->at[k] = irl__here(p);
    return irl__dma_read_value(p, &r->c, &place);
}

static const irl_dma_controller *irl__dma_read_row(irl__parser *p)
{
    irl__dma_row_reader r;
    memset(&r, 0, sizeof r);
    r.c.doc = r.c.block_field = r.c.ring_field = r.c.chain_field = "";
    for (int k = 0; k < IRL_DMA_LEVELS; k++)
        r.c.level[k].count_field = r.c.level[k].source_field = r.c.level[k].target_field = "";
    while (p->token.kind != IRL__TOKEN_END)
        if (!irl__dma_read_line(p, &r)) return NULL;
    for (int k = 0; k < IRL__DMA_ALL_KEYS; k++) {
        const irl__dma_key_place place = irl__dma_key_at(k);
        const int is_used = place.level < r.c.level_count;
        if (place.key->is_needed && is_used && !r.at[k].source)
            return (IRL__FAIL_AT(p, IRL_ERROR_BAD_ARGUMENT, p->token.offset, "the controller has "
                                 "no %s: write a line '%s = ...'", place.name,
                                 place.name), (const irl_dma_controller *)NULL);
        if (!is_used && r.at[k].source)
            return (irl__fail(p->cx, IRL_ERROR_BAD_ARGUMENT, r.at[k],
                              "'%s' is stated, but level_count is %d: the levels are 0 .. %d",
                              place.name, r.c.level_count, r.c.level_count - 1),
                    (const irl_dma_controller *)NULL);
    }
    if (!irl__dma_controller_ok(p->cx, &r.c, r.at)) return NULL;
    return IRL__COPY(p->cx, irl_dma_controller, &r.c, 1);
}

const irl_dma_controller *irl_dma_controller_parse(irl_ctx *cx, const char *text, size_t length,
                                                   const char *file)
{
    irl__parser p;
    if (!irl__parse_begin(&p, cx, text, length, file, 1, 0)) return NULL;
    const irl_dma_controller *c = irl__dma_read_row(&p);
    return irl__parse_end(&p) ? c : NULL;
}
