// The contract of drivers over real agents: `scripts/drivers.mjs` installs them, and starts this.
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describeDriver } from "../../packages/agent/src/agent/driver/driver-contract.test-support.ts";
import { acpDriver, knownAgent } from "../../packages/agent/src/driver/index.ts";
import { afterTest } from "../../test/support/after-test.ts";
import { realPlace } from "./real-place.mjs";

const { BOUGH_DRIVER: name, BOUGH_DRIVER_BIN: bin } = process.env;

describeDriver(name, async () => {
  const { cwd, server, options, asks, reads, close } = await realPlace(name, bin);
  afterTest(close);
  return {
    driver: acpDriver({ ...knownAgent(name), ...options }),
    ...{ cwd, asks },
    writes: (path, text) => `Write it. RUN<<echo ${text} > ${path}>>`,
    hangs: (text) => `Answer. HOLD<<${text}>>`,
    requests: () => server.requests,
    sent: () => server.bodies,
    // It cannot load a session in the minute in which that began.
    untilStored: name === "gemini" ? () => pause(60_000) : undefined,
    ...(reads === undefined
      ? {}
      : {
          reads: (path) => [
            ...reads(join(cwd, path), "heron").map(([tool, input]) => `Look. CALL<<${tool} ${JSON.stringify(input)}>>`),
            `Look. RUN<<cat ${path}>>`,
          ],
        }),
  };
});
