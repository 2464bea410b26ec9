/** Messages about a handoff: what the target cannot store, where the transcript is, and how to resume it. */
import { AGENT_TITLES, type EntryId, entryText, isPrompt } from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";
import { counted, type Notice, shellWord, titleOf } from "@bough/session/text/index.js";
import type { WriteLoss, WritePlan } from "../contract.js";

interface LossGroup extends Pick<WriteLoss, "what" | "effect"> {
  readonly entryIds: readonly string[];
}

/** Groups equal losses, in order of first occurrence. */
function groupedLosses(losses: readonly WriteLoss[]): LossGroup[] {
  const groups = new Map<string, { what: string; effect: string; entryIds: string[] }>();
  for (const { what, effect, entryId } of losses) {
    const key = JSON.stringify([what, effect]);
    const group = groups.get(key) ?? { what, effect, entryIds: [] };
    group.entryIds.push(entryId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What the target cannot store: a heading, a line for each kind of loss and, with `all`, its entries. */
export function handoffPlanLines(
  { agent, losses, leftOut = [] }: Pick<WritePlan, "agent" | "losses" | "leftOut">,
  { entries = "counts" }: { readonly entries?: "all" | "counts" } = {},
): string[] {
  // Shown only with `all`, since these are not part of the conversation.
  const own = entries === "all" && leftOut.length > 0 ? ["Left out:", ...groupLines(leftOut, entries)] : [];
  if (losses.length === 0) return [`${AGENT_TITLES[agent]} can store everything.`, ...own];
  const count = new Set(losses.map(({ entryId }) => entryId)).size;
  const they = count === 1 ? "it is" : "they are";
  const lines = [`${AGENT_TITLES[agent]} cannot store ${counted(count, "entry", "entries")} as ${they}:`];
  return [...lines, ...groupLines(losses, entries), ...own];
}

function groupLines(losses: readonly WriteLoss[], entries: "all" | "counts"): string[] {
  const lines: string[] = [];
  for (const { what, effect, entryIds } of groupedLosses(losses)) {
    lines.push(`  ${several(titleOf(what, 100), entryIds.length)}: ${titleOf(effect, 200)}`);
    if (entries === "all") for (const id of entryIds) lines.push(`    ${titleOf(id, 80)}`);
  }
  return lines;
}

/** "a failed answer" as "4 failed answers". What is not one of several is counted behind: "the session name (2 times)". */
function several(what: string, count: number): string {
  if (count === 1) return what;
  // The noun is the last word before what describes it further.
  const [, noun, rest = ""] = /^an? (.*?)((?: (?:of|the|that|without|with)\b| \().*)?$/.exec(what) ?? [];
  if (noun === undefined) return `${what} (${count} times)`;
  return `${count} ${/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`}${rest}`;
}

/** "Wrote 57 records for Codex to …" with a line for the last prompt, and the command to resume it as the hint. */
export function handedOffNotice(plan: WritePlan, lastPrompt: LastPrompt | undefined): Notice {
  const { agent, path, lines } = plan;
  const wrote = `Wrote ${counted(lines.length, "record")} for ${AGENT_TITLES[agent]} to ${path}`;
  return { message: `${wrote}\n${endsOnSentence(lastPrompt)}`, hint: `To resume there: ${resumeLine(plan)}` };
}

/** The last prompt of a path, shown so that people notice a wrong branch before resuming it. */
export interface LastPrompt {
  readonly entryId: EntryId;
  readonly text: string;
}

/** Reads backwards from the end, only up to the last prompt. */
export function lastPromptOf(path: EntryPath): LastPrompt | undefined {
  for (let place = path.length - 1; place >= 0; place--) {
    const entry = path.at(place);
    if (entry !== undefined && isPrompt(entry)) return { entryId: entry.id, text: entryText(entry) };
  }
  return undefined;
}

export function endsOnSentence(lastPrompt: LastPrompt | undefined): string {
  if (lastPrompt === undefined) return "It contains no prompt.";
  return `Last prompt: "${titleOf(lastPrompt.text, 80)}" (${lastPrompt.entryId})`;
}

/** The shell command that resumes it: `cd /home/dev/project && codex resume 0199…` */
export function resumeLine({ resume: { before, command, cwd } }: Pick<WritePlan, "resume">): string {
  const steps = [["cd", cwd], ...(before === undefined ? [] : [before]), command];
  return steps.map((words) => words.map(shellWord).join(" ")).join(" && ");
}
