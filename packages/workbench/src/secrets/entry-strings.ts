/** Visits or replaces every string in an entry that a user or a tool could have put there. */

export interface PlacedString {
  readonly text: string;
  /** Path from the entry: "message.content.0.text". For a field name, the path of the object that has the field. */
  readonly place: string;
}

/** Fields that the format itself fills: IDs, kinds, times. */
const OF_ENTRIES = new Set([
  ...["type", "id", "parentId", "timestamp", "version", "targetId", "fromId", "abandonedLeafId", "firstKeptEntryId"],
]);
const OF_MESSAGES = new Set(["type", "role", "stopReason"]);
/** Normal values of such fields: a word, an ID, a time. Any other value is treated like ordinary text. */
const PLAIN =
  /^(?:[A-Za-z][A-Za-z_.:-]{0,31}|[0-9a-f]{0,32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]{5,15}Z)$/;
/** Field names that mark their value as a secret. */
const SECRET_NAME = /pass(?:word|wd|phrase)|secret|token|key|authorization|pwd/i;

/** The field name at a place, if it marks the value as a secret. */
export function secretFieldName(place: string): string | undefined {
  const name = place.slice(place.lastIndexOf(".") + 1);
  return SECRET_NAME.test(name) ? name : undefined;
}

/** All strings of a value, depth-first without recursion. Includes long field names, which can be secrets too. */
export function* stringsIn(value: unknown): Generator<PlacedString> {
  const open: { readonly value: unknown; readonly place: string }[] = [{ value, place: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { place } = next;
    if (typeof next.value === "string") {
      yield { text: next.value, place };
      continue;
    }
    if (typeof next.value !== "object" || next.value === null) continue;
    const fields = Object.entries(next.value);
    for (let at = fields.length - 1; at >= 0; at--) {
      const [name, inner] = fields[at] as [string, unknown];
      if (!Array.isArray(next.value) && isStructure(place, name, inner)) continue;
      if (isPicture(name, next.value)) continue;
      open.push({ value: inner, place: joined(place, name) });
      if (!Array.isArray(next.value) && isLongName(name)) open.push({ value: name, place });
    }
  }
}

/** A copy of a value with `change` applied to every string that `stringsIn` yields. */
export function withStrings<Value>(value: Value, change: (text: string, place: string) => string): Value {
  const root: { value: unknown } = { value };
  const open: { holder: Record<string, unknown>; key: string; place: string }[] = [
    { holder: root as Record<string, unknown>, key: "value", place: "" },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { holder, key, place } = next;
    const inner = holder[key];
    if (typeof inner === "string") holder[key] = change(inner, place);
    else if (Array.isArray(inner)) {
      const copy = [...inner];
      holder[key] = copy;
      const asRecord = copy as unknown as Record<string, unknown>;
      for (let at = 0; at < copy.length; at++)
        open.push({ holder: asRecord, key: String(at), place: joined(place, String(at)) });
    } else if (typeof inner === "object" && inner !== null) {
      const copy: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (const [name, field] of Object.entries(inner)) {
        if (isStructure(place, name, field) || isPicture(name, inner)) {
          copy[name] = field;
          continue;
        }
        const changed = isLongName(name) ? change(name, place) : name;
        copy[changed] = field;
        open.push({ holder: copy, key: changed, place: joined(place, name) });
      }
      holder[key] = copy;
    }
  }
  return root.value as Value;
}

/**
 * Fields of the entry, its message and its content blocks that belong to the format and hold a normal value; they are
 * not scanned. A masked ID gets the same mask in every entry that names it, so the tree stays intact.
 */
function isStructure(place: string, name: string, value: unknown): boolean {
  if (typeof value !== "string" || !PLAIN.test(value)) return false;
  if (place === "") return OF_ENTRIES.has(name);
  return (place === "message" || /^(?:message\.)?content\.\d+$/.test(place)) && OF_MESSAGES.has(name);
}

/** Skips most field names; no secret is that short. */
function isLongName(name: string): boolean {
  return name.length >= 8;
}

/** Image bytes are not scanned, but only if they really are an image: the `type` field alone is not trusted. */
function isPicture(name: string, holder: object): boolean {
  if (name !== "data" || !("type" in holder) || holder.type !== "image") return false;
  return (
    "data" in holder && typeof holder.data === "string" && /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/.test(holder.data)
  );
}

function joined(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}
