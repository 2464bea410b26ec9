/** What a user is told: what happened, and a hint about what to do next. Front ends print the hint on a line of its own. */
import { ended } from "./ended.js";

export interface Notice {
  readonly message: string;
  readonly hint?: string | undefined;
  /** Of a failure; stable. */
  readonly code?: string | undefined;
}

/** A sentence is a notice without a hint. Other fields, such as those of an error, are left behind. */
export function asNotice(said: string | Notice): Notice {
  if (typeof said === "string") return { message: said };
  const { message, hint, code } = said;
  return { message, ...(hint === undefined ? {} : { hint }), ...(code === undefined ? {} : { code }) };
}

/** Several as one: first everything that happened, then every hint. Empty ones are skipped. */
export function joinNotices(...said: readonly (string | Notice)[]): Notice {
  const notices = said.map(asNotice);
  const joined = (parts: readonly (string | undefined)[]) =>
    parts.filter((part) => part !== undefined && part !== "").join(" ");
  const hint = joined(notices.map((notice) => notice.hint));
  return { message: joined(notices.map(({ message }) => message)), ...(hint === "" ? {} : { hint }) };
}

/** On two lines. */
export function noticeText(said: string | Notice): string {
  const { message, hint } = asNotice(said);
  return hint === undefined ? message : `${message}\n${hint}`;
}

/** For a place that has only one line. */
export function noticeLine(said: string | Notice): string {
  const { message, hint } = asNotice(said);
  if (hint === undefined) return message;
  return `${ended(message, "always")} ${hint}`.replace(/\s*\n\s*/g, " ");
}
