/** Parses the start of a large JSON file, for lists, which must not read whole files. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parsedJson } from "@bough/session/text/index.js";
import type { SourceProblem } from "../contract.js";
import { withoutMark } from "../foreign-lines.js";

/** Bytes to read: enough for the first messages of a session. Smaller files are read completely. */
const HEAD = 1 << 20;

/** The value in the first bytes of a file, as if it ended there; undefined if there is none. */
export function headOfJson(path: string): unknown {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(Math.min(HEAD, fstatSync(file).size));
    const got = readSync(file, bytes, 0, bytes.length, 0);
    const text = bytes.toString("utf8", 0, got);
    return parsedJson(withoutMark(text)) ?? (got === HEAD ? parsedJson(closedJson(withoutMark(text))) : undefined);
  } finally {
    closeSync(file);
  }
}

/**
 * Cuts a text at its last comma, before which everything is complete, and closes all open brackets.
 *
 *     {"a":[{"b":1},{"c":"cut he        ->        {"a":[{"b":1}]}
 */
export function closedJson(text: string): string {
  const open: string[] = [];
  let end = 0;
  let ending = "";
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (inString) {
      if (letter === "\\") at += 1;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === "{") open.push("}");
    else if (letter === "[") open.push("]");
    else if (letter === "}" || letter === "]") open.pop();
    else if (letter === ",") {
      end = at;
      ending = open.toReversed().join("");
    }
  }
  return text.slice(0, end) + ending;
}

/** Why a file is not a complete JSON value, judging by its ends; undefined if it may be one, or is empty. */
export function jsonProblem(path: string): SourceProblem | undefined {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size === 0) return undefined;
    if (size <= HEAD) {
      const text = textAt(file, 0, size);
      if (parsedJson(withoutMark(text)) !== undefined) return undefined;
      return isEnded(text) ? { kind: "damaged", reason: "It is not valid JSON." } : CUT_OFF;
    }
    return isEnded(textAt(file, size - END, END)) ? undefined : CUT_OFF;
  } finally {
    closeSync(file);
  }
}

const END = 1 << 10;
const CUT_OFF: SourceProblem = { kind: "damaged", reason: "It is cut off." };

function isEnded(text: string): boolean {
  return /[}\]]\s*$/.test(text);
}

function textAt(file: number, offset: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.toString("utf8", 0, readSync(file, bytes, 0, length, offset));
}
