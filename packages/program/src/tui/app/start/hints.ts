/** Which hints a user has seen: each is shown once, on every machine of theirs that shares this folder. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "@bough/session/log/index.js";

type HintName = "first-run" | "second-branch" | "leaving" | "other-agents";

export interface Hints {
  /** True the first time it is asked for; from then on it counts as seen. */
  first(name: HintName): boolean;
  /** Whether it was shown; asking does not count as showing. */
  seen(name: HintName): boolean;
  /** Forgets what was seen: every hint comes once more. */
  showAgain(): void;
}

/**
 * Kept in `hints.json` of Bough's folder. An unreadable file counts as empty, and an unwritable one is ignored: then a
 * hint appears twice.
 */
export function createHints(home: string): Hints {
  const file = join(home, "hints.json");
  // What was shown in this run is known even if nothing can be written.
  const shown = new Set<string>(readSeen(file));
  return {
    first: (name) => {
      if (shown.has(name)) return false;
      shown.add(name);
      write(file, shown);
      return true;
    },
    seen: (name) => shown.has(name),
    showAgain: () => {
      shown.clear();
      write(file, shown);
    },
  };
}

function readSeen(file: string): readonly string[] {
  try {
    const { seen } = JSON.parse(readFileSync(file, "utf8")) as { readonly seen?: unknown };
    return Array.isArray(seen) ? seen.filter((name): name is string => typeof name === "string") : [];
  } catch {
    return [];
  }
}

function write(file: string, shown: ReadonlySet<string>): void {
  try {
    const text = `${JSON.stringify({ version: 1, seen: [...shown].sort() })}\n`;
    writeWhole(file, text, { existing: "replace", durable: false });
  } catch {
    // Then a hint comes twice.
  }
}
