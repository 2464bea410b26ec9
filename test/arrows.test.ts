import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { PACKAGES } from "../scripts/build/packages.mjs";
import { type ArrowFinding, checkArrows, ROOMS, specifierFrom } from "./support/arrows.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

function sourcesOf(folder: string): Map<string, string> {
  const sources = new Map<string, string>();
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!item.isFile() || !/\.tsx?$/.test(item.name)) continue;
    const path = join(item.parentPath, item.name);
    sources.set(relative(folder, path).split(sep).join("/"), readFileSync(path, "utf8"));
  }
  return sources;
}

/** A small project in which every import is allowed; each case below adds one mistake. */
const RIGHT: Readonly<Record<string, string>> = {
  "entry/index.ts": `export * from "./entry.js";`,
  "entry/entry.ts": `export interface Entry { readonly process: string }`,
  "tree/index.ts": `export { pathTo } from "./path.js";`,
  "tree/path.ts": `import type { Entry } from "../entry/index.js";\nexport const pathTo = (entry: Entry) => entry.process;`,
  "tree/path.test.ts": `import fc from "fast-check";\nimport { readFileSync } from "node:fs";\nimport { pathTo } from "./path.js";\nprocess.exit(0);`,
  "tree/draw.test-support.ts": `import { pathTo } from "./index.js";\nexport const draw = pathTo;`,
  "log/index.ts": `import { openSync } from "node:fs";\nimport { pathTo } from "../tree/index.js";\nexport const open = [openSync, pathTo];`,
  "log/open.test.ts": `import { draw } from "../tree/draw.test-support.js";\nimport "../../test/support/build.js";\nvoid draw;`,
  "model/index.ts": `import { generateText } from "ai";\nexport { generateText };`,
};

function findingsWith(extra: Readonly<Record<string, string>>): readonly ArrowFinding[] {
  return checkArrows(new Map(Object.entries({ ...RIGHT, ...extra })));
}

describe("the arrows of this project", () => {
  test("every import points at a room above it, through its door", () => {
    const sources = new Map(PACKAGES.flatMap((name) => [...sourcesOf(join(root, "packages", name, "src"))]));
    expect(sources.size).toBeGreaterThan(5);
    expect(checkArrows(sources)).toEqual([]);
  });

  test("ARCHITECTURE.md lists the same rooms in the same order", () => {
    const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
    const listed = [...text.matchAll(/^\| `([a-z]+)\/` +\|/gm)].map((match) => match[1]);
    expect(listed).toEqual(ROOMS);
  });
});

describe("the checker", () => {
  test("finds nothing where every arrow is right", () => {
    expect(findingsWith({})).toEqual([]);
  });

  test("fails on a folder that is not in the list of rooms, and on a file outside every room", () => {
    expect(findingsWith({ "helpers/index.ts": "export {};", "main.ts": "export {};" })).toEqual([
      { rule: "unknown-room", file: "helpers/index.ts", line: 0, detail: "not in a folder of the list of rooms" },
      { rule: "unknown-room", file: "main.ts", line: 0, detail: "not in a folder of the list of rooms" },
    ]);
  });

  test("fails on a room without an index.ts", () => {
    expect(findingsWith({ "context/build.ts": "export {};" })).toEqual([
      { rule: "no-door", file: "context/index.ts", line: 0, detail: "the room has no index.ts" },
    ]);
  });

  test.each([
    ["an import", `import { open } from "../log/index.js";`],
    ["a type import", `import type { open } from "../log/index.js";`],
    ["a bare import", `import "../log/index.js";`],
    ["a re-export", `export * from "../log/index.js";`],
    ["a type re-export", `export type { Log } from "../log/index.js";`],
    ["a dynamic import", `const log = await import("../log/index.js");`],
    ["a dynamic import in a template", `const text = \`\${await import("../log/index.js")}\`;`],
    ["an import inside a type", `export type Log = import("../log/index.js").Log;`],
    ["a required import", `import log = require("../log/index.js");`],
  ])("fails on %s of a room below", (_name, statement) => {
    expect(findingsWith({ "tree/late.ts": `// a first line\n${statement}` })).toEqual([
      { rule: "wrong-arrow", file: "tree/late.ts", line: 2, detail: "tree must not know log" },
    ]);
  });

  test("fails on a wrong arrow for every pair of rooms, and on none of the right ones", () => {
    const doors = Object.fromEntries(ROOMS.map((room) => [`${room}/index.ts`, "export {};"]));
    const found: string[] = [];
    const expected: string[] = [];
    // The RPC client stands alone: it imports nothing, and only the program imports it.
    const isWrong = (from: string, to: string) =>
      from !== to && (from === "rpc" || (to === "rpc" && from === "pi") || ROOMS.indexOf(to) > ROOMS.indexOf(from));
    for (const from of ROOMS) {
      const sources = new Map(Object.entries(doors));
      for (const to of ROOMS) sources.set(`${from}/to-${to}.ts`, `import "${specifierFrom(from, `${to}/index`)}";`);
      found.push(...checkArrows(sources).map(({ rule, file }) => `${rule} ${file}`));
      expected.push(...ROOMS.filter((to) => isWrong(from, to)).map((to) => `wrong-arrow ${from}/to-${to}.ts`));
    }
    expect(found).toEqual(expected);
  });

  test("lets a test make its samples with a later room of its package", () => {
    expect(findingsWith({ "tree/late.test.ts": `import { open } from "../log/index.js";` })).toEqual([]);
  });

  test("fails where a test needs a room of a later package", () => {
    expect(
      findingsWith({ "tree/late.test.ts": `import { generateText } from "@bough/agent/model/index.js";` }),
    ).toEqual([{ rule: "wrong-arrow", file: "tree/late.test.ts", line: 1, detail: "tree must not know model" }]);
  });

  test("ignores imports in comments and strings", () => {
    const text = `// import "../log/index.js"\n/* import("../log/index.js") */\nexport const s = 'import "../log/index.js"';`;
    expect(findingsWith({ "tree/words.ts": text })).toEqual([]);
  });

  test("fails on an import past another room's door, in tests too", () => {
    const text = `import { pathTo } from "../tree/path.js";`;
    const detail = "../tree/path.js goes past tree/index.js";
    expect(findingsWith({ "log/a.ts": text, "log/a.test.ts": text })).toEqual([
      { rule: "back-door", file: "log/a.ts", line: 1, detail },
      { rule: "back-door", file: "log/a.test.ts", line: 1, detail },
    ]);
  });

  test("fails on an import of the package by its own name", () => {
    expect(findingsWith({ "log/a.ts": `import { SessionManager } from "bough/session";` })).toEqual([
      { rule: "back-door", file: "log/a.ts", line: 1, detail: "bough/session comes in through the published door" },
    ]);
  });

  test("fails on a path into another package, and on the name of the own one", () => {
    expect(
      findingsWith({
        "model/a.ts": `import "../log/index.js";`,
        "log/a.ts": `import "@bough/session/tree/index.js";`,
        "model/b.ts": `import "@bough/workbench/log/index.js";`,
      }),
    ).toEqual([
      { rule: "outside", file: "model/a.ts", line: 1, detail: "../log/index.js is in the package session" },
      { rule: "outside", file: "log/a.ts", line: 1, detail: "@bough/session/tree/index.js is in the same package" },
      {
        rule: "outside",
        file: "model/b.ts",
        line: 1,
        detail: "@bough/workbench/log/index.js is in the package session",
      },
    ]);
  });

  test("fails on an import that leaves the rooms, and on a computed one that cannot be checked", () => {
    expect(findingsWith({ "log/a.ts": `import "../../test/support/build.js";\nawait import(name);` })).toEqual([
      { rule: "outside", file: "log/a.ts", line: 1, detail: "../../test/support/build.js is not in a room" },
      { rule: "third-party", file: "log/a.ts", line: 2, detail: "imports <computed>" },
    ]);
  });

  test("fails where built code imports test code", () => {
    expect(findingsWith({ "log/a.ts": `import "../tree/draw.test-support.js";` })).toEqual([
      { rule: "test-code", file: "log/a.ts", line: 1, detail: "../tree/draw.test-support.js is not part of the build" },
    ]);
  });

  test("fails on a third-party import in the six engine rooms and in no other", () => {
    const doors = Object.fromEntries(ROOMS.map((room) => [`${room}/index.ts`, `import type { z } from "zod/v4";`]));
    expect(checkArrows(new Map(Object.entries(doors)))).toEqual(
      ["text", "entry", "tree", "context", "log", "session"].map((room) => ({
        rule: "third-party",
        file: `${room}/index.ts`,
        line: 1,
        detail: "imports zod/v4",
      })),
    );
  });

  test("lets a test use the test packages only", () => {
    expect(findingsWith({ "tree/b.test.ts": `import "vitest";\nimport "@scope/name/part";` })).toEqual([
      { rule: "third-party", file: "tree/b.test.ts", line: 2, detail: "imports @scope/name/part" },
    ]);
  });

  test("fails on Node's modules and globals in the pure rooms and in no other", () => {
    const text = [
      `import { join } from "node:path";`,
      `import fs from "fs";`,
      `const bytes: Buffer = Buffer.alloc(1);`,
      `globalThis.process.exit();`,
      `export const home = { process, name: process.env.HOME };`,
    ].join("\n");
    const doors = Object.fromEntries(ROOMS.map((room) => [`${room}/index.ts`, text]));
    const expected = ["text", "entry", "tree", "context", "view"].flatMap((room) =>
      [
        { line: 1, detail: "imports node:path" },
        { line: 2, detail: "imports fs" },
        { line: 3, detail: "uses Buffer" },
        { line: 3, detail: "uses Buffer" },
        { line: 4, detail: "uses process" },
        { line: 5, detail: "uses process" },
        { line: 5, detail: "uses process" },
      ].map((finding) => ({ rule: "impure", file: `${room}/index.ts`, ...finding })),
    );
    expect(checkArrows(new Map(Object.entries(doors)))).toEqual(expected);
  });

  test("reports each ring of files that import each other, by its files", () => {
    const ring = {
      "tree/a.ts": `import "./b.js";`,
      "tree/b.ts": `import type { C } from "./c.js";`,
      "tree/c.ts": `import "./a.js";\nimport "./path.js";`,
      "tree/outside.ts": `import "./a.js";`,
      "log/self.ts": `import "./self.js";`,
    };
    expect(findingsWith(ring)).toEqual([
      { rule: "cycle", file: "log/self.ts", line: 0, detail: "log/self.ts -> log/self.ts" },
      { rule: "cycle", file: "tree/a.ts", line: 0, detail: "tree/a.ts -> tree/b.ts -> tree/c.ts -> tree/a.ts" },
    ]);
  });

  test("reports a file that imports its own room through the door", () => {
    expect(findingsWith({ "tree/path.ts": `import { pathTo } from "./index.js";` })).toEqual([
      { rule: "cycle", file: "tree/index.ts", line: 0, detail: "tree/index.ts -> tree/path.ts -> tree/index.ts" },
    ]);
  });
});
