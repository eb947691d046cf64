# Tests whose disks fail at a chosen call: tests/cut/files.h.
CUT_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_cut*.c))

$(CUT_TESTS): $(BUILD)/tests/cut/files.o
$(CUT_TESTS): LDLIBS += $(LIBSUP) # behind files.o, which draws
