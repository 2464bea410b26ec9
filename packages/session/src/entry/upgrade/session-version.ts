import { CURRENT_SESSION_VERSION, type SessionHeader } from "../entry.js";

/** The version of a file according to its header. */
export type SessionVersion =
  | { readonly kind: "current" }
  | { readonly kind: "old"; readonly version: 1 | 2 }
  /** A future version, or not a version number: read as is and never written. */
  | { readonly kind: "unknown"; readonly version: unknown };

/** The version in a header. Absent means 1; anything but 1, 2 and 3 is unknown, including strings like `"2"`. */
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
