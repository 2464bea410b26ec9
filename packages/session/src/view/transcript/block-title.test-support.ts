/** A folded block in one line. */
import { counted, firstWords } from "../../text/index.js";
import { type Glyphs, UNICODE_GLYPHS } from "../glyphs.js";
import { cutToWidth } from "../text/display-width.js";
import type { TranscriptBlock } from "./block.js";

/** At most this many columns wide. */
export function blockTitle(block: TranscriptBlock, width: number, glyphs: Glyphs = UNICODE_GLYPHS): string {
  return cutToWidth(`${signOf(block, glyphs)} ${titleOf(block, glyphs)}`, width, glyphs.ellipsis);
}

function signOf(block: TranscriptBlock, glyphs: Glyphs): string {
  switch (block.kind) {
    case "prompt":
      return glyphs.prompt;
    case "answer":
    case "thinking":
      return glyphs.answer;
    case "custom":
      return glyphs.message;
    case "label":
      return glyphs.label;
    case "tool":
      return block.state === "failed" || block.state === "interrupted" ? glyphs.failed : glyphs.tool;
    case "shell":
      return block.cancelled || (block.exitCode ?? 0) !== 0 ? glyphs.failed : glyphs.tool;
    case "note":
      return glyphs.note;
    case "change":
    case "files":
      return glyphs.dot;
    case "failure":
    case "unreadable":
      return glyphs.failed;
  }
}

function titleOf(block: TranscriptBlock, glyphs: Glyphs): string {
  switch (block.kind) {
    case "prompt":
      return firstWords(block.text) || pictures(block.images.length);
    case "answer":
      return firstWords(block.text);
    case "thinking":
      return block.redacted ? "thinking hidden by the provider" : `thinking: ${firstWords(block.text)}`;
    case "tool": {
      const ending = block.state === "done" ? "" : `  ${glyphs.dot} ${endOf(block)}`;
      return `${block.title}${ending}`;
    }
    case "shell": {
      const code = block.exitCode ?? 0;
      const ending = block.cancelled ? "stopped" : code === 0 ? "" : `exit code ${code}`;
      const mark = block.outsideContext ? "!!" : "!";
      return `${mark} ${firstWords(block.command)}${ending === "" ? "" : `  ${glyphs.dot} ${ending}`}`;
    }
    case "note":
      return block.title.replace("→", glyphs.arrow);
    case "files":
      return block.title;
    case "custom":
      return `${firstWords(block.customType, 60)}: ${firstWords(block.text)}`;
    case "label":
    case "change":
    case "failure":
    case "unreadable":
      return firstWords(block.text);
  }
}

function endOf(block: Extract<TranscriptBlock, { kind: "tool" }>): string {
  if (block.state !== "failed") return block.state;
  if (block.isRefused) return "refused";
  if (block.isStopped) return "stopped";
  return typeof block.exitCode === "number" && block.exitCode !== 0 ? `exit code ${block.exitCode}` : "failed";
}

function pictures(count: number): string {
  return count === 0 ? "(empty)" : counted(count, "image");
}
