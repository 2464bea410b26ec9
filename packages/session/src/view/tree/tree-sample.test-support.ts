/** A session like the one in the docs of the tree: one trunk, side branches, labels, a compaction, tools. */
import type { AgentMessage, AssistantBlock } from "../../entry/index.js";
import { SessionManager } from "../../session/index.js";

const MINUTE = 60_000;
/** The current time in these tests. */
export const NOW = Date.UTC(2026, 0, 15, 12);

/** Writes turns into a session, each entry at a chosen time. */
export class SampleSession {
  readonly session: SessionManager;
  #time = NOW - 240 * MINUTE;
  #calls = 0;

  constructor(name?: string) {
    let ids = 0;
    this.session = SessionManager.inMemory("/w", {
      now: () => new Date(this.#time),
      newId: () => `e${++ids}`,
      newSessionId: () => "session-1",
    });
    if (name !== undefined) this.session.appendSessionInfo(name);
  }

  /** Sets the time of the following entries to this many minutes before `NOW`. */
  at(minutesAgo: number): this {
    this.#time = NOW - minutesAgo * MINUTE;
    return this;
  }

  say(text: string): string {
    return this.session.appendMessage({ role: "user", content: text, timestamp: this.#time });
  }

  answer(text: string, options: { stopReason?: "stop" | "aborted" | "error"; errorMessage?: string } = {}): string {
    return this.#reply(text === "" ? [] : [{ type: "text", text }], options);
  }

  /** Calls tools; all of them answer except those marked `waits`. Returns the IDs of the appended entries. */
  tools(
    ...calls: readonly (readonly [name: string, input: Record<string, unknown>, error?: "fails" | "waits"])[]
  ): string[] {
    const first = this.#calls;
    this.#calls += calls.length;
    const blocks = calls.map(
      ([name, input], at): AssistantBlock => ({
        type: "toolCall",
        id: `call${first + at}`,
        name,
        arguments: input,
      }),
    );
    const ids = [this.#reply(blocks, { stopReason: "toolUse" })];
    for (const [at, [name, , end]] of calls.entries()) {
      if (end === "waits") continue;
      const message: AgentMessage = {
        role: "toolResult",
        toolCallId: `call${first + at}`,
        toolName: name,
        content: [{ type: "text", text: `output of ${name}` }],
        isError: end === "fails",
        timestamp: this.#time,
      };
      ids.push(this.session.appendMessage(message));
    }
    return ids;
  }

  /** A prompt, this many tools, and an answer. Returns the ID of the prompt. */
  turn(prompt: string, options: { tools?: number; answer?: string; files?: readonly string[] } = {}): string {
    const id = this.say(prompt);
    const { tools = 0, answer = "Done.", files = [] } = options;
    for (const path of files) this.tools(["edit", { path }]);
    for (let i = files.length; i < tools; i++) this.tools(["bash", { command: `step ${i + 1}` }]);
    this.answer(answer);
    return id;
  }

  #reply(
    content: readonly AssistantBlock[],
    {
      stopReason = "stop",
      errorMessage,
    }: { stopReason?: "stop" | "aborted" | "error" | "toolUse"; errorMessage?: string },
  ): string {
    return this.session.appendMessage({
      role: "assistant",
      content,
      api: "test",
      provider: "acme",
      model: "m-1",
      usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
      stopReason,
      ...(errorMessage === undefined ? {} : { errorMessage }),
      timestamp: this.#time,
    });
  }
}

/**
 * The session of the sketches: short turns, a fork with #2 and #4, a compaction, a label, and #5, which was stopped. #2
 * has a side branch of its own, #3.
 *
 *     … wire ─ keep ─ ◆ ─ fix ─ @                #1
 *         │               └─ rewrite ✕           #5
 *         ├─ try ─ start ─ drop                  #2
 *         │            └─ generate               #3
 *         └─ use                                 #4
 */
export function parserSession(): SampleSession {
  const sample = new SampleSession("parser session");
  const { session } = sample;
  for (let i = 1; i <= 12; i++) sample.turn(`earlier question ${i}`);
  sample.at(180).turn("wire the tokenizer into the CLI", { tools: 6 });
  const wired = here(session);
  sample.at(121).turn("keep the generated one, add tests", { tools: 11, answer: "The generated one stays." });
  const kept = here(session);
  session.branch(wired);
  const lexer = sample.at(150).turn("try a hand-written lexer");
  session.appendLabelChange(lexer, "lexer");
  sample.turn("start from a table of states");
  const table = here(session);
  sample.at(120).turn("drop the table, use switch", { tools: 2, answer: "Faster by 3x, two cases open." });
  session.branch(table);
  sample.turn("generate the table");
  session.branch(wired);
  sample.at(60).turn("use an off-the-shelf grammar");
  session.branch(kept);
  const sizes = { tokensBefore: 41_000, tokensAfter: 3_000 };
  session.saveEntry({ type: "compaction", summary: "x".repeat(12_000), firstKeptEntryId: kept, ...sizes });
  const fix = sample.at(52).turn("fix the failing edge cases: empty input, a lone quote, CRLF inside strings", {
    tools: 7,
    files: ["src/lex.ts", "src/lex.test.ts"],
    answer: "Two are failing.",
  });
  const half = here(session);
  session.appendLabelChange(fix, "good");
  sample.at(12).tools(["edit", { path: "src/lex.ts" }], ["bash", { command: "npm test" }]);
  sample.answer("2 failing, then all 38 pass.");
  const done = here(session);
  session.branch(half);
  sample.at(30).say("rewrite the error type");
  sample.answer("", { stopReason: "aborted" });
  session.branch(done);
  return sample;
}

function here(session: SessionManager): string {
  const leaf = session.getLeafId();
  if (leaf === null) throw new Error("bug: the sample has no leaf");
  return leaf;
}
