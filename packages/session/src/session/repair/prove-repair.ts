/** Reads a repaired file back before it gets its final name. */
import { type EntryId, type Problem, SessionError } from "../../entry/index.js";
import type { WholeFile } from "../../log/index.js";
import { SessionManager } from "../session-manager.js";
import { findingLevel } from "../verify/findings.js";
import { SessionLines } from "../verify/session-lines.js";
import type { WalkOptions } from "../verify/walk-lines.js";
import { verifySession } from "../verify-session.js";
import type { Proof } from "./proof.js";

interface RepairToProve {
  /** The original. */
  readonly path: string;
  readonly file: WholeFile;
  readonly proof: Proof;
  /** Entries at the end of the new file that the original does not have. */
  readonly added: number;
  readonly options: WalkOptions;
}

/**
 * Returns the findings left in the new file. Throws `repair-failed` unless it has every readable entry and no others,
 * has no damage, and opens at the same position.
 */
export async function proveRepair({ path, file, proof, added, options }: RepairToProve): Promise<readonly Problem[]> {
  await showAll(file.temporary, proof, options);
  const { findings } = await verifySession(file.temporary, options);
  const damage = findings.filter(({ code }) => findingLevel(code) === "damage");
  const data = { path, readable: proof.readable, found: proof.found, damage: damage.length };
  if (proof.found !== proof.readable || proof.shown !== proof.readable + added) {
    throw failed(`The new file held ${proof.found} of the ${proof.readable} readable entries of ${path}`, data);
  }
  if (damage.length > 0) throw failed(`The repaired copy of ${path} was itself damaged`, data);
  if (leafOfFile(file.temporary) !== leafOfFile(path))
    throw failed(`The repaired copy of ${path} opened at a different position`, data);
  return findings;
}

async function showAll(path: string, proof: Proof, options: WalkOptions): Promise<void> {
  const lines = new SessionLines(path);
  try {
    await lines.read(options, (line, content) => {
      if (content.kind === "entry") proof.show(line.bytes);
    });
  } finally {
    lines.close();
  }
}

/** The leaf that a session opens at. */
export function leafOfFile(path: string): EntryId | null {
  const session = SessionManager.open(path, undefined, { readOnly: true });
  try {
    return session.getLeafId();
  } finally {
    session.close();
  }
}

function failed(message: string, data: Readonly<Record<string, unknown>>): SessionError {
  return new SessionError("repair-failed", message, {
    data,
    hint: "The new file was removed; the original is unchanged and can be opened read-only.",
  });
}
