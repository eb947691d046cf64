#!/bin/bash
# The short form of the audit of blindness, see tests/audit/audit: one script through a keyboard, a
# pty, a pipe and LPP, side by side; what reaches the judge's end does not tell which was which.
# It needs $BUILD/tests/audit/typist and /listener, $BUILD/sim/nullmodem, /hub and /shim.so.
exec tests/audit/audit --short
