import { constants } from "node:buffer";

/** The text of a line, or `undefined` where it is longer than the runtime can hold as one string. */
export function lineText(bytes: Buffer): string | undefined {
  return bytes.length > constants.MAX_STRING_LENGTH ? undefined : bytes.toString("utf8");
}
