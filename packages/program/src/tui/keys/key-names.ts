/** Names of keys: one spelling for each, in tables, settings and hints. */

/** Keys that type no text, with their names in hints. */
const NAMED: Readonly<Record<string, string>> = {
  enter: "Enter",
  esc: "Esc",
  tab: "Tab",
  space: "Space",
  backspace: "Backspace",
  delete: "Del",
  insert: "Ins",
  home: "Home",
  end: "End",
  pageup: "PgUp",
  pagedown: "PgDn",
  up: "Up",
  down: "Down",
  left: "Left",
  right: "Right",
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index + 1}`, `F${index + 1}`])),
};

const OTHER_SPELLINGS: Readonly<Record<string, string>> = {
  escape: "esc",
  return: "enter",
  pgup: "pageup",
  pgdn: "pagedown",
  pgdown: "pagedown",
  "page-up": "pageup",
  "page-down": "pagedown",
  del: "delete",
  ins: "insert",
  control: "ctrl",
  option: "alt",
  meta: "alt",
  cmd: "super",
};

const MODIFIERS = ["ctrl", "alt", "shift", "super"] as const;
const MODIFIER_WORDS: Readonly<Record<string, string>> = { ctrl: "Ctrl", alt: "Alt", shift: "Shift", super: "Super" };

/**
 * The canonical spelling of a key: modifiers in the order ctrl, alt, shift, super; `shift+l` is `L`; Escape is `esc`.
 * Undefined if there is no such key. Two keys in a row are separated by a space: `esc esc`.
 */
export function keyName(written: string): string | undefined {
  const strokes = written.trim().split(/\s+/);
  if (strokes.length === 1) return strokeName(written === " " ? "space" : (strokes[0] ?? ""));
  const names = strokes.map(strokeName);
  return names.includes(undefined) ? undefined : names.join(" ");
}

function strokeName(written: string): string | undefined {
  const { modifiers, base } = partsOf(written);
  if (base === "") return undefined;
  const wanted = new Set<string>();
  for (const modifier of modifiers) {
    const lower = modifier.toLowerCase();
    const name = OTHER_SPELLINGS[lower] ?? lower;
    if (!MODIFIERS.some((known) => known === name)) return undefined;
    wanted.add(name);
  }
  const key = baseName(base);
  if (key === undefined) return undefined;
  if (key.length === 1 && /\p{Letter}/u.test(key)) {
    if (wanted.size === 0) return key;
    if (wanted.size === 1 && wanted.has("shift")) return key.toUpperCase();
    // With Ctrl or Alt, most terminals cannot tell uppercase from lowercase.
    return joined(wanted, key.toLowerCase());
  }
  return joined(wanted, key);
}

/** "ctrl++" is Ctrl and the plus sign. */
function partsOf(written: string): { readonly modifiers: readonly string[]; readonly base: string } {
  if (written === "+") return { modifiers: [], base: "+" };
  const parts = written.endsWith("++") ? [...written.slice(0, -2).split("+"), "+"] : written.split("+");
  return { modifiers: parts.slice(0, -1), base: parts.at(-1) ?? "" };
}

function baseName(base: string): string | undefined {
  if ([...base].length === 1) return base === " " ? "space" : base;
  const lower = base.toLowerCase();
  const name = OTHER_SPELLINGS[lower] ?? lower;
  return Object.hasOwn(NAMED, name) ? name : undefined;
}

function joined(modifiers: ReadonlySet<string>, key: string): string {
  return [...MODIFIERS.filter((modifier) => modifiers.has(modifier)), key].join("+");
}

/** A key as hints show it: "Enter", "Ctrl+O", "Esc Esc", "c". */
export function keyHint(name: string): string {
  return name
    .split(" ")
    .map((stroke) => {
      const { modifiers, base } = partsOf(stroke);
      const key = NAMED[base] ?? (modifiers.length > 0 ? base.toUpperCase() : base);
      return [...modifiers.map((modifier) => MODIFIER_WORDS[modifier] ?? modifier), key].join("+");
    })
    .join(" ");
}
