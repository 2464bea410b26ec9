const WIDTH = 120;

/** JSON in the layout of the project's formatter: objects over several lines, lists of plain values on one if they fit. */
export function jsonPage(value: unknown, place = { indent: "", before: 0 }): string {
  const { indent, before } = place;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const flat = `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
    const isPlain = value.every((item) => typeof item !== "object" || item === null);
    if (isPlain && before + flat.length + ",".length <= WIDTH) return flat;
    const rows = value.map((item) => inner + jsonPage(item, { indent: inner, before: inner.length }));
    return `[\n${rows.join(",\n")}\n${indent}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return "{}";
  const rows = fields.map(([key, field]) => {
    const start = `${inner}${JSON.stringify(key)}: `;
    return start + jsonPage(field, { indent: inner, before: start.length });
  });
  return `{\n${rows.join(",\n")}\n${indent}}`;
}
