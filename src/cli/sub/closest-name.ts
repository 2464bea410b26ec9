/** The name somebody probably meant. */
import { editDistance } from "../../view/index.js";

/** Undefined where nothing comes close: a wrong guess is worse than none. */
export function closestName(wanted: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(wanted.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = name.startsWith(wanted) && wanted.length > 1 ? 0 : editDistance(wanted, name, most + 1);
    if (distance <= most && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}
