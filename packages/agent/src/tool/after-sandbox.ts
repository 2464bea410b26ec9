/**
 * What follows a command that ran in the sandbox: the model is told what was blocked, and the user is asked whether the
 * command may run again outside, or whether files that were moved away may be put back.
 */
import { lstatSync, readFileSync } from "node:fs";
import { grouped } from "@bough/session/text/index.js";
import { blockedWords } from "@bough/session/view/internal.js";
import { permissionFor } from "./path/allowed-path.js";
import type { ProcessEnd } from "./process/run-process.js";
import type { Blocked, Sandbox } from "./sandbox/sandbox.js";
import type { FilePreview, ToolContext } from "./tool.js";
import { failureSentence } from "./tool-failure.js";

interface Ran {
  readonly command: string;
  readonly end: ProcessEnd;
  readonly blocked: readonly Blocked[];
  readonly sandbox: Pick<Sandbox, "putBack">;
}

export interface AfterSandbox {
  /** The command may run again, outside. */
  readonly again: boolean;
  /** For the model, without full stops at the end. */
  readonly notes: readonly string[];
}

const LIMITS =
  "Ran in a sandbox: writes only in the working directory and temporary folders, no key files, network only to allowed hosts";
const MOST_NAMED = 5;
/** The user is asked about this many files that were moved; others stay away. */
const MOST_ASKED = 10;
const MOST_PREVIEWED = 100_000;

export async function afterSandbox(
  { command, end, blocked, sandbox }: Ran,
  context: ToolContext,
): Promise<AfterSandbox> {
  const kept = blocked.filter(({ kind }) => kind !== "moved");
  const moved = blocked.filter(({ kind }) => kind === "moved");
  const notes: string[] = [];
  if (kept.length > 0) notes.push(`The sandbox blocked ${listed(kept)}`);
  else if (end.exitCode !== 0 && end.kind === "exited") notes.push(LIMITS);
  if (mayHaveFailedBecauseOf(kept, end)) {
    const decision = await permissionFor({ tool: "bash", action: "run", target: command, blocked: kept }, context);
    if (decision.allowed) return { again: true, notes: [...notes, ...moved.map(awayNote)] };
    notes.push(decision.reason);
  }
  for (const [at, one] of moved.entries()) {
    const isAsked = at < MOST_ASKED && !context.signal.aborted;
    notes.push(isAsked ? await askToPutBack(one, { sandbox, context }) : awayNote(one));
  }
  return { again: false, notes };
}

/** "writing /a, connecting to example.com:443, 3 more" */
export function listed(blocked: readonly Blocked[]): string {
  const left = blocked.length - MOST_NAMED;
  return [...blocked.slice(0, MOST_NAMED).map(blockedWords), ...(left > 0 ? [`${grouped(left)} more`] : [])].join(", ");
}

/** A command that succeeded can do without a host. What is piped into another program succeeds in any case. */
function mayHaveFailedBecauseOf(blocked: readonly Blocked[], { exitCode, kind }: ProcessEnd): boolean {
  if (kind === "aborted") return false;
  return exitCode === 0 ? blocked.some((one) => one.kind !== "network") : blocked.length > 0;
}

function awayNote({ what, movedTo }: Blocked): string {
  return `The command created ${what}, which can decide what runs later, so the sandbox moved it to ${movedTo}`;
}

interface PutBackOptions {
  readonly sandbox: Pick<Sandbox, "putBack">;
  readonly context: ToolContext;
}

async function askToPutBack(moved: Blocked, { sandbox, context }: PutBackOptions): Promise<string> {
  const { what, movedTo = "" } = moved;
  const note = `A sandboxed command created it, and it was moved to ${movedTo}.`;
  const preview = previewOf(movedTo);
  const request = { tool: "bash", action: "write", target: what, movedTo, note, preview } as const;
  const decision = await permissionFor(request, context);
  if (!decision.allowed) return awayNote(moved);
  try {
    await sandbox.putBack(moved);
    return `The command created ${what}, and the user allowed it`;
  } catch (error) {
    return `${awayNote(moved)}, and it could not be put back: ${failureSentence(error)}`;
  }
}

/** Undefined for what cannot be shown, such as a folder. */
function previewOf(path: string): FilePreview | undefined {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > MOST_PREVIEWED) return undefined;
    return { kind: "create", text: readFileSync(path, "utf8") };
  } catch {
    // The question says where it is.
    return undefined;
  }
}
