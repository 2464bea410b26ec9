/** Panels that show the progress of a summary with a clock: one clock is enough. */
import type { OwnedHost } from "../host/create-host.js";

const PANELS: ReadonlySet<string> = new Set(["summary-progress", "compacting"]);

export function showsProgress({ top }: Pick<OwnedHost, "top">): boolean {
  return top !== undefined && PANELS.has(top.name);
}
