/** The error for a reference that matches several sessions: lists them, and says how to choose one. */
import { SessionError } from "@bough/session/entry/index.js";
import { withoutControls } from "@bough/session/text/index.js";

const MOST_CANDIDATES = 10;

export interface SeveralOptions<Session> {
  readonly reference: string;
  /** What to call the candidates. Default "sessions". */
  readonly what?: string;
  /** How to choose one. Default "Give more of the ID:". */
  readonly how?: string;
  /** One line that describes a candidate. */
  readonly line: (session: Session) => string;
  /** The candidate as data. */
  readonly facts: (session: Session) => Readonly<Record<string, unknown>>;
}

export function severalSessions<Session>(
  found: readonly Session[],
  { reference, what = "sessions", how = "Give more of the ID:", line, facts }: SeveralOptions<Session>,
): SessionError {
  const shown = found.slice(0, MOST_CANDIDATES);
  const more = found.length > shown.length ? [`  and ${found.length - shown.length} more`] : [];
  const lines = shown.map((session) => `  ${line(session)}`.trimEnd());
  return new SessionError("ambiguous-session", `Several ${what} match ${reference}`, {
    data: { reference, candidates: shown.map(facts) },
    hint: withoutControls([how, ...lines, ...more].join("\n")),
  });
}
