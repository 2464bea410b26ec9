/** A permission question: the request, and everything the user must see to answer it. Nothing in it is stripped. */
import { counted, grouped, titleOf, visibleText } from "../../text/index.js";
import { diffMargins } from "../files/diff-numbers.js";
import { type Line, span, type Tone } from "../line.js";
import { wrapWords } from "../text/wrap-words.js";
import { type BlockedFacts, blockedWords } from "./blocked-words.js";

/** The facts of a request; see `PermissionQuestion` in the tool room. */
export interface PermissionFacts {
  readonly tool: string;
  readonly action: "read" | "write" | "run" | "fetch" | "use";
  readonly server?: { readonly name: string; readonly tool: string } | undefined;
  /** The target, with everything hidden in it made visible. */
  readonly shown: string;
  readonly warnings: readonly string[];
  /** The sub-agent that asks. */
  readonly by?: string | undefined;
  readonly blocked?: readonly BlockedFacts[] | undefined;
  readonly movedTo?: string | undefined;
  readonly preview?:
    | { readonly kind: "create"; readonly text: string }
    | { readonly kind: "change"; readonly diff: string; readonly added: number; readonly removed: number }
    | { readonly kind: "replace"; readonly text: string; readonly bytes: number }
    | undefined;
}

/** Further lines of a file are counted but not shown. */
const MOST_LINES = 5000;
const MOST_BLOCKED = 10;

/** "Run this command?", or "Run this command? · sub-agent: Find the tests". */
export function permissionTitle(facts: PermissionFacts): string {
  const { by } = facts;
  const title = requestTitle(facts);
  return by === undefined ? title : `${title} · sub-agent: ${titleOf(by)}`;
}

function requestTitle({ tool, action, preview, server, blocked, movedTo }: PermissionFacts): string {
  if (blocked !== undefined) return "Run it again outside the sandbox?";
  if (movedTo !== undefined) return "Put this back, where the command created it?";
  if (action === "run") return "Run this command?";
  if (action === "read") return "Read this, outside the working directory?";
  if (action === "fetch") return tool === "bash" ? "Connect to this host?" : "Fetch this address?";
  if (action === "use" && server !== undefined) {
    const name = visibleText(server.tool, { newlines: "escape" }).text;
    return `Call ${server.name}/${name}?`;
  }
  if (action === "use") return `Use the tool ${visibleText(tool, { newlines: "escape" }).text} with this input?`;
  return preview?.kind === "create"
    ? "Create this file?"
    : preview === undefined
      ? "Write this file?"
      : "Change this file?";
}

/** Everything below the title, wrapped and never cut. */
export function permissionLines(facts: PermissionFacts, width: number): readonly Line[] {
  const warnings = facts.warnings.flatMap((warning) =>
    wrapWords(`! ${warning}`, width).map((text): Line => [span(text, "bad")]),
  );
  return [
    ...wrapped(facts.shown, { width, tone: "accent" }),
    ...blockedLines(facts.blocked, width),
    ...warnings,
    ...previewLines(facts.preview, width),
  ];
}

function blockedLines(blocked: PermissionFacts["blocked"] = [], width: number): readonly Line[] {
  if (blocked.length === 0) return [];
  const listed = blocked.slice(0, MOST_BLOCKED).map((one) => `- ${blockedWords(one)}`);
  const left = blocked.length - listed.length;
  const lines = ["The sandbox blocked:", ...listed, ...(left > 0 ? [`and ${grouped(left)} more`] : [])];
  return lines.flatMap((line) => wrapWords(line, width).map((text): Line => [span(text, "note")]));
}

function previewLines(preview: PermissionFacts["preview"], width: number): readonly Line[] {
  if (preview === undefined) return [];
  const head = (text: string): Line => [span(text, "muted")];
  if (preview.kind === "change") {
    const counts = `${counted(preview.added, "line")} added, ${grouped(preview.removed)} removed`;
    return [head(`The file exists: ${counts}`), ...diffLines(preview.diff, width)];
  }
  const lines = textLines(preview.text);
  const added = shownLines(
    lines.map((line) => ({ text: `+ ${line}`, tone: "good" })),
    width,
  );
  if (preview.kind === "create") return [head(`New file, ${counted(lines.length, "line")}`), ...added];
  const size = counted(preview.bytes, "byte");
  return [head(`The file exists (${size}) and cannot be diffed. New content:`), ...added];
}

const DIFF_TONES: Readonly<Record<string, Tone>> = { "+": "good", "-": "bad", "@": "muted", "\\": "muted" };

function diffLines(diff: string, width: number): readonly Line[] {
  const lines = textLines(diff);
  // The two lines with the file's name repeat what is above them.
  const start = Math.max(
    0,
    lines.findIndex((line) => line.startsWith("@@")),
  );
  const diffed = lines.slice(start);
  const margins = diffMargins(diffed);
  const shown = diffed.map((line, at) => {
    const sign = line.slice(0, 1);
    const text = sign === "+" || sign === "-" || sign === " " ? `${sign} ${line.slice(1)}` : line;
    return { text: `${margins[at]}${text}`, tone: DIFF_TONES[sign] ?? "text" };
  });
  return shownLines(shown, width);
}

function textLines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function shownLines(lines: readonly { readonly text: string; readonly tone: Tone }[], width: number): readonly Line[] {
  const shown = lines
    .slice(0, MOST_LINES)
    .flatMap(({ text, tone }) => wrapped(visibleText(text).text, { width, tone, indent: "  " }));
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...shown, [span(`and ${counted(more, "more line")}`, "muted")]] : shown;
}

interface Wrapping {
  readonly width: number;
  readonly tone: Tone;
  /** Before every line except the first. */
  readonly indent?: string;
}

function wrapped(text: string, { width, tone, indent = "" }: Wrapping): readonly Line[] {
  const lines = wrapWords(text, width - indent.length);
  return lines.map((line, index): Line => [span(index === 0 ? line : indent + line, tone)]);
}
