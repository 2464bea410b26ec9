/** Every sentence commands show: short, second person, with the next step. No full stop after an id. */

import type { MovedFiles } from "@bough/agent/extension/index.js";
import { counted, shortCount, titleOf } from "@bough/session/text/index.js";
import { MOVING_IS_OFF, type NamedBranch } from "@bough/session/view/internal.js";
import type { ExportedSession } from "@bough/workbench/export/index.js";
import type { FrontEnd } from "./command.js";
import { movedFilesSentence } from "./files/file-sentences.js";

interface MoveFacts {
  /** What the target is called. */
  readonly target: string;
  /** A prompt was selected: the position is just before it, and its text goes to the editor. */
  readonly before: boolean;
  readonly left: NamedBranch;
  /** Entries of the conversation that stay on the branch that was left. */
  readonly entries: number;
  readonly files: FilesFacts;
  readonly withSummary: boolean;
}

/** What became of files. */
interface FilesFacts {
  /** Files that tools changed on the branch that was left. */
  readonly left: number;
  readonly moved: MovedFiles | undefined;
}

type KeyHints = Pick<FrontEnd, "keyHint">;

/** Why something cannot be done now, and how it can. */
export function workingSentence(wish: string, { keyHint }: KeyHints): string {
  return `Agent is working. ${keyHint?.("chat.stop") || "Esc"} stops it, then you can ${wish}.`;
}

export const SENTENCES = {
  alreadyHere: "You are already here.",
  nothingToUndo: "Nothing to undo in this session.",
  nothingToRedo: "Nothing to redo.",
  stayed: "Nothing changed.",
  stopped: "Stopped.",
  working: (front: KeyHints) => workingSentence("move", front),
  noModel: "No model is selected. Choose one with /model.",
  nothingHere: "Nothing here yet. Send a prompt and it becomes the first entry.",
  notOnSideBranch: "You are not on a side branch. /switch - goes to the previous one.",
  noEarlierPrompt: "No earlier prompt on this path. /switch - goes to the previous branch.",
  noPreviousBranch: "No other branch to go back to. /branches lists them.",
  oneBranch: "Only one branch so far; you are on it.",
  chooseToMerge: "Select the branch to merge; the footer shows the key.",
  chooseToCompare: "Select the branch to compare with; the footer shows the key.",
  chooseToPick: "Select entries on another branch, then copy them here; ? lists the keys.",
  noCompaction: "No compaction on this path to undo.",
  nothingToCompact: "Nothing to compact yet: it needs at least two turns.",
  nothingToCopy: "No answer to copy yet.",
  noHints: "No hints here.",
  hintsAgain: "Hints are shown again.",
  noLabel: "No label to remove.",
  noLabels: "No labels yet. /label with a name adds one here.",
  noPins: "Nothing is pinned on this path. /pin with an id pins an entry.",
  pinnedAlready: "Already pinned.",
  notPinned: "Not pinned on this path.",
  sameLabel: "It already has this label.",
  newSession: "New session. The previous one is saved; /resume lists it.",
  mergedBefore: "Everything there has already been copied here.",
  samePlace: "Both are the same entry.",
  noSharedRoot: "These branches share no entries; only their ends can be compared.",
  contextUnchanged: "No change: the model already sees it that way.",
  noSessions: "No sessions here yet.",
  noForeign: "No sessions from other agents found in their default folders. To import from elsewhere: /import <file>",
  importWithId: "/import with an id, or words from the title, imports one.",
  noName: "This session has no name. Name it with /rename <name>.",
  sameName: "It already has this name.",
  noText: "This entry has no text to copy.",
  noLoginHere: "Logging in needs a terminal.",
  noLogins: "No provider supports login here.",
  noLogin: (provider: string, meant: string | undefined) =>
    `Unknown provider ${provider}. ${meant === undefined ? "/login lists them." : `Did you mean ${meant}?`}`,
  noKeyHere: (provider: string) => `A key can only be entered in the terminal. To save one: bough login ${provider}`,
  keyNotSaved: (reason: string) => `The key was not saved: ${reason}`,
  keyNeedsModel: (provider: string) =>
    `${provider} needs a model name to check the key: /login ${provider} <model>. The key was not saved.`,
  loginCancelled: "Login cancelled. Nothing was saved.",
  loginFailed: (name: string, reason: string) => `Could not log in to ${name}: ${reason}`,
  loggedIn: (name: string) => `Logged in to ${name}. /model lists its models.`,
  logoutWhat: "Name the provider: /logout <provider>",
  nothingSaved: (provider: string) => `Nothing is saved for ${provider}.`,
  loggedOut: (provider: string) => `Logged out of ${provider}.`,
  sameModel: "This model is already in use.",
  sameLevel: "This level is already in use.",
  undone: (title: string) => `Undone: "${title}". /redo brings it back.`,
  back: (branch: NamedBranch) => `Back on ${branchWords(branch)}.`,
  still: (branch: NamedBranch) => `Stopped. You are still on ${branchWords(branch)}.`,
  labelled: (label: string) => `Labeled "${label}".`,
  unlabelled: (label: string) => `Label "${label}" removed.`,
  labelTaken: (label: string, holder: string) => `"${label}" is on "${holder}".`,
  unknownEntry: (reference: string, { keyHint }: KeyHints) =>
    `No entry ID starts with ${reference}. Press ${keyHint?.("tree.copy") || "y"} in the tree to copy an ID.`,
  forked: (title: string) => `New session from just before "${title}". The original is unchanged; /resume lists it.`,
  cloned: () => "New session with a copy of this path. The original is unchanged; /resume lists it.",
  opened: (title: string) => `Opened "${title}".`,
  pinned: (title: string) => `Pinned "${title}". Every compaction keeps its text.`,
  unpinned: (title: string) => `Unpinned "${title}".`,
  noSession: (wanted: string) => `No session matches "${wanted}". /resume lists them.`,
  foreignFile: (agent: string, file: string) => `That is a session from ${agent}. To import it: /import ${file}`,
  importStopped: () => "Import cancelled. Nothing changed; running it again starts over.",
  named: (name: string) => `Renamed to "${name}".`,
  copied: (text: string) => `Copied ${counted([...text].length, "character")}.`,
  model: (name: string) => `Model: ${name}`,
  setting: (name: string, value: string, counts: "now" | "after a restart") =>
    counts === "now" ? `${name} set to ${value}.` : `${name} set to ${value}; restart to apply.`,
} as const;

export function branchWords({ number, name }: NamedBranch): string {
  return name === "" ? `#${number}` : `#${number} ${name}`;
}

function filesWords({ left, moved }: FilesFacts): string {
  const said = movedFilesSentence(moved);
  return said === "" && left > 0 ? "Files are unchanged." : said;
}

export function movedSentence({ target, before, left, entries, files, withSummary }: MoveFacts): string {
  const parts = [
    `Moved ${before ? "just before" : "to"} "${target}"${withSummary ? `, with a summary of #${left.number}` : ""}.`,
  ];
  if (entries > 0) parts.push(`#${left.number} keeps its ${counted(entries, "entry", "entries")}.`);
  parts.push(filesWords(files), "/undo to return.");
  return parts.filter((part) => part !== "").join(" ");
}

export function readOnlySentence(reason: string): string {
  return `${reason.replace(/[.]$/, "")}. ${MOVING_IS_OFF}`;
}

interface SwitchFacts {
  readonly here: NamedBranch;
  readonly left: NamedBranch;
  readonly entries: number;
  readonly files: FilesFacts;
}

export function switchedSentence({ here, left, entries, files }: SwitchFacts): string {
  const parts = [`Now on ${branchWords(here)}.`];
  if (entries > 0) parts.push(`#${left.number} keeps its ${counted(entries, "entry", "entries")}.`);
  parts.push(filesWords(files), "/undo to return.");
  return parts.filter((part) => part !== "").join(" ");
}

/** /undo undoes moves; merged entries stay in the file. */
export function broughtNotMovedSentence({
  what,
  before,
}: {
  readonly what: string;
  readonly before: string | null;
}): string {
  const back = before === null ? "" : ` /branch-here ${before} returns to just before it.`;
  return `The last change merged ${what}: it is kept.${back} /undo again undoes the move before it.`;
}

/** With the name of the extension, if it is known. */
export function stoppedByExtension(what: string, by?: string): string {
  return `${what} cancelled by ${by ?? "an extension"}. Nothing changed.`;
}

/** What went wrong in an extension. A name conflict is not a failure. */
export function extensionProblemSentence(problem: {
  readonly extension: string;
  readonly event: string;
  readonly message: string;
}): string {
  const { extension, event, message } = problem;
  return event === "register"
    ? `Extension ${extension}: ${message}`
    : `The extension ${extension} failed (${event}): ${message}`;
}

export function noSummarySentence(reason: string, branch: NamedBranch): string {
  const ended = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  return `No summary: ${ended} You are still on ${branchWords(branch)}.`;
}

export function shortEntrySentence(reference: string, least: number): string {
  return `No entry is named ${reference}. Give at least ${least} characters of an ID, or #2 for a branch.`;
}

export function ambiguousEntrySentence(reference: string, count: string, next: readonly string[]): string {
  const more = next.length === 0 ? "" : ` One more character: ${next.join(" ")}`;
  return `${reference} matches ${count}.${more}`;
}

export function unknownBranchSentence(reference: string, near?: NamedBranch): string {
  const closest = near === undefined ? "/branches lists them." : `Closest: ${near.name} (#${near.number}).`;
  return `No branch matches "${reference}". ${closest}`;
}

export function severalBranchesSentence(reference: string, branches: readonly NamedBranch[]): string {
  const shown = branches.slice(0, 8).map(branchWords).join(", ");
  const more = branches.length > 8 ? `, and ${branches.length - 8} more` : "";
  return `"${reference}" matches ${counted(branches.length, "branch", "branches")}: ${shown}${more}`;
}

export function unknownCommandSentence(name: string, near: readonly string[]): string {
  const next = near.length === 0 ? "/help lists them." : `Closest: ${near.map((other) => `/${other}`).join(" ")}`;
  return `Unknown command /${name}. ${next}`;
}

type Skipped = readonly { readonly reason: "on-this-path" | "copied-before" | "no-content" }[];

const SKIPPED_WORDS = {
  "on-this-path": "already on this path",
  "copied-before": "already copied here",
  "no-content": "with nothing to copy",
} as const;

function skippedWords(skipped: Skipped): string {
  const reasons = Object.keys(SKIPPED_WORDS) as (keyof typeof SKIPPED_WORDS)[];
  const parts = reasons.map((reason) => {
    const count = skipped.filter((pick) => pick.reason === reason).length;
    return count === 0 ? "" : `${count} ${SKIPPED_WORDS[reason]}`;
  });
  return parts.filter((part) => part !== "").join(", ");
}

export function pickedSentence(count: number, onto: NamedBranch, skipped: Skipped): string {
  const left = skipped.length === 0 ? "" : ` Left out: ${skippedWords(skipped)}.`;
  return `Added ${counted(count, "entry", "entries")} to #${onto.number}.${left} Files are unchanged.`;
}

export function nothingPickedSentence(skipped: Skipped): string {
  return skipped.length === 0 ? "Nothing to add." : `Nothing to add: ${skippedWords(skipped)}.`;
}

export interface MergeFacts {
  readonly from: NamedBranch;
  readonly onto: NamedBranch;
  readonly as: "summary" | "turns";
}

export function broughtWords({ from, as }: Pick<MergeFacts, "from" | "as">): string {
  return as === "summary" ? `a summary of ${branchWords(from)}` : `the turns of ${branchWords(from)}`;
}

export function mergedSentence({ from, onto, as }: MergeFacts): string {
  const how = as === "summary" ? "as a summary" : "turn by turn";
  return `Merged ${branchWords(from)} into #${onto.number} ${how}. Files are unchanged.`;
}

/** Tokens are those of the whole context. */
interface CompactionFacts {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Statements that seem to be missing from the summary. */
  readonly lost: number;
}

export function compactedSentence({ tokensBefore, tokensAfter, lost }: CompactionFacts): string {
  const shorter = `Compacted: context ${shortCount(tokensBefore)} → ${shortCount(tokensAfter)} tokens.`;
  const loss = lost === 0 ? "" : ` ${counted(lost, "statement")} may be missing.`;
  return `${shorter}${loss} /compact undo reverts it.`;
}

export function automaticCompactionSentence(facts: Omit<CompactionFacts, "lost">): string {
  const { tokensBefore, tokensAfter } = facts;
  const sizes = `${shortCount(tokensBefore)} → ${shortCount(tokensAfter)} tokens`;
  return `Compacted to fit the context window: ${sizes}. /compact undo reverts it.`;
}

export function compactionUndoneSentence(leftBehind: number): string {
  const stays =
    leftBehind === 0 ? "" : ` ${counted(leftBehind, "later entry stays", "later entries stay")} in the tree.`;
  return `Compaction undone; the model sees everything again.${stays} /undo compacts again.`;
}

/** `rows` holds only the ones worth showing. */
export function severalSessionsSentence(wanted: string, rows: readonly string[], count = rows.length): string {
  const more = count > rows.length ? [`  and ${count - rows.length} more`] : [];
  const first = `"${titleOf(wanted)}" matches ${counted(count, "session")}. Be more specific:`;
  return [first, ...rows, ...more].join("\n");
}

export function noForeignSentence(wanted: string): string {
  return `No session from another agent matches "${titleOf(wanted)}". /import lists them.`;
}

/** What was written, and what happened to values that look like secrets: that must not come as a surprise later. */
export function sharedSentence({ file, entries, findings }: ExportedSession): string {
  const kept = findings.filter((finding) => finding.kept).length;
  const masked = findings.length - kept;
  const secrets =
    kept > 0
      ? `${counted(kept, "value")} that ${kept === 1 ? "looks" : "look"} like a secret ${kept === 1 ? "is" : "are"} in it.`
      : masked > 0
        ? `${counted(masked, "value")} that ${masked === 1 ? "looks" : "look"} like a secret ${masked === 1 ? "was" : "were"} masked.`
        : "No secrets found; review the file before sharing.";
  return `Wrote ${counted(entries, "entry", "entries")} to ${file} · ${secrets}`;
}

export function thinkingSentence(level: string, effect: "used" | "ignored"): string {
  return effect === "used"
    ? `Thinking: ${level}.`
    : `Thinking: ${level}. The current model does not support thinking; it applies after you switch.`;
}
