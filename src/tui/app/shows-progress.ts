/** Panels that show how a summary is coming along, with a clock: one clock is enough. */
import type { OwnedDesk } from "../desk/create-desk.js";

const PANELS: ReadonlySet<string> = new Set(["summary-progress", "compacting"]);

export function showsProgress({ top }: Pick<OwnedDesk, "top">): boolean {
  return top !== undefined && PANELS.has(top.name);
}
