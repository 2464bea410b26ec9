type Defined<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The fields that have a value: `{ a: 1, b: undefined }` becomes `{ a: 1 }`. For options that must not be `undefined`. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const kept: Partial<Fields> = {};
  for (const key of Object.keys(fields) as (keyof Fields)[]) {
    if (fields[key] !== undefined) kept[key] = fields[key];
  }
  return kept as Defined<Fields>;
}
