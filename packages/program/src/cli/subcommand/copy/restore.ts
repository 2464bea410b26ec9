/** `bough restore`: moves archived sessions back to where they were. */
import type { SessionError } from "@bough/session/entry/index.js";
import { restoreSession } from "@bough/session/session/index.js";
import { firstWords } from "@bough/session/text/index.js";
import { archivedSession, archivedSessions } from "@bough/workbench/find/index.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "restore",
  usage: "<session...>",
  summary: "Restore archived sessions",
  details: "Each returns to its original folder. If the file name is taken, a number is added; nothing is overwritten.",
  flags: {},
  examples: [["restore 4f2a", "restore one session"]],
  json: '{ "restored": [{ id, from, path, leftBehind }] }',
  args: { least: 1, most: Number.POSITIVE_INFINITY },
  completes: "none",
};

export async function run({ args, out }: SubcommandCall): Promise<number> {
  const closed: SessionError[] = [];
  const all = await archivedSessions({ onUnreadable: (error) => closed.push(error) });
  const chosen = new Map(
    args.map((reference) => archivedSession(reference, all, closed)).map((one) => [one.path, one]),
  );
  const restored: object[] = [];
  let code = 0;
  for (const { id, path, name, firstMessage } of chosen.values()) {
    const title = firstWords(name ?? firstMessage, 80) || id;
    const outcome = restoreSession(path);
    if (outcome.kind === "restored") {
      restored.push({ id, from: path, path: outcome.path, leftBehind: outcome.leftBehind });
      if (!out.json) out.line(`Restored "${title}" to ${outcome.path}`);
      for (const left of outcome.leftBehind) out.notice(`bough: Could not move: ${left}`);
      continue;
    }
    code = 1;
    const why = outcome.kind === "missing" ? "it is no longer in the archive" : outcome.reason;
    out.notice(`bough: "${title}" was not restored: ${why}`);
  }
  if (out.json) out.value({ restored });
  return code;
}
