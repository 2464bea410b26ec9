/** Draws tool calls and the user's own commands: a title, then their output or what they changed. */

import type { PaintTone } from "@bough/agent/terminal/index.js";
import { withoutControls } from "@bough/session/text/index.js";
import type { ShellBlock, ToolBlock } from "@bough/session/view/index.js";
import { cutToWidth, diffMargins, displayWidth } from "@bough/session/view/internal.js";
import { type BlockContext, HANG, hang, moreLines, remark } from "./block-context.js";
import type { DrawnLine } from "./drawn-line.js";
import { imageLines } from "./image-lines.js";
import { countLines, firstLines, lastLines, wrapped } from "./text-lines.js";

/** Lines shown of a folded block. */
const FOLDED = 4;
const FOLDED_FAILURE = 6;
const FOLDED_DIFF = 10;
const LIVE = 6;
/** Lines shown of an expanded one. */
const OPEN = 2000;
/** How much of a running command's text is read: more than its last lines can contain. */
const LIVE_TEXT = 16_000;
const WRITTEN_TEXT = 200_000;
/** Tools whose output is for the model; a user only needs to know that they ran. */
const QUIET = new Set(["read", "ls", "find", "grep"]);

export function drawTool(block: ToolBlock, context: BlockContext): DrawnLine[] {
  const { glyphs } = context;
  const live = block.state === "running" ? context.running(block.callId) : undefined;
  const bad = block.state === "failed" || block.state === "interrupted";
  const width = Math.max(1, context.width - HANG);
  const own = context.drawers?.tool(block, { width, expanded: context.isOpen(block.id, "tools"), live });
  const title = own?.call ?? [titleLine(block.title, [endingOf(block, context)], context)];
  const body = own?.result ?? (live === undefined ? resultLines(block, context) : liveLines(live.text, context));
  const sign = { sign: bad ? glyphs.failed : glyphs.tool, tone: bad ? "bad" : "muted", block } as const;
  const lines = hang([...title, ...body], sign, context);
  for (const image of block.images) for (const line of indented(image, context)) lines.push(line);
  return lines;
}

export function drawShell(block: ShellBlock, context: BlockContext): DrawnLine[] {
  const { glyphs, theme } = context;
  const code = block.exitCode ?? 0;
  const bad = block.cancelled || code !== 0;
  const ending = block.cancelled ? "stopped" : code !== 0 ? `exit code ${code}` : "";
  const outside = block.outsideContext ? "not shown to the model" : "";
  const both = [outside, ending].filter((word) => word !== "").join(` ${glyphs.dot} `);
  const title = titleLine(`${block.outsideContext ? "!!" : "!"}  ${oneLine(block.command)}`, [both, ending], context);
  const open = context.isOpen(block.id, "tools");
  const body = outputLines({ ...block, end: "last", most: open ? OPEN : 10 }, context);
  const sign = { sign: bad ? glyphs.failed : glyphs.tool, tone: bad ? "bad" : "muted", block } as const;
  return hang([title, ...body.map((line) => theme.paint("text", line))], sign, context);
}

/**
 * The tool's name stands out. The line ends with how the call ended or how long it has been running, in the longest
 * form that leaves room for the title. A failure also changes the symbol.
 */
function titleLine(title: string, endings: readonly string[], { theme, width, glyphs }: BlockContext): string {
  const room = Math.max(1, width - HANG);
  const fits = (ending: string): boolean =>
    displayWidth(title) + displayWidth(ending) + 2 <= room || room > 3 * displayWidth(ending) + 6;
  const found = endings.find((ending) => ending !== "" && fits(ending));
  const end = found === undefined ? "" : `  ${found}`;
  const shown = cutToWidth(title, Math.max(1, room - displayWidth(end)), glyphs.ellipsis);
  const cut = shown.indexOf("  ");
  const name = cut < 0 ? shown : shown.slice(0, cut);
  return theme.paint("strong", name) + theme.paint("muted", shown.slice(name.length) + end);
}

function endingOf(block: ToolBlock, { running, now, glyphs }: BlockContext): string {
  switch (block.state) {
    case "running": {
      const live = running(block.callId);
      return live === undefined ? "waiting" : runningFor(now - live.startedAt);
    }
    case "interrupted":
      return "interrupted";
    case "failed":
      if (block.isRefused) return "refused";
      if (block.isStopped) return "stopped";
      return typeof block.exitCode === "number" && block.exitCode !== 0 ? `exit code ${block.exitCode}` : "failed";
    case "done": {
      const count = QUIET.has(block.name) ? countLines(block.output) : 0;
      return count === 0 ? "" : `${glyphs.dot} ${count} ${count === 1 ? "line" : "lines"}`;
    }
  }
}

/** Nothing for the first second, or while the user is asked about the call. */
function runningFor(milliseconds: number): string {
  return milliseconds < 1000 ? "" : clock(milliseconds);
}

/** "4 s", "2 min 5 s". */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function liveLines(text: string, context: BlockContext): readonly string[] {
  const shown = lastLines(withoutControls(text.slice(-LIVE_TEXT)), LIVE);
  if (shown.trim() === "") return [];
  return shown.split("\n").map((line) => cutOutput(line, context));
}

function resultLines(block: ToolBlock, context: BlockContext): readonly string[] {
  const open = context.isOpen(block.id, "tools");
  if (block.diff !== undefined && block.state === "done") {
    return diffLines(block.diff, { most: open ? OPEN : FOLDED_DIFF, context });
  }
  const written = writtenText(block);
  if (written !== undefined) return diffLines(written, { most: open ? OPEN : FOLDED, context });
  const quiet = !open && block.state === "done" && QUIET.has(block.name);
  if (quiet) return [];
  const folded = block.state === "failed" ? FOLDED_FAILURE : FOLDED;
  // The last output of a command is usually its result; for other tools the start says more.
  const end = block.name === "bash" ? "last" : "first";
  if (block.name === "edit" && block.state === "done" && !open) return [];
  return outputLines({ ...block, end, most: open ? OPEN : folded }, context);
}

/** A newly written file has no diff: all of its lines are new. */
function writtenText({ name, state, arguments: given }: ToolBlock): string | undefined {
  if (name !== "write" || state !== "done" || typeof given.content !== "string") return undefined;
  const text = withoutControls(given.content.slice(0, WRITTEN_TEXT));
  if (text === "") return undefined;
  const lines = firstLines(text, OPEN);
  return `@@ -0,0 +1,${countLines(lines)} @@\n${lines.replace(/^/gm, "+")}`;
}

interface Output {
  readonly output: string;
  readonly truncated: boolean;
  readonly fullOutputPath: string | undefined;
  readonly most: number;
  /** Which end to show if there is not room for everything. */
  readonly end: "first" | "last";
}

function outputLines({ output, truncated, fullOutputPath, most, end }: Output, context: BlockContext): string[] {
  const count = countLines(output);
  if (count === 0) return [];
  const left = count - most;
  const text = end === "last" ? lastLines(output, most) : firstLines(output, most);
  const shown =
    most === OPEN
      ? wrapped(text, Math.max(1, context.width - HANG)).map((line) => context.theme.paint("muted", line))
      : text.split("\n").map((line) => cutOutput(line, context));
  const more = left > 0 ? [moreLines(left, "chat.foldTools", context)] : [];
  const lines = end === "last" ? [...more, ...shown] : [...shown, ...more];
  if (truncated && most === OPEN && fullOutputPath !== undefined)
    lines.push(remark(`Full output: ${fullOutputPath}`, context));
  return lines;
}

function cutOutput(line: string, { theme, width, glyphs }: BlockContext): string {
  const flat = line.slice(0, width * 8).replaceAll("\t", "  ");
  const cut = cutToWidth(flat, Math.max(1, width - HANG), glyphs.ellipsis);
  return theme.paint("muted", cut);
}

function oneLine(text: string): string {
  return text.slice(0, 2000).replace(/\s+/g, " ").trim();
}

function indented(image: ToolBlock["images"][number], context: BlockContext): readonly DrawnLine[] {
  const lines = imageLines(image, { ...context, width: Math.max(1, context.width - HANG) });
  return lines.map((line) => ({ ...line, text: line.text === "" ? "" : `  ${line.text}` }));
}

/** The changes in a file, colored: a unified diff without its header. */
interface DiffOptions {
  /** At most this many lines. */
  readonly most: number;
  readonly context: BlockContext;
}

function diffLines(diff: string, { most, context }: DiffOptions): readonly string[] {
  const { theme, glyphs, width } = context;
  const lines: string[] = [];
  let left = 0;
  const all = withoutHead(diff).replace(/\n+$/, "").split("\n");
  const margins = diffMargins(all);
  for (const [at, line] of all.entries()) {
    if (line.startsWith("\\ No newline")) continue;
    // The numbers say where it is; between two places a mark is enough.
    const isHead = margins[at] === "" && line.startsWith("@@");
    if (isHead && at === 0) continue;
    if (lines.length >= most) {
      left += 1;
      continue;
    }
    const flat = isHead ? glyphs.deeper : line.slice(0, width * 8).replaceAll("\t", "  ");
    const room = Math.max(1, width - HANG);
    const margin = cutToWidth(margins[at] ?? "", room, "");
    lines.push(
      theme.paint("muted", margin) +
        theme.paint(toneOf(line), cutToWidth(flat, Math.max(0, room - margin.length), glyphs.ellipsis)),
    );
  }
  if (left > 0) lines.push(moreLines(left, "chat.foldTools", context));
  return lines;
}

/**
 * The title has the names of the two files. A removed line may look like a header line, so the header ends at its last
 * line.
 */
function withoutHead(diff: string): string {
  const start = /^@@/m.exec(diff)?.index ?? 0;
  return diff.slice(start);
}

/** The symbol at the start of the line says the same as the color. */
function toneOf(line: string): PaintTone {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return "muted";
}
