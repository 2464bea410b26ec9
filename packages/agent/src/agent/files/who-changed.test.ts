/** Who changed a file: this session's tools, another session in the same folder, or the person. */
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EntryId, FILES_TYPE } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { gitIn } from "@bough/workbench/checkpoint/files-place.test-support.js";
import { describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createTools } from "../../tool/index.js";
import { type HarnessOptions, harness } from "../agent-harness.test-support.js";
import { type ScriptStep, scriptedModel } from "../scripted-model.test-support.js";

const WAIT = { timeout: 60_000, interval: 10 };
const bash = (command: string) => ({ name: "bash", arguments: { command } });
const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });
const edit = (path: string, oldText: string, newText: string) => ({
  name: "edit",
  arguments: { path, edits: [{ oldText, newText }] },
});

function place({ git }: { readonly git: boolean }) {
  const root = tempFolder();
  writeFileSync(join(root, "a.txt"), "one\n");
  if (git) {
    gitIn(root, "init", "--quiet");
    gitIn(root, "add", "-A");
    gitIn(root, "commit", "--quiet", "-m", "start");
  }
  const [home, flags] = [tempFolder(), tempFolder()];
  const at = (path: string) => join(root, path);
  const read = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined);
  const agent = (steps: readonly ScriptStep[], options: Partial<HarnessOptions> = {}) =>
    harness({
      model: scriptedModel(steps),
      session: SessionManager.create(root, tempFolder()),
      cwd: root,
      tools: createTools(),
      outputDir: tempFolder(),
      files: { home },
      ...options,
    });
  const flag = (name: string) => join(flags, name);
  /** Says that it has begun, and waits until it may end. */
  const waiting = (name: string, before = "true", after = "true") =>
    bash(`${before}; touch ${flag(name)}; until [ -e ${flag(`${name}-end`)} ]; do sleep 0.01; done; ${after}`);
  const begun = (name: string) => vi.waitFor(() => expect(existsSync(flag(name))).toBe(true), WAIT);
  const end = (name: string) => writeFileSync(flag(`${name}-end`), "");
  /** File systems count time in steps: what comes now is later than that file. */
  const isPast = (path: string) =>
    vi.waitFor(() => expect(Date.now() - statSync(at(path)).ctimeMs).toBeGreaterThan(200), WAIT);
  return { root, at, read, agent, waiting, begun, end, isPast };
}

function records(session: SessionManager) {
  return session.getBranch().flatMap((entry) => {
    if (entry.type !== "custom" || entry.customType !== FILES_TYPE) return [];
    const { by, tool, callIds, during, with: others, changes } = filesRecord(entry.data) ?? { by: "?", changes: [] };
    const sessions = others?.map((other) => [other.session, other.callIds?.length ?? 0]);
    return [
      {
        by,
        tool,
        ...(callIds === undefined ? {} : { calls: callIds.length }),
        ...(during === undefined ? {} : { during: during.length }),
        with: sessions,
        paths: changes.map(({ path }) => path).join(" "),
      },
    ];
  });
}

function promptOf(session: SessionManager): EntryId {
  const found = session.getEntries().find((entry) => entry.type === "message" && entry.message.role === "user");
  if (found === undefined) throw new Error("there is no prompt");
  return found.id;
}

describe.each([
  ["with git", true],
  ["without git", false],
])("%s", (_, git) => {
  test("a file that another session wrote while a command ran is not undone with the command", async () => {
    const { agent, waiting, begun, end, read } = place({ git });
    const a = agent([{ calls: [waiting("a", "echo x > a1.txt", "echo y > a2.txt")] }, "done"]);
    const b = agent([{ calls: [write("b2.txt", "of b\n")] }, "done"]);
    const running = a.agent.prompt("a");
    await begun("a");
    await b.agent.prompt("b");
    end("a");
    await running;
    expect(records(a.session)).toEqual([
      { by: "tool", tool: "bash", calls: 1, paths: "a1.txt a2.txt" },
      { by: "person", during: 1, with: [[b.session.getSessionId(), 0]], paths: "b2.txt" },
    ]);
    expect(records(b.session)).toEqual([{ by: "tool", tool: "write", calls: 1, paths: "b2.txt" }]);
    const moved = await a.agent.navigateTree(promptOf(a.session), { files: "follow" });
    expect(moved).toMatchObject({ files: { deleted: ["a1.txt", "a2.txt"], kept: ["b2.txt"] } });
    expect(read("b2.txt")).toBe("of b\n");
    // It stays another session's, on the way back and on any other.
    await a.agent.undoMove({ files: "follow" });
    expect([read("a1.txt"), read("b2.txt")]).toEqual(["x\n", "of b\n"]);
    await b.agent.navigateTree(promptOf(b.session), { files: "follow" });
    expect(read("b2.txt")).toBeUndefined();
    await a.agent.dispose();
    await b.agent.dispose();
  });

  test("what changed while commands of two sessions ran belongs to none, and is kept by default", async () => {
    const { agent, waiting, begun, end, read, isPast } = place({ git });
    const a = agent([{ calls: [waiting("a", "echo x > a1.txt")] }, "done"]);
    const b = agent([{ calls: [waiting("b", "echo x > b1.txt", "echo y > b2.txt")] }, "done"]);
    const first = a.agent.prompt("a");
    await begun("a");
    await isPast("a1.txt");
    const second = b.agent.prompt("b");
    await begun("b");
    end("a");
    await first;
    end("b");
    await second;
    const shared = records(a.session).filter(({ with: others }) => others !== undefined);
    expect(shared).toEqual([{ by: "person", during: 1, with: [[b.session.getSessionId(), 1]], paths: "b1.txt" }]);
    const ofB = records(b.session).filter(({ with: others }) => others !== undefined);
    expect(ofB).toMatchObject([{ with: [[a.session.getSessionId(), 1]] }]);
    const moved = await a.agent.navigateTree(promptOf(a.session), { files: "follow" });
    expect(moved).toMatchObject({ files: { kept: ["b1.txt"] } });
    expect([read("b1.txt"), read("b2.txt")]).toEqual(["x\n", "y\n"]);
    await a.agent.dispose();
    await b.agent.dispose();
  });

  test("a file that another session edited, and a command of this one changed later, is both", async () => {
    const { agent, waiting, begun, end } = place({ git });
    const a = agent([{ calls: [waiting("a", "true", "echo three > a.txt")] }, "done"]);
    const b = agent([{ calls: [edit("a.txt", "one", "two")] }, "done"]);
    const running = a.agent.prompt("a");
    await begun("a");
    await b.agent.prompt("b");
    end("a");
    await running;
    expect(records(a.session)).toEqual([
      { by: "person", during: 1, with: [[b.session.getSessionId(), 0]], paths: "a.txt" },
      { by: "tool", tool: "bash", calls: 1, paths: "a.txt" },
    ]);
    await a.agent.dispose();
    await b.agent.dispose();
  });

  test("a file that another session edited, and this one wrote over, is this one's when its command changes it", async () => {
    const { agent } = place({ git });
    const b = agent([{ calls: [edit("a.txt", "one", "two")] }, "done"]);
    let asked = 0;
    const permit: HarnessOptions["permit"] = async () => {
      if (++asked === 1) await b.agent.prompt("b");
      return { allowed: true };
    };
    const a = agent(
      [
        { calls: [write("new.txt", "x\n")] },
        { calls: [write("a.txt", "three\n")] },
        { calls: [bash("echo four >> a.txt")] },
        "done",
      ],
      { permit },
    );
    await a.agent.prompt("a");
    expect(records(a.session)).toEqual([
      { by: "tool", tool: "write", calls: 1, paths: "new.txt" },
      { by: "person", with: [[b.session.getSessionId(), 0]], paths: "a.txt" },
      { by: "tool", tool: "write", calls: 1, paths: "a.txt" },
      { by: "tool", tool: "bash", calls: 1, paths: "a.txt" },
    ]);
    await a.agent.dispose();
    await b.agent.dispose();
  });

  test("what another session restored while a command ran is that session's", async () => {
    const { agent, waiting, begun, end, read } = place({ git });
    const b = agent([{ calls: [write("a.txt", "two\n")] }, "done"]);
    await b.agent.prompt("b");
    const a = agent([{ calls: [waiting("a", "echo x > a1.txt")] }, "done"]);
    const running = a.agent.prompt("a");
    await begun("a");
    await b.agent.navigateTree(promptOf(b.session), { files: "follow" });
    expect(read("a.txt")).toBe("one\n");
    end("a");
    await running;
    expect(records(a.session)).toEqual([
      { by: "tool", tool: "bash", calls: 1, paths: "a1.txt" },
      { by: "person", during: 1, with: [[b.session.getSessionId(), 0]], paths: "a.txt" },
    ]);
    await a.agent.dispose();
    await b.agent.dispose();
  });

  test("what the person changed while they were asked about a command is theirs", async () => {
    const { agent, at, isPast } = place({ git });
    const permit = async () => {
      writeFileSync(at("mine.txt"), "mine\n");
      await isPast("mine.txt");
      return { allowed: true } as const;
    };
    const a = agent([{ calls: [bash("echo y > second.txt")] }, "done"], { permit });
    await a.agent.prompt("a");
    expect(records(a.session)).toEqual([
      { by: "tool", tool: "bash", calls: 1, paths: "second.txt" },
      { by: "person", during: 1, paths: "mine.txt" },
    ]);
    await a.agent.dispose();
  });

  test("a file that a command and `edit` changed in one step is theirs", async () => {
    const { agent } = place({ git });
    const a = agent([{ calls: [bash("echo two >> a.txt"), edit("a.txt", "one", "three")] }, "done"]);
    await a.agent.prompt("a");
    expect(records(a.session)).toEqual([{ by: "tool", tool: "bash, edit", calls: 2, paths: "a.txt" }]);
    await a.agent.dispose();
  });

  test("the files in a folder that a command moved are the command's, however old they are", async () => {
    const { agent, at, isPast, read } = place({ git });
    mkdirSync(at("src/deep"), { recursive: true });
    writeFileSync(at("src/deep/old.txt"), "old\n");
    await isPast("src/deep/old.txt");
    const permit = async () => {
      // By the time the folder is moved, what was written into it just before has a time outside of the command's.
      if (existsSync(at("src/new.txt"))) await isPast("src/new.txt");
      return { allowed: true } as const;
    };
    const steps = [{ calls: [write("src/new.txt", "new\n")] }, { calls: [bash("mv src lib; mkdir src")] }, "done"];
    const a = agent(steps, { permit });
    await a.agent.prompt("a");
    const moved = "lib/deep/old.txt lib/new.txt src/deep/old.txt src/new.txt";
    expect(records(a.session)).toEqual([
      { by: "tool", tool: "write", calls: 1, paths: "src/new.txt" },
      { by: "tool", tool: "bash", calls: 1, paths: moved },
    ]);
    await a.agent.navigateTree(promptOf(a.session), { files: "follow" });
    expect([read("src/deep/old.txt"), read("lib/deep/old.txt")]).toEqual(["old\n", undefined]);
    await a.agent.dispose();
  });

  test("a folder that the person moved while they were asked about a command is theirs", async () => {
    const { agent, at, isPast } = place({ git });
    mkdirSync(at("src"));
    writeFileSync(at("src/old.txt"), "old\n");
    await isPast("src/old.txt");
    const permit = async () => {
      renameSync(at("src"), at("lib"));
      await isPast("lib");
      return { allowed: true } as const;
    };
    const a = agent([{ calls: [bash("mkdir -p new; echo y > new/second.txt")] }, "done"], { permit });
    await a.agent.prompt("a");
    const [tool, person] = records(a.session);
    expect(tool).toMatchObject({ by: "tool", paths: expect.stringContaining("new/second.txt") });
    expect(person).toMatchObject({ by: "person", during: 1, paths: expect.stringContaining("lib/old.txt") });
    await a.agent.dispose();
  });

  test("a command that only reads, and `edit`, did nothing else: the rest of that moment is the person's", async () => {
    const { agent, at } = place({ git });
    const permit = async () => {
      writeFileSync(at("mine.txt"), `${Math.random()}\n`);
      return { allowed: true } as const;
    };
    const a = agent([{ calls: [bash("ls"), edit("a.txt", "one", "two")] }, "done", "again"], { permit });
    await a.agent.prompt("a");
    await a.agent.prompt("b");
    expect(records(a.session)).toEqual([
      { by: "tool", tool: "edit", calls: 1, paths: "a.txt" },
      { by: "person", paths: "mine.txt" },
    ]);
    await a.agent.dispose();
  });

  test("a person's edit while one command runs alone counts as the command's, and what was there is kept", async () => {
    const { agent, waiting, begun, end, at, read } = place({ git });
    const a = agent([{ calls: [waiting("a")] }, "done"]);
    const running = a.agent.prompt("a");
    await begun("a");
    writeFileSync(at("a.txt"), "mine\n");
    end("a");
    await running;
    expect(records(a.session)).toEqual([{ by: "tool", tool: "bash", calls: 1, paths: "a.txt" }]);
    await a.agent.navigateTree(promptOf(a.session), { files: "follow" });
    expect(read("a.txt")).toBe("one\n");
    await a.agent.undoMove({ files: "follow" });
    expect(read("a.txt")).toBe("mine\n");
    await a.agent.dispose();
  });
});
