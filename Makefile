# For those who are used to make, and for OpenBench, which builds with `make EXE=name` and then runs `./name bench`.
# Everything else is done with cargo.

EXE ?= quintain
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

.PHONY: all pgo bench test deb site wasm clean

all:
	cargo rustc --release --locked --bin quintain -- --emit link=$(EXE)$(SUFFIX)

# The same program, faster by profile-guided optimisation: it is built, plays `bench`, and is built again for what that
# used most. Needs llvm-profdata for the LLVM of rustc: `rustup component add llvm-tools`, or a package of the system.
# CPU=x86-64-v2, for example, builds for other machines than this one.
CPU ?= native
HOST := $(shell rustc -vV | sed -n 's/^host: //p')
LLVM := $(shell rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
PROFDATA ?= $(firstword $(wildcard $(shell rustc --print sysroot)/lib/rustlib/*/bin/llvm-profdata$(SUFFIX)) \
    $(shell command -v llvm-profdata-$(LLVM)) llvm-profdata)
PROFILE := $(CURDIR)/target/pgo
# With --target the flags are not those of build scripts and procedural macros.
BUILD = cargo build --release --locked --bin quintain --target $(HOST) --target-dir $(PROFILE)
BUILT := $(PROFILE)/$(HOST)/release/quintain$(SUFFIX)
pgo:
	$(PROFDATA) --version
	rm -rf $(PROFILE)/raw
	RUSTFLAGS="-C target-cpu=$(CPU) -C profile-generate=$(PROFILE)/raw" $(BUILD)
	$(BUILT) bench 11
	$(PROFDATA) merge -o $(PROFILE)/bench.profdata $(PROFILE)/raw
	RUSTFLAGS="-C target-cpu=$(CPU) -C profile-use=$(PROFILE)/bench.profdata" $(BUILD)
	mkdir -p $(dir $(EXE))
	cp $(BUILT) $(EXE)$(SUFFIX)

bench: all
	./$(EXE)$(SUFFIX) bench

test:
	cargo test --locked

# A Debian package in target/debian, for processors of this level and newer. Needs cargo-deb
# and cargo-about.
LEVEL ?= $(if $(filter x86_64,$(shell uname -m)),x86-64-v2,generic)
deb:
	.ci/wasm
	$(MAKE) pgo CPU=$(LEVEL) EXE=target/release/quintain
	target/release/quintain package target/package
	mkdir -p target/package/share/doc/quintain
	.ci/licences > target/package/share/doc/quintain/THIRD-PARTY.txt
	cargo deb --no-build

# The board as a site of plain files.
DIR ?= public
site:
	cargo run --release --locked -- site $(DIR)

# The WebAssembly modules in target/wasm, for pages and for the package in npm/.
wasm:
	.ci/wasm

clean:
	cargo clean
	rm -f $(EXE)$(SUFFIX)
