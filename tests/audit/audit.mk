# The audit of blindness: who types in it, and who listens at the hub; and what plays the logs of 2012
# through the pacing. In full it takes up to 45 minutes, at once or in pieces, for $(BUILD)/audit keeps the
# rounds that were played; tests/system/audit.sh is its short form.
AUDIT := $(patsubst %,$(BUILD)/tests/audit/%,typist listener paced)
TOOLS += $(AUDIT)

.PHONY: audit run-audit
audit: ## Can a judge tell a person from a program? 45 minutes
	$(Q)tools/deps.sh build test
	$(call again,run-audit)

run-audit: all $(AUDIT)
	$(Q)BUILD=$(BUILD) tests/audit/audit --state $(BUILD)/audit/rounds
	$(Q)BUILD=$(BUILD) tests/audit/pace
