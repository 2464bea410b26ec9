import type { TryOptions } from "@bough/agent/agent/index.js";
import { createPermissions, PERMISSION_MODES } from "@bough/agent/tool/index.js";
import { describe, expect, test, vi } from "vitest";
import { testContext } from "../command-context.test-support.js";
import { readTry, TRY_COMMAND } from "./try-command.js";

describe("/try", () => {
  test("takes the duration that bough try takes", () => {
    expect(readTry("2 --timeout 1h30m --check 'npm test' fix it")).toEqual({
      ...{ prompt: "fix it", count: 2, check: "npm test", timeoutMs: 5_400_000 },
    });
    expect(() => readTry("--timeout 10 fix it")).toThrow("Invalid value for --timeout: 10");
  });

  test("lets attempts do no more than the session", async () => {
    const modes: unknown[] = [];
    for (const mode of PERMISSION_MODES) {
      const { context } = testContext({ agent: { permissions: createPermissions({ mode, cwd: "/" }) } });
      vi.spyOn(context.agent, "startAttempts").mockImplementation(async (_, options: TryOptions = {}) => {
        modes.push([mode, options.permission]);
        throw new Error("only looked at");
      });
      await TRY_COMMAND.run(context, "fix it").catch(() => undefined);
    }
    expect(modes).toEqual([
      ["plan", "plan"],
      ["ask", "edits"],
      ["edits", "edits"],
      ["auto", "auto"],
      ["read-only", "read-only"],
    ]);
  });
});
