/** Writing reads a path entry by entry, so that a long session is never in memory as a whole. */

import type { SessionEntry } from "@bough/session/entry/index.js";
import { type EntryPath, SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { WRITERS, writerFor } from "./agents.js";
import type { AgentName, WritePlan } from "./contract.js";

const TURNS = 200;

/** Turns, each with a prompt, a call, its result and an answer. */
function longTalk(): SessionManager {
  const session = SessionManager.inMemory("/home/dev/project");
  const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
  const said = { api: "a", provider: "anthropic", model: "m", usage, timestamp: 1 };
  for (let turn = 0; turn < TURNS; turn++) {
    const id = `call-${turn}`;
    session.appendMessage({ role: "user", content: `Question ${turn}`, timestamp: 1 });
    const call = { type: "toolCall" as const, id, name: "bash", arguments: { command: "ls" } };
    session.appendMessage({ role: "assistant", content: [call], ...said, stopReason: "toolUse" });
    const content = [{ type: "text" as const, text: `Output ${turn}` }];
    session.appendMessage({
      role: "toolResult",
      toolCallId: id,
      toolName: "bash",
      content,
      isError: false,
      timestamp: 1,
    });
    const text = { type: "text" as const, text: `Answer ${turn}` };
    session.appendMessage({ role: "assistant", content: [text], ...said, stopReason: "stop" });
  }
  return session;
}

/** A path that counts its reads. Each read returns a new object, so that identity cannot be used. */
class CountedPath implements EntryPath {
  reads = 0;
  readonly #path: EntryPath;

  constructor(path: EntryPath) {
    this.#path = path;
  }

  get length(): number {
    return this.#path.length;
  }

  at(place: number): SessionEntry | undefined {
    this.reads += 1;
    return structuredClone(this.#path.at(place));
  }

  *[Symbol.iterator](): Generator<SessionEntry> {
    for (let place = 0; place < this.length; place++) yield this.at(place) as SessionEntry;
  }
}

function planOf(agent: AgentName, entries: EntryPath, home: string): WritePlan {
  let made = 0;
  return writerFor(agent).planWrite({
    entries,
    cwd: home,
    places: { home },
    now: () => new Date("2026-12-01T08:09:10.000Z"),
    newId: () => `00000000-0000-4000-8000-${String(made++).padStart(12, "0")}`,
  });
}

function firstOf(lines: Iterable<string>, count: number): string[] {
  const first: string[] = [];
  for (const line of lines) {
    first.push(line);
    if (first.length === count) break;
  }
  return first;
}

describe.each(WRITERS.map(({ agent }) => agent))("a path written for %s", (agent) => {
  const session = longTalk();

  it("reads about as many entries as lines are consumed", () => {
    const path = new CountedPath(session.readBranch());
    const { lines } = planOf(agent, path, tempFolder());
    path.reads = 0;
    expect(firstOf(lines, 10)).toHaveLength(10);
    expect(path.reads).toBeGreaterThan(0);
    // Some programs combine a call and its result in one message, and may need the next line as well.
    expect(path.reads).toBeLessThanOrEqual(30);
  });

  it("knows the number of lines, and generates the same ones each time", () => {
    const { lines } = planOf(agent, new CountedPath(session.readBranch()), tempFolder());
    const all = [...lines];
    expect(all).toHaveLength(lines.length);
    expect([...lines]).toEqual(all);
  });

  it("writes the same as for an array", () => {
    const home = tempFolder();
    const lazy = planOf(agent, new CountedPath(session.readBranch()), home);
    const held = planOf(agent, session.getBranch(), home);
    expect({ ...lazy, lines: [...lazy.lines] }).toEqual({ ...held, lines: [...held.lines] });
  });
});

describe("the path of a session", () => {
  it("returns the entries of the branch, by place and in order", () => {
    const session = longTalk();
    const path = session.readBranch();
    expect([...path]).toEqual(session.getBranch());
    expect([path.length, path.at(TURNS)?.id, path.at(path.length)]).toEqual([
      4 * TURNS,
      session.getBranchIds()[TURNS],
      undefined,
    ]);
    expect([...SessionManager.inMemory("/home/dev/project").readBranch()]).toEqual([]);
  });
});
