"""From a program to the text of an OpenCL kernel: irlayout beside Halide, TVM and tinygrad, on a
ReLU and a 3x3 convolution whose buffers are stored as NCHW4c; and the verdict on that layout, with
its inverse, beside TVM's. Schedules are plain and nothing is searched; "scheduled" is irlayout's
automatic schedule and tinygrad's heuristics.

needs     python3 with numpy and any of: halide, apache-tvm, tinygrad; build/bench/compile
promises  for each kernel: the least processor time of many runs in one process, in microseconds

    bench/peers/run.sh compile [--show]      installs what it needs first; --show prints the kernels

irlayout starts from text, the others from their own objects, which Python makes within the time. No
OpenCL compiler runs in any of them. Halide lowers to a module that holds the OpenCL text, and
makes no code for the host; TVM runs its default pipeline and the code generator of the device
alone; tinygrad schedules and renders with its caches of schedules and programs off.
"""
import multiprocessing, os, re, subprocess, sys, time

os.environ.update(DEV="NULL", SCACHE="0", CACHELEVEL="0")  # of tinygrad


# ---------------------------------------------------------------------- Halide

def halide():
    """Halide has no layouts: / and % by hand, the axis that is contiguous in memory first."""
    import halide as hl
    import numpy as np
    target = hl.Target("x86-64-linux-opencl-no_asserts-no_bounds_query-no_runtime")
    c4, w, h, co, n, c = [hl.Var(name) for name in ("c4", "w", "h", "co", "n", "c")]

    def dense(buffer, *extents):
        stride = 1
        for k, extent in enumerate(extents):
            buffer.dim(k).set_bounds(0, extent).set_stride(stride)
            stride *= extent

    def param(name, *extents):
        p = hl.ImageParam(hl.Float(32), len(extents), name)
        dense(p, *extents)
        return p

    def stored(f):
        y = hl.Func("y")
        y[c4, w, h, co, n] = f[co * 4 + c4, w, h, n]
        dense(y.output_buffer(), 4, 56, 56, 16, 1)
        y.vectorize(c4).gpu_blocks(h, co).gpu_threads(w)
        return y

    def relu():
        x, f = param("x", 4, 56, 56, 16, 1), hl.Func("f")
        f[c, w, h, n] = hl.max(x[c % 4, w, h, c / 4, n], 0.0)
        return stored(f), [x]

    def convolution():
        x, k = param("x", 4, 58, 58, 16, 1), param("k", 4, 3, 3, 64, 16)
        f, r = hl.Func("f"), hl.RDom([(0, 64), (0, 3), (0, 3)])
        f[c, w, h, n] = 0.0
        f[c, w, h, n] += (x[r.x % 4, w + r.y, h + r.z, r.x / 4, n]
                          * k[c % 4, r.y, r.z, r.x, c / 4])
        y = stored(f)
        f.compute_at(y, w).bound_extent(c, 4).vectorize(c).update().vectorize(c)
        return y, [x, k]

    def source(made):
        module = made[0].compile_to_module(made[1], "kernel", target)
        return lambda: b"".join(np.array(b).tobytes() for b in module.buffers()[1:]).decode()
    return [("relu", relu, source), ("convolution", convolution, source)]


# ---------------------------------------------------------------------- TVM

def tvm():
    import tvm
    from tvm import te, tirx
    from tvm.s_tir import Schedule
    from tvm.tirx.build import split_host_device_mods
    target = tvm.target.Target("opencl", host="c")
    generate = tvm.get_global_func("target.build.opencl")
    nchw4c = lambda n, h, w, c: (n, c // 4, h, w, c % 4)

    def bound(s, b):
        n, h, w, c, *reduced = s.get_loops(b)
        co, ci = s.split(c, (None, 4))
        s.reorder(co, h, w, *reduced, ci)
        s.bind(co, "blockIdx.y")
        s.bind(h, "blockIdx.x")
        s.bind(w, "threadIdx.x")
        s.vectorize(ci)
        if reduced: s.decompose_reduction(b, reduced[0])
        return s.mod

    def relu():
        x = te.placeholder((1, 56, 56, 64), "float32", "x")
        y = te.compute(x.shape, lambda *at: te.max(x[at], tirx.const(0.0, "float32")), "y")
        s = Schedule(te.create_prim_func([x, y]))
        b = s.get_sblock("y")
        s.transform_layout(b, ("read", 0), nchw4c)
        s.transform_layout(b, ("write", 0), nchw4c)
        return bound(s, b)

    def convolution():
        x = te.placeholder((1, 58, 58, 64), "float32", "x")
        k = te.placeholder((3, 3, 64, 64), "float32", "k")
        r, t, i = [te.reduce_axis((0, e)) for e in (3, 3, 64)]
        y = te.compute((1, 56, 56, 64), lambda n, h, w, o: te.sum(
            x[n, h + r, w + t, i] * k[r, t, i, o], axis=[r, t, i]), "y")
        s = Schedule(te.create_prim_func([x, k, y]))
        b = s.get_sblock("y")
        s.transform_layout(b, ("read", 0), nchw4c)
        s.transform_layout(b, ("read", 1), lambda r, t, i, o: (o // 4, i, r, t, o % 4))
        s.transform_layout(b, ("write", 0), nchw4c)
        return bound(s, b)

    def source(made):
        pipeline, _, finish = tirx.get_default_tir_pipeline(target)
        _, device = split_host_device_mods(pipeline(tirx.transform.BindTarget(target)(made)))
        (of, module), = device.items()
        text = generate(finish()(module), of).inspect_source()
        return lambda: text

    def verdict():
        inverse = tirx.IndexMap.from_func(nchw4c).inverse([1, 56, 56, 64])  # raises where none is
        return lambda: str(inverse)
    return [("relu", relu, source), ("convolution", convolution, source),
            ("verdict", verdict, lambda made: made)]


# ---------------------------------------------------------------------- tinygrad

def tinygrad():
    from tinygrad import Tensor, codegen
    from tinygrad.helpers import Context, Target
    from tinygrad.renderer.cstyle import OpenCLRenderer
    from tinygrad.uop.ops import Ops
    renderer = OpenCLRenderer(Target("CL"))

    def relu():
        x = Tensor.empty(1, 16, 56, 56, 4).permute(0, 2, 3, 1, 4).reshape(1, 56, 56, 64)
        return x.relu().reshape(1, 56, 56, 16, 4).permute(0, 3, 1, 2, 4).contiguous()

    def convolution():
        x = Tensor.empty(1, 16, 58, 58, 4).permute(0, 1, 4, 2, 3).reshape(1, 64, 58, 58)
        k = Tensor.empty(16, 64, 3, 3, 4).permute(0, 4, 1, 2, 3).reshape(64, 64, 3, 3)
        return x.conv2d(k).reshape(1, 16, 4, 56, 56).permute(0, 1, 3, 4, 2).contiguous()

    def source(made):
        kernel, = [u.src[0] for u in made.schedule_linear().src if u.src[0].op is Ops.SINK]
        lines = codegen.linearize(codegen.full_rewrite_to_sink(kernel, renderer))
        text = renderer.render(codegen.line_rewrite(lines, codegen.pm_linearize_cleanups))
        return lambda: text

    def plain(made):
        with Context(NOOPT=1): return source(made)
    return [("relu", relu, plain), ("convolution", convolution, plain),
            ("convolution, scheduled", convolution, source)]


# ---------------------------------------------------------------------- all of it

def least(program, source):
    best, begin, runs = 1e9, time.process_time(), 0
    while runs < 10 or time.process_time() - begin < 3:
        start = time.process_time()
        text = source(program())
        best = min(best, time.process_time() - start)
        runs += 1
    return best * 1e6, text()


OURS = {"relu": "ReLU with", "convolution": "3x3 convolution, text",
        "convolution, scheduled": "3x3 convolution, scheduled", "verdict": "verdict on"}


def ours():
    run = subprocess.run(["build/bench/compile", "programs"], capture_output=True, text=True)
    return {name: float(re.search(row + r".* ([0-9.]+) us", run.stdout)[1])
            for name, row in OURS.items()}


def peer(tool, us):
    for name, program, source in tool():
        t, text = least(program, source)
        print(f"{tool.__name__:10s} {name:24s} {t:10.1f} us {t / us[name]:8.0f} of ours"
              + ("" if "__kernel" in text or name == "verdict" else "   NO KERNEL"), flush=True)
        if "--show" in sys.argv: print(text)


def main():
    us = ours()
    for name, t in us.items(): print(f"irlayout   {name:24s} {t:10.1f} us", flush=True)
    for tool in (halide, tvm, tinygrad):  # each in a process of its own
        one = multiprocessing.Process(target=peer, args=(tool, us))
        one.start()
        one.join()


main()
