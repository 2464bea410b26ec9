/**
 * Decides from the line of an entry, before it is parsed, that a search cannot find it. It may let an entry without a
 * match through, but never rejects one with a match.
 */
import { Kind, Role } from "../../entry/index.js";
import type { TreeSource } from "../../tree/index.js";

/** Text in rows that is not in the line of their entry. A word that could come from here proves nothing. */
const OWN_WORDS = [
  "(an empty prompt)",
  "(images)",
  "(an empty reply)",
  "the reply failed",
  "stopped before it said anything",
  "more calls",
  "a message without content",
  "a line that could not be read",
  "(new)",
  "(no change)",
].join("\n");

/**
 * Escapes of characters that rows omit or that become ASCII in lower case, and the same characters in UTF-8 with one
 * character per byte.
 */
const UNCERTAIN =
  /\\(?:[bf]|u(?:00|20[02-6]|[fF][eE][fF][fF]|212[aA]|0130))|\x7f|\xc2[\x80-\x9f]|\xe2(?:\x80[\x8b\x8e\x8f\xa8-\xae]|\x81[\xa0-\xa9]|\x84\xaa)|\xef\xbb\xbf|\xc4\xb0/;
/** Every one of them starts with one of these, which are faster to search for than the regular expression. */
const UNCERTAIN_STARTS = ["\\u", "\\b", "\\f", "\x7f", "\xc2", "\xe2", "\xef", "\xc4"];

/** Calls are close above their results. If the call is further up, the entry is parsed. */
const CALL_DISTANCE = 16;

/**
 * For each word, a part that is in the line of every entry that contains the word: ASCII letters and digits, which JSON
 * writes verbatim. Words without such a part are omitted.
 */
export function partsInLine(words: readonly string[]): readonly string[] {
  return words.map(longestPart).filter((part) => /[a-z]/.test(part) && !OWN_WORDS.includes(part));
}

/** Whether the entry certainly lacks one of the words that the parts are from. */
export function isRuledOut(source: TreeSource, n: number, parts: readonly string[]): boolean {
  const { tree } = source;
  if (parts.length === 0 || source.rawLineAt === undefined || tree.kindOf(n) !== Kind.message) return false;
  const role = tree.roleOf(n);
  if (role !== Role.user && role !== Role.assistant && role !== Role.toolResult) return false;
  const line = source.rawLineAt(n);
  const missing = missingIn(line, parts);
  if (line === undefined || missing.length === 0) return false;
  return role !== Role.toolResult || isMissingInCall(source, n, { line, missing });
}

/** The row of a result shows the tool's input, which is in the line of the call. */
function isMissingInCall(
  source: TreeSource,
  n: number,
  { line, missing }: { readonly line: string; readonly missing: readonly string[] },
): boolean {
  const { tree } = source;
  const [, callId] = /"toolCallId":"([^"\\]+)"/.exec(line) ?? [];
  if (callId === undefined) return false;
  let at = tree.parentOf(n);
  for (let steps = 0; at >= 0 && steps < CALL_DISTANCE; steps++, at = tree.parentOf(at)) {
    if (tree.roleOf(at) !== Role.assistant) continue;
    const call = source.rawLineAt?.(at);
    if (call?.includes(`"${callId}"`)) return missingIn(call, missing).length > 0;
  }
  return false;
}

/** The parts missing in the line; empty if that cannot be determined. */
function missingIn(line: string | undefined, parts: readonly string[]): readonly string[] {
  if (line === undefined) return [];
  const text = line.toLowerCase();
  const missing = parts.filter((part) => !text.includes(part));
  if (missing.length === 0) return missing;
  const isUncertain = UNCERTAIN_STARTS.some((start) => line.includes(start)) && UNCERTAIN.test(line);
  return isUncertain ? [] : missing;
}

function longestPart(word: string): string {
  return word.split(/[^a-z0-9]+/).reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}
