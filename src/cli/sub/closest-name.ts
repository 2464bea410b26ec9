/** The name somebody probably meant. */
import { editDistance } from "../../view/index.js";

export interface ClosestOptions {
  /** Whether the start of a name is close to it. Default: yes. */
  readonly starts?: "count" | "ignored";
}

/** Undefined where nothing comes close: a wrong guess is worse than none. */
export function closestName(
  wanted: string,
  names: readonly string[],
  { starts = "count" }: ClosestOptions = {},
): string | undefined {
  const most = Math.max(1, Math.floor(wanted.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const isStart = starts === "count" && wanted.length > 1 && name.startsWith(wanted);
    const distance = isStart ? 0 : editDistance(wanted, name, most + 1);
    if (distance <= most && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}
