/** Finds fields that hold `undefined` where JSON is written: a key that is there without a value must not get that far. */
import { vi } from "vitest";
import { afterTest } from "./after-test.js";

/** Where entries and headers become lines, and where the program writes JSON for other programs. */
const WRITERS = ["/session/write/entry-line.ts", "/cli/safe-json.ts"];

/** The paths of all `undefined` in a value, such as `.files[0].size`. */
export function undefinedKeys(value: unknown, path = ""): string[] {
  if (value === undefined) return [path];
  if (typeof value !== "object" || value === null) return [];
  if ("toJSON" in value && typeof value.toJSON === "function") return undefinedKeys(value.toJSON(), path);
  if (Array.isArray(value)) return value.flatMap((item, index) => undefinedKeys(item, `${path}[${index}]`));
  return Object.entries(value).flatMap(([key, field]) => undefinedKeys(field, `${path}.${key}`));
}

/** Looks at what is written as a line or as JSON in this process until the test is over. */
export function watchJson(): { readonly undefinedKeys: () => string[] } {
  const found: string[] = [];
  let written = 0;
  const stringify = JSON.stringify;
  const spy = vi.spyOn(JSON, "stringify").mockImplementation((value: unknown, ...rest: unknown[]) => {
    const text = stringify(value, ...(rest as []));
    // What called this, not what called the writer.
    const caller = new Error().stack
      ?.split("\n")
      .find((line) => /\.ts:\d/.test(line) && !line.includes("undefined-keys"));
    const writer = WRITERS.find((path) => caller?.includes(path));
    if (writer === undefined) return text;
    written += 1;
    // As a whole, undefined is written as null.
    if (value !== undefined) found.push(...undefinedKeys(value).map((path) => `${path} in ${text.slice(0, 300)}`));
    return text;
  });
  afterTest(() => spy.mockRestore());
  return {
    undefinedKeys() {
      if (written === 0) throw new Error(`Nothing was written by ${WRITERS.join(" or ")}`);
      return found;
    },
  };
}
