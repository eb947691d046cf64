# Holes in what the threat model promises, and the tests that find them: tests/holes/holes.py.
.PHONY: holes run-holes
holes: ## Open holes that the threat model closes, and see that its tests find each; ONLY=TEXT
	$(Q)tools/deps.sh build test
	$(call again,run-holes)

run-holes: all $(TOOLS) $(METER)
	$(Q)tests/holes/holes.py --build $(BUILD) $(if $(ONLY),--only '$(ONLY)')
