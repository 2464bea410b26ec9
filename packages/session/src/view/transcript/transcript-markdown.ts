/** A path as Markdown, for `bough show` and for exports. */
import { isPrompt, type SessionEntry } from "../../entry/index.js";
import { counted, fenced, longestBacktickRun, withoutControls } from "../../text/index.js";
import type { FilesBlock, ShellBlock, ToolBlock, TranscriptBlock } from "./block.js";
import type { BlockFinder } from "./entry-blocks.js";
import { pathBlocks } from "./path-blocks.js";

export interface MarkdownOptions extends Pick<BlockFinder, "branchName"> {
  readonly title?: string;
  /** `names` omits tool output; `folded` adds the whole input and folds the output. Default `full`. */
  readonly tools?: "full" | "names" | "folded";
  /** Default `hide`. */
  readonly thinking?: "show" | "hide";
}

/** From the first entry to the last. Output is in fences that nothing inside can close. */
export function transcriptMarkdown(entries: readonly SessionEntry[], options: MarkdownOptions = {}): string {
  const { title, branchName } = options;
  const parts: string[] = title === undefined || title.trim() === "" ? [] : [`# ${oneLine(title)}`];
  let speaker = "";
  for (const block of pathBlocks(entries, branchName === undefined ? {} : { branchName })) {
    const text = blockMarkdown(block, options);
    if (text === "") continue;
    const next = speakerOf(block);
    if (next !== "" && next !== speaker) parts.push(`## ${next}`);
    if (next === "Prompt") speaker = "";
    else if (next !== "") speaker = next;
    parts.push(text);
  }
  return `${parts.join("\n\n")}\n`;
}

/** A prompt and everything up to the next one: a call and its result are always in the same turn. */
export function* turnsOf(entries: Iterable<SessionEntry>): Generator<SessionEntry[]> {
  let turn: SessionEntry[] = [];
  for (const entry of entries) {
    if (isPrompt(entry) && turn.length > 0) {
      yield turn;
      turn = [];
    }
    turn.push(entry);
  }
  if (turn.length > 0) yield turn;
}

/** Like `transcriptMarkdown`, in pieces, so that a long path is never held whole. */
export function* markdownPieces(entries: Iterable<SessionEntry>, options: MarkdownOptions): Generator<string> {
  const { title, ...rest } = options;
  if (title !== undefined) yield `# ${oneLine(title)}\n`;
  for (const turn of turnsOf(entries)) {
    const text = transcriptMarkdown(turn, rest).trim();
    if (text !== "") yield `\n${withoutControls(text)}\n`;
  }
}

function speakerOf(block: TranscriptBlock): string {
  if (block.kind === "prompt") return "Prompt";
  return block.kind === "answer" || block.kind === "tool" || block.kind === "thinking" ? "Answer" : "";
}

function blockMarkdown(block: TranscriptBlock, options: MarkdownOptions): string {
  switch (block.kind) {
    case "prompt":
      return [block.text, imageNote(block.images.length)].filter((part) => part !== "").join("\n\n");
    case "answer":
      return block.text.trim();
    case "thinking":
      return options.thinking === "show" && !block.redacted ? folded("Thinking", fence(block.text)) : "";
    case "tool":
      return toolMarkdown(block, options);
    case "shell":
      return [`**!** ${code(block.command)}${endOf(block)}`, options.tools === "names" ? "" : fence(block.output)]
        .filter((part) => part !== "")
        .join("\n\n");
    case "note":
      return [`> **${oneLine(block.title)}**`, ...quoted(block.text)].join("\n");
    case "custom":
      return [`**${oneLine(block.customType)}**`, block.text].filter((part) => part !== "").join("\n\n");
    case "files":
      return options.tools === "names" ? `**${oneLine(block.title)}**` : filesMarkdown(block);
    case "label":
      return `**Label:** ${oneLine(block.text)}`;
    case "change":
    case "unreadable":
      return `_${oneLine(block.text)}_`;
    case "failure":
      return `**${block.reason === "error" ? "Failed" : "Ended"}:** ${oneLine(block.text)}`;
  }
}

function toolMarkdown(block: ToolBlock, options: MarkdownOptions): string {
  const [name, ...rest] = block.title.split("  ");
  const what = rest.join("  ");
  const head = `**${name}**${what === "" ? "" : ` ${code(what)}`}${endOf(block)}`;
  if (options.tools === "names") return head;
  const body = block.diff === undefined ? fence(block.output) : fence(block.diff, "diff");
  const parts = [head, body, imageNote(block.images.length)];
  if (options.tools === "folded") {
    const input = Object.keys(block.arguments).length === 0 ? "" : JSON.stringify(block.arguments, null, 2);
    parts.splice(1, 1, fence(withoutControls(input)), body === "" ? "" : folded("Result", body));
  }
  return parts.filter((part) => part !== "").join("\n\n");
}

function filesMarkdown({ title, files, moreFiles }: FilesBlock): string {
  const parts = [`**${oneLine(title)}**`];
  for (const file of files) {
    parts.push(code(file.title), fence(file.diff, "diff"));
    if (file.moreLines > 0) parts.push(`_${counted(file.moreLines, "more line")} not included_`);
  }
  if (moreFiles > 0) parts.push(`_${counted(moreFiles, "more file")} not included_`);
  return parts.filter((part) => part !== "").join("\n\n");
}

function endOf(block: ToolBlock | ShellBlock): string {
  if (block.kind === "shell" && block.cancelled) return " (stopped)";
  if (typeof block.exitCode === "number" && block.exitCode !== 0) return ` (exit code ${block.exitCode})`;
  return block.kind === "tool" && block.state !== "done" ? ` (${block.state})` : "";
}

function fence(text: string, language = ""): string {
  const trimmed = text.replace(/\n+$/, "");
  return trimmed.trim() === "" ? "" : fenced(trimmed, language);
}

function code(text: string): string {
  const line = oneLine(text);
  const marks = "`".repeat(longestBacktickRun(line) + 1);
  const edge = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return line === "" ? "" : `${marks}${edge}${line}${edge}${marks}`;
}

function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function quoted(text: string): string[] {
  const trimmed = text.trim();
  return trimmed === "" ? [] : ["", ...trimmed.split("\n")].map((line) => `> ${line}`.trimEnd());
}

function imageNote(count: number): string {
  return count === 0 ? "" : `_${counted(count, "image")} not included_`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
