import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { built, modulesLoadedBy } from "../../../test/support/loaded-modules.js";

test("no front end loads the readers of other agents when it starts", () => {
  const starts = ["parts/run-terminal.js", "parts/run-plain.js", "parts/run-rpc.js"];
  const { rooms } = modulesLoadedBy(starts.map((path) => `await import(${built(path)});`).join("\n"));
  expect(rooms).toContain("tui");
  expect(rooms).not.toContain("interop");
});

test("asking whose a file is loads them", () => {
  const context = JSON.stringify({ cwd: "/", home: "/nowhere", sessionDir: "/nowhere" });
  const { rooms } = modulesLoadedBy(
    `const door = await import(${built("command/index.js")});
     await door.matchForeign(${context}, ${JSON.stringify(fileURLToPath(import.meta.url))}).catch(() => {});`,
  );
  expect(rooms).toContain("interop");
});
