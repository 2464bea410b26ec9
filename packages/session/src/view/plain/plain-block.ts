/** A block of the conversation for `--plain`: who speaks, and the text. No symbols, no folding. */
import { counted } from "../../text/index.js";
import type { TranscriptBlock } from "../transcript/block.js";

export interface OutlineBlockOptions {
  /** The number of last lines to show of a tool's or command's output. Default 10. */
  readonly outputLines?: number;
}

/** Lines of text, not wrapped. */
export function plainBlock(block: TranscriptBlock, { outputLines = 10 }: OutlineBlockOptions = {}): string[] {
  switch (block.kind) {
    case "prompt":
      return said("You", [block.text, images(block.images.length)].filter((part) => part !== "").join("\n"));
    case "answer":
      return said("Agent", block.text.trim());
    case "thinking":
      return block.redacted ? ["Thinking hidden by the provider."] : said("Thinking", block.text.trim());
    case "tool": {
      const code = typeof block.exitCode === "number" && block.exitCode !== 0 ? `exit code ${block.exitCode}` : "";
      const ending = block.state === "done" ? "" : `, ${code || block.state}`;
      return [`Tool: ${block.title}${ending}`, ...lastLines(block.diff ?? block.output, outputLines)];
    }
    case "shell": {
      const code = typeof block.exitCode === "number" && block.exitCode !== 0 ? `, exit code ${block.exitCode}` : "";
      const kept = block.outsideContext ? ", not shown to the model" : "";
      const ending = `${block.cancelled ? ", stopped" : code}${kept}`;
      return [...said("Command", `${block.command}${ending}`), ...lastLines(block.output, outputLines)];
    }
    case "note":
      return [`Note: ${block.title}`, ...lines(block.text)];
    case "custom":
      return said(block.customType || "Message", block.text);
    case "files":
      return [`Files: ${block.title}`, ...block.files.map(({ title }) => `  ${title}`)];
    case "label":
      return [`Label: ${block.text}`];
    case "change":
      return [`Changed: ${block.text}`];
    case "failure":
      return said(block.reason === "error" ? "Failed" : "Ended", block.text);
    case "unreadable":
      return [block.text];
  }
}

function said(who: string, text: string): string[] {
  const [first = "", ...rest] = text.split("\n");
  return [`${who.replace(/\s+/g, " ")}: ${first}`, ...rest];
}

function lines(text: string): string[] {
  return text.trim() === "" ? [] : text.trim().split("\n");
}

function lastLines(text: string, most: number): string[] {
  const all = lines(text);
  if (all.length <= most) return all;
  return [`(${counted(all.length - most, "earlier line")} not shown)`, ...all.slice(all.length - most)];
}

function images(count: number): string {
  return count === 0 ? "" : `(${counted(count, "image")})`;
}
