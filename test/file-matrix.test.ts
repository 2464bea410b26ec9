/**
 * Random walks of a real agent with real tools through a tree of file changes, in repositories of every kind and without
 * one. After every move the followed files are exactly what they were there, and everything else is exactly as it was. What
 * another session did is a conflict on the way back, nothing else is, and the walk takes it.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { harness } from "@bough/agent/agent/agent-harness.test-support.js";
import { type ScriptedCall, type ScriptStep, scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { createTools, defineJsonTool } from "@bough/agent/tool/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { afterTest } from "./support/after-test.js";
import { gitFolders, type World, worldAt } from "./support/file-world.js";
import { type GitPlace, gitPlaces } from "./support/git-places.js";
import { sampledRuns } from "./support/sampled.js";
import { tempFolder } from "./support/temp-folder.js";

const LARGEST = 2000;
const MOVES = sampledRuns({ all: 1000, some: 8 });

function fill(root: string): void {
  for (const folder of ["src", "docs", "ignored"]) mkdirSync(join(root, folder));
  writeFileSync(join(root, "src/a.ts"), "one\n");
  writeFileSync(join(root, "src/b.ts"), "two\n");
  writeFileSync(join(root, "docs/c.md"), "text\n");
  writeFileSync(join(root, "crlf.txt"), "one\r\ntwo\r\n");
  writeFileSync(join(root, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  symlinkSync("src/a.ts", join(root, "link"));
  writeFileSync(join(root, ".gitignore"), "ignored/\n*.log\n");
  writeFileSync(join(root, ".gitattributes"), "crlf.txt text eol=crlf\n");
  writeFileSync(join(root, "ignored/kept"), "kept");
}

const newPlace = gitPlaces({ fill, sparse: ["src", "docs"] });

const PLACES: readonly GitPlace[] = [
  "git",
  "a linked worktree",
  "a sparse checkout",
  "a repository with a submodule",
  "no git",
];

/** Not followed: ignored, too large, in a repository inside. `named.log` is ignored too, but only a tool that says so writes it. */
const isNotFollowed = (path: string) =>
  path === ".git" || path === "ignored" || path === "large.bin" || path === "module" || path === "noise.log";

const PATHS = [
  "src/a.ts",
  "src/b.ts",
  "src/deep/er/d.ts",
  "docs/c.md",
  "crlf.txt",
  "run.sh",
  "link",
  "new",
  "swap",
  "swap/in",
  "line\nbreak",
  "é",
];

const act = fc.record({
  who: fc.constantFrom("edit", "write", "bash", "extension", "person", "other session"),
  kind: fc.constantFrom(
    ...(["changed", "new", "deleted", "renamed", "mode", "symlink", "binary", "CRLF", "large", "ignored"] as const),
  ),
  path: fc.constantFrom(...PATHS),
  other: fc.constantFrom(...PATHS),
  number: fc.nat({ max: 50 }),
});
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The change as a shell command. */
function command({ kind, path, other, number }: Act): string {
  const put = (to: string, bytes: Uint8Array | string) => {
    const folder = to.includes("/") ? to.slice(0, to.lastIndexOf("/")) : ".";
    const top = folder.split("/")[0] ?? ".";
    // What stands in the way goes.
    const free = `[ -d ${quoted(top)} ] || rm -f ${quoted(top)}; rm -rf ${quoted(to)}; mkdir -p ${quoted(folder)}`;
    const way = folder === "." ? `rm -rf ${quoted(to)}` : free;
    return `${way}; printf %s ${Buffer.from(bytes).toString("base64")} | base64 -d > ${quoted(to)}`;
  };
  switch (kind) {
    case "changed":
    case "new":
      return put(path, `${kind} ${number}\n`);
    case "deleted":
      return `rm -rf ${quoted(path)}`;
    case "renamed":
      if (path === other || path.startsWith(`${other}/`) || other.startsWith(`${path}/`)) return "true";
      return `[ -f ${quoted(path)} ] || exit 0; ${put(other, "")}; mv ${quoted(path)} ${quoted(other)} 2> /dev/null || true`;
    case "mode":
      return `[ ! -L ${quoted(path)} ] && [ -f ${quoted(path)} ] && chmod ${number % 2 === 0 ? "+x" : "-x"} ${quoted(path)}; true`;
    case "symlink":
      return `${put(path, "")}; rm ${quoted(path)}; ln -s ${quoted(`to-${number % 3}`)} ${quoted(path)}`;
    case "binary":
      return put(path, Uint8Array.from([0, number, 255, 10, 13]));
    case "CRLF":
      return put(path, `one\r\n${number}\r\n`);
    case "large":
      return put("large.bin", "x".repeat(LARGEST + 1 + number));
    case "ignored":
      return `${put(`ignored/${number % 3}`, String(number))}; echo ${number} >> noise.log`;
  }
}

/** The same by a tool that says itself what it does. Undefined: it cannot do that. */
function ownTool({ who, kind, path, number }: Act, root: string): ScriptedCall | undefined {
  const text = kind === "CRLF" ? `one\r\n${number}\r\n` : `${who} ${number}\n`;
  const target = kind === "large" ? "large.bin" : kind === "ignored" ? "named.log" : path;
  const content = kind === "large" ? "y".repeat(LARGEST + 1 + number) : text;
  if (!["changed", "new", "CRLF", "large", "ignored"].includes(kind)) return undefined;
  if (who === "write") return { name: "write", arguments: { path: target, content } };
  const edits = [{ oldText: "one", newText: `one${number}` }];
  return existsSync(join(root, target)) ? { name: "edit", arguments: { path: target, edits } } : undefined;
}

/** An agent in a folder, whose model does what the test says. */
class Walker {
  readonly root: string;
  readonly #steps: ScriptStep[] = [];
  readonly #made;

  constructor(root: string, home: string) {
    this.root = root;
    const shell = (line: string) => execFileSync("sh", ["-c", line], { cwd: root });
    const tool = defineJsonTool({
      name: "extension",
      description: "Changes files.",
      parameters: { type: "object", properties: { line: { type: "string" } } },
      execute: async (input) => {
        shell((input as { readonly line: string }).line);
        return { content: [{ type: "text", text: "ok" }] };
      },
    });
    this.#made = harness({
      model: scriptedModel(this.#steps),
      cwd: root,
      session: SessionManager.create(root, tempFolder()),
      tools: [...createTools(), tool],
      outputDir: tempFolder(),
      files: { home, maxBytes: LARGEST },
    });
  }

  /** A prompt whose answer calls these tools. Answers the leaf after it. */
  async prompt(...calls: readonly ScriptedCall[]): Promise<EntryId> {
    if (calls.length > 0) this.#steps.push({ calls });
    this.#steps.push("done");
    await this.#made.agent.prompt("go on");
    return this.leaf;
  }

  get leaf(): EntryId {
    return this.#made.session.getLeafId() as EntryId;
  }

  get notices(): readonly unknown[] {
    return this.#made.events.filter((event) => event.type === "notice" && event.level === "warning");
  }

  /** The conflicts of a move: each path, and why. */
  async conflicts(to: EntryId): Promise<readonly (readonly [string, string])[]> {
    const { conflicts } = await this.#made.agent.planFiles(to);
    return conflicts.map(({ path, why }) => [path, why]);
  }

  move(to: EntryId) {
    return this.#made.agent.navigateTree(to, { files: "follow", conflicts: "take" });
  }

  undo() {
    return this.#made.agent.undoMove({ files: "follow", conflicts: "take" });
  }
}

async function perform(one: Act, walker: Walker, other: Walker): Promise<void> {
  const { who } = one;
  const line = command(one);
  const own = who === "edit" || who === "write" ? ownTool(one, walker.root) : undefined;
  if (own !== undefined) await walker.prompt(own);
  else if (who === "extension") await walker.prompt({ name: "extension", arguments: { line } });
  else if (who === "person" || who === "other session") {
    if (who === "person") execFileSync("sh", ["-c", line], { cwd: walker.root });
    else await other.prompt({ name: "bash", arguments: { command: line } });
    // It is found at the next prompt.
    await walker.prompt();
  } else await walker.prompt({ name: "bash", arguments: { command: line } });
}

/** Where the walker was, with the files there. */
class Steps {
  readonly #steps = new Map<EntryId, { readonly above: EntryId | undefined; readonly world: World; who: string }>();

  get ids(): readonly EntryId[] {
    return [...this.#steps.keys()];
  }

  add(id: EntryId, step: { readonly above: EntryId | undefined; readonly world: World; readonly who: string }): void {
    this.#steps.set(id, step);
  }

  world(id: EntryId | undefined): World {
    return (id === undefined ? undefined : this.#steps.get(id)?.world) ?? {};
  }

  /** Files that differ between the two, and that another session changed in a step that the way takes back. */
  sharedBetween(from: EntryId, to: EntryId): readonly string[] {
    const kept = new Set(this.#upFrom(to));
    const undone = this.#upFrom(from).filter((id) => !kept.has(id));
    const byOther = undone.filter((id) => this.#steps.get(id)?.who === "other session");
    const changed = byOther.flatMap((id) => differing(this.world(this.#steps.get(id)?.above), this.world(id)));
    return differing(this.world(from), this.world(to)).filter((path) => changed.includes(path));
  }

  #upFrom(id: EntryId): readonly EntryId[] {
    const ids: EntryId[] = [];
    for (let at: EntryId | undefined = id; at !== undefined; at = this.#steps.get(at)?.above) ids.push(at);
    return ids;
  }
}

function differing(a: World, b: World): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path]).sort();
}

/** What a move must not touch. */
function elsewhere(root: string, isGit: boolean) {
  const followed = worldAt(root, isNotFollowed);
  const others = Object.entries(worldAt(root, (path) => path === ".git")).filter(([path]) => !(path in followed));
  return { others, git: isGit ? gitFolders(root).map((folder) => worldAt(folder)) : [] };
}

const choice = fc.record({ isAct: fc.boolean(), isUndo: fc.integer({ min: 0, max: 9 }), to: fc.nat(), act });

// Temporary files are in memory otherwise. A disk gives the number of a deleted file to the next one, which may look unchanged then.
beforeEach(() => void vi.stubEnv("TMPDIR", "/tmp"));

describe.each(PLACES)("in %s", (name) => {
  test("every move leaves recorded files as they were recorded, and everything else alone", async () => {
    const isGit = name !== "no git";
    let [moves, acts] = [0, 0];
    const workingFolder = process.cwd();
    afterTest(() => process.chdir(workingFolder));
    await fc.assert(
      fc.asyncProperty(fc.array(choice, { minLength: 20, maxLength: 40, size: "max" }), async (choices) => {
        if (moves >= MOVES) return;
        const root = newPlace(name);
        // Ignored, so a linked worktree begins without it.
        mkdirSync(join(root, "ignored"), { recursive: true });
        // The scanner without git takes another way to the files of the working folder.
        if (!isGit) process.chdir(root);
        const home = tempFolder();
        const [walker, other] = [new Walker(root, home), new Walker(root, home)];
        const steps = new Steps();
        const remember = (above?: EntryId, who = "bash") =>
          steps.add(walker.leaf, { above, who, world: worldAt(root, isNotFollowed) });
        // Files are followed from the first tool on that may change them.
        await walker.prompt({ name: "bash", arguments: { command: "touch new && rm new" } });
        remember();
        const check = (to: EntryId, before: ReturnType<typeof elsewhere>) => {
          expect(worldAt(root, isNotFollowed)).toEqual(steps.world(to));
          expect(elsewhere(root, isGit)).toEqual(before);
        };
        for (const { isAct, isUndo, to: chosen, act: one } of choices) {
          if (moves >= MOVES) break;
          const from = walker.leaf;
          if (isAct || steps.ids.length < 3) {
            await perform(one, walker, other);
            remember(from, one.who);
            acts += 1;
            continue;
          }
          const to = steps.ids[chosen % steps.ids.length] as EntryId;
          const before = elsewhere(root, isGit);
          expect(await walker.conflicts(to)).toEqual(steps.sharedBetween(from, to).map((path) => [path, "shared"]));
          const moved = await walker.move(to);
          const { files } = moved as { readonly files?: { readonly kept?: unknown; readonly missing?: unknown } };
          expect([files?.kept ?? [], files?.missing ?? []]).toEqual([[], []]);
          check(to, before);
          moves += 1;
          if (isUndo !== 0 || from === to) continue;
          await walker.undo();
          check(from, before);
          moves += 1;
        }
        expect(walker.notices).toEqual([]);
      }),
      // More than it takes: they end when there were enough moves.
      { numRuns: MOVES, endOnFailure: true },
    );
    expect([moves >= MOVES, acts > 0]).toEqual([true, true]);
  }, 3_600_000);
});
