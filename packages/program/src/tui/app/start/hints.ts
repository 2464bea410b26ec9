/** Remembers which hints a user has seen. Each is shown once across all machines that share this folder. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "@bough/session/log/index.js";

type HintName = "first-run" | "second-branch" | "leaving" | "other-agents";

export interface Hints {
  /** True on the first call for a hint, which marks it as seen. */
  first(name: HintName): boolean;
  /** Whether it was shown. Does not mark it. */
  seen(name: HintName): boolean;
  /** Forgets all hints, so each is shown once more. */
  showAgain(): void;
}

/**
 * Stored in `hints.json` in Bough's folder. An unreadable file counts as empty; if it cannot be written, a hint may
 * appear twice.
 */
export function createHints(home: string): Hints {
  const file = join(home, "hints.json");
  // Remembered for this run even if nothing can be written.
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
