const WIDTH = 120;

/** JSON in the layout that the project's formatter produces: simple values that fit are on one line. */
export function jsonPage(value: unknown, place = { indent: "", before: 0, comma: 0 }): string {
  const { indent, before, comma } = place;
  const flat = onOneLine(value);
  const isPlain = typeof value !== "object" || value === null;
  if (flat !== undefined && (isPlain || before + flat.length + comma <= WIDTH)) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const last = value.length - 1;
    const rows = value.map(
      (item, at) => inner + jsonPage(item, { indent: inner, before: inner.length, comma: at < last ? 1 : 0 }),
    );
    return `[\n${rows.join(",\n")}\n${indent}]`;
  }
  const fields = Object.entries(value as object);
  const rows = fields.map(([key, field], at) => {
    const start = `${inner}${JSON.stringify(key)}: `;
    return start + jsonPage(field, { indent: inner, before: start.length, comma: at < fields.length - 1 ? 1 : 0 });
  });
  return rows.length === 0 ? JSON.stringify(value) : `{\n${rows.join(",\n")}\n${indent}}`;
}

/** Plain values, objects of plain values, and lists of these; undefined for deeper values. */
function onOneLine(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items = value.map(onOneLine);
    return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
  }
  const fields = Object.entries(value);
  if (fields.length === 0) return "{}";
  if (fields.some(([, field]) => typeof field === "object" && field !== null)) return undefined;
  return `{ ${fields.map(([key, field]) => `${JSON.stringify(key)}: ${JSON.stringify(field)}`).join(", ")} }`;
}
