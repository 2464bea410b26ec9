/** Makes the demo session: five branches, two summaries, a compaction and labels, written like any other session. */
import { createHash } from "node:crypto";
import { tokensAfterCompaction } from "@bough/agent/agent/internal.js";
import type { AssistantBlock, EntryId, StopReason } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import * as story from "./demo-story.js";
import type { DemoTool, DemoTurn } from "./demo-turn.js";

const MINUTE = 60_000;
const MODEL = { api: "offline", provider: "offline", model: "rules" } as const;

interface DemoOptions {
  /** Where the file goes. */
  readonly dir: string;
  readonly cwd: string;
  /** When the session ends. */
  readonly end: Date;
}

/**
 * Writes the session and returns its file. Deterministic except for timestamps, so that screenshots stay comparable.
 */
export function makeDemo({ dir, cwd, end }: DemoOptions): string {
  const clock = { time: end.getTime() - storyMinutes() * MINUTE };
  let ids = 0;
  const newId = (): EntryId => createHash("sha256").update(`demo ${ids++}`).digest("hex").slice(0, 12) as EntryId;
  const session = SessionManager.create(cwd, dir, {
    now: () => new Date(clock.time),
    newId,
    newSessionId: () => DEMO_ID,
  });
  const teller = new Teller(session, clock);
  session.appendSessionInfo(story.STORY_NAME);
  session.appendModelChange(MODEL.provider, MODEL.model);

  // The first branch at a fork keeps its number, so the trunk is written first at each fork.
  teller.tell(story.BEGINNING);
  const tokenizer = session.getLeafId() as EntryId;
  const edgeCases = teller.tell(story.KEPT);
  session.branch(tokenizer);
  teller.tell(story.LEXER);
  const files = { readFiles: [], modifiedFiles: ["src/lex.ts", "src/table.ts"] };
  const summary = session.branchWithSummary(edgeCases, story.LEXER_SUMMARY, files);
  session.branch(edgeCases);
  teller.tell(story.ERRORS);
  session.branch(summary);
  teller.tell(story.SUMS.slice(0, 2));
  const firstKept = teller.tell(story.SUMS.slice(2), { wantsFirst: true });
  const compaction = { summary: story.COMPACTION_SUMMARY, firstKeptEntryId: firstKept };
  session.saveEntry({
    type: "compaction",
    ...compaction,
    tokensBefore: 41_200,
    tokensAfter: tokensAfterCompaction(session, compaction),
    details: {
      readFiles: ["README.md", "src/sum.ts"],
      modifiedFiles: ["grammar.peg", "src/dates.ts", "src/dialect.ts", "src/lex.ts", "src/read.ts", "src/sum.ts"],
    },
  });
  const tooBig = teller.tell(story.OUTPUT);
  const ending = teller.tell(story.ENDING);
  session.branch(tooBig);
  teller.tell(story.PIECES);
  session.branch(tooBig);
  teller.tell(story.DATABASE);
  session.branch(ending);
  session.close();
  return session.getSessionFile() as string;
}

export const DEMO_ID = "bough-demo";

/** A turn takes two minutes, plus the pause after it in the story. */
function storyMinutes(): number {
  const turns: readonly DemoTurn[] = Object.values(story).flatMap((part) => (typeof part === "string" ? [] : part));
  return turns.reduce((sum, { pause = 1 }) => sum + 2 + pause, 0) + 3;
}

class Teller {
  readonly #session: SessionManager;
  readonly #clock: { time: number };
  #calls = 0;
  #context = 1800;

  constructor(session: SessionManager, clock: { time: number }) {
    this.#session = session;
    this.#clock = clock;
  }

  /** Appends turns at the leaf. Returns the last entry, or the first prompt if that is requested. */
  tell(turns: readonly DemoTurn[], { wantsFirst = false } = {}): EntryId {
    let first: EntryId | undefined;
    for (const turn of turns) {
      const prompt = this.#turn(turn);
      first ??= prompt;
    }
    return (wantsFirst ? first : this.#session.getLeafId()) as EntryId;
  }

  #turn(turn: DemoTurn): EntryId {
    const prompt = this.#session.appendMessage({ role: "user", content: turn.prompt, timestamp: this.#clock.time });
    const tools = turn.tools ?? [];
    if (tools.length > 0) this.#callTools(turn, tools);
    this.#clock.time += MINUTE / 2;
    const thinking = tools.length === 0 ? thinkingOf(turn) : [];
    this.#say([...thinking, { type: "text", text: turn.answer }], turn.stopped === true ? "aborted" : "stop");
    if (turn.label !== undefined) this.#session.appendLabelChange(prompt, turn.label);
    this.#clock.time += (turn.pause ?? 1) * MINUTE;
    return prompt;
  }

  #callTools(turn: DemoTurn, tools: readonly DemoTool[]): void {
    const calls = tools.map((tool) => ({ id: `demo-${++this.#calls}`, tool }));
    this.#say(
      [
        ...thinkingOf(turn),
        ...calls.map(({ id, tool }) => ({
          type: "toolCall" as const,
          id,
          name: tool.name,
          arguments: { ...tool.input },
        })),
      ],
      "toolUse",
    );
    for (const { id, tool } of calls) {
      this.#clock.time += (1.5 * MINUTE) / calls.length;
      this.#session.appendMessage({
        role: "toolResult",
        toolCallId: id,
        toolName: tool.name,
        content: [{ type: "text", text: tool.output }],
        ...defined({ details: detailsOf(tool) }),
        isError: tool.failed === true,
        timestamp: this.#clock.time,
      });
    }
  }

  #say(content: readonly AssistantBlock[], stopReason: StopReason): void {
    const output = 40 + JSON.stringify(content).length / 4;
    this.#context += output + 350;
    const usage = usageOf(Math.round(this.#context), Math.round(output));
    this.#session.appendMessage({
      role: "assistant",
      content,
      ...MODEL,
      usage,
      stopReason,
      timestamp: this.#clock.time,
    });
  }
}

function thinkingOf({ thinking }: DemoTurn): AssistantBlock[] {
  return thinking === undefined ? [] : [{ type: "thinking", thinking }];
}

function detailsOf(tool: DemoTool): unknown {
  if (tool.name === "bash") {
    const exitCode = tool.failed === true ? 1 : 0;
    return { command: tool.input.command, end: "exited", exitCode, truncated: false, totalBytes: tool.output.length };
  }
  if (tool.diff !== undefined) {
    const added = tool.diff.filter((line) => line.startsWith("+")).length;
    const removed = tool.diff.filter((line) => line.startsWith("-")).length;
    const path = String(tool.input.path);
    const hunk = `@@ -1,${tool.diff.length - added} +1,${tool.diff.length - removed} @@`;
    const diff = [`--- ${path}`, `+++ ${path}`, hunk, ...tool.diff, ""].join("\n");
    return { path, change: "changed", added, removed, diff };
  }
  return tool.name === "write" ? { path: tool.input.path, change: "created" } : undefined;
}

function usageOf(input: number, output: number) {
  const cost = { input: input * 3e-6, output: output * 15e-6, cacheRead: 0, cacheWrite: 0 };
  const total = cost.input + cost.output;
  return { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output, cost: { ...cost, total } };
}
