/** Options we do not know. Which of them take a value is known once extensions are loaded. */

export interface GivenFlag {
  readonly name: string;
  /** What follows the `=`. */
  readonly value?: string;
  /** Index in `words` of the argument right after it: its value, if it takes one. */
  readonly next?: number;
}

export interface ExtensionArguments {
  readonly flags: readonly GivenFlag[];
  /** The arguments that are not options, in order. Those that are not values of options are the prompt. */
  readonly words: readonly string[];
}

export type ExtensionFlagType = "boolean" | "string";

/** The value of a flag of this type; undefined if missing or of the wrong type. The last one wins. */
export function flagValue(
  { flags, words }: ExtensionArguments,
  { name, type }: { readonly name: string; readonly type: ExtensionFlagType },
): string | boolean | undefined {
  const given = flags.findLast((flag) => flag.name === name);
  if (given === undefined) return undefined;
  if (type === "boolean") return given.value === undefined ? true : undefined;
  return given.value ?? (given.next === undefined ? undefined : words[given.next]);
}

/** The prompt: every word that is not the value of an option. */
export function promptBeside(
  { flags, words }: ExtensionArguments,
  typeOf: (name: string) => ExtensionFlagType | undefined,
): string {
  const taken = new Set(
    flags.flatMap(({ name, value, next }) =>
      next !== undefined && value === undefined && typeOf(name) === "string" ? [next] : [],
    ),
  );
  return words.filter((_, at) => !taken.has(at)).join(" ");
}
