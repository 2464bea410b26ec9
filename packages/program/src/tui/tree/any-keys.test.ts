import { answer, drawSession, result, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import type { ScreenRequest } from "../../command/index.js";
import { BRANCHES_KEYS } from "../branches/branches-panel.js";
import { COMPARE_KEYS } from "../compare/compare-panel.js";
import { PLAN_KEYS } from "../merge/plan-panel.js";
import { testApp } from "./screen-app.test-support.js";
import { TREE_KEYS } from "./tree-keys.js";

/** Nothing in it is well-behaved: escape sequences, wide characters, empty texts. */
function nastySession() {
  const session = drawSession("A-a-b-c-B-d; c-C-e-D-f; A-E*; G-g", {
    A: says(user("\x1b[2J\x1b]0;title\x07红色的 prompt\nwith lines\tand tabs")),
    a: says(answer("", { calls: [{ id: "1", name: "edit", path: "src/\x1b[31mred.ts" }] })),
    b: says(result("1", "\x9b31m\u202eevil")),
    B: says(user("")),
    d: says(answer("👩‍💻 ".repeat(80))),
    C: says(user("x".repeat(5000))),
    E: says(user("e\u0301".repeat(60))),
  });
  session.appendLabelChange("C", "\x1b[5mblink");
  session.appendSessionInfo("name\x1b[0m");
  return session;
}

const SCREENS: readonly ScreenRequest[] = [
  { screen: "tree" },
  { screen: "tree", purpose: "fork" },
  { screen: "branches" },
  { screen: "compare", a: "d", b: "f" },
  { screen: "compare", a: "A", b: "g" },
  { screen: "merge", tipId: "f" },
  { screen: "cherry-pick", ids: ["C", "e", "D"] },
];

const KEYS = [
  ...new Set(
    [TREE_KEYS, BRANCHES_KEYS, COMPARE_KEYS, PLAN_KEYS].flatMap(({ actions }) => actions.flatMap(({ keys }) => keys)),
  ),
  "x",
  "w",
  "backspace",
];

test("no key in any window makes a screen draw outside of it, or something a terminal would obey", async () => {
  const size = fc.record({ width: fc.integer({ min: 1, max: 130 }), height: fc.integer({ min: 1, max: 40 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SCREENS),
      fc.array(fc.oneof(fc.constantFrom(...KEYS), size), { minLength: 1, maxLength: 25 }),
      fc.constantFrom("unicode", "ascii"),
      async (request, steps, glyphs) => {
        const { host, open, agent } = testApp({
          session: nastySession(),
          glyphs,
          steps: ["one", "two", "three", "four"],
        });
        const closed = open(request);
        await host.settle();
        for (const step of steps) {
          if (host.top === undefined) break;
          if (typeof step === "string") host.press(step);
          else host.resize(step);
          await host.settle();
          // The test host checks every line it reads.
          if (host.top !== undefined) expect(host.lines.length).toBeLessThanOrEqual(host.size.height);
        }
        host.closeAll();
        await agent.whenIdle();
        host.closeAll();
        await closed;
      },
    ),
    { numRuns: sampledRuns({ all: 120, some: 40 }) },
  );
});
