import type { EntryId } from "@bough/session/entry/index.js";
import {
  boughHome,
  findMostRecentSession,
  listSessions,
  SessionManager,
  sessionFolder,
} from "@bough/session/session/index.js";
import { isOwnSessionFile } from "@bough/session/session/internal.js";
import type { Notice } from "@bough/session/text/index.js";
import type { ForeignPlace } from "@bough/workbench/interop/index.js";
import { continueAfter } from "@bough/workbench/store/internal.js";
import { CliError } from "../cli-error.js";
import type { SessionChoice } from "../cli-options.js";

interface SessionPlace {
  readonly cwd: string;
  readonly dir?: string | undefined;
}

/** Loaded lazily: a new session needs no search. */
const find = () => import("@bough/workbench/find/index.js");

/** Asks whether to import another program's session and open the import. */
export type AskImport = (place: ForeignPlace) => Promise<"import" | "cancel">;

interface OpenSessionOptions extends SessionPlace {
  /** Without it, another program's session is refused, with a hint on how to import it. */
  readonly askImport?: AskImport | undefined;
  /** Whether to fetch the missing part of a stored session while it is open. */
  readonly syncs?: boolean | undefined;
  /** Called if the session opens at another position because other machines continued it. */
  readonly onContinued?: ((said: Notice) => void) | undefined;
}

/**
 * Opens the requested session, at the requested entry if there is one. A new one has no file until its first message;
 * one that is opened or copied must exist. Another program's file is never opened for writing: it is imported if the
 * user agrees, otherwise refused.
 */
export async function openSession(choice: SessionChoice, options: OpenSessionOptions): Promise<SessionManager> {
  const { cwd, dir } = options;
  if (choice.kind !== "memory" && dir !== undefined) await (await find()).checkSessionDir(dir);
  switch (choice.kind) {
    case "memory":
      return SessionManager.inMemory(cwd);
    case "new":
      return SessionManager.create(cwd, dir);
    case "continue": {
      const recent = findMostRecentSession(dir ?? sessionFolder(cwd));
      return recent === null ? SessionManager.create(cwd, dir) : toContinue({ file: recent }, options);
    }
    case "id": {
      const known = (await listSessions(dir ?? sessionFolder(cwd))).find(({ id }) => id === choice.id);
      if (known !== undefined) return toContinue({ file: known.path }, options);
      const session = SessionManager.create(cwd, dir);
      session.newSession({ id: choice.id });
      return session;
    }
    case "open": {
      const stores = { rest: options.syncs === true ? ("later" as const) : ("now" as const) };
      const { findSession } = await find();
      const { file, entry, foreign } = await findSession(choice.reference, { places: { cwd, dir }, stores });
      if (entry === undefined) return toContinue({ file, foreign }, options);
      return standingAt(await openFile({ file, foreign }, options), entry);
    }
    case "fork": {
      const { findSession } = await find();
      const { file, entry } = await findSession(choice.reference, {
        places: { cwd, dir },
        stores: {},
        agents: "refuse",
      });
      if (entry === undefined) return SessionManager.forkFrom(file, cwd, dir);
      // Checked before copying, so that no copy of the wrong entry is left over.
      const id = await entryIn(file, entry);
      return standingAt(SessionManager.forkFrom(file, cwd, dir), id);
    }
  }
}

interface FileToOpen {
  readonly file: string;
  /** Default: determined from the file. */
  readonly foreign?: ForeignPlace | undefined;
}

/** At the last position, or at the end of what other machines added to it. */
async function toContinue(place: FileToOpen, options: OpenSessionOptions): Promise<SessionManager> {
  const session = await openFile(place, options);
  const continued = continueAfter(session, boughHome());
  if (continued !== undefined) options.onContinued?.(continued);
  return session;
}

async function openFile({ file, foreign }: FileToOpen, options: OpenSessionOptions): Promise<SessionManager> {
  const { dir, askImport } = options;
  const place = foreign ?? (isOwnSessionFile(file) ? undefined : await (await find()).foreignInFile(file));
  if (place === undefined) return SessionManager.open(file, dir);
  if (askImport === undefined) throw (await find()).importFirst(place);
  if ((await askImport(place)) === "cancel") throw new CliError("not-opened", "Session not opened");
  return SessionManager.open(await importedFile(place, options), dir);
}

async function importedFile({ foreign, reference }: ForeignPlace, { cwd, dir }: SessionPlace): Promise<string> {
  const { importToOpen } = await import("@bough/workbench/interop/internal.js");
  return (await importToOpen(foreign, { places: { cwd, dir }, reference })).path;
}

/** Resolves a reference to an entry without moving there. Throws if there is none or several. */
export async function entryIn(file: string, reference: string): Promise<EntryId> {
  const { findEntry } = await find();
  const session = await SessionManager.openInSlices(file, undefined, { readOnly: true });
  try {
    return findEntry(session, reference);
  } finally {
    session.close();
  }
}

async function standingAt(session: SessionManager, entry: string): Promise<SessionManager> {
  try {
    const { findEntry } = await find();
    session.branch(findEntry(session, entry));
    return session;
  } catch (error) {
    session.close();
    throw error;
  }
}
