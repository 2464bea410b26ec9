/** Starts attempts: makes their folders, and the beginnings of their branches. */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { EntryId } from "@bough/session/entry/index.js";
import { boughHome, type SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import {
  type AttemptFolder,
  type CopyProgress,
  type DependenciesFound,
  makeFolders,
  removeFolder,
  writeFolderRecord,
} from "@bough/workbench/folder/index.js";
import type { AskPermission, PermissionMode, Rule } from "../../tool/index.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts } from "../agent-parts.js";
import {
  ATTEMPT_NOTE_TYPE,
  ATTEMPT_TYPE,
  type AttemptData,
  type AttemptStart,
  newNames,
  TRY_TYPE,
  type TryData,
} from "./attempt-entries.js";
import { appendBelow, RunningTry } from "./attempt-run.js";

export interface TryOptions {
  /** How many attempts. Default: one for each model or agent that is named, otherwise 3. */
  readonly count?: number;
  /** Models as `provider/id`; used in turn. Default: the model of the session. */
  readonly models?: readonly string[];
  /** `bough`, or other agents such as `claude`; used in turn. */
  readonly agents?: readonly string[];
  /** A command that is run in each folder at the end, such as `npm test`. */
  readonly check?: string;
  /** Of the check, and of `setup`; 10 minutes by default. */
  readonly checkTimeoutMs?: number;
  /** For each attempt. */
  readonly timeoutMs?: number;
  /** Dollars for all attempts together. */
  readonly maxDollars?: number;
  /** How many work at once. Default: as many as the machine has cores. */
  readonly atOnce?: number;
  /** A command that installs what a folder lacks, instead of copied dependencies. */
  readonly setup?: string;
  /** Globs of ignored files to copy. */
  readonly include?: readonly string[];
  /** Whether a rule denies reading an ignored file, by its absolute path. */
  readonly isDenied?: (path: string) => boolean | Promise<boolean>;
  readonly dependencies?: "copy" | "leave" | ((found: DependenciesFound) => Promise<"copy" | "leave">);
  /** What attempts may do in their folders. Default: `edits`, so that files are changed without asking. */
  readonly permission?: PermissionMode;
  /** Answers questions of attempts; each names its attempt first. Default: what would ask is refused. */
  readonly ask?: AskPermission;
  /** The program that does an attempt: a command line. Default: this Bough. */
  readonly program?: readonly string[];
  /** More arguments for it, such as `--allow`. */
  readonly programArgs?: readonly string[];
  readonly onProgress?: (progress: CopyProgress) => void;
  readonly signal?: AbortSignal;
}

export interface TryRequest extends TryOptions {
  readonly prompt: string;
  /** The model of the session, as `provider/id`. */
  readonly modelName?: string | undefined;
  /** Of the session. */
  readonly rules?: readonly Rule[] | undefined;
}

const CHECK_MS = 10 * 60_000;
const STANDARD_COUNT = 3;
/** More could not be looked at. */
export const MOST_ATTEMPTS = 50;

/**
 * Resolves once the folders are there and the first attempt starts. Throws `no-session-file`, `empty-prompt`,
 * `bad-count`, and what `makeFolders` throws; nothing is left then.
 */
export async function startAttempts(parts: AgentParts, request: TryRequest): Promise<RunningTry> {
  const { session, cwd } = parts;
  const { prompt, models = [], agents = [], check, signal, setup } = request;
  const home = parts.files?.options.home ?? boughHome();
  if (prompt.trim() === "") throw new AgentError("empty-prompt", "There is nothing to send");
  if (!session.isPersisted() || session.getReadOnlyReason() !== undefined) {
    throw new AgentError("no-session-file", "Attempts are branches of a session file, and this session has none", {
      hint: "Start a session that is saved, without --no-session.",
    });
  }
  const count =
    request.count ?? Math.max(models.length, agents.length, models.length + agents.length > 0 ? 1 : STANDARD_COUNT);
  if (!Number.isInteger(count) || count < 1 || count > MOST_ATTEMPTS) {
    throw new AgentError("bad-count", `The number of attempts must be between 1 and ${MOST_ATTEMPTS}, but is ${count}`);
  }
  const from = session.getLeafId();
  // What the person changed belongs to the path that all of them share.
  const opened = await parts.files?.inUse();
  if (opened !== undefined) await parts.files?.beforePrompt();
  const names = newNames(session, count);
  const made = await makeFolders({
    ...{ cwd, home, names },
    ...defined({
      include: request.include,
      isDenied: request.isDenied,
      dependencies: setup === undefined ? request.dependencies : "leave",
      onProgress: request.onProgress,
      signal,
    }),
  });
  try {
    for (const { path } of made.left.slice(0, 1)) tellLeft(parts, path, made.left.length);
    if (made.withoutDependencies.length > 0 && setup === undefined) tellDependencies(parts, made.withoutDependencies);
    // The position may have moved on: a record of files follows it.
    const at = session.getEntry(session.getLeafId() ?? ("" as EntryId)) === undefined ? from : session.getLeafId();
    const data: TryData = { v: 1, prompt, count, ...defined({ check }) };
    const tryId = appendBelow(session, at, TRY_TYPE, data);
    const attempts = made.folders.map((folder, n) => begin(parts, { request, folder, n, count, tryId, home }));
    session.recordPosition();
    parts.emit({ type: "entries", ids: [tryId, ...attempts.map(({ at: id }) => id)] });
    const file = session.getSessionFile() as string;
    return new RunningTry(parts, {
      ...{ home, prompt, tryId, attempts, env: process.env },
      checkTimeoutMs: request.checkTimeoutMs ?? CHECK_MS,
      atOnce: request.atOnce ?? availableParallelism(),
      commandOf: (start, entry, folder) => [
        ...(request.program ?? thisProgram()),
        ...["--mode", "rpc", "--resume", `${file}#${entry}`, "--cwd", folder.workingFolder],
        ...["--permission", request.permission ?? "edits"],
        ...(start.driver === "bough" ? [] : ["--agent", start.driver]),
        ...(start.driver !== "bough" || start.model === undefined ? [] : ["--model", start.model]),
        ...ruleArguments(request.rules ?? []),
        ...argumentsFor(start, request.programArgs ?? []),
      ],
      ...{ check, setup, timeoutMs: request.timeoutMs, maxDollars: request.maxDollars },
      ...{ ask: request.ask },
    });
  } catch (error) {
    for (const folder of made.folders) removeFolder(folder, home);
    throw error;
  }
}

/** Rules that were given to this process; the others are read from the settings and the environment again. */
function ruleArguments(rules: readonly Rule[]): readonly string[] {
  const given = rules.filter(({ source }) => source.kind === "flag" || source.kind === "program");
  // There is no flag for a rule that asks.
  return given.flatMap(({ effect, text }) => [effect === "allow" ? "--allow" : "--deny", text]);
}

/** Another agent has its own sandbox, or none. */
function argumentsFor({ driver }: AttemptStart, given: readonly string[]): readonly string[] {
  const at = given.indexOf("--sandbox");
  return driver === "bough" || at < 0 ? given : given.toSpliced(at, 2);
}

interface Beginning {
  readonly request: TryRequest;
  readonly folder: AttemptFolder;
  readonly n: number;
  readonly count: number;
  readonly tryId: EntryId;
  readonly home: string;
}

/** The first entries of a branch, and the session in the record of its folder. */
function begin({ session }: AgentParts, { request, folder, n, count, tryId, home }: Beginning) {
  const { models = [], agents = [], modelName } = request;
  const driver = agents.length === 0 ? "bough" : (agents[n % agents.length] as string);
  const model = driver !== "bough" ? undefined : models.length === 0 ? modelName : models[n % models.length];
  const { name } = folder;
  const data: AttemptData = { v: 1, name, number: n + 1, driver, ...defined({ model }) };
  const entryId = appendBelow(session, tryId, ATTEMPT_TYPE, data);
  // Another agent is told its folder by the protocol.
  const at = driver === "bough" ? noteBelow(session, entryId, folderNote(folder, { number: n + 1, count })) : entryId;
  const place = { id: session.getSessionId(), file: session.getSessionFile() as string, entry: entryId };
  writeFolderRecord({ ...folder, session: place }, home);
  const start: AttemptStart = { ...data, entryId, tryId, timestamp: new Date().toISOString() };
  return { start, at, folder: { ...folder, session: place } };
}

function noteBelow(session: SessionManager, below: EntryId, text: string): EntryId {
  const leaf = session.getLeafId();
  session.branch(below);
  try {
    return session.appendCustomMessageEntry(ATTEMPT_NOTE_TYPE, text, false);
  } finally {
    session.branch(leaf);
  }
}

function folderNote(
  { path, root, workingFolder }: AttemptFolder,
  { number, count }: { readonly number: number; readonly count: number },
): string {
  return [
    `You are attempt ${number} of ${count} that work on the same task independently.`,
    `You work in a copy of the project: ${path} instead of ${root}. The working directory is ${workingFolder}.`,
    "Use relative paths, or paths in the copy. Do not read or change the original.",
    "No one may be there to answer questions; decide by yourself.",
  ].join("\n");
}

function tellLeft(parts: AgentParts, path: string, count: number): void {
  const message = `${count === 1 ? path : `${path} and ${count - 1} more`} could not be copied, and is missing in the attempts`;
  parts.emit({ type: "notice", level: "warning", message });
}

function tellDependencies(parts: AgentParts, folders: readonly string[]): void {
  const message = `Not copied, because of their size: ${folders.slice(0, 3).join(", ")}`;
  const hint = 'Set "attempts": { "setup": "npm ci" } in the settings, with the command that installs them.';
  parts.emit({ type: "notice", level: "warning", message, hint });
}

/** This version of Bough: from the sources, the last build. */
function thisProgram(): readonly string[] {
  const { url } = import.meta;
  const main = url.endsWith(".ts") ? new URL("../../../../../dist/cli/main.js", url) : new URL("../cli/main.js", url);
  return [process.execPath, fileURLToPath(main)];
}
