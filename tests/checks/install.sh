#!/bin/bash
# What `make install` installs is found by a user's build: pkg-config, CMake's find_package, meson, a plain copy of the headers; as
# C99, C11 and C++17, by two translation units, and in a shared library whose own symbols are hidden. irlc has a page and
# completions.
. "$(dirname "$0")/common"
needs cmake pkg-config g++

make -s install DESTDIR="$T/image" prefix=/usr > "$T/log" 2>&1 || { cat "$T/log"; fail "make install"; }
U=$T/image/usr
for f in include/irlayout.h include/irlayout_ocl.h include/irlayout_map.h bin/irlc share/man/man1/irlc.1 \
    share/pkgconfig/irlayout.pc share/pkgconfig/irlayout-ocl.pc share/bash-completion/completions/irlc \
    share/zsh/site-functions/_irlc share/fish/vendor_completions.d/irlc.fish \
    share/vim/vimfiles/syntax/irl.vim share/irlayout/irl.tmLanguage.json; do
    [ -s "$U/$f" ] || fail "$f is not installed"
done
"$U/bin/irlc" check '(i) -> (i)' 4 > /dev/null || fail "the installed irlc does not run"
for c in $("$U/bin/irlc" --help | sed -n '/^$/,/^$/ s/^    irlc \([a-z]*\) .*/\1/p'); do
    grep -q "^\.SS \"$c " "$U/share/man/man1/irlc.1" || fail "the page has no $c"
    for o in $("$U/bin/irlc" "$c" --help | sed -n 's/^    --\([a-z-]*\).*/\1/p'); do
        sed -n "/^\.SS \"$c /,/^\.S[SH] /p" "$U/share/man/man1/irlc.1" | grep -q -- "\\\\-\\\\-${o//-/.*-}\b" || fail "the page has no $c --$o"
    done
done
[ "$(grep -c '^.fB.-.-work ' "$U/share/man/man1/irlc.1")" = 1 ] || fail "the page describes --work several times"
# LINE|what it is completed with
complete() { printf '%s\n' 'irlc sch|schedule' 'irlc emit --as c-|c-gnu c-opencl' 'irlc dma --as |text c controller' 'irlc dma --controller e|edma3 esp32-gdma' \
    'irlc lower x.irl --emit |ir opencl' 'irlc show --side m|memory' 'irlc run --bounds r|refuse' 'irlc run --chec|--check' \
    'irlc lower --target c-gnu-avx5|c-gnu-avx512' 'irlc lower --without vec|vectorize' 'irlc steps cache_p|cache_padded' \
    'irlc target ad|adreno' 'irlc help tu|tune'; }
bash_completes() {
    bash -c '. "$1"; read -r -a COMP_WORDS <<< "$2"; [ "${2% }" = "$2" ] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _irlc; printf "%s\n" "${COMPREPLY[@]}"' - "$U/share/bash-completion/completions/irlc" "$1"
}
fish_completes() { fish -N -c "source $U/share/fish/vendor_completions.d/irlc.fish; complete -C '$1'"; }
# (without a terminal: compadd is replaced by a print of the words that fit)
zsh_completes() {
    zsh -f -c 'compadd() { shift; for w; do [[ $w == ${PREFIX}* ]] && print -r -- $w; done; }; _files() { }
        words=(${(s: :)2}); [[ $2 == *" " ]] && words+=(""); CURRENT=$#words PREFIX=$words[-1]; . "$1"' \
        - "$U/share/zsh/site-functions/_irlc" "$1"
}
for shell in bash zsh fish; do
    command -v $shell > /dev/null || continue
    while IFS='|' read -r line wanted; do
        found=$(${shell}_completes "$line" | sort | tr '\n' ' ')
        [ "${found% }" = "$(printf '%s\n' $wanted | sort | tr '\n' ' ' | sed 's/ $//')" ] || fail "$shell completes '$line' with '$found'"
    done < <(complete)
done
# the colours: vim takes them, and knows a type, a comment and a string; VS Code's are JSON
printf 'func f(x: f32x4[4]) { // here\n    assert(true, "text");\n}\n' > "$T/a.irl"
if vim --version 2> /dev/null | grep -q '+syntax'; then
    cat > "$T/look.vim" << X
syntax on
source $U/share/vim/vimfiles/syntax/irl.vim
redir! > $T/colours
for at in [[1, 1], [1, 11], [1, 27], [2, 19]]
    echo synIDattr(synID(at[0], at[1], 1), 'name')
endfor
redir END
qa!
X
    timeout 60 vim -u NONE -i NONE -es -N -S "$T/look.vim" "$T/a.irl" < /dev/null > "$T/log" 2>&1
    [ "$(tr '\n' ' ' < "$T/colours" | sed 's/^ *//; s/ *$//')" = "irlStatement irlType irlComment irlString" ] ||
        { cat "$T/log" "$T/colours"; fail "the colours of vim"; }
fi
! command -v python3 > /dev/null || python3 -m json.tool "$U/share/irlayout/irl.tmLanguage.json" > /dev/null || fail "the colours of VS Code are no JSON"

# a program of two translation units: the implementation in one, the use in the other; and the same as a library
mkdir -p "$T/user"
printf '#define IRLAYOUT_IMPLEMENTATION\n#define IRLAYOUT_MAPS_ONLY\n#include <irlayout.h>\n' > "$T/user/implementation.c"
cat > "$T/user/main.c" << 'X'
#define IRLAYOUT_MAPS_ONLY
#include <irlayout.h>
int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int      ok = irl_map_parse(cx, "(i, j) -> (j, i)") != NULL && irl_ok(cx);
    irl_ctx_destroy(cx);
    return !ok;
}
X
cat > "$T/user/CMakeLists.txt" << 'X'
cmake_minimum_required(VERSION 3.13)
project(user C)
find_package(irlayout 0.1 REQUIRED)
add_executable(user main.c implementation.c)
target_link_libraries(user irlayout::irlayout)
X
cmake -S "$T/user" -B "$T/cmake" -DCMAKE_PREFIX_PATH="$U" > "$T/log" 2>&1 && cmake --build "$T/cmake" >> "$T/log" 2>&1 && "$T/cmake/user" ||
    { cat "$T/log"; fail "find_package"; }
sed -i 's/ 0.1 / 2.0 /' "$T/user/CMakeLists.txt"
cmake -S "$T/user" -B "$T/cmake2" -DCMAKE_PREFIX_PATH="$U" > "$T/log" 2>&1 && fail "find_package takes 0.1 for 2.0"

flags=$(PKG_CONFIG_PATH=$U/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$T/image pkg-config --define-variable=prefix="$U" --cflags --libs irlayout) ||
    fail "pkg-config"
found=$(PKG_CONFIG_PATH=$U/share/pkgconfig pkg-config --modversion irlayout)
[ "$found" = "$(sed -n 's/^#define IRL_VERSION_STRING "\(.*\)"/\1/p' irlayout.h)" ] || fail "the version is $found"
flags=${flags//-I$T\/image\/usr\/include\/stb/-I/usr/include/stb}
gcc -std=c11 -c -o "$T/i.o" "$T/user/implementation.c" $flags && gcc -std=c11 -o "$T/one" "$T/user/main.c" "$T/i.o" $flags && "$T/one" || fail "with pkg-config's flags"

PKG_CONFIG_PATH=$U/share/pkgconfig pkg-config --define-variable=prefix="$U" --cflags --libs irlayout-ocl > "$T/ocl" 2> "$T/log" ||
    ! pkg-config --exists OpenCL || { cat "$T/log"; fail "pkg-config irlayout-ocl"; }
! pkg-config --exists OpenCL || { grep -q -- "-I$U/include" "$T/ocl" && grep -q -- -lOpenCL "$T/ocl"; } || { cat "$T/ocl"; fail "irlayout-ocl's flags"; }

mkdir -p "$T/copy" && cp "$U"/include/*.h /usr/include/stb/stb_ds.h "$T/copy/" # nothing but files
for how in "gcc -std=c99" "g++ -std=c++17 -x c++"; do
    $how -I"$T/copy" -c -o "$T/m.o" "$T/user/main.c" && $how -I"$T/copy" -c -o "$T/j.o" "$T/user/implementation.c" &&
        ${how%% *} -o "$T/two" "$T/m.o" "$T/j.o" -lm && "$T/two" || fail "a plain copy with $how"
done
gcc -std=c99 -I"$T/copy" -fvisibility=hidden -fPIC -shared -o "$T/hidden.so" "$T/user/main.c" "$T/user/implementation.c" -lm || fail "a shared library"
[ -z "$(nm -D --defined-only "$T/hidden.so" | grep -E ' (irl|stbds)_')" ] || fail "a library with hidden symbols shows them"

what="CMake, pkg-config, a plain copy"
if command -v meson > /dev/null && command -v ninja > /dev/null; then
    mkdir -p "$T/meson/subprojects/irlayout" && cp -r meson.build single_include "$T/meson/subprojects/irlayout/" && cp "$T"/user/*.c "$T/meson/"
    printf "project('user', 'c')\nd = subproject('irlayout').get_variable('irlayout_dep')\nexecutable('user', 'main.c', 'implementation.c', dependencies: d)\n" > "$T/meson/meson.build"
    (cd "$T/meson" && meson setup b > "$T/log" 2>&1 && ninja -C b >> "$T/log" 2>&1 && b/user) || { cat "$T/log"; fail "meson"; }
    grep -q "version: '$found'" meson.build || fail "meson.build says another version"
    what="$what, meson"
fi
ok "$what"
