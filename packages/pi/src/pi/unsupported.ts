/** What has no counterpart in Bough. Importing it is fine; using it says what to use instead. */

/** A function, and a class, that throws as soon as it is called. */
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

/** One for each name, all with the same way out. */
export function allUnsupported(names: readonly string[], instead: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, unsupported(name, instead)]));
}
