/** Why a key is disabled, and what a panel says about it. */
import { type Notice, noticeText } from "@bough/session/text/index.js";

export interface StopOffering extends Notice {
  /** While it is shown, Esc stops the agent instead of closing the panel. */
  readonly offers: "stop";
}

export type OffReason = string | Notice | StopOffering;

export function offText(reason: OffReason): string;
export function offText(reason: OffReason | undefined): string | undefined;
export function offText(reason: OffReason | undefined): string | undefined {
  return reason === undefined ? undefined : noticeText(reason);
}

/** Whether Esc stops the agent while this is shown. */
export function offersToStop(said: OffReason | undefined): boolean {
  return typeof said === "object" && "offers" in said && said.offers === "stop";
}
