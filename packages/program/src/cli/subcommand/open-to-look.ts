/** Opens a session read-only: one of Bough's own, or another agent's as a temporary tree. */
import { AGENT_TITLES } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { shellWord, shortBytes } from "@bough/session/text/index.js";
import type { ForeignPlace, ForeignSession } from "@bough/workbench/interop/index.js";
import { damageOf } from "../start/announce-session.js";
import type { SessionArgument } from "./session-argument.js";
import { StatusLine } from "./status-line.js";
import type { SubcommandCall } from "./subcommand.js";

interface LookedAt {
  readonly session: SessionManager;
  /** The other agent, if the session belongs to one. */
  readonly foreign: ForeignSession | undefined;
  /** Closes the session and leaves nothing behind. */
  close(): void;
}

/** From here on, a user would wonder why it takes so long. */
const LARGE = 20_000_000;

type LookCall = Pick<SubcommandCall, "out"> & Partial<Pick<SubcommandCall, "signal">>;

/**
 * Writes nothing, not even an upgrade. Unreadable parts are reported on standard error. `originals`: whether entries of
 * another agent keep the records they were made from.
 */
export async function openToLook(
  { file, foreign }: SessionArgument,
  call: LookCall,
  originals: "keep" | "leave-out" = "leave-out",
): Promise<LookedAt> {
  if (foreign !== undefined) {
    const { opensInPlace } = await import("@bough/workbench/interop/index.js");
    if (!opensInPlace(foreign.foreign)) return openConverted(foreign, { ...call, originals });
  }
  const session = SessionManager.open(file, undefined, { readOnly: true });
  const damage = damageOf(session);
  if (damage !== undefined) {
    call.out.notice(`bough: ${damage}`);
    call.out.notice(`  Everything else was read. For details, run: bough verify ${file}`);
  }
  return { session, foreign: foreign?.foreign, close: () => session.close() };
}

type ConvertCall = LookCall & { readonly originals: "keep" | "leave-out" };

async function openConverted(place: ForeignPlace, { out, signal, originals }: ConvertCall): Promise<LookedAt> {
  const [{ openSource }, { damageSentence }] = await Promise.all([
    import("@bough/workbench/interop/index.js"),
    import("@bough/workbench/interop/internal.js"),
  ]);
  const { foreign } = place;
  const waiting = new StatusLine();
  if (foreign.size >= LARGE) waiting.say(`Reading ${shortBytes(foreign.size)} of ${AGENT_TITLES[foreign.agent]}`);
  try {
    const { session, report, close } = await openSource(foreign, { originals, signal });
    waiting.clear();
    const damage = damageSentence(report);
    if (damage !== undefined) {
      out.notice(`bough: ${damage}`);
      out.notice(
        `  Everything else was read. For details, run: bough import --dry-run --report ${shellWord(place.reference)}`,
      );
    }
    for (const sentence of report.missing) out.notice(`bough: ${sentence}`);
    return { session, foreign, close };
  } finally {
    waiting.clear();
  }
}
