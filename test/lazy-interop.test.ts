import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { built, modulesLoadedBy, transcriptModules } from "./support/loaded-modules.js";

test("no front end loads the readers of other agents when it starts", () => {
  const starts = ["parts/run-terminal.js", "parts/run-plain.js", "parts/run-rpc.js"];
  const { rooms, modules } = modulesLoadedBy(starts.map((path) => `await import(${built(path)});`).join("\n"));
  expect(rooms).toContain("tui");
  expect(modules).toContain("interop/worker/stream-foreign.ts");
  expect(transcriptModules({ modules })).toEqual([]);
});

test("no front end loads what drives other agents when it starts", () => {
  const starts = ["parts/run-terminal.js", "parts/run-plain.js", "parts/run-rpc.js"];
  const { modules } = modulesLoadedBy(starts.map((path) => `await import(${built(path)});`).join("\n"));
  const loaded = modules.filter((path) => /^(?:agent\/)?driver\//.test(path));
  expect(loaded.sort()).toEqual(["agent/driver/left-turns.ts", "driver/last-driver.ts", "driver/left-journals.ts"]);
});

test("asking whose a file is loads them", () => {
  const context = JSON.stringify({ cwd: "/", home: "/nowhere", sessionDir: "/nowhere" });
  const { modules } = modulesLoadedBy(
    `const door = await import(${built("find/index.js")});
     await door.matchForeign(${JSON.stringify(fileURLToPath(import.meta.url))}, ${context}).catch(() => {});`,
  );
  expect(modules).toContain("interop/agents.ts");
});
