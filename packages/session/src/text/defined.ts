type Defined<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>;
} & { [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key] };

/**
 * Drops undefined fields: `{ a: 1, b: undefined }` becomes `{ a: 1 }`. For options over defaults, so that an explicit
 * `undefined` counts as absent: `{ ...defaults, ...defined(options) }`.
 */
export function defined<Fields extends object>(fields: Fields): Defined<Fields>;
export function defined<Fields extends object>(fields: Fields | undefined): Partial<Defined<Fields>>;
export function defined<Fields extends object>(fields: Fields | undefined): Partial<Defined<Fields>> {
  const kept: Partial<Fields> = {};
  if (fields === undefined) return kept as unknown as Defined<Fields>;
  for (const key of Object.keys(fields) as (keyof Fields)[]) {
    if (fields[key] !== undefined) kept[key] = fields[key];
  }
  return kept as unknown as Defined<Fields>;
}
