/** The package @bough/session: the engine alone, from the same sources. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { diskSpace } from "./support/disk-space.js";

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: object;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "packages", "session");
const folder = mkdtempSync(join(tmpdir(), "bough-engine-package-"));
const installed = join(folder, "node_modules", "@bough", "session");
const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Manifest;
const engine = read(join(source, "package.json"));
const whole = read(join(root, "package.json"));

function run(command: string, args: readonly string[]): string {
  const env = { ...process.env, npm_config_update_notifier: "false", BOUGH_HOME: join(folder, "home") };
  return execFileSync(command, args, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function program(name: string, code: string): string {
  writeFileSync(join(folder, name), code);
  return run(process.execPath, [name]);
}

beforeAll(() => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
  // Without the network and npm's cache, because the tarball must be all it needs.
  const empty = join(folder, "cache");
  mkdirSync(empty);
  run("npm", ["install", "--offline", "--cache", empty, "--no-audit", "--no-fund", inject("packedEngine")]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("@bough/session", () => {
  test("installs alone, without a network, and takes less than 1 MB", () => {
    expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["@bough"]);
    expect(readdirSync(join(folder, "node_modules", "@bough"))).toEqual(["session"]);
    expect(readdirSync(installed).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
    expect(diskSpace(installed)).toBeLessThan(1_000_000);
  });

  test("has the version, the license and the Node of bough, no dependencies, and is none of bough", () => {
    const { version, license, engines } = whole;
    expect(engine).toMatchObject({ version, license, engines });
    expect([engine.dependencies, engine.devDependencies]).toEqual([undefined, undefined]);
    expect(Object.keys({ ...whole.dependencies, ...whole.devDependencies })).not.toContain("@bough/session");
    expect(readFileSync(join(source, "LICENSE"), "utf8")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
  });

  test("has doors of bough, where they are, and exports what they export", async () => {
    const doors = Object.entries(engine.exports).map(([name, door]) => [name === "." ? "./session" : name, door]);
    for (const [name, door] of doors) expect([name, whole.exports[name as string]]).toEqual([name, door]);
    expect(doors.map(([name]) => name)).toEqual([
      "./session",
      "./log",
      "./entry",
      "./tree",
      "./context",
      "./view",
      "./package.json",
    ]);
    for (const door of ["session/index", "log/door", "entry/index", "tree/index", "context/index", "view/index"]) {
      const names = async (base: string) => Object.keys(await import(pathToFileURL(join(base, `${door}.js`)).href));
      expect(await names(join(installed, "dist"))).toEqual(await names(join(root, "dist")));
    }
  });

  test("does what its README shows", () => {
    const readme = readFileSync(join(installed, "README.md"), "utf8");
    const [, code = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    const promised = [...code.matchAll(/^console\.log\(.*\/\/ (.+)$/gm)].map((match) => match[1]);
    expect(promised).toEqual(["2", "2"]);
    expect(program("readme.mjs", code).trim().split("\n")).toEqual(promised);
  });

  test("searches, verifies and draws sessions that were written with it", () => {
    const code = `
      import { SessionManager, searchSessions, verifySession } from "@bough/session";
      import { initialTree, plainTree, TreeModel } from "@bough/session/view";
      import { checkLog, MemoryLog } from "@bough/session/log";
      import { parseSessionEntries } from "@bough/session/entry";
      const session = SessionManager.create(process.cwd(), "searched");
      session.appendMessage({ role: "user", content: "a needle in a haystack", timestamp: 1 });
      await session.flush();
      const hits = [];
      for await (const hit of searchSessions("needle", { dir: "searched" })) hits.push(hit.excerpt);
      const { readable } = await verifySession(session.getSessionFile());
      const entries = parseSessionEntries(session.toLines().join("\\n"));
      const create = (bytes, access) => { const log = new MemoryLog({ access }); log.fill(bytes); return log; };
      const broken = await checkLog(create, { reopen: (log) => log.another() });
      const model = new TreeModel(session.getSource());
      const { lines } = plainTree(model, initialTree(), { now: 1 });
      console.log(JSON.stringify({ hits, readable, entries: entries.length, broken, drawn: lines[1] }));
      session.close();`;
    expect(JSON.parse(program("search.mjs", code))).toEqual({
      hits: ["a needle in a haystack"],
      readable: 1,
      entries: 2,
      broken: [],
      drawn: expect.stringContaining("a needle in a haystack"),
    });
  });
});
