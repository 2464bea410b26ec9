import { CURRENT_SESSION_VERSION, type SessionHeader } from "../entry.js";

/** What a header says about the age of its file. */
export type SessionVersion =
  | { readonly kind: "current" }
  | { readonly kind: "old"; readonly version: 1 | 2 }
  /** From the future, or no version number at all: to be read as is and never written. */
  | { readonly kind: "unknown"; readonly version: unknown };

/** The version a header names. Absent means 1; anything but 1, 2 and 3 is unknown, text like `"2"` included. */
export function sessionVersion(header: SessionHeader): SessionVersion {
  const version: unknown = header.version;
  switch (version) {
    case undefined:
      return { kind: "old", version: 1 };
    case 1:
    case 2:
      return { kind: "old", version };
    case CURRENT_SESSION_VERSION:
      return { kind: "current" };
    default:
      return { kind: "unknown", version };
  }
}

export function needsUpgrade(header: SessionHeader): boolean {
  return sessionVersion(header).kind === "old";
}
