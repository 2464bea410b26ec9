/** Which sessions of other agents the command line selects. */
import { SessionError } from "@bough/session/entry/index.js";
import { findToImport, type ToImportOptions } from "@bough/workbench/find/index.js";
import { type AgentName, type ForeignSession, findSessions } from "@bough/workbench/interop/index.js";
import { isAbout, knownFilesPlace } from "@bough/workbench/interop/internal.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";

export type ImportChoice =
  /** They were named one by one. */
  | { readonly kind: "named"; readonly sessions: readonly ForeignSession[] }
  /** `--all` or `--here`: the user is told how many there are. */
  | {
      readonly kind: "found";
      readonly sessions: readonly ForeignSession[];
      readonly all: readonly ForeignSession[];
    }
  /** Nothing was asked for: they are only shown. */
  | {
      readonly kind: "list";
      readonly sessions: readonly ForeignSession[];
      readonly elsewhere: number;
      /** Those of other folders and agents among them: what the start of an id has to be told apart from. */
      readonly all: readonly ForeignSession[];
    };

export async function importChoice(call: SubcommandCall): Promise<ImportChoice> {
  const { args, flags, out, places, signal } = call;
  const [all, here] = [flags.isOn("all"), flags.isOn("here")];
  const agents = flags.all("agent") as readonly AgentName[];
  if (args.length > 0) {
    const narrowed = all ? "--all" : here ? "--here" : agents.length > 0 ? "--agent" : undefined;
    if (narrowed !== undefined)
      throw usageError(`${narrowed} does not take ${args[0]}`, "Name sessions, or use flags.");
    return { kind: "named", sessions: await named(args, call) };
  }
  if (all && here)
    throw usageError("--all and --here cannot be combined", "--all means every folder, --here this one.");
  // Prefixes are shown only in a terminal, and must be unique among all agents.
  const narrow = agents.length > 0 && (!out.isTerminal || out.json);
  const everything = await findSessions({ signal, cache: knownFilesPlace(), agents: narrow ? agents : undefined });
  const sessions = agents.length === 0 ? everything : everything.filter(({ agent }) => agents.includes(agent));
  if (all) return { kind: "found", sessions, all: everything };
  const ofFolder = sessions.filter(isAbout(places.cwd));
  if (here) return { kind: "found", sessions: ofFolder, all: everything };
  return { kind: "list", sessions: ofFolder, elsewhere: sessions.length - ofFolder.length, all: everything };
}

/** Finds all of them before importing any, so that a typo in the last name changes nothing. */
async function named(references: readonly string[], { places, signal }: SubcommandCall): Promise<ForeignSession[]> {
  const chosen = new Map<string, ForeignSession>();
  for (const reference of references) {
    const session = await toImport(reference, { dir: places.dir, signal });
    chosen.set(`${session.agent}\n${session.path}\n${session.id}`, session);
  }
  return [...chosen.values()];
}

async function toImport(reference: string, options: ToImportOptions): Promise<ForeignSession> {
  const found = await findToImport(reference, options);
  if (found.kind === "one") return found.session;
  if (found.kind === "own") {
    throw usageError(`That is already a Bough session: ${found.path}`, `Open it with: bough --session ${found.path}`);
  }
  throw new SessionError("session-not-found", `No session from another agent matches ${reference}`, {
    data: { reference },
    hint: "Give a transcript's path, ID, start of ID, agent:ID, or title. bough import lists the sessions in this folder.",
  });
}
