import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@bough/agent/agent/index.js";
import type { EventHub } from "@bough/agent/agent/internal.js";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { askExtensions } from "./trust-handlers.js";

test("an extension that does not answer whether a project is trusted is left behind and named; the next one decides", async () => {
  const folder = tempFolder();
  const source = (name: string, answer: string) => {
    const file = join(folder, `${name}.mjs`);
    writeFileSync(file, `export default (bough) => bough.on("project_trust", ${answer});`);
    return { file, name, origin: "named" as const };
  };
  const events: AgentEvent[] = [];
  const relay = { emit: (event: AgentEvent) => void events.push(event) } as unknown as EventHub;
  const front = { ui: () => ({}) as never, hasUi: false, mode: "print" as const };
  const asked = (sources: Parameters<typeof askExtensions>[0]) =>
    askExtensions(sources, { cwd: folder, front, relay, limitMs: 20 });
  const silent = source("silent", "() => new Promise(() => {})");
  expect(await asked([silent])).toBeUndefined();
  expect(await asked([silent, source("sure", '() => ({ trusted: "yes" })')])).toEqual({ trusted: "yes" });
  const message = "took longer than 20 ms and was abandoned; it does not decide whether the project is trusted";
  const problem = { type: "extension_problem", extension: "silent", event: "project_trust", message };
  expect(events).toEqual([expect.objectContaining(problem), expect.objectContaining(problem)]);
});
