/** Which sessions of other agents a command line means. */
import { accessSync, constants, realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type AgentName, type ForeignSession, findSessions, foreignSessionAt } from "../../../interop/index.js";
import { SessionError, sessionsRoot } from "../../../session/index.js";
import { usageError } from "../../cli-error.js";
import { findForeign, isFile } from "../../foreign-session.js";
import type { SubcommandCall } from "../subcommand.js";
import { isFolder } from "./import-target.js";

export type ImportChoice =
  /** Named one by one: those are meant. */
  | { readonly kind: "named"; readonly sessions: readonly ForeignSession[] }
  /** `--all` or `--here`: whoever asked is told how many they are. */
  | { readonly kind: "found"; readonly sessions: readonly ForeignSession[] }
  /** Nothing was asked for: they are only shown. */
  | {
      readonly kind: "list";
      readonly sessions: readonly ForeignSession[];
      readonly elsewhere: number;
      /** Those of other folders among them. */
      readonly all: readonly ForeignSession[];
    };

export async function importChoice(call: SubcommandCall): Promise<ImportChoice> {
  const { args, flags, places, signal } = call;
  const [all, here] = [flags.isOn("all"), flags.isOn("here")];
  const agents = flags.all("agent") as readonly AgentName[];
  if (args.length > 0) {
    const narrowed = all ? "--all" : here ? "--here" : agents.length > 0 ? "--agent" : undefined;
    if (narrowed !== undefined)
      throw usageError(`${narrowed} has no use for ${args[0]}`, "Name sessions, or use flags.");
    return { kind: "named", sessions: await named(args, signal) };
  }
  if (all && here) throw usageError("--all and --here exclude each other", "--all is every folder, --here this one.");
  const sessions = await findSessions({ signal, ...(agents.length === 0 ? {} : { agents }) });
  if (all) return { kind: "found", sessions };
  const ofFolder = sessions.filter(isIn(places.cwd));
  if (here) return { kind: "found", sessions: ofFolder };
  return { kind: "list", sessions: ofFolder, elsewhere: sessions.length - ofFolder.length, all: sessions };
}

/** All of them are found before the first is imported: a mistake in the last name changes nothing. */
async function named(references: readonly string[], signal: AbortSignal): Promise<ForeignSession[]> {
  const chosen = new Map<string, ForeignSession>();
  for (const reference of references) {
    const session = (await findForeign(reference, { signal })) ?? (await sessionAtPath(reference));
    chosen.set(`${session.agent}\n${session.path}\n${session.id}`, session);
  }
  return [...chosen.values()];
}

/** Files that open as they are can be imported as well: those of pi. */
async function sessionAtPath(reference: string): Promise<ForeignSession> {
  const path = resolve(reference);
  if (!isFile(path)) {
    throw new SessionError("session-not-found", `There is no session ${reference} of another agent`, {
      data: { reference },
      hint: "Give the path of a transcript, an id, the start of one, agent:id or a title. bough import lists those of this folder.",
    });
  }
  checkReadable(path);
  if (isFolder(sessionsRoot()) && !relative(realpathSync(sessionsRoot()), realpathSync(path)).startsWith("..")) {
    throw usageError(`That is a session of Bough already: ${path}`, `Open it with: bough --session ${path}`);
  }
  return foreignSessionAt(path);
}

/** What cannot be read may well be a transcript. */
function checkReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    throw new SessionError("read-failed", `Could not open ${path}`, {
      data: { path },
      hint: "Check the permissions of the file and its folder.",
      cause,
    });
  }
}

/** A folder has many names; what counts is where they lead. */
function isIn(folder: string): (session: ForeignSession) => boolean {
  const wanted = realpathSync(folder);
  const known = new Map<string, boolean>();
  return ({ cwd }) => {
    if (cwd === "") return false;
    let isHere = known.get(cwd);
    if (isHere === undefined) {
      isHere = isFolder(cwd) && realpathSync(cwd) === wanted;
      known.set(cwd, isHere);
    }
    return isHere;
  };
}
