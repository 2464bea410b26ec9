/**
 * A session as a file for others: what looks like a secret is masked first, in every format. Pages are made by a room
 * further down, so whoever puts an agent together brings the function along.
 */
import type { SessionManager } from "../session/index.js";
import { AgentError } from "./agent-error.js";
import type { ExportFormat, ExportScope } from "./export-session.js";
import type { SecretFinding } from "./secrets/scan-entries.js";

export type ShareFormat = ExportFormat | "html";

export interface ShareRequest {
  readonly format: ShareFormat;
  readonly scope: ExportScope;
  readonly file: string;
  /** What to do with a file that is there already. Default: refuse. */
  readonly existing?: "refuse" | "replace";
  /** `mask` by default. */
  readonly secrets?: "mask" | "keep";
  readonly signal?: AbortSignal;
  /** Called with how many entries were looked at. */
  readonly onProgress?: (entries: number) => void;
}

export interface SharedSession {
  readonly file: string;
  readonly bytes: number;
  readonly entries: number;
  /** What looked like a secret, and whether it was left as it is. The values themselves are not in it. */
  readonly findings: readonly (SecretFinding & { readonly kept: boolean })[];
}

/** Writes a file that is complete and in place, or none. Throws `export-failed` and `no-content`. */
export type ShareSession = (session: SessionManager, request: ShareRequest) => Promise<SharedSession>;

export function requireShare(share: ShareSession | undefined): ShareSession {
  if (share !== undefined) return share;
  throw new AgentError("export-failed", "This agent was put together without a way to make pages", {
    hint: "Give it the option share, or export Markdown or JSONL.",
  });
}
