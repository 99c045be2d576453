# irlayout is a header: nothing here is needed to use it. This builds the tools, the tests and the checks.
#
#   make demo     the main job on real input, on a device
#   make test     the tests with a third of their counts, in minutes, with nothing but a compiler, PoCL and stb
#   make test-all everything else: the full counts, other compilers, machines, sanitizers, checkers (a quarter of an hour)
#   make soak     the tests with their large counts (hours)
#   make bench    times beside rivals
#   make claims   the cheap claims of docs/claims.md, each beside what is measured
#   make irlc     build/irlc, the command line tool
#   make page     docs/page/index.html: the library in a page that works offline (clang, wasi-libc); committed, and a check compares its hash
#   make page-test drives it in a headless Chromium
#   make texts    brings the output in README, docs, exercises and examples/*.out up to date
#   make pictures makes the README's pictures again; a check compares them
#   make compile-times measures what each switch saves, for the tables of irlayout.h and README.md (some minutes)
#   make single   regenerates single_include/ from irlayout.h, irlayout_ocl.h and src/
#   make check    the static checks alone
#   make deps     installs what make test needs (all targets install what they need themselves)
#                 Tests end with N passed, N failed, and N skipped for want of a tool, with the reason.
#   make install  headers, irlc, its page and completions, colours for vim and VS Code, pkg-config and CMake files, under prefix (/usr/local) in DESTDIR
#   make clean

CC      = gcc
AR      = ar
STD     = -std=c99
CFLAGS  = -g -O1 -Wall -Wextra
TEST_OPT =
LDFLAGS =
INC     = -I. -I/usr/include/stb
# The tests are built under B. FORM=split links the sources, compiled one by one, as a library (fast to rebuild);
# FORM=header includes them all, as a user does. OCL=0 leaves out the OpenCL runtime and the tests that need it, as where
# its headers are not.
B       = build/split
FORM    = split
OCL     = $(if $(wildcard /usr/include/CL/cl.h),1,0)
JOBS    = 2

SRC      = $(sort $(wildcard src/*/*.c))
TESTS    = $(sort $(wildcard tests/test_*.c))
ifeq ($(OCL),1)
TESTS   += $(sort $(wildcard tests/ocl_*.c)) $(if $(wildcard /usr/include/isl/ctx.h),$(wildcard tests/isl_*.c))
else
SRC     := $(filter-out src/ocl/runtime%.c,$(SRC))
endif
LIB      = $(B)/libirlayout.a
PROGRAMS = $(TESTS:tests/%.c=$(B)/tests/%)
EXAMPLES = $(sort $(wildcard examples/*.c))
IRLC     = $(sort $(wildcard tools/irlc/*.c))
BENCHES  = $(sort $(wildcard bench/*.c))
DEMO     = $(firstword $(wildcard examples/*demo*.c) $(wildcard examples/*nhwc*.c))

# make test runs the quick checks, make test-all the others, the longest first; of these, FORMS build and run the tests
# again in another form
QUICK_CHECKS = irlc readme pictures layering columns amalgamator single tokens no_machine_paths
FORMS        = sanitize more_seeds arm32 s390x single_tests tcc rusticl oclgrind examples
LONGEST      = include_orders warnings
LONG_CHECKS  = $(wordlist 1,5,$(FORMS)) $(LONGEST) $(wordlist 6,9,$(FORMS)) $(filter-out $(FORMS) $(LONGEST) $(QUICK_CHECKS),$(patsubst tests/checks/%.sh,%,$(sort $(wildcard tests/checks/*.sh))))
check_files  = $(patsubst %,tests/checks/%.sh,$(1))
# the library without debug information and the tests without the optimizer: half of the time to build them
QUICKLY      = CFLAGS="$(filter-out -g,$(CFLAGS))" TEST_OPT="-O0 -Wno-restrict $(TEST_OPT)"
# what make test runs, built or not: a program that cannot be built for want of a library is skipped, and said
SAMPLED      = $(patsubst tests/%.c,$(B)/tests/%,$(sort $(wildcard tests/ocl_*.c)) $(sort $(wildcard tests/test_*.c)))
ISL          = $(patsubst tests/%.c,$(B)/tests/%,$(sort $(wildcard tests/isl_*.c)))

# the libraries that a program's own text asks for
libs_of = $(if $(shell grep -lE 'define IRLAYOUT_OCL_RUNTIME|CL/cl\.h|"device\.h"' $(1)),-lOpenCL) $(if $(shell grep -l '"device\.h"' $(1)),-ldnnl) \
          $(if $(shell grep -l 'cblas\.h' $(1)),-lopenblas) \
          $(if $(shell grep -l 'pthread\.h' $(1)),-pthread) $(if $(shell grep -l 'isl/ctx\.h' $(1)),-lisl) $(if $(shell grep -l 'mpfr\.h' $(1)),-lmpfr) -lm
# what writes the headers that a file includes into a .d file, by the compiler's name: tcc has one such option
DEPENDS = $(if $(filter tcc %/tcc,$(CC)),-MD,-MMD -MP -MT $@)
COMPILE = $(CC) $(STD) $(CFLAGS) $(INC) $(DEPENDS)

.PHONY: page page-test texts pictures all deps deps-all demo test test-all soak bench claims irlc single compile-times check install clean lib programs examples
.DELETE_ON_ERROR:
.PRECIOUS: $(B)/tests/%.o
.SUFFIXES:

all: irlc

deps:
	@sh scripts/deps.sh test

# a tool that cannot be installed is a check that is skipped
deps-all: deps
	@sh scripts/deps.sh all || true

demo:
	@sh scripts/deps.sh demo
	@$(MAKE) -s $(DEMO:examples/%.c=build/examples/%)
	@$(DEMO:examples/%.c=build/examples/%)

# The programs run with a third of their counts; the check more_seeds, in make test-all, runs them all. The kernels that
# they built stay in build/kernels: forms of the tests that run after them need no cold ones.
test: deps
	@rm -rf build/kernels build/took; mkdir -p build/took
	@$(MAKE) -s -k -j$(JOBS) $(QUICKLY) irlc lib programs || true; times > build/took/build
	@IRL_SLOW=3 LIMIT=300 TOOK=build/took CACHE=$(CURDIR)/build/kernels JOBS=$(JOBS) bash tests/run.sh $(SAMPLED) $(call check_files,$(QUICK_CHECKS))

test-all: deps-all
	@$(MAKE) -s -k -j$(JOBS) $(QUICKLY) irlc lib programs || true
	@JOBS=$(JOBS) bash tests/run.sh $(call check_files,$(LONG_CHECKS)) $(ISL)

soak: deps-all
	@$(MAKE) -s -j$(JOBS) B=build/soak CFLAGS="-g -O2" programs
	@IRL_SOAK=1 LIMIT=86400 CHECK_LIMIT=86400 HANG=604800 JOBS=$(JOBS) bash tests/run.sh $(PROGRAMS:$(B)/%=build/soak/%) $(call check_files,oclgrind rusticl valgrind)

bench:
	@sh scripts/deps.sh bench
	@$(MAKE) -s $(BENCHES:bench/%.c=build/bench/%)
	@status=0; for b in $(BENCHES:bench/%.c=build/bench/%); do echo "== $$b"; $$b || status=1; done; exit $$status

check: deps-all
	@$(MAKE) -s -j$(JOBS) lib
	@JOBS=$(JOBS) bash tests/run.sh $(call check_files,$(QUICK_CHECKS) $(filter-out $(FORMS),$(LONG_CHECKS)))

claims: irlc
	@bash scripts/claims.sh

irlc: build/irlc
lib: $(LIB)
programs: $(PROGRAMS)
examples: $(EXAMPLES:examples/%.c=build/examples/%)

compile-times: single
	@bash scripts/compile_times.sh

single: build/amalgamate
	@mkdir -p single_include
	build/amalgamate . single_include

page: build/page/index.html
	@mkdir -p docs/page
	cp build/page/index.html docs/page/index.html

build/page/index.html: scripts/page.sh web/page.c web/page.html web/lessons.json irlayout.h irlayout_ocl.h $(wildcard src/*/*.[ch])
	@sh scripts/deps.sh page
	@sh scripts/page.sh

page-test:
	@sh scripts/deps.sh page-test
	@bash tests/checks/page.sh

texts: irlc examples
	@bash scripts/blocks.sh --update $$(grep -lE '^```(console|c$$)' README.md docs/*.md examples/exercises/solutions/*.md)
	@for out in examples/*.out; do build/examples/$$(basename $$out .out) > $$out || exit 1; done

pictures: build/irlc
	@sh scripts/pictures.sh docs/pictures

# make install prefix=/usr DESTDIR=/tmp/package; what is installed under prefix moves with it, but for irlayout.pc
prefix     = /usr/local
DESTDIR    =
VERSION    = $(shell sed -n 's/^\#define IRL_VERSION_STRING "\(.*\)"/\1/p' irlayout.h)
TO         = $(DESTDIR)$(prefix)
PC_STB     = $(if $(wildcard /usr/include/stb/stb_ds.h),-I/usr/include/stb)
SUBSTITUTE = sed -e 's,@prefix@,$(prefix),; s,@version@,$(VERSION),; s,@stb@,$(PC_STB),' \
                 -e 's,@major_minor@,$(basename $(VERSION)),'

install: build/irlc
	install -d $(TO)/include $(TO)/bin $(TO)/share/pkgconfig $(TO)/share/man/man1
	install -d $(TO)/share/cmake/irlayout $(TO)/share/bash-completion/completions
	install -d $(TO)/share/zsh/site-functions $(TO)/share/fish/vendor_completions.d
	install -m 644 single_include/irlayout.h single_include/irlayout_ocl.h single_include/irlayout_map.h $(TO)/include
	install -m 755 build/irlc $(TO)/bin
	$(SUBSTITUTE) packaging/irlayout.pc.in > $(TO)/share/pkgconfig/irlayout.pc
	$(SUBSTITUTE) packaging/irlayout-ocl.pc.in > $(TO)/share/pkgconfig/irlayout-ocl.pc
	$(SUBSTITUTE) packaging/irlayoutConfigVersion.cmake.in > $(TO)/share/cmake/irlayout/irlayoutConfigVersion.cmake
	install -m 644 packaging/irlayoutConfig.cmake $(TO)/share/cmake/irlayout
	sh scripts/man.sh build/irlc $(VERSION) > $(TO)/share/man/man1/irlc.1
	sh scripts/completion.sh bash build/irlc > $(TO)/share/bash-completion/completions/irlc
	sh scripts/completion.sh zsh build/irlc > $(TO)/share/zsh/site-functions/_irlc
	sh scripts/completion.sh fish build/irlc > $(TO)/share/fish/vendor_completions.d/irlc.fish
	install -d $(TO)/share/vim/vimfiles/syntax $(TO)/share/vim/vimfiles/ftdetect $(TO)/share/irlayout
	sh scripts/syntax.sh vim > $(TO)/share/vim/vimfiles/syntax/irl.vim
	echo 'au BufRead,BufNewFile *.irl set filetype=irl' > $(TO)/share/vim/vimfiles/ftdetect/irl.vim
	sh scripts/syntax.sh vscode > $(TO)/share/irlayout/irl.tmLanguage.json

clean:
	rm -rf build

build/amalgamate: tools/amalgamate.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(CFLAGS) -o $@ $<

build/irlc: $(IRLC:%.c=build/%.o) $(LIB)
	$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(if $(filter 1,$(OCL)),-lOpenCL) -lm

build/tools/%.o: tools/%.c
	@mkdir -p $(@D)
	$(COMPILE) $(if $(filter 0,$(OCL)),-DIRLC_NO_OPENCL) -c -o $@ $<

# (as their first lines say: each holds the whole library, and is compiled in a quarter of the time)
build/examples/%: examples/%.c
	@mkdir -p $(@D)
	$(COMPILE) -O0 -MF $@.d -o $@ $< $(LDFLAGS) $(call libs_of,$<)

build/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(COMPILE) -O2 -DNDEBUG -MF $@.d -o $@ $< $(LDFLAGS) $(call libs_of,$<)

$(B)/ocl/runtime%.o: DEFS = -DIRLAYOUT_OCL_RUNTIME
$(B)/%.o: src/%.c
	@mkdir -p $(@D)
	$(COMPILE) -DIRL_SPLIT_BUILD $(DEFS) -c -o $@ $<

$(LIB): $(SRC:src/%.c=$(B)/%.o)
	@rm -f $@
	$(AR) rcs $@ $^

ifeq ($(FORM),split)
$(B)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(COMPILE) $(TEST_OPT) -DIRL_SPLIT_BUILD -MF $@.d -c -o $@ $<

$(B)/tests/%: $(B)/tests/%.o $(LIB)
	$(CC) $(CFLAGS) -o $@ $< $(LIB) $(LDFLAGS) $(call libs_of,tests/$*.c)
else
$(B)/tests/%: tests/%.c
	@mkdir -p $(@D)
	$(COMPILE) -MF $@.d -o $@ $< $(LDFLAGS) $(call libs_of,$<)
endif

-include $(shell find build -name '*.d' 2> /dev/null)
