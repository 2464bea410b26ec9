/** Prompt caches as a promise: whatever happens to a session, a request starts with the ones before it on its path. */

import { assertPromptPrefix } from "@bough/session/context/index.js";
import { isPrompt } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fastFolder } from "../../../../../test/support/temp-folder.js";
import { type LanguageModel, openModel } from "../../model/index.js";
import { infoOf, PROTOCOLS, type SpokenPart, says as spoken } from "../../model/wire-protocols.test-support.js";
import { type WireServer, wireServer } from "../../model/wire-server.test-support.js";
import { harness, says, tool } from "../agent-harness.test-support.js";
import type { AgentSession } from "../agent-session.js";

const ALL = process.env.BOUGH_RUNS === "all";
/** With one, requests start with the date and the platform. */
const PROJECT = { contextFiles: [], templates: [], skills: [], problems: [] };

const OPERATIONS = [
  "ask",
  "ask with tools",
  "ask and fail",
  "ask and stop",
  "ask and steer",
  "shell",
  "note",
  "label",
  "go back",
  "edit a prompt",
  "switch",
  "undo",
  "fork",
  "resume",
  "kill",
] as const;

const step = fc.record({ operation: fc.constantFrom(...OPERATIONS), at: fc.nat(1000), kind: fc.nat(5) });
type Step = { readonly operation: (typeof OPERATIONS)[number]; readonly at: number; readonly kind: number };

/** A request as it was sent, and the path it was made from. */
interface Sent {
  readonly session: string;
  readonly path: readonly string[];
  readonly body: unknown;
}

describe.each(PROTOCOLS)("requests of $api", (protocol) => {
  let server: WireServer;
  beforeEach(async () => {
    server = await wireServer();
  });
  afterEach(() => server.close());

  const answer = (kind: number, at: number): readonly SpokenPart[] => {
    const text = { text: `answer ${at}`, signature: `msg_${at}` };
    if (kind % 3 === 0) return [text];
    const thinking = { thinking: "First this.\n\nThen that.", signature: `SIGNATURE-${at}` };
    return kind % 3 === 1 ? [thinking, text] : [thinking, { text: `half ${at}` }, { text: `and half ${at}` }];
  };
  const done = (kind: number, at: number) => spoken(protocol, { parts: answer(kind, at), stop: "stop" });
  /** Claude thinks at the start of a turn where it was told to; later answers of the turn may do without. */
  const thinksFirst = protocol.api === "anthropic-messages";
  const calling = (kind: number, at: number, { first = true } = {}) => {
    const calls = Array.from({ length: 1 + (kind % 2) }, (_none, index) => ({
      call: `call-${at}-${index}`,
      name: index === 0 ? "a" : "b",
      input: JSON.stringify({ path: `${at}` }),
      ...(kind > 2 && { signature: `SIGNATURE-${at}` }),
    }));
    const thought = { thinking: "Look.", signature: `SIGNATURE-${at}` };
    return spoken(protocol, {
      parts: kind % 3 === 0 && !(first && thinksFirst) ? calls : [thought, ...calls],
      stop: "toolUse",
    });
  };

  class World {
    readonly sent: Sent[] = [];
    readonly folder = fastFolder();
    agent!: AgentSession;
    session!: SessionManager;

    open(session?: SessionManager): void {
      const real = openModel({
        info: infoOf(protocol, server.origin),
        apiKey: () => "key",
        fetch: (input, init) => {
          this.#note(String(init?.body));
          return globalThis.fetch(input, init);
        },
      });
      const tools = ["a", "b"].map((name) =>
        tool({ name, execute: (input) => says(`${name} ${JSON.stringify(input)}`) }),
      );
      const model: LanguageModel = real;
      const made = harness({
        model,
        tools,
        cwd: this.folder,
        thinkingLevel: "low",
        project: PROJECT,
        ...(session && { session }),
      });
      this.agent = made.agent;
    }

    #note(body: string): void {
      const { session } = this.agent;
      const path = session.getBranch().map(({ id }) => id as string);
      this.sent.push({ session: session.getSessionId(), path, body: JSON.parse(body) });
    }

    async run({ operation, at, kind }: Step, number: number): Promise<void> {
      const { agent } = this;
      const { session } = agent;
      const entries = session.getEntries();
      const target = entries[at % Math.max(1, entries.length)]?.id;
      switch (operation) {
        case "ask":
          server.reply(done(kind, number));
          return void (await agent.prompt(`prompt ${number}`));
        case "ask with tools":
          server.reply(calling(kind, number), calling(kind + 1, number + 5000, { first: false }), done(kind, number));
          return void (await agent.prompt(`prompt ${number}`));
        case "ask and fail":
          server.reply({ status: 500, body: "{}" }, { frames: [], after: "cut" }, done(kind, number));
          return void (await agent.prompt(`prompt ${number}`));
        case "ask and stop": {
          const whole = protocol.frames({ parts: answer(kind, number), stop: "stop" });
          server.reply({ frames: whole.slice(0, 1 + (at % Math.max(1, whole.length - 2))), after: "wait" });
          const asked = server.requests.length;
          const run = agent.prompt(`prompt ${number}`);
          await expect.poll(() => server.requests.length).toBe(asked + 1);
          agent.abort();
          return void (await run);
        }
        case "ask and steer": {
          server.reply(calling(kind, number), done(kind, number), done(kind, number + 5000));
          const run = agent.prompt(`prompt ${number}`);
          agent.steer(`also ${number}`);
          await run;
          // What was not needed must not answer the next one.
          return server.forget();
        }
        case "shell":
          return void (await agent.runBash(`echo ${number}`));
        case "note":
          return void agent.sendMessage({ customType: "note", content: `note ${number}`, display: true });
        case "label":
          return target === undefined ? undefined : void agent.label(target, `label ${number}`);
        case "go back":
          return target === undefined ? undefined : void (await agent.branchInPlace(target));
        case "edit a prompt": {
          const prompts = entries.filter(isPrompt);
          const prompt = prompts[at % Math.max(1, prompts.length)]?.id;
          return prompt === undefined ? undefined : void (await agent.navigateTree(prompt));
        }
        case "switch":
          return target === undefined ? undefined : void (await agent.switchTo(target, { to: "end" }));
        case "undo":
          return agent.undoTarget === undefined ? undefined : void (await agent.undoMove());
        case "fork":
          return target === undefined ? undefined : void (await agent.fork(target, { position: "at" }));
        case "resume":
          await agent.dispose();
          return this.reopen();
        case "kill":
          // Nothing is said, nothing is closed: what is in the file is all there is.
          return this.reopen();
      }
    }

    reopen(): void {
      const file = this.agent.session.getSessionFile();
      if (file === undefined) throw new Error("bug: the session has no file");
      this.open(SessionManager.open(file));
    }
  }

  test("start with the bytes of the ones before them, on every path and up to every split", async () => {
    let compared = 0;
    let forks = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const world = new World();
        world.open();
        server.reply(done(0, 9999));
        await world.agent.prompt("the first prompt");
        for (const [number, one] of steps.entries()) await world.run(one, number + 1);
        server.reply(done(1, 10_000));
        await world.agent.prompt("the last prompt");
        await world.agent.dispose();
        for (const [at, after] of world.sent.entries()) {
          if (protocol.api === "anthropic-messages") expectFoundAgain(world.sent.slice(0, at), after);
          for (const before of world.sent.slice(0, at)) {
            if (before.path.every((id, index) => after.path[index] === id)) {
              assertPromptPrefix(before.body, after.body);
              compared += 1;
            } else {
              const shared = sharedPath(before, after);
              const common = world.sent.filter(({ path }) => path.length <= shared && startsWith(after, path));
              const longest = common.reduce((most, { path }) => Math.max(most, path.length), 0);
              for (const { path, body } of common)
                if (path.length === longest) {
                  assertPromptPrefix(body, before.body);
                  assertPromptPrefix(body, after.body);
                  forks += 1;
                }
            }
          }
        }
      }),
      { numRuns: ALL ? 200 : 6, seed: ALL ? undefined : 20261117 } as fc.Parameters<[Step[]]>,
    );
    expect(Math.min(compared, forks)).toBeGreaterThan(20);
  });
});

interface ClaudeBody {
  readonly messages: readonly { readonly content: readonly { readonly cache_control?: unknown }[] }[];
}

/** How far back from a mark Anthropic looks for something it has cached, in blocks, and how many marks it takes. */
const LOOKBACK = 20;
const MOST_MARKS = 4;

/** The end of the longest request before on the path was written to the cache; one of the marks now has to find it. */
function expectFoundAgain(earlier: readonly Sent[], after: Sent): void {
  const { messages } = after.body as ClaudeBody;
  const marks = messages
    .flatMap(({ content }) => content)
    .flatMap((block, at) => (block.cache_control === undefined ? [] : [at]));
  expect(JSON.stringify(after.body).split('"cache_control"').length - 1).toBeLessThanOrEqual(MOST_MARKS);
  const ends = earlier
    .filter(({ path }) => startsWith(after, path))
    .map(({ body }) => (body as ClaudeBody).messages.flatMap(({ content }) => content).length - 1);
  if (ends.length === 0) return;
  const end = Math.max(...ends);
  expect(marks.some((mark) => mark >= end && mark - end < LOOKBACK)).toBe(true);
}

function startsWith({ path }: Sent, start: readonly string[]): boolean {
  return start.every((id, index) => path[index] === id);
}

function sharedPath(a: Sent, b: Sent): number {
  let at = 0;
  while (at < a.path.length && a.path[at] === b.path[at]) at++;
  return at;
}
