#!/bin/bash
# What `irlc map` says of shapes with names is, for values of the names, what it says of numbers; so is what `irlc
# check` says of the flattened memory. Random maps, shapes and points; the formulas are evaluated here.
. "$(dirname "$0")/common"
needs python3
make -s irlc || fail "irlc does not build"
cat > "$T/run.py" <<'END2'
import json, random, subprocess, sys
r = random.Random(int(sys.argv[1]))
irlc = lambda *a: subprocess.run(['build/irlc', *a], capture_output=True, text=True)
maps = ['(i, j) -> (i/4, j, |, i%4)', '(i, j) -> (i/T, j, i%T)', '(i, j) -> (j, i*2 + 1)', '(i, j) -> (i + j)',
        '(i, j) -> (i*M + j)', '(..., c) -> (..., c/T, |, c%T)', '(i, j) -> (j/8, i/T, |, j%8, |, i%T)',
        '(i, j) -> (i, (i + j) % 8)', '(i, j) -> (M + 2 - j%2, i)']
formula = lambda f, v: eval(str(f).replace('/', '//').replace('&&', ' and ').replace('||', ' or '), {}, v)
count = places = 0
for _ in range(int(sys.argv[2])):
    v = dict(N=r.randint(1, 9), M=r.randint(1, 9), T=r.randint(1, 5), P=r.randint(0, 8))
    fixed = [n for n in 'MT' if r.random() < .4]
    lets = ['--let=%s=%s' % (n, v[n] if n in fixed else '?') for n in 'MT']
    all_lets = ['--let=%s=%d' % (n, v[n]) for n in v]
    m = r.choice(maps)
    shape = r.choice(['N=?,M', '2*N=?,5', 'M,N=?', 'N=?+T,M*2', '7,M + 1'])
    point = r.choice(['P=?,0', '0,P=?', '1,M-1', '2,3', ''])
    how = ['--type', r.choice(['f32', 'u12', 'u5 bits(msb) offset(3) strides(7)']), '--json']
    plain = lambda s: s.replace('=?', '')
    a = irlc('map', *lets, *how, '--', m, shape, *[point][:point != ''])
    b = irlc('map', *all_lets, *how, '--', m, plain(shape), *[plain(point)][:point != ''])
    if a.returncode == 2 or b.returncode == 2:
        if a.returncode == 2 and b.returncode == 2 or 'not in the shape' in b.stderr: continue
    if a.returncode != 0: continue  # no box is known for all values
    if b.returncode != 0: sys.exit('%s %s %s %s: %s' % (m, shape, point, v, b.stderr))
    x, y = json.loads(a.stdout), json.loads(b.stdout)
    if x.get('where') and not formula(x['where'], v): sys.exit('where: %s %s %s' % (m, shape, v))
    count += 1
    places += y['place'] is not None
    for key in ('min', 'physical', 'buffer', 'memory', 'at', 'place', 'byte', 'bit', 'last_byte', 'last_bit'):
        named, number = x.get(key), y.get(key)
        as_list = lambda s: s if isinstance(s, list) else [] if s is None else [s]
        got = [formula(e, v) for e in as_list(named)]
        box = key in ('min', 'physical', 'buffer', 'memory')
        # the box of names contains that of numbers; what is said of a point is the same
        if key in ('at',) and got != as_list(number):
            sys.exit('%s on %s, %s, %s: %s is %s, of numbers %s' % (m, shape, point, v, key, named, number))
        if key in ('physical', 'buffer') and any(g < n for g, n in zip(got, number)):
            sys.exit('%s on %s, %s: %s is %s, of numbers %s' % (m, shape, v, key, named, number))
    if x['buffer'] and [formula(e, v) for e in x['buffer']] == y['buffer']:
        for key in ('memory', 'place', 'byte', 'bit', 'last_byte', 'last_bit'):
            if [formula(e, v) for e in as_list(x.get(key))] != as_list(y.get(key)):
                sys.exit('%s on %s, %s, %s: %s is %s, of numbers %s' % (m, shape, point, v, key, x.get(key), y.get(key)))
        c = irlc('check', *lets, '--json', '--', m, shape)
        flat = json.loads(c.stdout)['flattened'] if c.returncode in (0, 1) else None
        if flat is not None and [formula(e, v) for e in flat] != y['memory']:
            sys.exit('%s on %s, %s: check says %s, map %s' % (m, shape, v, flat, y['memory']))
print(count, 'maps,', places, 'places')
if places < count / 4 or count < int(sys.argv[2]) / 4: sys.exit('too few')
END2
python3 "$T/run.py" 1 "$([ "$IRL_SOAK" ] && echo 4000 || echo 60)" > "$T/said" 2>&1 || fail "$(tail -1 "$T/said")"
ok "$(cat "$T/said")"
