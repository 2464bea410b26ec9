/** Extensions written for pi, in every form they come in. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines } from "@bough/agent/agent/agent-harness.test-support.js";
import { piAdapter } from "@bough/pi/pi/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { sit } from "./pi-seat.js";

test("old-scope: imports from where pi's packages used to be", async () => {
  const seat = await sit({ extensions: ["old-scope.ts"] });
  await seat.send("/old");
  expect([seat.said, seat.problems]).toEqual([["info: old 4 true false true"], []]);
});

test("slow-start: a factory is waited for", async () => {
  const seat = await sit({ extensions: ["slow-start.ts"] });
  await seat.send("/words");
  expect(seat.said).toEqual(["info: true"]);
});

test("common: runs as a CommonJS module", async () => {
  const steps = [[{ call: "last_line", input: { text: "one\ntwo" } }], "done"];
  const seat = await sit({ extensions: ["common.cjs"], steps });
  await seat.send("go");
  expect(lines(seat.started.agent.session)).toContain("result#last_line-1: two");
});

test("plain: needs no import to be known by", async () => {
  const seat = await sit({ extensions: ["plain.mjs"] });
  await seat.send("/plain words");
  expect(seat.said).toEqual(["info: plain words true"]);
});

test("several: a package lists its extensions and brings what they depend on", async () => {
  const seat = await sit({ extensions: ["several"] });
  await seat.send("/first oak");
  await seat.send("/second");
  expect([seat.said, seat.problems]).toEqual([["info: a tall oak 8", "info: second"], []]);
});

test("folder: is known for one by a file beside its index", async () => {
  const seat = await sit({ extensions: ["folder"] });
  await seat.send("/greet Ada");
  expect([seat.said, seat.problems]).toEqual([["info: Good morning, A... [truncated]"], []]);
});

test("an extension that cannot be read is named, and the others run", async () => {
  const folder = tempFolder();
  writeFileSync(
    join(folder, "broken.ts"),
    `import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";\nexport default (pi: {`,
  );
  writeFileSync(join(folder, "nothing.ts"), `import { Type } from "typebox";\nexport const schema = Type.String();`);
  const seat = await sit({ extensions: ["slow-start.ts"], request: { extensions: [] } });
  const { runner } = seat.started.parts;
  await runner.load([
    { name: "broken", file: join(folder, "broken.ts"), origin: "named" },
    { name: "nothing", file: join(folder, "nothing.ts"), origin: "named" },
  ]);
  expect(seat.problems.map((problem) => problem.split(":")[0])).toEqual(["broken load", "nothing load"]);
  expect(seat.problems[1]).toContain("default export is not a function");
});

test("only what imports from pi is taken for an extension of pi", () => {
  const { needs } = piAdapter();
  expect(needs(['import type { X } from "@earendil-works/pi-coding-agent";'])).toBe("everything");
  expect(needs(['const x = require("@mariozechner/pi-ai/compat")'])).toBe("everything");
  expect(needs(["export default async (pi) => {}"])).toBe("everything");
  expect(needs(['import { Type } from "typebox";'])).toBe("modules");
  expect(needs(['import type { ExtensionApi } from "bough/extension";', "export default (bough) => {}"])).toBe(
    "nothing",
  );
});

test("docs/pi.md: the extension at its top runs as it is", async () => {
  const page = readFileSync(new URL("../../docs/pi.md", import.meta.url), "utf8");
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const file = join(tempFolder(), "hello.ts");
  writeFileSync(file, code);
  const steps = [
    [{ call: "hello", input: { name: "Ada" } }],
    [{ call: "bash", input: { command: "echo one" } }],
    [{ call: "bash", input: { command: "echo two" } }],
    "done",
  ];
  const seat = await sit({ extensions: [], steps, answers: [true, false], request: { extensions: [file] } });
  await seat.send("go");
  expect(lines(seat.started.agent.session).filter((line) => line.startsWith("result"))).toEqual([
    "result#hello-1: Hello, Ada!",
    "result#bash-1: one",
    "result#bash-1!: The user said no",
  ]);
  expect(seat.said).toEqual(["confirm: Run it? echo one", "confirm: Run it? echo two"]);
});

test.each(["export default pi => {}", "export default async pi=>{}", "module.exports = pi => {};"])(
  "%s is taken for an extension of pi",
  (text) => {
    expect(piAdapter().needs([text])).toBe("everything");
  },
);
