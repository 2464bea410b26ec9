/** /sync: exchange this session with a store, now. */

import { counted } from "@bough/session/text/index.js";
import { cameLines } from "@bough/workbench/store/internal.js";
import { readArguments } from "../arguments.js";
import type { Command } from "../command.js";
import { unchanged } from "../outcome.js";

export const SYNC_COMMAND: Command = {
  name: "sync",
  group: "session",
  usage: "[--store <name>] [--allow-secrets]",
  summary: "Exchange this session with a store",
  details:
    "Pushes what the store lacks and brings what other machines added, and says from where and on which branches. Your position stays. The setting sync does it after each turn, or live. What may contain secrets is asked about before it leaves; --allow-secrets syncs it without asking. Set up stores in a shell with: bough store add.",
  unavailable: ({ sync }) => (sync === undefined ? "This program does not sync." : undefined),
  async run({ sync }, args) {
    const { chosen, options } = readArguments(args, { most: 0, options: ["--allow-secrets"], values: ["--store"] });
    if (sync === undefined) return unchanged("This program does not sync.");
    const allowSecrets = options.has("--allow-secrets");
    const { store, synced } = await sync.sync({ store: chosen.get("--store"), allowSecrets });
    const data = { store, synced: synced ?? null };
    if (synced === undefined) return { kind: "done", message: `Nothing to sync with ${store} yet.`, data };
    const { file, pushed, pulled, arrivals, held, taken } = synced;
    if (held === true && pulled === 0)
      return unchanged("Not synced: this session may contain secrets.", "secrets-found");
    const amounts = [
      ...(pushed === 0 ? [] : [`${counted(pushed, "entry", "entries")} pushed`]),
      ...(pulled === 0 ? [] : [`${counted(pulled, "entry", "entries")} pulled`]),
    ];
    const lines = [
      amounts.length === 0 ? `Already in sync with ${store}.` : `Synced with ${store}: ${amounts.join(", ")}.`,
      ...cameLines(file, arrivals).map((line) => `  ${line}`),
      ...taken.map(
        ({ id, newId }) => `  Entry ID ${id} is taken by another entry here; the one that arrived is now ${newId}.`,
      ),
      ...(held === true ? ["  Not pushed: this session may contain secrets."] : []),
    ];
    return { kind: "done", message: lines.join("\n"), data };
  },
};
