#!/bin/bash
# The flood of tests/system/flood.sh for half a minute.
FLOOD_SECONDS=30 exec tests/system/flood.sh
