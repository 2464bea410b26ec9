/** The scripted agent of `test/support` fulfills what every driver must. The real ones: `scripts/drivers.mjs`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { drivenPlace, steps } from "./driven-place.test-support.js";
import { describeDriver, type SentPart } from "./driver-contract.test-support.js";

describeDriver("the scripted agent", async () => {
  const { root, agentHome, driver } = drivenPlace();
  const file = join(agentHome, "steps.jsonl");
  return {
    driver: driver(),
    cwd: root,
    writes: (path, text) => steps(["ask", path, text], ["say", "Written."]),
    hangs: (text) => steps(["whisper", text], ["wait"]),
    asks: true,
    sent: () => [],
    requests: () =>
      existsSync(file)
        ? readFileSync(file, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as SentPart[])
        : [],
  };
});
