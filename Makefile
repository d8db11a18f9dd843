# For those who are used to make, and for OpenBench, which builds with `make EXE=name` and then runs `./name bench`.
# Everything else is done with cargo.

EXE ?= quintain
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

.PHONY: all bench test deb site wasm clean

all:
	cargo rustc --release --locked --bin quintain -- --emit link=$(EXE)$(SUFFIX)

bench: all
	./$(EXE)$(SUFFIX) bench

test:
	cargo test --locked

# A Debian package in target/debian, for processors of this level and newer. Needs cargo-deb
# and cargo-about.
LEVEL ?= $(if $(filter x86_64,$(shell uname -m)),x86-64-v2,generic)
deb:
	.ci/wasm
	RUSTFLAGS="-C target-cpu=$(LEVEL)" cargo build --release --locked
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
