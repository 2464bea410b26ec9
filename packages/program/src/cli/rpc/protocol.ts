/** The version of the protocol, and what it promises. */
import { CliError } from "../cli-error.js";
import { LONGEST_LINE } from "../read-lines.js";
import { LINE_LIMIT } from "./line-limit.js";

/** Increases with each incompatible change. New methods, events and fields are compatible. */
export const PROTOCOL_VERSION = 1;

/** In bytes, and items per page. */
export const LIMITS = { lineBytes: LINE_LIMIT, requestBytes: LONGEST_LINE, pageItems: 1000 } as const;

/** Throws `unsupported-protocol`. */
export function checkProtocol(wanted: number): void {
  if (wanted === PROTOCOL_VERSION) return;
  const supported = [PROTOCOL_VERSION];
  throw new CliError("unsupported-protocol", `Protocol version ${wanted} is not supported`, {
    data: { asked: wanted, supported },
    hint: `This version of Bough speaks version ${PROTOCOL_VERSION}. ${wanted > PROTOCOL_VERSION ? "Update Bough, or the" : "Update the"} client.`,
  });
}
