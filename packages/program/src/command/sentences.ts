/** What commands say: short, second person, the next step as a hint. No full stop after an id. */

import type { OperationName } from "@bough/agent/agent/index.js";
import type { MovedFiles } from "@bough/agent/extension/index.js";
import { counted, ended, joinNotices, type Notice, shortCount, titleOf } from "@bough/session/text/index.js";
import { MOVING_IS_OFF, type NamedBranch } from "@bough/session/view/internal.js";
import type { ExportedSession } from "@bough/workbench/export/index.js";
import type { FrontEnd } from "./command.js";
import { movedFilesNotice } from "./files/file-sentences.js";

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

/** What happened to the files. */
interface FilesFacts {
  /** Files that tools changed on the branch that was left. */
  readonly left: number;
  readonly moved: MovedFiles | undefined;
}

type KeyHints = Pick<FrontEnd, "keyHint">;

/** Why something cannot be done now, and how it can: the agent, or what the user did last, is not finished. */
export function workingNotice(action: string, { keyHint }: KeyHints, operation?: OperationName): Notice {
  const stops = operation === undefined || operation === "run" || operation === "shell" ? "stops" : "cancels";
  const hint = `${keyHint?.("chat.stop") || "Esc"} ${stops} it, then you can ${action}.`;
  return { message: busySentence(operation), hint };
}

/** What is running. */
export function busySentence(operation: OperationName | undefined): string {
  switch (operation) {
    case undefined:
    case "run":
      return "Agent is working.";
    case "shell":
      return "Your command is still running.";
    case "compact":
      return "Still summarizing older messages.";
    case "merge":
    case "cherry-pick":
      return "Still merging.";
    case "restore":
      return "Still restoring files.";
    case "driver":
      return "Still asking the other agent.";
    case "fork":
    case "clone":
    case "open":
      return "Still opening the session.";
    default:
      return "Your last move is not finished.";
  }
}

export const SENTENCES = {
  alreadyHere: "You are already here.",
  nothingToUndo: "Nothing to undo in this session.",
  nothingToRedo: "Nothing to redo.",
  stayed: "Nothing changed.",
  stopped: "Stopped.",
  working: (front: KeyHints, operation?: OperationName) => workingNotice("move", front, operation),
  noModel: { message: "No model is selected.", hint: "Choose one with /model." },
  nothingHere: { message: "Nothing here yet.", hint: "Send a prompt and it becomes the first entry." },
  notOnSideBranch: { message: "You are not on a side branch.", hint: "/switch - goes to the previous one." },
  noEarlierPrompt: { message: "No earlier prompt on this path.", hint: "/switch - goes to the previous branch." },
  noPreviousBranch: { message: "No other branch to go back to.", hint: "/branches lists them." },
  oneBranch: "Only one branch so far; you are on it.",
  chooseToPick: { message: "Select entries on another branch, then copy them here.", hint: "? lists the keys." },
  noCompaction: "No compaction on this path to undo.",
  nothingToCompact: "Nothing to compact yet: it needs at least two turns.",
  nothingToCopy: "No answer to copy yet.",
  noHints: "No hints here.",
  hintsAgain: "Hints are shown again.",
  noLabel: "No label to remove.",
  noLabels: { message: "No labels yet.", hint: "/label with a name adds one here." },
  noPins: { message: "Nothing is pinned on this path.", hint: "/pin with an id pins an entry." },
  pinnedAlready: "Already pinned.",
  notPinned: "Not pinned on this path.",
  sameLabel: "It already has this label.",
  newSession: { message: "New session. The previous one is saved.", hint: "/resume lists it." },
  mergedBefore: "Everything there has already been copied here.",
  samePlace: "Both are the same entry.",
  noSharedRoot: "These branches share no entries; only their ends can be compared.",
  contextUnchanged: "No change: the model already sees it that way.",
  noSessions: "No sessions here yet.",
  noForeign: {
    message: "No sessions from other agents found in their default folders.",
    hint: "To import from elsewhere: /import <file>",
  },
  importWithId: "/import with an id, or words from the title, imports one.",
  noName: { message: "This session has no name.", hint: "Name it with /rename <name>." },
  sameName: "It already has this name.",
  noText: "This entry has no text to copy.",
  noLoginHere: "Logging in needs a terminal.",
  noLogins: "No provider supports login here.",
  noLogin: (provider: string, meant: string | undefined): Notice => ({
    message: `Unknown provider ${provider}.`,
    hint: meant === undefined ? "/login lists them." : `Did you mean ${meant}?`,
  }),
  noKeyHere: (provider: string): Notice => ({
    message: "A key can only be entered in the terminal.",
    hint: `To save one: bough login ${provider}`,
  }),
  keyNotSaved: ({ message, hint }: Notice): Notice => ({ message: `The key was not saved: ${message}`, hint }),
  keyNeedsModel: (provider: string): Notice => ({
    message: `The key was not saved: ${provider} needs a model name to check it.`,
    hint: `/login ${provider} <model>`,
  }),
  loginCancelled: "Login cancelled. Nothing was saved.",
  loginFailed: (name: string, reason: string) => `Could not log in to ${name}: ${reason}`,
  loggedIn: (name: string): Notice => ({ message: `Logged in to ${name}.`, hint: "/model lists its models." }),
  logoutWhat: { message: "No provider was named.", hint: "Usage: /logout <provider>" },
  nothingSaved: (provider: string) => `Nothing is saved for ${provider}.`,
  loggedOut: (provider: string) => `Logged out of ${provider}.`,
  sameModel: "This model is already in use.",
  sameLevel: "This level is already in use.",
  undone: (title: string): Notice => ({ message: `Undone: "${title}".`, hint: "/redo brings it back." }),
  undoneBrought: (what: "merge" | "cherry-pick"): Notice => ({
    message: `Undone: the last ${what}.`,
    hint: "/redo brings it back.",
  }),
  back: (branch: NamedBranch) => `Back on ${ended(branchWords(branch), "always")}`,
  still: (branch: NamedBranch) => `Stopped. You are still on ${ended(branchWords(branch), "always")}`,
  labelled: (label: string) => `Labeled "${label}".`,
  unlabelled: (label: string) => `Label "${label}" removed.`,
  labelTaken: (label: string, holder: string) => `"${label}" is on "${holder}".`,
  unknownEntry: (reference: string, { keyHint }: KeyHints): Notice => ({
    message: `No entry ID starts with ${reference}.`,
    hint: `Press ${keyHint?.("tree.copy") || "y"} in the tree to copy an ID.`,
  }),
  forked: (title: string): Notice => ({
    message: `New session from just before "${title}". The original is unchanged.`,
    hint: "/resume lists it.",
  }),
  cloned: (): Notice => ({
    message: "New session with a copy of this path. The original is unchanged.",
    hint: "/resume lists it.",
  }),
  opened: (title: string) => `Opened "${title}".`,
  pinned: (title: string) => `Pinned "${title}". Every compaction keeps its text.`,
  unpinned: (title: string) => `Unpinned "${title}".`,
  noSession: (wanted: string): Notice => ({ message: `No session matches "${wanted}".`, hint: "/resume lists them." }),
  foreignFile: (agent: string, file: string): Notice => ({
    message: `That is a session from ${agent}.`,
    hint: `To import it: /import ${file}`,
  }),
  importStopped: () => "Import cancelled. Nothing changed; running it again starts over.",
  named: (name: string) => `Renamed to "${name}".`,
  copied: (text: string) => `Copied ${counted([...text].length, "character")}.`,
  model: (name: string) => `Model: ${name}`,
  setting: (name: string, value: string, counts: "now" | "after a restart"): Notice => ({
    message: `${name} set to ${value}.`,
    ...(counts === "now" ? {} : { hint: "Restart to apply." }),
  }),
} as const;

export function branchWords({ number, name }: NamedBranch): string {
  return name === "" ? `#${number}` : `#${number} ${name}`;
}

function filesNotice({ left, moved }: FilesFacts): string | Notice {
  const said = movedFilesNotice(moved);
  return said.message === "" && left > 0 ? "Files are unchanged." : said;
}

function keepsSentence(left: NamedBranch, entries: number): string {
  return entries === 0 ? "" : `#${left.number} keeps its ${counted(entries, "entry", "entries")}.`;
}

const TO_RETURN: Notice = { message: "", hint: "/undo to return." };

export function movedNotice({ target, before, left, entries, files, withSummary }: MoveFacts): Notice {
  const summary = withSummary ? `, with a summary of #${left.number}` : "";
  const moved = `Moved ${before ? "just before" : "to"} "${target}"${summary}.`;
  return joinNotices(moved, keepsSentence(left, entries), filesNotice(files), TO_RETURN);
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

export function switchedNotice({ here, left, entries, files }: SwitchFacts): Notice {
  const now = `Now on ${ended(branchWords(here), "always")}`;
  return joinNotices(now, keepsSentence(left, entries), filesNotice(files), TO_RETURN);
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
  return `No summary: ${ended(reason, "always")} You are still on ${ended(branchWords(branch), "always")}`;
}

export function shortEntryNotice(reference: string, least: number): Notice {
  return {
    message: `No entry is named ${reference}.`,
    hint: `Give at least ${least} characters of an ID, or #2 for a branch.`,
  };
}

export function ambiguousEntryNotice(reference: string, count: string, next: readonly string[]): Notice {
  const message = `${reference} matches ${count}.`;
  return next.length === 0 ? { message } : { message, hint: `One more character: ${next.join(" ")}` };
}

export function unknownBranchNotice(reference: string, near?: NamedBranch): Notice {
  return {
    message: `No branch matches "${reference}".`,
    hint: near === undefined ? "/branches lists them." : `Closest: ${near.name} (#${near.number}).`,
  };
}

export function severalBranchesSentence(reference: string, branches: readonly NamedBranch[]): string {
  const shown = branches.slice(0, 8).map(branchWords).join(", ");
  const more = branches.length > 8 ? `, and ${branches.length - 8} more` : "";
  return `"${reference}" matches ${counted(branches.length, "branch", "branches")}: ${shown}${more}`;
}

export function unknownCommandNotice(name: string, near: readonly string[]): Notice {
  return {
    message: `Unknown command /${name}.`,
    hint: near.length === 0 ? "/help lists them." : `Closest: ${near.map((other) => `/${other}`).join(" ")}`,
  };
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
  return `Added ${counted(count, "entry", "entries")} to #${onto.number}.${left}`;
}

export function nothingPickedSentence(skipped: Skipped): string {
  return skipped.length === 0 ? "Nothing to add." : `Nothing to add: ${skippedWords(skipped)}.`;
}

export interface MergeFacts {
  readonly from: NamedBranch;
  readonly onto: NamedBranch;
  readonly as: "summary" | "turns";
}

export function mergedSentence({ from, onto, as }: MergeFacts): string {
  const how = as === "summary" ? "as a summary" : "turn by turn";
  return `Merged ${branchWords(from)} into #${onto.number} ${how}.`;
}

/** Tokens are those of the whole context. */
interface CompactionFacts {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Statements that seem to be missing from the summary. */
  readonly lost: number;
}

export function compactedNotice({ tokensBefore, tokensAfter, lost }: CompactionFacts): Notice {
  const shorter = `Summarized ${shortCount(tokensBefore)} tokens into ${shortCount(tokensAfter)}.`;
  const loss = lost === 0 ? "" : ` ${counted(lost, "statement")} may be missing.`;
  return { message: `${shorter}${loss}`, hint: "/compact undo reverts it." };
}

export function automaticCompactionNotice(facts: Omit<CompactionFacts, "lost">): Notice {
  const { tokensBefore, tokensAfter } = facts;
  const shorter = `Summarized ${shortCount(tokensBefore)} tokens into ${shortCount(tokensAfter)}`;
  return { message: `${shorter} to fit the context window.`, hint: "/compact undo reverts it." };
}

export function compactionUndoneNotice(leftBehind: number): Notice {
  const stays =
    leftBehind === 0 ? "" : ` ${counted(leftBehind, "later entry stays", "later entries stay")} in the tree.`;
  return { message: `Compaction undone; the model sees everything again.${stays}`, hint: "/redo compacts again." };
}

/** `rows` holds only the ones worth showing. */
export function severalSessionsNotice(wanted: string, rows: readonly string[], count = rows.length): Notice {
  const more = count > rows.length ? [`  and ${count - rows.length} more`] : [];
  const first = `"${titleOf(wanted)}" matches ${counted(count, "session")}:`;
  return { message: [first, ...rows, ...more].join("\n"), hint: "Be more specific." };
}

export function noForeignNotice(wanted: string): Notice {
  return { message: `No session from another agent matches "${titleOf(wanted)}".`, hint: "/import lists them." };
}

/** What was written, and what happened to values that look like secrets: that must not come as a surprise later. */
export function sharedNotice({ file, entries, findings }: ExportedSession): Notice {
  const kept = findings.filter((finding) => finding.kept).length;
  const masked = findings.length - kept;
  const secrets =
    kept > 0
      ? `${counted(kept, "value")} that ${kept === 1 ? "looks" : "look"} like a secret ${kept === 1 ? "is" : "are"} in it.`
      : masked > 0
        ? `${counted(masked, "value")} that ${masked === 1 ? "looks" : "look"} like a secret ${masked === 1 ? "was" : "were"} masked.`
        : "No secrets found.";
  const message = `Wrote ${counted(entries, "entry", "entries")} to ${file} · ${secrets}`;
  return findings.length > 0 ? { message } : { message, hint: "Review the file before sharing." };
}

export function thinkingSentence(level: string, effect: "used" | "ignored"): string {
  return effect === "used"
    ? `Thinking: ${level}.`
    : `Thinking: ${level}. The current model does not support thinking; it applies after you switch.`;
}
