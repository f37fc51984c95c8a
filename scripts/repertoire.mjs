#!/usr/bin/env node
// The command line as it is run from a clone: prepares what is missing, then hands over.
await import("./prepare.mjs");
await import("../dist/cli/main.js");
