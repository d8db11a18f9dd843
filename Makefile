# For those who are used to make, and for OpenBench, which builds with `make EXE=name` and then runs `./name bench`.
# Everything else is done with cargo.

EXE ?= quintain
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

.PHONY: all bench test clean

all:
	cargo rustc --release --locked --bin quintain -- --emit link=$(EXE)$(SUFFIX)

bench: all
	./$(EXE)$(SUFFIX) bench

test:
	cargo test --locked

clean:
	cargo clean
	rm -f $(EXE)$(SUFFIX)
