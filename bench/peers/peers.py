"""Peers of irl_schedule_auto: the texts of bench/auto.c said again for Halide's autoschedulers, TVM
and tinygrad, each on one thread, results compared with numpy's.

needs     python3 with numpy and any of: halide, apache-tvm, tinygrad; build/bench/auto
promises  for each case: the least time of irlayout's own run and of each peer, in microseconds

    bench/peers/run.sh peers [CASE [ROUNDS]]      installs what it needs first
"""
import multiprocessing, os, re, subprocess, sys, time

os.environ.update(POCL_MAX_PTHREAD_COUNT="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
                  TVM_NUM_THREADS="1", HL_NUM_THREADS="1", CPU="1", DEV="CPU", THREADS="0",
                  CPU_COUNT="1", NUMPY_MADVISE_HUGEPAGE="0")  # pages as the OpenCL device has them
import numpy as np

random = np.random.default_rng(1)


def data(*shape):
    return random.integers(-4, 5, shape).astype(np.float32)


# ---------------------------------------------------------------------- what is computed

def product(m, n, k, a_turned=0, b_turned=0, batch=0):
    more = (batch,) if batch else ()
    x = data(*more, *((k, m) if a_turned else (m, k)))
    w = data(*more, *((n, k) if b_turned else (k, n)))
    turn = lambda a, yes: np.swapaxes(a, -1, -2) if yes else a
    return dict(kind="product", x=x, w=w, a_turned=a_turned, b_turned=b_turned, batch=batch,
                m=m, n=n, k=k, y=turn(x, a_turned) @ turn(w, b_turned))


def convolution(size, window, stride, cin, cout, groups=1):
    side = (size - 1) * stride + window
    x = data(1, side, side, cin)
    w = data(window, window, cin // groups, cout)
    y = np.zeros((1, size, size, cout), np.float32)
    for r in range(window):
        for s in range(window):
            part = x[:, r:r + (size - 1) * stride + 1:stride, s:s + (size - 1) * stride + 1:stride]
            y += part * w[r, s, 0] if groups > 1 else part @ w[r, s]
    return dict(kind="convolution", x=x, w=w, y=y, size=size, window=window, stride=stride,
                groups=groups, cin=cin, cout=cout)


def plain(kind, x, y, **more):
    return dict(kind=kind, x=x, y=y.astype(np.float32), w=None, **more)


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def norm(x):
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)


def pool(x):
    return np.max([x[:, r:r + 109:2, s:s + 109:2] for r in range(3) for s in range(3)], 0)


def stencil(x):
    return .5 * x[1:-1, 1:-1] + .125 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])


def cases():
    yield "product 512", product(512, 512, 512)
    yield "product 512, second transposed", product(512, 512, 512, 0, 1)
    yield "product 512, first transposed", product(512, 512, 512, 1, 0)
    yield "product 1000x37x513", product(1000, 37, 513)
    yield "products, 8 of 128x128x64", product(128, 128, 64, batch=8)
    x = data(2048, 2048)
    yield "transpose 2048", plain("transpose", x, x.T.copy())
    x = data(4096, 4096)
    yield "sums of rows, 4096, free", plain("rows", x, x.sum(1))
    yield "sums of columns, 4096", plain("columns", x, x.sum(0))
    x = data(128, 1024)
    yield "softmax 128x1024", plain("softmax", x, softmax(x))
    yield "layer norm 128x1024", plain("norm", x, norm(x))
    x = data(1, 112, 112, 64)
    yield "largest of 3x3, stride 2", plain("pool", x, pool(x))
    x = data(32, 7, 7, 2048)
    yield "mean of 7x7, 32 of 2048 channels", plain("mean", x, x.mean((1, 2)))
    x = data(2050, 2050)
    yield "stencil of 5 points, 2048", plain("stencil", x, stencil(x))
    yield "convolution 3x3, border in x", convolution(56, 3, 1, 64, 64)
    yield "convolution 1x1, 256 to 64", convolution(56, 1, 1, 256, 64)
    yield "convolution, depthwise 3x3", convolution(112, 3, 1, 32, 32, 32)
    yield "convolution 7x7, stride 2, 3 to 64", convolution(112, 7, 2, 3, 64)


def least(call, rounds):
    best = 1e9
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best * 1e6


def same(c, found):
    return np.allclose(found.reshape(c["y"].shape), c["y"], rtol=1e-3, atol=1e-3)


# ---------------------------------------------------------------------- Halide

def halide_func(hl, c, x, w):
    """In Halide's order: the axis that goes on in memory is the first."""
    i, j, k, l = hl.Var("i"), hl.Var("j"), hl.Var("k"), hl.Var("l")
    f, kind = hl.Func("f"), c["kind"]
    reduce = lambda *extents: hl.RDom([(0, e) for e in extents])
    if kind == "product":
        r = reduce(c["k"])
        more, at = ((k,), (j, i, k)) if c["batch"] else ((), (j, i))
        a = (i, r.x) if c["a_turned"] else (r.x, i)
        b = (r.x, j) if c["b_turned"] else (j, r.x)
        f[at] = 0.0
        f[at] += x[(*a, *more)] * w[(*b, *more)]
    elif kind == "convolution":
        st = c["stride"]
        at = (i, j, k, l)
        f[at] = 0.0
        if c["groups"] > 1:
            r = reduce(c["window"], c["window"])
            f[at] += x[i, j * st + r.x, k * st + r.y, l] * w[i, 0, r.x, r.y]
        else:
            r = reduce(c["cin"], c["window"], c["window"])
            f[at] += x[r.x, j * st + r.y, k * st + r.z, l] * w[i, r.x, r.y, r.z]
    elif kind == "transpose":
        f[i, j] = x[j, i]
    elif kind in ("rows", "columns"):
        r = reduce(4096)
        f[i] = 0.0
        f[i] += x[r.x, i] if kind == "rows" else x[i, r.x]
    elif kind == "softmax":
        r, m, s, e = reduce(1024), hl.Func("m"), hl.Func("s"), hl.Func("e")
        m[j] = -3e38
        m[j] = hl.max(m[j], x[r.x, j])
        e[i, j] = hl.exp(x[i, j] - m[j])
        s[j] = 0.0
        s[j] += e[r.x, j]
        f[i, j] = e[i, j] / s[j]
    elif kind == "norm":
        r, m, s = reduce(1024), hl.Func("m"), hl.Func("s")
        m[j] = 0.0
        m[j] += x[r.x, j] / 1024.0
        s[j] = 0.0
        s[j] += (x[r.x, j] - m[j]) * (x[r.x, j] - m[j])
        f[i, j] = (x[i, j] - m[j]) / hl.sqrt(s[j] / 1024.0 + 0.00001)
    elif kind == "pool":
        r = reduce(3, 3)
        f[i, j, k, l] = -3e38
        f[i, j, k, l] = hl.max(f[i, j, k, l], x[i, j * 2 + r.x, k * 2 + r.y, l])
    elif kind == "mean":
        r = reduce(7, 7)
        f[i, j] = 0.0
        f[i, j] += x[i, r.x, r.y, j] / 49.0
    else:
        f[i, j] = 0.5 * x[i + 1, j + 1] + 0.125 * (x[i + 1, j] + x[i + 1, j + 2] + x[i, j + 1]
                                                   + x[i + 2, j + 1])
    return f


def halide(c, scheduler, rounds):
    import halide as hl
    plugin = f"lib64/libautoschedule_{scheduler.lower()}.so"
    hl.load_plugin(os.path.join(os.path.dirname(hl.__file__), plugin))
    inputs = [hl.Buffer(np.ascontiguousarray(a)) for a in (c["x"], c["w"]) if a is not None]
    params = [hl.ImageParam(hl.Float(32), a.dimensions()) for a in inputs]
    for p, a in zip(params, inputs):
        p.set(a)
        p.set_estimates([(0, a.dim(k).extent()) for k in range(a.dimensions())])
    f = halide_func(hl, c, *params, *([None] * (2 - len(params))))
    out = np.zeros(c["y"].shape, np.float32)
    o = hl.Buffer(out)
    f.set_estimates([(0, o.dim(k).extent()) for k in range(o.dimensions())])
    p = hl.Pipeline(f)
    target = hl.get_host_target()
    p.apply_autoscheduler(target, hl.AutoschedulerParams(scheduler, {"parallelism": "1"}))
    p.compile_jit(target)
    p.realize(o)
    return least(lambda: p.realize(o), rounds), same(c, out)


# ---------------------------------------------------------------------- TVM

def tvm_func(te, tir, c, x, w):
    kind, shape = c["kind"], c["y"].shape
    axis = lambda *extents: [te.reduce_axis((0, e)) for e in extents]
    if kind == "product":
        k, = axis(c["k"])
        def at(*v):
            more, (i, j) = v[:-2], v[-2:]
            a = (k, i) if c["a_turned"] else (i, k)
            b = (j, k) if c["b_turned"] else (k, j)
            return te.sum(x[(*more, *a)] * w[(*more, *b)], axis=k)
        return [te.compute(shape, at)]
    if kind == "convolution":
        st = c["stride"]
        r, s, k = axis(c["window"], c["window"], c["cin"])
        if c["groups"] > 1:
            return [te.compute(shape, lambda n, h, v, o: te.sum(
                x[n, h * st + r, v * st + s, o] * w[r, s, 0, o], axis=[r, s]))]
        return [te.compute(shape, lambda n, h, v, o: te.sum(
            x[n, h * st + r, v * st + s, k] * w[r, s, k, o], axis=[r, s, k]))]
    if kind == "transpose":
        return [te.compute(shape, lambda i, j: x[j, i])]
    if kind in ("rows", "columns"):
        k, = axis(4096)
        return [te.compute(shape, lambda i: te.sum(x[i, k] if kind == "rows" else x[k, i], axis=k))]
    if kind == "softmax":
        k, l = axis(1024, 1024)
        m = te.compute((128,), lambda i: te.max(x[i, k], axis=k))
        e = te.compute(shape, lambda i, j: te.exp(x[i, j] - m[i]))
        s = te.compute((128,), lambda i: te.sum(e[i, l], axis=l))
        return [te.compute(shape, lambda i, j: e[i, j] / s[i])]
    if kind == "norm":
        k, l = axis(1024, 1024)
        m = te.compute((128,), lambda i: te.sum(x[i, k], axis=k))
        s = te.compute((128,), lambda i: te.sum((x[i, l] - m[i] / 1024.0)
                                                * (x[i, l] - m[i] / 1024.0), axis=l))
        return [te.compute(shape, lambda i, j: (x[i, j] - m[i] / 1024.0)
                           / te.sqrt(s[i] / 1024.0 + 0.00001))]
    if kind == "pool":
        r, s = axis(3, 3)
        return [te.compute(shape, lambda n, h, v, o: te.max(x[n, h * 2 + r, v * 2 + s, o],
                                                            axis=[r, s]))]
    if kind == "mean":
        r, s = axis(7, 7)
        return [te.compute(shape, lambda n, o: te.sum(x[n, r, s, o] / 49.0, axis=[r, s]))]
    return [te.compute(shape, lambda i, j: 0.5 * x[i + 1, j + 1] + 0.125 * (
        x[i, j + 1] + x[i + 2, j + 1] + x[i + 1, j] + x[i + 1, j + 2]))]


def tvm(c, _, rounds):
    import tvm
    from tvm import te
    arrays = [np.ascontiguousarray(a) for a in (c["x"], c["w"]) if a is not None]
    places = [te.placeholder(a.shape, "float32") for a in arrays]
    out = tvm_func(te, None, c, *places, *([None] * (2 - len(places))))
    built = tvm.compile(te.create_prim_func([*places, *out]),
                        target={"kind": "llvm", "mcpu": CPU, "opt-level": 3})
    tensors = [tvm.runtime.tensor(a) for a in [*arrays, np.zeros(c["y"].shape, np.float32)]]
    built(*tensors)
    return least(lambda: built(*tensors), rounds), same(c, tensors[-1].numpy())


# ---------------------------------------------------------------------- tinygrad

def tinygrad(c, _, rounds):
    from tinygrad import Tensor, TinyJit
    kind = c["kind"]
    x = Tensor(np.ascontiguousarray(c["x"])).realize()
    w = Tensor(np.ascontiguousarray(c["w"])).realize() if c["w"] is not None else None
    turn = lambda a, yes: a.transpose(-1, -2) if yes else a

    def compute():
        if kind == "product":
            return turn(x, c["a_turned"]) @ turn(w, c["b_turned"])
        if kind == "convolution":
            return x.permute(0, 3, 1, 2).conv2d(w.permute(3, 2, 0, 1), groups=c["groups"],
                                                stride=c["stride"]).permute(0, 2, 3, 1)
        if kind == "transpose": return x.transpose()
        if kind == "rows": return x.sum(1)
        if kind == "columns": return x.sum(0)
        if kind == "softmax": return x.softmax(1)
        if kind == "norm": return x.layernorm(1, eps=1e-5)
        if kind == "pool":
            return x.permute(0, 3, 1, 2).max_pool2d(3, 2).permute(0, 2, 3, 1)
        if kind == "mean": return x.mean((1, 2))
        return 0.5 * x[1:-1, 1:-1] + 0.125 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2]
                                              + x[1:-1, 2:])
    run = TinyJit(lambda: compute().contiguous().realize())
    for _ in range(3): out = run()
    return least(run, rounds), same(c, out.numpy())


# ---------------------------------------------------------------------- all of it

def ours(name, rounds):
    """The first time that bench/auto prints for the case, in microseconds."""
    said = subprocess.run(["build/bench/auto", name, str(rounds)], capture_output=True, text=True)
    for block in re.split(r"\n(?=\S)", said.stdout):
        if block.split("\n")[0] == name:
            found = re.search(r"([0-9.]+) us", block)
            return float(found.group(1)) if found else None
    return None


CPU = (subprocess.run("gcc -march=native -Q --help=target | awk '$1 == \"-march=\" {print $2}'",
                      shell=True, capture_output=True, text=True).stdout or "native").strip()
PEERS = [("Halide Adams2019", halide, "Adams2019"), ("Halide Mullapudi2016", halide, "Mullapudi2016"),
         ("Halide Li2018", halide, "Li2018"), ("TVM, as written", tvm, None),
         ("tinygrad", tinygrad, None)]


def peer(label, run, c, how, rounds, us):
    try:
        t, good = run(c, how, rounds)
        print(f"  {label:22s} {t:12.1f} us   {t / us if us else 0:6.2f} of ours"
              + ("" if good else "   WRONG"), flush=True)
    except Exception as e:
        print(f"  {label:22s} {type(e).__name__}: {str(e).splitlines()[0][:90]}", flush=True)


def main():
    multiprocessing.set_start_method("fork")
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    for name, c in cases():
        if only not in name: continue
        us = ours(name, 2)
        print(f"{name}\n  {'irlayout':22s} {us or float('nan'):12.1f} us", flush=True)
        for label, run, how in PEERS:
            one = multiprocessing.Process(target=peer, args=(label, run, c, how, rounds, us))
            one.start()  # in a process of its own: some crash
            one.join()
            if one.exitcode: print(f"  {label:22s} ended with {one.exitcode}", flush=True)


main()
