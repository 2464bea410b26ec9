/** Every string in an entry that a user or a tool could have put there, with its place; and the same with others. */

export interface PlacedString {
  readonly text: string;
  /** Names of fields from the entry down: "message.content.0.text". Of the name of a field, where its holder is. */
  readonly place: string;
}

/** Fields that the format itself fills: ids, kinds, times. */
const OF_ENTRIES = new Set([
  ...["type", "id", "parentId", "timestamp", "version", "targetId", "fromId", "abandonedLeafId", "firstKeptEntryId"],
]);
const OF_MESSAGES = new Set(["type", "role", "stopReason"]);
/** What such a field holds: a word, an id, a time. Anything else someone else wrote, and it is text like any other. */
const PLAIN =
  /^(?:[A-Za-z][A-Za-z_.:-]{0,31}|[0-9a-f]{0,32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]{5,15}Z)$/;
/** Names of fields that say what the value is. */
const TELLING = /pass(?:word|wd|phrase)|secret|token|key|authorization|pwd/i;

/** The name of the field at a place, where it says that the value is a secret. */
export function tellingName(place: string): string | undefined {
  const name = place.slice(place.lastIndexOf(".") + 1);
  return TELLING.test(name) ? name : undefined;
}

/** Strings of a value, depth by depth without recursion. Keys count as text too: a secret can be the name of a field. */
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

/** A copy of a value in which every such string went through `change`. */
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
 * Where the format rules, and what is there is the format's: the entry itself, its message, and the blocks of that.
 * An id that is masked is masked in every entry that names it, so the tree stays what it is.
 */
function isStructure(place: string, name: string, value: unknown): boolean {
  if (typeof value !== "string" || !PLAIN.test(value)) return false;
  if (place === "") return OF_ENTRIES.has(name);
  return (place === "message" || /^(?:message\.)?content\.\d+$/.test(place)) && OF_MESSAGES.has(name);
}

/** No secret is shorter than that, and most names are. */
function isLongName(name: string): boolean {
  return name.length >= 8;
}

/** The bytes of a picture are nothing to read. What only says that it is a picture is. */
function isPicture(name: string, holder: object): boolean {
  if (name !== "data" || !("type" in holder) || holder.type !== "image") return false;
  return (
    "data" in holder && typeof holder.data === "string" && /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/.test(holder.data)
  );
}

function joined(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}
