/** Opens another agent's session in place: read-only, as a temporary Bough session. */
import { temporaryFolder } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { foreignSessionAt } from "./agents.js";
import type { ForeignSession } from "./contract.js";
import { convertSession } from "./import/import-session.js";
import type { LossReport } from "./loss-report.js";
import type { Originals } from "./raw-line.js";

export interface OpenForeignOptions {
  /** The session to open, if the file is a database. */
  readonly id?: string;
  readonly signal?: AbortSignal;
  /**
   * `leave-out` omits the original records from entries, which saves time and space, for callers that only read. They
   * are needed to write a path back to the agent it came from. Default `keep`.
   */
  readonly originals?: Originals;
}

export interface OpenedForeign {
  readonly source: ForeignSession;
  readonly session: SessionManager;
  /** The converted session, for callers that need a file, such as search and export. */
  readonly file: string;
  readonly report: LossReport;
  /** Closes the session and removes the converted file. */
  close(): void;
}

/**
 * Opens the session in a foreign file, without modifying it. The session is converted to a file in a private temporary
 * folder, not in memory, so that transcripts of any size can be opened; `close` removes it.
 */
export async function openForeign(path: string, options: OpenForeignOptions = {}): Promise<OpenedForeign> {
  return openSource(await foreignSessionAt(path, options.id), options);
}

/** Whether Bough opens the file without conversion: readable files of pi. */
export function opensInPlace({ agent, problem }: ForeignSession): boolean {
  return agent === "pi" && problem === undefined;
}

/** Like `openForeign`, for a session that was already found. */
export async function openSource(
  source: ForeignSession,
  options: Omit<OpenForeignOptions, "id"> = {},
): Promise<OpenedForeign> {
  const { path: dir, remove } = temporaryFolder("foreign");
  try {
    const { signal, originals = "keep" } = options;
    const converting = { dir, originals, signal };
    const { path: file, report } = await convertSession(source, converting);
    const session = SessionManager.open(file, dir, { readOnly: true });
    const close = (): void => {
      session.close();
      remove();
    };
    return { source, session, file, report, close };
  } catch (error) {
    remove();
    throw error;
  }
}
