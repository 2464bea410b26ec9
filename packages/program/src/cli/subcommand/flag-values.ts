/** The flags of one subcommand as given. */
import { usageError } from "../cli-error.js";

export class FlagValues {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  isOn(name: string): boolean {
    return this.#values.has(name);
  }

  /** The last value given. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** A whole number, at least 1. */
  count(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw usageError(`--${name} needs a positive whole number, not ${text}`);
    return Number(text);
  }
}
