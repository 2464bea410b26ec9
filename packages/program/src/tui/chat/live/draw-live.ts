/** Draws what is happening right now, below the last entry. */
import { contentText } from "@bough/session/entry/index.js";
import { firstWords, withoutControls } from "@bough/session/text/index.js";
import type { ToolBlock, TranscriptBlock } from "@bough/session/view/index.js";
import { toolTitle, wrapWords } from "@bough/session/view/internal.js";
import { type BlockContext, HANG, hang, remark } from "../transcript/block-context.js";
import { drawBlock, hasGap } from "../transcript/draw-block.js";
import { clock } from "../transcript/draw-tool.js";
import type { DrawnLine } from "../transcript/drawn-line.js";
import type { LivePart, LiveTail } from "./live-tail.js";

interface DrawLiveOptions {
  readonly live: LiveTail;
  readonly context: BlockContext;
  /** The name of the current branch: "#1 wire the tokenizer". */
  readonly branch: string | undefined;
}

/** Draws the same blocks as for entries, so that nothing jumps when the entry replaces them. */
export function drawLive({ live, context, branch }: DrawLiveOptions): readonly DrawnLine[] {
  const lines: DrawnLine[] = [];
  let above: TranscriptBlock["kind"] | undefined;
  const add = (block: TranscriptBlock, its: BlockContext = context): void => {
    if (hasGap(block, above)) lines.push({ text: "" });
    above = block.kind;
    for (const line of drawBlock(block, its)) lines.push(line);
  };
  if (live.prompt !== undefined) {
    add({ kind: "prompt", id: "live:prompt", entryId: "", time: 0, text: live.prompt, images: [] });
  }
  for (const [index, part] of (live.answer ?? []).entries()) {
    const block = blockOf(part, index);
    if (block !== undefined) add(block);
  }
  for (const [index, tool] of live.ownCommands.entries()) {
    // As it will look once it has ended.
    lines.push({ text: "" });
    add(callBlock(`live:own${index}`, `!  ${commandOf(tool.input)}`), { ...context, running: () => tool });
  }
  for (const line of progressLines({ live, context, branch })) lines.push(line);
  return lines;
}

function blockOf(part: LivePart, index: number): TranscriptBlock | undefined {
  const start = { id: `live:${index}`, entryId: "", time: 0 } as const;
  if (part.kind === "call") {
    const block = { ...callBlock(start.id, callTitle(part)), name: part.name, callId: part.callId };
    if (part.result === undefined) return block;
    return { ...block, state: part.result.isError ? "failed" : "done", output: contentText(part.result.content) };
  }
  const text = withoutControls(part.text);
  if (text.trim() === "") return undefined;
  return part.kind === "text"
    ? { kind: "answer", ...start, text }
    : { kind: "thinking", ...start, text, redacted: false };
}

function callBlock(id: string, title: string): ToolBlock {
  return {
    kind: "tool",
    id,
    entryId: "",
    time: 0,
    callId: id,
    name: "",
    arguments: {},
    title,
    state: "running",
    isRefused: false,
    isStopped: false,
    output: "",
    images: [],
    diff: undefined,
    exitCode: undefined,
    truncated: false,
    fullOutputPath: undefined,
    resultEntryId: undefined,
  };
}

/** The first argument that has arrived, even in part, usually says most: a path, a command, a pattern. */
function callTitle({ name, text }: Extract<LivePart, { kind: "call" }>): string {
  const [, key, value] = /"(path|file_path|command|pattern)"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(text.slice(0, 4000)) ?? [];
  if (key === undefined || value === undefined) return toolTitle(name, {});
  return toolTitle(name, { [key]: value.replace(/\\n/g, " ").replace(/\\(.)/g, "$1") });
}

function commandOf(input: unknown): string {
  const command: unknown = (input as { readonly command?: unknown } | null | undefined)?.command;
  return typeof command === "string" ? firstWords(command, 2000) : "";
}

function progressLines({ live, context, branch }: DrawLiveOptions): readonly DrawnLine[] {
  const { glyphs, now, hint, theme } = context;
  const lines: DrawnLine[] = [];
  const stop = hint("chat.stop");
  const { retry, summary } = live;
  if (retry !== undefined) {
    const wait = clock(retry.at - now + 999);
    const words = `${withoutControls(retry.message).replace(/\s+/g, " ")} ${glyphs.dot} retrying in ${wait}`;
    const key = stop === "" ? "" : `   ${stop} stops it`;
    // Wrapped, not cut: the end says that it continues on its own.
    const wrapped = wrapWords(words + key, context.width - HANG).map((line) => remark(line, context));
    lines.push({ text: "" }, ...hang(wrapped, { sign: glyphs.failed, tone: "bad" }, context));
  }
  if (summary !== undefined && context.progressElsewhere !== true) {
    const what = summary.purpose === "branch" ? `Summarizing ${branch ?? "this branch"}` : "Compacting";
    const stays = summary.purpose === "branch" ? " (you stay here)" : "";
    const key = stop === "" ? "" : `   ${stop} stops it${stays}`;
    const words = `${what} ${glyphs.ellipsis} ${clock(now - summary.startedAt)}${key}`;
    const note = { sign: glyphs.note, tone: "note" } as const;
    lines.push({ text: "" }, ...hang([theme.paint("note", words)], note, context));
  }
  return lines;
}
