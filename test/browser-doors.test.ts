/** The pure doors in bundlers: they need nothing from Node, and the output runs without Node. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { build as esbuild } from "esbuild-wasm";
import { build as vite } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import webpack from "webpack";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bough-browser-doors-"));

/** A program for each door that leaves its answer in `answer`, and the expected answer. */
const PROGRAMS: Readonly<Record<string, { readonly code: string; readonly answer: unknown }>> = {
  entry: {
    code: `import { parseSessionEntries } from "bough/entry";
      globalThis.answer = parseSessionEntries(lines).map(({ id }) => id);`,
    answer: ["s", "a", "b", "c"],
  },
  tree: {
    code: `import { branchCount, childrenOf, treeFromLines } from "bough/tree";
      const { tree, leaf, entryAt } = treeFromLines(lines);
      globalThis.answer = [branchCount(tree), Array.from(childrenOf(tree, 0), (n) => entryAt(n).id), entryAt(leaf).id];`,
    answer: [2, ["b", "c"], "c"],
  },
  context: {
    code: `import { buildSessionContext } from "bough/context";
      const entries = lines.split("\\n").slice(1).map((line) => JSON.parse(line));
      globalThis.answer = buildSessionContext(entries, "b").messages.map(({ content }) => content);`,
    answer: ["a", "b"],
  },
  view: {
    code: `import { treeFromLines } from "bough/tree";
      import { initialTree, plainTree, TreeModel } from "bough/view";
      const drawn = plainTree(new TreeModel(treeFromLines(lines)), initialTree(), { now: 0, width: 200 });
      globalThis.answer = drawn.lines.map((line) => line.replace(/ {2,}\\S+ ago$/, "").replace(/ +/g, " ").trim());`,
    answer: [
      "Tree of this session. You are on branch 2, c. 2 branches.",
      expect.stringContaining("prompt a"),
      expect.stringContaining("side branch 1 starts here: b"),
      expect.stringContaining("here c"),
    ],
  },
  rpc: {
    code: `import { connect, RPC_PROTOCOL_VERSION, spawnTransport } from "bough/rpc";
      let refused;
      try { spawnTransport(); } catch (error) { refused = error.code; }
      globalThis.answer = [RPC_PROTOCOL_VERSION, typeof connect, refused];`,
    answer: [1, "function", "no-processes"],
  },
};

const said = (id: string, parentId: string | null) => ({
  ...{ type: "message", id, parentId, timestamp: "1970-01-01T00:00:00.000Z" },
  message: { role: "user", content: id, timestamp: 0 },
});
const header = { type: "session", version: 3, id: "s", timestamp: "1970-01-01T00:00:00.000Z", cwd: "/" };
const lines = [header, said("a", null), said("b", "a"), said("c", "a")].map((one) => JSON.stringify(one)).join("\n");

const entryOf = (door: string) => join(folder, `${door}.js`);

/** Each bundles some doors, one bundle per door, in order. */
const BUNDLERS: Readonly<Record<string, (doors: readonly string[]) => Promise<readonly string[]>>> = {
  async esbuild(doors) {
    const { outputFiles } = await esbuild({
      absWorkingDir: folder,
      entryPoints: doors.map(entryOf),
      outdir: "esbuild",
      bundle: true,
      write: false,
      platform: "browser",
      format: "iife",
      logLevel: "silent",
    });
    return doors.map((door) => outputFiles.find(({ path }) => basename(path) === `${door}.js`)?.text ?? "");
  },

  // It makes a script for browsers from one entry only.
  async vite(doors) {
    // By default Vite replaces a built-in module with an empty one, and only prints a warning.
    const resolveId = (id: string) => {
      if (isBuiltin(id)) throw new Error(`${id} is a module of Node`);
    };
    const bundle = async (door: string) => {
      const made = await vite({
        configFile: false,
        root: folder,
        logLevel: "silent",
        plugins: [{ name: "no-built-ins", enforce: "pre", resolveId }],
        build: { write: false, target: "es2022", lib: { entry: entryOf(door), formats: ["iife"], name: "page" } },
      });
      const outputs = (Array.isArray(made) ? made : [made]).flatMap((one) => ("output" in one ? one.output : []));
      return outputs.flatMap((one) => (one.type === "chunk" ? [one.code] : [])).join("\n");
    };
    return Promise.all(doors.map(bundle));
  },

  async webpack(doors) {
    const entry = Object.fromEntries(doors.map((door) => [door, entryOf(door)]));
    const output = { path: join(folder, "webpack"), filename: "[name].js" };
    const optimization = { minimize: false };
    const target = ["web", "es2022"];
    const compiler = webpack({ mode: "production", target, context: folder, entry, output, optimization });
    const stats = await promisify(compiler.run.bind(compiler))();
    await promisify(compiler.close.bind(compiler))();
    if (stats?.hasErrors() !== false) throw new Error(stats?.toString({ all: false, errors: true }));
    return doors.map((door) => readFileSync(join(output.path, `${door}.js`), "utf8"));
  },
};

beforeAll(() => {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "bough"));
  for (const [door, { code }] of Object.entries(PROGRAMS)) writeFileSync(entryOf(door), code);
  writeFileSync(
    entryOf("session"),
    'import { SessionManager } from "bough/session"; globalThis.answer = SessionManager;',
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.keys(BUNDLERS))("%s for browsers", (name) => {
  const bundle = BUNDLERS[name] as (typeof BUNDLERS)[string];
  const doors = Object.keys(PROGRAMS);
  let bundles: readonly string[];
  // All of them at once, so that shared modules are read once.
  beforeAll(async () => {
    bundles = await bundle(doors);
  });

  it.each(doors)("bundles bough/%s unchanged, and the bundle runs without anything of Node", (door) => {
    // Only what the doors use of a browser; no require, no process, no Buffer.
    const page = createContext({ lines, TextDecoder, TextEncoder });
    runInContext(bundles[doors.indexOf(door)] as string, page);
    expect(JSON.parse(JSON.stringify(page.answer))).toEqual(PROGRAMS[door]?.answer);
  });

  it("refuses bough/session, which is for Node", async () => {
    await expect(bundle(["session"]).then(() => "bundled")).rejects.toThrow(/node:|built.?in|UnhandledScheme/i);
  });
});
