/* lanes_targets.h - generated functions over images and vectors for every target: which form of a
   seed's function suits one.

   needs     generate_lanes.h before it */
#ifndef IRL_LANES_TARGETS_H
#define IRL_LANES_TARGETS_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

typedef struct lanes_target {
    const char *name;
    int         images, wide; /* whether it has images, and 64-bit integers */
} lanes_target;

static const lanes_target lanes_targets[] = { { "opencl12", 1, 1 }, { "opencl12-embedded", 1, 0 },
                                        { "strict", 1, 1 }, { "scalar", 0, 1 },
                                              { "glsl", 1, 0 } };

/* Seeds above LANES_PLAIN_SEEDS have normalised elements; the others keep the functions that they
   had before there were any. */
enum { LANES_TARGETS = 5, LANES_PLAIN_SEEDS = 10000 };

/* The seeds of a run without arguments, for `make soak`. */
static void lanes_seeds(int plain, int normalised)
{
    printf("seeds 1 to %d, normalised %d to %d\n", plain, LANES_PLAIN_SEEDS + 1,
           LANES_PLAIN_SEEDS + normalised);
}

static gen_case lanes_function_for(uint64_t seed, const lanes_target *target)
{
    gen_options options;
    memset(&options, 0, sizeof options);
    options.for_device = 1;
    /* one function of eight has types of 64 bits */
    options.narrow = seed % 8 != 0 || !target->wide;
    options.plain = !target->images;
    options.normalised = seed > LANES_PLAIN_SEEDS;
    return gen_lane_function(seed, options);
}

#endif
