/**
 * What the build in dist/ loads, exports and prints: the doors are bundles, which must make no difference except in
 * speed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { sourceOf } from "../scripts/build/packages.mjs";
import { AGENT_IDS, layOutAgents } from "./support/agents-home.js";
import { built, modulesLoadedBy, transcriptModules } from "./support/loaded-modules.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const folder = mkdtempSync(join(tmpdir(), "bough-bundles-"));
const env = { ...process.env, BOUGH_HOME: join(folder, "home") };
const { exports: published } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
};
const doors = Object.keys(published)
  .filter((name) => name !== "./package.json")
  .map((name) => name.slice(2));

/** The module behind a door, below dist/: a room's, or one beside it. */
const moduleOf = (door: string): string => {
  const { default: file } = published[`./${door}`] as { readonly default: string };
  return file.replace(/^\.\/dist\/(.+)\.js$/, "$1");
};

interface SourceMap {
  readonly sources: readonly string[];
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("what is loaded", () => {
  it("--version loads one file, and help neither the engine nor a package", () => {
    expect(modulesLoadedBy({ args: ["--version"], env }).files).toEqual([join(dist, "cli", "main.js")]);
    const help = modulesLoadedBy({ args: ["--help"], env });
    expect({ packages: help.packages, rooms: help.rooms }).toEqual({
      packages: [],
      rooms: ["cli", "context", "entry", "text", "tree"],
    });
  });

  it("of subcommands, help loads the rows, and a subcommand the rows and its own code", () => {
    const subcommands = "packages/program/src/cli/subcommand";
    const files = readdirSync(join(root, subcommands), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !/\.test(-support)?\.ts$/.test(path))
      .filter((path) =>
        /^export const row: SubcommandRow = \{$/m.test(readFileSync(join(root, subcommands, path), "utf8")),
      )
      .map((path) => `cli/subcommand/${path.split(sep).join("/")}`)
      .sort();
    expect(files).toContain("cli/subcommand/browse/ls.ts");
    const loaded = (...args: readonly string[]) => {
      const { modules } = modulesLoadedBy({ args, env, cwd: folder });
      return {
        rows: modules.flatMap((name) => /^(.*)\?row$/.exec(name)?.[1] ?? []),
        code: modules.filter((name) => files.includes(name)),
      };
    };
    expect(loaded("--help")).toEqual({ rows: files, code: [] });
    expect(loaded("sync", "--help")).toEqual({ rows: files, code: [] });
    expect(loaded("completion", "bash").code).toEqual(["cli/subcommand/completion/completion.ts"]);
    expect(loaded("ls").code).toEqual(["cli/subcommand/browse/ls.ts"]);
    expect(loaded("store", "list").code).toEqual(["cli/subcommand/store/store.ts"]);
  });

  it("a single prompt loads no slash command, no search for sessions, and no server for a sandbox", () => {
    const args = ["-p", "hello", "--model", "offline/rules"];
    const { modules, rooms } = modulesLoadedBy({ args, env, cwd: mkdtempSync(join(folder, "print-")) });
    expect(modules).toContain("cli/run-print.ts");
    expect(modules.filter((name) => /^command\/.*-command\.ts$/.test(name))).toEqual([]);
    expect(modules).not.toContain("tool/sandbox/host-proxy.ts");
    expect(["find", "tui", "web"].filter((room) => rooms.includes(room))).toEqual([]);
  });

  it("a single prompt formats nothing for a language while it is loaded, which takes long the first time", () => {
    const poison = `
      const refuse = () => { throw new Error("formatted while loading"); };
      Number.prototype.toLocaleString = refuse;
      Date.prototype.toLocaleString = refuse;
      String.prototype.localeCompare = refuse;
      for (const name of ["NumberFormat", "DateTimeFormat", "Collator", "Segmenter"]) Intl[name] = refuse;`;
    const script = `${poison} await import(${built("parts/run-print.js")}); console.log("loaded");`;
    const done = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect([done.stdout, done.stderr]).toEqual(["loaded\n", ""]);
  });

  it("a subcommand that reads sessions loads no agent, no model and no screen", () => {
    const { rooms } = modulesLoadedBy({ args: ["ls"], env, cwd: folder });
    expect(rooms).toContain("session");
    expect(["agent", "model", "tool", "tui", "web"].filter((room) => rooms.includes(room))).toEqual([]);
  });

  it("a sync and a transcript that is shown load no screen, no agent and no model", () => {
    const home = mkdtempSync(join(folder, "agents-"));
    const transcripts = layOutAgents({ home, cwd: folder });
    const own = { ...env, HOME: home, BOUGH_HOME: join(home, ".bough") };
    const run = (...args: readonly string[]) => modulesLoadedBy({ args, env: own, cwd: folder });
    run("store", "add", "home", join(folder, "store"));
    run("import", transcripts.claude);
    for (const [file, ...args] of [
      ["store/sync.ts", "sync", "--all"],
      ["browse/show.ts", "show", transcripts.codex],
      ["browse/show.ts", "show", AGENT_IDS.pi],
    ]) {
      const { rooms, modules } = run(...args);
      expect(rooms).toContain("find");
      expect(modules.filter((name) => modules.includes(`${name}?row`))).toEqual([`cli/subcommand/${file}`]);
      const above = ["model", "tool", "mcp", "extension", "project", "agent", "command", "tui"];
      expect(above.filter((room) => rooms.includes(room))).toEqual([]);
    }
  });

  it("print and RPC load no screen, no page and no other agent's reader", () => {
    const model = ["--model", "offline/rules"];
    for (const args of [
      ["-p", "hello", ...model],
      ["--mode", "rpc", ...model],
    ]) {
      const { rooms, modules, packages } = modulesLoadedBy({ args, env, cwd: folder });
      expect(rooms).toContain("agent");
      expect(["tui", "web"].filter((room) => rooms.includes(room))).toEqual([]);
      expect(transcriptModules({ modules })).toEqual([]);
      expect(packages.filter((name) => /ai-sdk|pi-tui|highlight|jiti|secretlint|sqlite/.test(name))).toEqual([]);
    }
  });

  it("bough/session loads the engine in a few files and nothing else", () => {
    const { files, packages, rooms } = modulesLoadedBy(`import ${built("session/index.js")};`);
    expect({ packages, rooms }).toEqual({
      packages: [],
      rooms: ["context", "entry", "log", "session", "text", "tree"],
    });
    expect(files.length).toBeLessThanOrEqual(8);
  });

  it("the rules of a log are in bough/log, and in nothing that a session loads", () => {
    const inside = (file: string) => readFileSync(file, "utf8").includes("checkLog");
    expect(modulesLoadedBy(`import ${built("session/index.js")};`).files.filter(inside)).toEqual([]);
    const { files, packages } = modulesLoadedBy(`import ${built("log/door.js")};`);
    expect([files.filter(inside), packages]).toEqual([[join(dist, "log", "door.js")], []]);
  });
});

describe("the bundles", () => {
  it.each(doors)("bough/%s exports what its source exports", async (door) => {
    const source: object = await import(sourceOf(root, moduleOf(door)));
    const made: object = await import(pathToFileURL(join(dist, `${moduleOf(door)}.js`)).href);
    expect(Object.keys(made)).toEqual(Object.keys(source).sort());
  });

  it("are one folder below dist/, so that each finds what it looks up", () => {
    const scripts = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => /\.c?js$/.test(path));
    expect(scripts.filter((path) => path.split(/[/\\]/).length !== 2)).toEqual([]);
    expect(scripts).toEqual(
      expect.arrayContaining(["workers/search-worker.cjs", "workers/find-worker.js", "workers/import-worker.js"]),
    );
  });

  it("a stack trace names functions as they are called, and with maps the sources", () => {
    const script = `const { SessionManager } = await import(${built("session/index.js")});
      try { SessionManager.open(${JSON.stringify(folder)}); } catch (error) { console.log(error.stack); }`;
    const trace = (options: readonly string[]) =>
      execFileSync(process.execPath, [...options, "--input-type=module", "-e", script], { encoding: "utf8" });
    expect(trace([])).toMatch(/SessionManager\.open .*dist\/parts\/engine\.js:\d+/);
    expect(trace(["--enable-source-maps"])).toContain(
      `${join(root, "packages/session/src/session/session-manager.ts")}:`,
    );
  });

  it("import each other in no circle, in which modules would not run in the order of the sources", () => {
    const scripts = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".js"));
    const left = new Map(
      scripts.map((path) => {
        const imports = readFileSync(join(dist, path), "utf8").matchAll(/^(?:import|export) .*"(\.[^"]+\.js)";$/gm);
        return [path, new Set([...imports].map(([, name]) => join(path, "..", name as string)))];
      }),
    );
    expect([...left.values()].some((imports) => imports.size > 0)).toBe(true);
    const free = () =>
      [...left].flatMap(([path, imports]) => ([...imports].some((name) => left.has(name)) ? [] : [path]));
    for (let done = free(); done.length > 0; done = free()) for (const path of done) left.delete(path);
    expect([...left.keys()]).toEqual([]);
  });

  it("contain of zod's messages only the English ones, because all languages are as large as the rest of zod", () => {
    const maps = readdirSync(join(dist, "parts")).filter((path) => path.endsWith(".map"));
    const sources = maps.flatMap(
      (map) => (JSON.parse(readFileSync(join(dist, "parts", map), "utf8")) as SourceMap).sources,
    );
    const languages = sources.flatMap((source) => /\/zod\/v4\/locales\/(.*)\.js$/.exec(source)?.[1] ?? []);
    expect(languages).toEqual(["en"]);
  });

  it("name every package that is inside, with the text of its licence", () => {
    const licences = readFileSync(join(dist, "THIRD-PARTY.txt"), "utf8");
    const maps = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".map"));
    const sources = maps.flatMap((map) => (JSON.parse(readFileSync(join(dist, map), "utf8")) as SourceMap).sources);
    const inside = sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
    const names = [...new Set(inside), "preact", "dompurify"];
    expect(names).toEqual(
      expect.arrayContaining(["@ai-sdk/anthropic", "@earendil-works/pi-tui", "highlight.js", "zod"]),
    );
    const chapters = licences.split(/^-{80}$/m);
    const untold = names.filter((name) => !chapters.some((chapter) => chapter.trim().startsWith(`${name} `)));
    expect(untold).toEqual([]);
    const terms = chapters.slice(2).filter((_, index) => index % 2 === 0);
    expect(terms.filter((text) => !/Permission|Redistribution|Apache License|terms are at the end/.test(text))).toEqual(
      [],
    );
    expect(terms.at(-1)).toContain("TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION");
  });
});

describe("an extension", () => {
  it("gets the modules of the running program, for every door", () => {
    const answer = join(folder, "answer.json");
    const extension = join(folder, "shares.ts");
    const namespace = (door: string) => `ours_${door.replace("/", "_")}`;
    writeFileSync(
      extension,
      `import { writeFileSync } from "node:fs";
       ${doors.map((door) => `import * as ${namespace(door)} from "bough/${door}";`).join("\n")}
       const ours = { ${doors.map((door) => `${JSON.stringify(door)}: ${namespace(door)}`).join(", ")} };
       const differing = (mine: object, theirs: object) => Object.keys(theirs).filter((name) => mine[name] !== theirs[name]);
       export default () => {
         const answers = Object.entries(globalThis.running).map(([door, theirs]) => [door, differing(ours[door], theirs)]);
         writeFileSync(${JSON.stringify(answer)}, JSON.stringify(Object.fromEntries(answers)));
       };`,
    );
    const first = `globalThis.running = { ${doors.map((door) => `${JSON.stringify(door)}: await import(${built(`${moduleOf(door)}.js`)})`).join(", ")} };`;
    const preload = `data:text/javascript,${encodeURIComponent(first)}`;
    const program = [join(dist, "cli", "main.js"), "-p", "hello", "--model", "offline/rules", "--extension", extension];
    execFileSync(process.execPath, ["--import", preload, ...program], { env, cwd: folder, input: "" });
    expect(JSON.parse(readFileSync(answer, "utf8"))).toEqual(Object.fromEntries(doors.map((door) => [door, []])));
  });
});
