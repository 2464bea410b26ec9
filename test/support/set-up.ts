/** Runs before every test file. */
import fc from "fast-check";
import { afterEach } from "vitest";
import { cleanUp } from "./after-test.js";

// In CI the same cases every time, so that a change is judged by what it changed; everywhere else new ones on every run.
if (process.env.CI !== undefined) fc.configureGlobal({ seed: 20261115 });

afterEach(cleanUp);
