# Holes in what the threat model promises, and the tests that find them: tests/holes/holes.py.
# A run that was interrupted goes on where it was: $(BUILD)/holes/found.
# Faults in results, and whether the random contests find them: the same, from another list. Beside other
# programs, and with what each fault makes be held again, these take longer than a test may.
.PHONY: holes run-holes holes-contests run-holes-contests
holes: ## Open holes that the threat model closes, and see that its tests find each; ONLY=TEXT, LIST=FILE, JOBS=2
	$(Q)tools/deps.sh build test
	$(call again,run-holes)

holes-contests: ## Plant faults in the results, and see that random contests find each; ONLY=TEXT
	$(Q)tools/deps.sh build test
	$(call again,run-holes-contests)

run-holes-contests: all
	$(Q)SOAK=1 SEED=1 TIMEOUT=1800 tests/holes/holes.py --build $(BUILD) --list tests/contests/planted.txt --jobs 1 $(if $(ONLY),--only '$(ONLY)')

# Each tree builds the tools that its tests want.
run-holes: all
	$(Q)tests/holes/holes.py --build $(BUILD) $(if $(JOBS),--jobs $(JOBS)) $(if $(LIST),--list $(LIST)) $(if $(ONLY),--only '$(ONLY)')
