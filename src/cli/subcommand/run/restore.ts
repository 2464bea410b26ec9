/** `bough restore`: moves archived sessions back to where they were. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SessionError } from "../../../entry/index.js";
import { archiveRoot, listArchived, listSessions, restoreSession, type SessionInfo } from "../../../session/index.js";
import { firstWords } from "../../../text/index.js";
import { CliError } from "../../cli-error.js";
import { checkFolder } from "../session-argument.js";
import type { SubcommandCall } from "../subcommand.js";

type Archived = Pick<SessionInfo, "id" | "path" | "name" | "firstMessage">;

export async function run({ args, out }: SubcommandCall): Promise<number> {
  checkFolder(archiveRoot());
  const all = await archivedSessions();
  const chosen = new Map(args.map((reference) => find(reference, all)).map((one) => [one.path, one]));
  const restored: object[] = [];
  let code = 0;
  for (const { id, path, name, firstMessage } of chosen.values()) {
    const title = firstWords(name ?? firstMessage, 80) || id;
    const outcome = restoreSession(path);
    if (outcome.kind === "restored") {
      restored.push({ id, from: path, path: outcome.path, leftBehind: outcome.leftBehind });
      if (!out.json) out.line(`Restored "${title}" to ${outcome.path}`);
      for (const left of outcome.leftBehind) out.remark(`bough: Could not move: ${left}`);
      continue;
    }
    code = 1;
    const why = outcome.kind === "missing" ? "it is no longer in the archive" : outcome.reason;
    out.remark(`bough: "${title}" was not restored: ${why}`);
  }
  if (out.json) out.value({ restored });
  return code;
}

async function archivedSessions(): Promise<Archived[]> {
  const found: Archived[] = [];
  for (const folder of new Set(listArchived().map(({ path }) => dirname(path)))) {
    for (const info of await listSessions(folder)) found.push(info);
  }
  return found;
}

/** By path, id, name, or a start of an id that only one has. */
function find(reference: string, all: readonly Archived[]): Archived {
  const path = resolve(reference);
  const exact = all.filter((one) => one.path === path || one.id === reference);
  const named = all.filter(({ name }) => name?.toLowerCase() === reference.toLowerCase());
  const found = [exact, named, all.filter(({ id }) => id.startsWith(reference))].find((some) => some.length > 0) ?? [];
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (found.length > 1) {
    const lines = found.map(({ id, name, firstMessage }) => `  ${id}  ${firstWords(name ?? firstMessage, 60)}`);
    throw new CliError("ambiguous-session", `Several archived sessions match ${reference}`, {
      data: { reference, candidates: found.map(({ id, path, name }) => ({ id, path, name })) },
      hint: ["Give more of the ID:", ...lines].join("\n"),
    });
  }
  // A file whose header cannot be read has no id and no name, but it has a path.
  if (existsSync(path) && listArchived().some((one) => one.path === path)) {
    return { id: reference, path, name: undefined, firstMessage: "" };
  }
  throw new SessionError("session-not-found", `Session not found in the archive: ${reference}`, {
    data: { reference },
    hint: "To list archived sessions: bough ls --archived",
  });
}
