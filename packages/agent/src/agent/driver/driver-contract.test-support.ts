/** What every driver fulfills, by itself and below a session of Bough. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AssistantMessage, contentText, type EntryId, isPrompt } from "@bough/session/entry/index.js";
import { isGroupAlive } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { traceFile } from "@bough/workbench/checkpoint/index.js";
import { describe, expect, test } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { Driver, DriverPrompt, DriverUpdate, OpenDriver } from "../../driver/index.js";
import { parseRule } from "../../tool/index.js";
import type { AgentSession } from "../agent-session.js";
import { createAgentSession } from "../create-agent-session.js";

/** What a model was sent: who said what, and calls and results in their places. */
export type SentPart = readonly [kind: string, text: string];

/** A driver with a home of its own, and a model that does what prompts say. */
export interface DriverPlace {
  readonly driver: Driver;
  /** Where it works: an empty folder, under git. */
  readonly cwd: string;
  /** A prompt on which it writes this file by a call, and then says something. */
  readonly writes: (path: string, text: string) => string;
  /** A prompt that it begins to answer with this text; the answer never ends by itself. */
  readonly hangs: (text: string) => string;
  /** What its model was sent in turns, oldest request first. */
  readonly requests: () => readonly (readonly SentPart[])[];
  /** Whether it asks for permission to write. */
  readonly asks: boolean;
  /** Waits until another process can load what was stored. Default: it can at once. */
  readonly untilStored?: () => Promise<unknown>;
  /** Prompts on each of which it reads this file, in one way or another. Absent if rules about reading do not hold. */
  readonly reads?: (path: string) => readonly string[];
  /** What its model was sent, as it was sent. */
  readonly sent: () => readonly string[];
}

export function describeDriver(name: string, newPlace: () => Promise<DriverPlace>): void {
  describe(`a driver: ${name}`, () => {
    async function alone() {
      const place = await newPlace();
      const open = async () => {
        const { driver, cwd } = place;
        const env = driver.env ?? process.env;
        const opened = await driver.open({ cwd, env, signal: new AbortController().signal, onNotice: () => {} });
        afterTest(() => opened.close());
        return opened;
      };
      return { ...place, open };
    }

    async function driven() {
      const place = await newPlace();
      const opened: OpenDriver[] = [];
      const watched: Driver = {
        ...place.driver,
        open: async (options) => {
          const one = await place.driver.open(options);
          opened.push(one);
          return one;
        },
      };
      const [home, sessions] = [tempFolder(), tempFolder()];
      const open = async (session = SessionManager.create(place.cwd, sessions), deny: readonly string[] = []) => {
        const agent = await createAgentSession({
          ...{ session, cwd: place.cwd, files: { home, onMove: "follow" }, driver: watched },
          permissions: deny.length > 0 ? { mode: "ask", deny } : "auto",
        });
        afterTest(() => agent.dispose());
        return agent;
      };
      const read = (path: string) =>
        existsSync(join(place.cwd, path)) ? readFileSync(join(place.cwd, path), "utf8") : undefined;
      const say = async (agent: AgentSession, prompt: string) => {
        expect(await agent.prompt(prompt)).toMatchObject({ kind: "done" });
        // The last answer is the only part of the path that was not sent.
        expect(place.requests().at(-1)).toEqual(sentFor(agent.session).slice(0, -1));
      };
      const onText = (agent: AgentSession, text: string, act: () => void) => {
        let seen = "";
        const stop = agent.subscribe((event) => {
          if (event.type !== "message_update" || event.part !== "text") return;
          seen += event.delta;
          if (!seen.includes(text)) return;
          stop();
          act();
        });
      };
      return { ...place, home, sessions, opened, open, read, say, onText };
    }

    test("answers in a session of its own, says its version, and leaves nothing running", async () => {
      const { open, requests } = await alone();
      const opened = await open();
      expect(opened).toMatchObject({ version: expect.any(String), isAlive: true });
      const { id } = await opened.create({ signal: new AbortController().signal });
      const { updates, prompt } = listening("Hello");
      expect(await opened.prompt(id, prompt)).toEqual({ reason: "done" });
      expect(textOf(updates)).not.toBe("");
      expect(requests()).toHaveLength(1);
      await opened.close();
      await opened.close();
      expect([opened.isAlive, isGroupAlive(opened.process)]).toEqual([false, false]);
    });

    test("continues a session that another process stored, with its prompts", async () => {
      const { open, requests, untilStored } = await alone();
      const first = await open();
      const { id } = await first.create({ signal: new AbortController().signal });
      await first.prompt(id, listening("Remember the word heron").prompt);
      await first.close();
      await untilStored?.();
      const second = await open();
      expect(second.canLoad).toBe(true);
      const isWhole = (prompts: readonly string[]) => prompts.join("").includes("heron");
      const { prompts } = await second.load(id, { signal: new AbortController().signal, isWhole });
      expect(isWhole(prompts)).toBe(true);
      await second.prompt(id, listening("Which word?").prompt);
      expect(
        requests()
          .at(-1)
          ?.filter(([kind]) => kind === "user"),
      ).toEqual([
        ["user", "Remember the word heron"],
        ["user", "Which word?"],
      ]);
    });

    test("never has an empty history for a session that does not exist", async () => {
      const { open } = await alone();
      const opened = await open();
      const isWhole = (prompts: readonly string[]) => prompts.length > 0;
      const id = "00000000-0000-4000-8000-000000000000";
      const loaded = await opened.load(id, { signal: new AbortController().signal, isWhole }).catch(() => undefined);
      expect(loaded?.prompts ?? []).toEqual([]);
    });

    test("keeps what two sessions of one process say apart", async () => {
      const { open, requests } = await alone();
      const opened = await open();
      const { signal } = new AbortController();
      const [one, other] = [await opened.create({ signal }), await opened.create({ signal })];
      const [first, second] = [listening("One"), listening("Other")];
      await Promise.all([opened.prompt(one.id, first.prompt), opened.prompt(other.id, second.prompt)]);
      expect([textOf(first.updates) === "", textOf(second.updates) === ""]).toEqual([false, false]);
      expect(textOf(first.updates)).not.toBe(textOf(second.updates));
      expect(new Set(requests().map((request) => JSON.stringify(request)))).toEqual(
        new Set([JSON.stringify([["user", "One"]]), JSON.stringify([["user", "Other"]])]),
      );
    });

    test("sends nothing once it was told to stop, and stops in the middle of an answer", async () => {
      const { open, hangs, requests } = await alone();
      const opened = await open();
      const { id } = await opened.create({ signal: new AbortController().signal });
      const never = listening("Never sent");
      never.stop();
      expect(await opened.prompt(id, never.prompt)).toEqual({ reason: "cancelled" });
      expect(requests()).toEqual([]);
      const half = listening(hangs("Only half of"), "half");
      expect(await opened.prompt(id, half.prompt)).toEqual({ reason: "cancelled" });
      const next = listening("And now?");
      expect(await opened.prompt(id, next.prompt)).toEqual({ reason: "done" });
      expect(textOf(next.updates)).not.toBe("");
    });

    test("the model is sent exactly the path, after going back with files and in another process", async () => {
      const { open, read, say, writes, sessions } = await driven();
      const agent = await open();
      await say(agent, writes("a.txt", "one"));
      const first = agent.session.getLeafId() as EntryId;
      await say(agent, writes("a.txt", "two"));
      expect(read("a.txt")?.trim()).toBe("two");
      await agent.navigateTree(first);
      expect(read("a.txt")?.trim()).toBe("one");
      await say(agent, "Another way");
      const file = agent.session.getSessionFile() as string;
      await agent.dispose();
      const again = await open(SessionManager.open(file, sessions));
      await say(again, "And tomorrow");
      expect(again.session.getEntries().filter(isPrompt)).toHaveLength(4);
    });

    test("blame names it, and the prompt of each line", async () => {
      const { open, cwd, home, driver, writes, read } = await driven();
      const agent = await open();
      const prompt = writes("a.txt", "one");
      await agent.prompt(prompt);
      const traced = await traceFile("a.txt", { cwd, home });
      const steps = traced.lines.map((line) => [
        line.text,
        traced.stepOf(line)?.agent,
        traced.stepOf(line)?.prompt?.text,
      ]);
      traced.close();
      expect(steps).toEqual([[read("a.txt")?.trim(), driver.name, prompt]]);
    });

    test("what others made is given to it", async () => {
      const { open, say, cwd, sessions } = await driven();
      const session = SessionManager.create(cwd, sessions);
      session.appendMessage({ role: "user", content: "What is a bough?", timestamp: 1 });
      session.appendMessage(answered("A large branch."));
      const agent = await open(session);
      await say(agent, "And a twig?");
    });

    test("a stopped turn keeps what was shown, and the next prompt continues", async () => {
      const { open, onText, hangs, requests } = await driven();
      const agent = await open();
      onText(agent, "half", () => agent.abort());
      expect(await agent.prompt(hangs("Only half of"))).toEqual({ kind: "aborted" });
      expect(answers(agent).filter((text) => text.includes("Only half of"))).toHaveLength(1);
      expect(await agent.prompt("Go on")).toMatchObject({ kind: "done" });
      expect(requests().at(-1)?.at(-1)).toEqual(["user", "Go on"]);
      expect(agent.session.getBranch().filter(isPrompt)).toHaveLength(2);
    });

    test("a killed process loses nothing that was shown, and the next prompt starts it again", async () => {
      const { open, opened, onText, read, writes, hangs, requests } = await driven();
      const agent = await open();
      await agent.prompt(writes("a.txt", "one"));
      onText(agent, "half", () => process.kill(opened[0]?.process.pid as number, "SIGKILL"));
      expect(await agent.prompt(hangs("Only half of"))).toMatchObject({ kind: "failed" });
      expect(answers(agent).filter((text) => text.includes("Only half of"))).toHaveLength(1);
      expect(await agent.prompt("Go on")).toMatchObject({ kind: "done" });
      expect([read("a.txt")?.trim(), requests().at(-1)?.at(-1)]).toEqual(["one", ["user", "Go on"]]);
      expect(agent.session.getBranch().filter(isPrompt)).toHaveLength(3);
    });

    test("what a rule protects never reaches its model, if such rules hold", async () => {
      const { reads, open, cwd, sent, driver } = await driven();
      const rule = parseRule("read(secret.txt)", { effect: "deny", source: { kind: "user" } });
      expect(driver.holds?.(rule) ?? false).toBe(reads !== undefined);
      if (reads === undefined) return;
      writeFileSync(join(cwd, "secret.txt"), "heron-7718\n");
      writeFileSync(join(cwd, "open.txt"), "pelican-4141\n");
      const agent = await open(undefined, ["read(secret.txt)"]);
      for (const prompt of reads("secret.txt")) await agent.prompt(prompt);
      for (const prompt of reads("open.txt").slice(0, 1)) await agent.prompt(prompt);
      const all = sent().join("\n");
      expect([all.includes("heron-7718"), all.includes("pelican-4141")]).toEqual([false, true]);
    });

    test("what a rule denies is not done, where it asks", async () => {
      const { asks, open, read, writes } = await driven();
      if (!asks) return;
      const agent = await open(undefined, ["edit", "write", "bash"]);
      await agent.prompt(writes("denied.txt", "x"));
      expect(read("denied.txt")).toBe(undefined);
      const results = agent.session
        .getBranch()
        .flatMap((entry) =>
          entry.type === "message" && entry.message.role === "toolResult" ? [entry.message.isError] : [],
        );
      expect(results).toEqual([true]);
    });
  });
}

/** A prompt whose updates are kept. It is told to stop by `stop`, or once it has said something. */
function listening(text: string, until?: string) {
  const updates: DriverUpdate[] = [];
  const abort = new AbortController();
  const prompt: DriverPrompt = {
    ...{ text, images: [], signal: abort.signal },
    onUpdate: (update) => {
      updates.push(update);
      if (until !== undefined && textOf(updates).includes(until)) abort.abort();
    },
    onQuestion: async () => "allow",
  };
  return { prompt, updates, stop: () => abort.abort() };
}

function textOf(updates: readonly DriverUpdate[]): string {
  return updates.map((update) => (update.kind === "text" ? update.text : "")).join("");
}

function answers({ session }: AgentSession): string[] {
  return session
    .getEntries()
    .flatMap((entry) =>
      entry.type === "message" && entry.message.role === "assistant" ? [contentText(entry.message.content)] : [],
    );
}

function answered(text: string): AssistantMessage {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const content = [{ type: "text" as const, text }];
  return { role: "assistant", content, api: "x", provider: "x", model: "x", usage, stopReason: "stop", timestamp: 1 };
}

/** What a model must be sent for the path to the leaf. */
function sentFor(session: SessionManager): SentPart[] {
  return session.getBranch().flatMap((entry): SentPart[] => {
    if (entry.type !== "message") return [];
    const { message } = entry;
    if (message.role === "toolResult") return [["result", ""]];
    if (message.role !== "user" && message.role !== "assistant") return [];
    const { content } = message;
    const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    return blocks.flatMap((block): SentPart[] => {
      if (block.type === "toolCall") return [["call", block.name]];
      return block.type === "text" ? [[message.role, block.text]] : [];
    });
  });
}
