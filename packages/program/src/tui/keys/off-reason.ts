/** Why a key does nothing at the moment: a sentence, or one that also says what Esc does while it is shown. */

export interface StopOffering {
  readonly text: string;
  /** Esc stops the agent instead of closing the panel. */
  readonly offers: "stop";
}

export type OffReason = string | StopOffering;

export function offText(reason: OffReason): string;
export function offText(reason: OffReason | undefined): string | undefined;
export function offText(reason: OffReason | undefined): string | undefined {
  return typeof reason === "object" ? reason.text : reason;
}
