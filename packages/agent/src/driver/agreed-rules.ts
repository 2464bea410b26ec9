/**
 * Rules of which the user knows that they do not hold with an agent in a project. State of this machine, in
 * `$BOUGH_HOME/drivers/rules.json`; only hashes, so that it names no project. Any other rule is asked about again.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, writeWhole } from "@bough/session/log/index.js";
import { attempt, jsonObject } from "@bough/session/text/index.js";

export interface UnheldRules {
  readonly driver: string;
  readonly cwd: string;
  /** As written. */
  readonly rules: readonly string[];
}

const VERSION = 1;
/** Older answers are asked for again. */
const MOST = 500;

export class AgreedRules {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = join(home, "drivers");
  }

  has(unheld: UnheldRules): boolean {
    return this.#read().includes(hashOf(unheld));
  }

  /** Never throws: if it cannot be kept, the user is asked again. */
  add(unheld: UnheldRules): void {
    const hash = hashOf(unheld);
    const agreed = [hash, ...this.#read().filter((one) => one !== hash)].slice(0, MOST);
    attempt(() => {
      makeFolder(this.#folder);
      const line = JSON.stringify({ version: VERSION, agreed });
      writeWhole(this.#file, [line], { existing: "replace", durable: false });
    });
  }

  get #file(): string {
    return join(this.#folder, "rules.json");
  }

  #read(): readonly string[] {
    const { version, agreed } = jsonObject(attempt(() => readFileSync(this.#file, "utf8")) ?? "") ?? {};
    if (version !== VERSION || !Array.isArray(agreed)) return [];
    return agreed.filter((one): one is string => typeof one === "string");
  }
}

function hashOf({ driver, cwd, rules }: UnheldRules): string {
  const parts = [driver, cwd, ...[...new Set(rules)].sort()];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
