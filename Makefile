# irlayout is a header: nothing here is needed to use it. This builds the tools, the tests and the checks.
#
#   make demo     the main job on real input, on a device
#   make test     everything CI runs; ends with N passed, N failed
#   make soak     the tests with their large counts (hours)
#   make bench    times beside rivals
#   make irlc     build/irlc, the command line tool
#   make single   regenerates single_include/ from irlayout.h, irlayout_ocl.h and src/
#   make check    the static checks alone
#   make deps     installs what make test needs (all targets install what they need themselves)
#   make clean

CC      = gcc
AR      = ar
STD     = -std=c99
CFLAGS  = -g -O1 -Wall -Wextra
LDFLAGS =
INC     = -I. -I/usr/include/stb
# The tests are built under B. FORM=split links the sources, compiled one by one, as a library (fast to rebuild);
# FORM=header includes them all, as a user does. OCL=0 leaves out the OpenCL runtime and the tests that need it.
B       = build/split
FORM    = split
OCL     = 1
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

# the checks, the longest first; of these, SLOW_CHECKS build and run the tests again in another form
SLOW_CHECKS = sanitize s390x arm32 single_tests oclgrind rusticl examples
CHECKS      = $(SLOW_CHECKS) $(filter-out $(SLOW_CHECKS),$(patsubst tests/checks/%.sh,%,$(sort $(wildcard tests/checks/*.sh))))
check_files = $(patsubst %,tests/checks/%.sh,$(1))

# the libraries that a program's own text asks for
libs_of = $(if $(shell grep -lE 'define IRLAYOUT_OCL_RUNTIME|CL/cl\.h|"device\.h"' $(1)),-lOpenCL) $(if $(shell grep -l '"device\.h"' $(1)),-ldnnl) \
          $(if $(shell grep -l 'pthread\.h' $(1)),-pthread) $(if $(shell grep -l 'isl/ctx\.h' $(1)),-lisl) -lm
COMPILE = $(CC) $(STD) $(CFLAGS) $(INC) -MMD -MP

.PHONY: all deps demo test soak bench irlc single check clean lib programs examples
.DELETE_ON_ERROR:
.PRECIOUS: $(B)/tests/%.o
.SUFFIXES:

all: irlc

deps:
	@sh scripts/deps.sh test

demo:
	@sh scripts/deps.sh demo
	@$(MAKE) -s $(DEMO:examples/%.c=build/examples/%)
	@$(DEMO:examples/%.c=build/examples/%)

test: deps
	@$(MAKE) -s -k -j$(JOBS) irlc lib programs examples || true
	@JOBS=$(JOBS) bash tests/run.sh $(call check_files,sanitize) $(PROGRAMS) $(call check_files,$(filter-out sanitize,$(CHECKS)))

soak: deps
	@$(MAKE) -s -j$(JOBS) B=build/soak CFLAGS="-g -O2" programs
	@IRL_SOAK=1 LIMIT=86400 CHECK_LIMIT=86400 JOBS=$(JOBS) bash tests/run.sh $(PROGRAMS:$(B)/%=build/soak/%) $(call check_files,oclgrind rusticl)

bench:
	@sh scripts/deps.sh bench
	@$(MAKE) -s $(BENCHES:bench/%.c=build/bench/%)
	@status=0; for b in $(BENCHES:bench/%.c=build/bench/%); do echo "== $$b"; $$b || status=1; done; exit $$status

check: deps
	@$(MAKE) -s -j$(JOBS) lib
	@JOBS=$(JOBS) bash tests/run.sh $(call check_files,$(filter-out $(SLOW_CHECKS),$(CHECKS)))

irlc: build/irlc
lib: $(LIB)
programs: $(PROGRAMS)
examples: $(EXAMPLES:examples/%.c=build/examples/%)

single: build/amalgamate
	@mkdir -p single_include
	build/amalgamate . single_include

clean:
	rm -rf build

build/amalgamate: tools/amalgamate.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(CFLAGS) -o $@ $<

build/irlc: $(IRLC:%.c=build/%.o)
	$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(call libs_of,$(IRLC))

build/tools/%.o: tools/%.c
	@mkdir -p $(@D)
	$(COMPILE) -O2 -c -o $@ $<

build/examples/%: examples/%.c
	@mkdir -p $(@D)
	$(COMPILE) -MF $@.d -MT $@ -o $@ $< $(LDFLAGS) $(call libs_of,$<)

build/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(COMPILE) -O2 -DNDEBUG -MF $@.d -MT $@ -o $@ $< $(LDFLAGS) $(call libs_of,$<)

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
	$(COMPILE) -DIRL_SPLIT_BUILD -MF $@.d -MT $@ -c -o $@ $<

$(B)/tests/%: $(B)/tests/%.o $(LIB)
	$(CC) $(CFLAGS) -o $@ $< $(LIB) $(LDFLAGS) $(call libs_of,tests/$*.c)
else
$(B)/tests/%: tests/%.c
	@mkdir -p $(@D)
	$(COMPILE) -MF $@.d -MT $@ -o $@ $< $(LDFLAGS) $(call libs_of,$<)
endif

-include $(shell find build -name '*.d' 2> /dev/null)
