/** What Codex keeps in the context through a compaction, and what other programs get of it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSessionContext } from "@bough/session/context/index.js";
import type { AgentMessage, SessionEntry } from "@bough/session/entry/index.js";
import { describe, expect, it } from "vitest";
import { convertFile } from "../../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { writerFor } from "../../agents.js";
import type { AgentName, WritePlan } from "../../contract.js";
import { codexReader } from "../codex-reader.js";

const TIME = "2026-03-04T10:00:00.000Z";
const THREAD = "0196aaaa-0000-7000-8000-00000000000a";

const line = (type: string, payload: object) => JSON.stringify({ timestamp: TIME, type, payload });
const meta = line("session_meta", { id: THREAD, timestamp: TIME, cwd: "/repo", originator: "x", cli_version: "0.1.0" });
const message = (role: string, ...texts: string[]) => ({
  type: "message",
  role,
  content: texts.map((text) => ({ type: role === "assistant" ? "output_text" : "input_text", text })),
});
const said = (role: string, ...texts: string[]) => line("response_item", message(role, ...texts));
const compacted = (summary: string, history?: readonly object[]) =>
  line("compacted", { message: summary, ...(history === undefined ? {} : { replacement_history: history }) });
const rolledBack = (turns: number) => line("event_msg", { type: "thread_rolled_back", num_turns: turns });

async function entriesOf(lines: readonly string[]): Promise<readonly SessionEntry[]> {
  const path = join(tempFolder(), `.codex/sessions/2026/03/04/rollout-2026-03-04T10-00-00-${THREAD}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, [meta, ...lines].map((text) => `${text}\n`).join(""));
  return (await convertFile(codexReader, path)).entries;
}

function words(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = content as readonly { text?: string; name?: string }[];
  return blocks.map(({ text, name }) => text ?? `${name}()`).join("|");
}

function shown(entries: readonly SessionEntry[]): string[] {
  return buildSessionContext(entries).messages.map((each: AgentMessage) =>
    each.role === "compactionSummary" ? `summary ${each.summary}` : words((each as { content: unknown }).content),
  );
}

function planFor(agent: AgentName, entries: readonly SessionEntry[]): WritePlan {
  let made = 0;
  const newId = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;
  const request = { entries, cwd: tempFolder(), places: { home: "/home/dev" }, now: () => new Date(0), newId };
  return writerFor(agent).planWrite(request);
}

describe("a compaction that records the new history", () => {
  const history = [
    ...[message("user", "one"), message("developer", "rules"), message("user", "<environment_context>here")],
    ...[message("user", "two"), message("user", "the summary")],
  ];
  const lines = [
    ...[said("user", "one"), said("assistant", "1"), said("user", "two"), said("assistant", "2")],
    ...[compacted("the summary", history), said("user", "three"), said("assistant", "3")],
  ];

  it("keeps the prompts in the context after the summary, in order", async () => {
    const entries = await entriesOf(lines);
    expect(shown(entries)).toEqual([
      ...["summary the summary", "one", "rules", "<environment_context>here", "two", "three", "3"],
    ]);
    const kept = entries.filter((entry) => entry.type === "custom_message");
    expect(kept.map(({ display, customType }) => [display, customType])).toEqual([
      ...[
        [false, "codex.kept"],
        [false, "codex.context"],
        [false, "codex.context"],
        [false, "codex.kept"],
      ],
    ]);
  });

  it("hands off the prompts to Claude Code and pi, without Codex's own instructions", async () => {
    const entries = await entriesOf(lines);
    for (const agent of ["claude-code", "pi"] as const) {
      const text = [...planFor(agent, entries).lines].join("\n");
      const after = text.slice(text.lastIndexOf("the summary"));
      const places = ["one", "two", "three"].map((word) => after.indexOf(word));
      // Codex's own record stays in the details of the compaction, which no model sees.
      const shown = [...planFor(agent, entries).lines].map((json) => ({ ...JSON.parse(json), details: undefined }));
      expect(JSON.stringify(shown)).not.toMatch(/rules|<environment_context>/);
      expect([agent, places.every((place) => place >= 0)]).toEqual([agent, true]);
      expect([agent, places]).toEqual([agent, [...places].sort((a, b) => a - b)]);
    }
  });

  it("is written back to Codex as the original record, with its items once", async () => {
    const plan = planFor("codex", await entriesOf(lines));
    const records = [...plan.lines].map((text) => JSON.parse(text) as { type: string; payload: object });
    const items = records.filter(({ type }) => type === "response_item" || type === "compacted");
    expect(items.map(({ payload }) => payload)).toEqual(
      lines.map((text) => (JSON.parse(text) as { payload: object }).payload),
    );
  });

  it("is written as a new record if the path omits a kept prompt", async () => {
    const entries = (await entriesOf(lines)).filter(
      (entry) => entry.type !== "custom_message" || !JSON.stringify(entry).includes("rules"),
    );
    const compaction = [...planFor("codex", entries).lines].find((text) => text.includes('"type":"compacted"'));
    expect(compaction).not.toContain("<environment_context>");
  });

  it("also keeps its answers, calls and results", async () => {
    const call = { type: "function_call", name: "shell", arguments: "{}", call_id: "c1" };
    const output = { type: "function_call_output", call_id: "c1", output: "out" };
    const entries = await entriesOf([
      ...[said("user", "one"), line("response_item", call), line("response_item", output), said("assistant", "1")],
      compacted("sum", [
        message("user", "the sum of it"),
        message("user", "one"),
        call,
        output,
        message("assistant", "1"),
      ]),
      said("user", "two"),
    ]);
    expect(shown(entries)).toEqual(["summary sum", "one", "shell()", "out", "1", "two"]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });

  it("does not mistake a prompt for the summary if that is encrypted", async () => {
    const encrypted = [message("user", "one"), { type: "compaction", encrypted_content: "x" }];
    const entries = await entriesOf([said("user", "one"), compacted("", encrypted), said("user", "two")]);
    expect(shown(entries)).toEqual([expect.stringContaining("encrypted"), "one", "two"]);
  });

  it("occurs in a rollout written by Codex", async () => {
    const sample =
      "../../../../../../test/fixtures/interop/codex/rollout-2026-11-15T08-50-22-01a1de66-80ff-71b0-83ef-c69d0ac060ef.jsonl";
    const { entries } = await convertFile(codexReader, fileURLToPath(new URL(sample, import.meta.url)));
    const prompts = ["Read README.md.", "What is the boiling point?", "A turn that fills the window."];
    const context = shown(entries);
    expect(context.filter((text) => prompts.includes(text))).toEqual(prompts);
    expect(context.slice(-4)).toEqual([
      ...["Carry on after the summary.", "Carrying on.", "One more after that.", "One more."],
    ]);
  });
});

describe("an older compaction, which does not record the new history", () => {
  it("keeps the prompts that Codex keeps by its rule", async () => {
    const shell = "<user_shell_command>\n<command>\nls\n</command>\n<result>\nx\n</result>\n</user_shell_command>";
    const entries = await entriesOf([
      ...[said("user", "<environment_context>here"), said("user", shell), said("user", "one"), said("assistant", "1")],
      ...[said("user", "two"), compacted("sum"), said("user", "three"), said("assistant", "3")],
    ]);
    expect(shown(entries)).toEqual(["summary sum", "one", "two", "three", "3"]);
  });

  it("keeps the newest 20,000 tokens, and cuts the oldest prompt in the middle", async () => {
    const [a, b, c] = ["a".repeat(24_000), "b".repeat(24_000), "c".repeat(48_000)];
    const entries = await entriesOf([
      ...[said("user", "oldest"), said("user", a), said("user", b), said("user", c), said("user", "small")],
      ...[compacted("sum"), said("user", "next")],
    ]);
    const half = "a".repeat(1998 * 2);
    expect(shown(entries)).toEqual([
      ...["summary sum", `${half}|…4002 tokens truncated…|${half}`, b, c, "small", "next"],
    ]);
  });

  it("does not cut through a character", async () => {
    const entries = await entriesOf([said("user", `x${"ä".repeat(60_000)}`), compacted("sum"), said("user", "next")]);
    const [, cut] = shown(entries);
    expect(cut).toBe(`x${"ä".repeat(19_999)}|…10001 tokens truncated…|${"ä".repeat(20_000)}`);
  });

  it("keeps what an earlier one kept, but not its summary if Codex wrote that", async () => {
    const opening =
      "Another language model started to solve this problem and produced a summary of its thinking process.";
    const entries = await entriesOf([
      ...[said("user", "one"), compacted(`${opening}\nfirst`), said("user", "two"), compacted("second")],
      said("user", "three"),
    ]);
    expect(shown(entries)).toEqual(["summary second", "one", "two", "three"]);
  });

  it("does not keep prompts that were rolled back", async () => {
    const entries = await entriesOf([
      ...[said("user", "one"), said("assistant", "1"), said("user", "two"), rolledBack(1), compacted("sum")],
      said("user", "three"),
    ]);
    expect(shown(entries)).toEqual(["summary sum", "one", "three"]);
  });

  it("keeps older prompts again after a rollback past it", async () => {
    const entries = await entriesOf([
      ...[said("user", "one"), said("user", "two"), compacted("first"), rolledBack(1), said("user", "three")],
      ...[compacted("second"), said("user", "four")],
    ]);
    expect(shown(entries)).toEqual(["summary second", "one", "three", "four"]);
  });
});
