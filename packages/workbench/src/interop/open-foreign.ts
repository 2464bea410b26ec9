/** Opens another agent's session as it is: read-only, as a Bough session that lives as long as someone looks at it. */
import { temporaryFolder } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { foreignSessionAt } from "./agents.js";
import type { ForeignSession } from "./contract.js";
import { convertSession } from "./import/import-session.js";
import type { LossReport } from "./loss-report.js";
import type { Originals } from "./raw-line.js";

export interface OpenForeignOptions {
  /** Which session, where the file is a database. */
  readonly id?: string;
  readonly signal?: AbortSignal;
  /**
   * `leave-out`: entries come without the records they were made from, which takes less time and space, for callers
   * that only looks. Writing a path for the agent it came from needs them. Default `keep`.
   */
  readonly originals?: Originals;
}

export interface OpenedForeign {
  readonly source: ForeignSession;
  readonly session: SessionManager;
  /** The converted session, for callers that need a file: search and export do. */
  readonly file: string;
  readonly report: LossReport;
  /** Closes the session and removes the converted file. */
  close(): void;
}

/**
 * The session in a foreign file. The source is not modified.
 *
 * What it is converted to goes into a private temporary folder and not into memory, so that a transcript of any size can
 * be opened; `close` removes it.
 */
export async function openForeign(path: string, options: OpenForeignOptions = {}): Promise<OpenedForeign> {
  return openSource(await foreignSessionAt(path, options.id), options);
}

/** Files of pi are looked at where they are; one that cannot be read is not. */
export function opensInPlace({ agent, problem }: ForeignSession): boolean {
  return agent === "pi" && problem === undefined;
}

/** The same for a session that was found already. */
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
