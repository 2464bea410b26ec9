/** Whether an extension cancelled something, and which one. */
import { isRecord } from "@bough/session/text/index.js";

export type Cancellation =
  | { readonly cancelled: false }
  /** `by`: the extension that cancelled; undefined if unknown. */
  | { readonly cancelled: true; readonly by: string | undefined };

/** Any returned `cancel: true` cancels; a returned `cancel: false` overrides the method. */
export function cancellation(
  answers: readonly { readonly extension: string; readonly result: unknown; readonly calledCancel?: boolean }[],
  byMethod: boolean,
): Cancellation {
  const returned = (cancel: boolean) => answers.find(({ result }) => isRecord(result) && result.cancel === cancel);
  const refusing = returned(true);
  if (refusing !== undefined) return { cancelled: true, by: refusing.extension };
  if (!byMethod || returned(false) !== undefined) return { cancelled: false };
  return { cancelled: true, by: answers.find(({ calledCancel }) => calledCancel === true)?.extension };
}
