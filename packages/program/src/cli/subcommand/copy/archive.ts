/** `bough archive`: moves sessions to the archive, where `restore` finds them. */
import { type ArchiveOutcome, archiveSession, boughHome } from "@bough/session/session/index.js";
import { counted } from "@bough/session/text/index.js";
import { askYes } from "../ask-yes.js";
import { openToLook } from "../open-to-look.js";
import { ownSessionArgument, type SessionArgument } from "../session-argument.js";
import { sessionTitle } from "../session-facts.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "archive",
  usage: "<session...>",
  summary: "Archive sessions",
  details:
    "Moves sessions and their companion files to the archive; nothing is deleted, and restore brings them back. Asks first; without a terminal, pass --yes. Sessions that are open elsewhere are skipped.",
  flags: { yes: { short: "y", help: "do not ask for confirmation" } },
  examples: [
    ["archive 4f2a", "ask, then archive it"],
    ["archive 4f2a 77b0 --yes", "two sessions, without asking"],
    ["ls --archived", "list archived sessions"],
  ],
  json: '{ "archived": [{ id, from, path, leftBehind }] }',
  args: { least: 1, most: Number.POSITIVE_INFINITY },
  completes: "sessions",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { args, flags, places, out, now } = call;
  // Finds all of them before moving any, so that a typo in the last name changes nothing.
  const chosen = new Map<string, { readonly id: string; readonly title: string }>();
  for (const reference of args) {
    const argument = await ownSessionArgument(reference, places, { where: "here" });
    chosen.set(argument.file, await namesOf(argument, call));
  }
  if (!flags.isOn("yes")) {
    const titles = [...chosen.values()].map(({ title }) => `"${title}"`).join(", ");
    if (!(await askYes(`Archive ${titles}? You can restore it later.`, call))) {
      out.notice("Nothing was archived.");
      return 1;
    }
  }
  const archived: object[] = [];
  let code = 0;
  for (const [file, { id, title }] of chosen) {
    const outcome = archiveSession(file, { now });
    if (outcome.kind === "archived") {
      archived.push({ id, from: file, path: outcome.path, leftBehind: outcome.leftBehind });
      if (!out.json) {
        out.line(`Archived "${title}". To undo: bough restore ${id}`);
        await tellNatives(id, call);
      }
      for (const path of outcome.leftBehind) out.notice(`bough: Could not move: ${path}`);
      continue;
    }
    code = 1;
    out.notice(`bough: ${failure(outcome, title)}`);
  }
  if (out.json) out.value({ archived });
  return code;
}

async function namesOf(
  argument: SessionArgument,
  call: SubcommandCall,
): Promise<{ readonly id: string; readonly title: string }> {
  const { session, close } = await openToLook(argument, call);
  try {
    return { id: session.getSessionId(), title: sessionTitle(session) };
  } finally {
    close();
  }
}

function failure(outcome: Exclude<ArchiveOutcome, { kind: "archived" }>, title: string): string {
  switch (outcome.kind) {
    case "in-use": {
      const who = outcome.by.map(({ program, pid, host }) => `${program} (process ${pid} on ${host})`).join(", ");
      return `"${title}" is open in ${who}. Close it there first.`;
    }
    case "missing":
      return `"${title}" no longer exists.`;
    case "failed":
      return `"${title}" was not archived: ${outcome.reason}`;
  }
}

/** Other agents may keep what they were given of it. */
async function tellNatives(id: string, { out }: SubcommandCall): Promise<void> {
  const { NativeSessions } = await import("@bough/agent/driver/internal.js");
  const count = new NativeSessions(boughHome(), { id, isPersisted: true }).list().length;
  if (count === 0) return;
  out.line(`Other agents keep ${counted(count, "session")} of it. To delete them: bough agents clean ${id}`);
}
