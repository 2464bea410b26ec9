/**
 * Parts of pi without a counterpart in Bough. They can be imported; using one throws an error that names an
 * alternative.
 */

/** A function, also usable as a class, that throws when called. */
export function unsupported(name: string, instead: string): new (...values: unknown[]) => never {
  const message = `${name} of pi is not available in Bough. ${instead}`;
  function refuse(): never {
    throw new Error(message);
  }
  Object.defineProperty(refuse, "name", { value: name });
  return refuse as unknown as new (
    ...values: unknown[]
  ) => never;
}

/** One for each name, all with the same advice. */
export function allUnsupported(names: readonly string[], instead: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, unsupported(name, instead)]));
}
