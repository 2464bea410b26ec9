/** Where counts and names of sessions are kept that are too large to be read each time. It may be deleted at any time. */
import { join } from "node:path";
import { boughHome } from "../session/index.js";

export function countsCacheFile(): string {
  return join(boughHome(), "cache", "session-counts.jsonl");
}
