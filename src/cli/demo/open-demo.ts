/** A copy of the demo session to play with. It lives as long as the program. */
import { resolve } from "node:path";
import { temporaryFolder } from "../../log/index.js";
import type { AgentWish } from "../cli-options.js";
import { makeDemo } from "./make-demo.js";

/** Nothing of it stays: neither the file nor what is said to it. */
export function openDemo(
  wish: AgentWish,
  now: Date,
): { readonly wish: AgentWish; readonly file: string; readonly remove: () => void } {
  const { path: dir, remove } = temporaryFolder("demo");
  try {
    const file = makeDemo({ dir, cwd: resolve(wish.cwd ?? "."), end: new Date(now.getTime() - 60_000) });
    return {
      wish: { model: "offline/rules", ...wish, session: { kind: "open", reference: file }, sessionDir: dir },
      file,
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}
