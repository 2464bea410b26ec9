/**
 * Hashes the words of a text for a filter that tells which texts need not be searched.
 *
 *     parseConfig  ->  pars parsec parsecon  (from its start)   conf config  (from its second part)
 *     userId       ->  user userid           id, marked as a whole part, since it has fewer than four characters
 *
 * So a query finds words and parts of identifiers by their start, in any case. One pass, without creating strings.
 */

/** Terms of at least this length match the start of a word; shorter ones only a whole word. */
export const SHORTEST_START = 4;
const LONGEST_START = 8;

const SEPARATOR = 0;
const LOWER = 1;
const UPPER = 2;
/** A character that is a word by itself, in scripts written without spaces. */
const ALONE = 3;

type CharacterClass = typeof SEPARATOR | typeof LOWER | typeof UPPER | typeof ALONE;
type AddKey = (key: number) => void;

const FIRST_HASH = 0x811c9dc5;

/** Calls `add` with every key of the text; the same key may occur many times. */
export function wordKeys(text: string, add: AddKey): void {
  for (let at = 0; at < text.length; ) {
    const now = classAt(text, at);
    if (now === ALONE) add(hashed(FIRST_HASH, text.charCodeAt(at)));
    if (now === ALONE || now === SEPARATOR) {
      at += 1;
      continue;
    }
    const end = runEnd(text, at);
    let part = at;
    addStarts(text, at, { end, add });
    for (at += 1; at < end; at++) {
      if (!isPartStart(text, at)) continue;
      if (at - part < SHORTEST_START) addWhole(text, part, { end: at, add });
      part = at;
      addStarts(text, at, { end, add });
    }
    if (end - part < SHORTEST_START) addWhole(text, part, { end, add });
  }
}

/** The keys that every text containing this term has, however its last word continues. */
export function termKeys(term: string, add: AddKey): void {
  const text = lowered(term);
  for (let at = 0; at < text.length; ) {
    const now = classAt(text, at);
    if (now === ALONE) add(hashed(FIRST_HASH, text.charCodeAt(at)));
    if (now === ALONE || now === SEPARATOR) {
      at += 1;
      continue;
    }
    const end = runEnd(text, at);
    addStarts(text, at, { end, add });
    const isWhole = end < text.length || at === 0;
    if (end - at < SHORTEST_START && isWhole) addWhole(text, at, { end, add });
    at = end;
  }
}

/** In lower case and of the same length, so that offsets stay valid. */
export function lowered(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  let same = "";
  for (let i = 0; i < text.length; i++) same += String.fromCharCode(lowerOf(text.charCodeAt(i)));
  return same;
}

/** Whether a word or a part of an identifier starts at an offset. */
export function startsWord(text: string, at: number): boolean {
  return at <= 0 || !isWordCharacter(text, at) || !isWordCharacter(text, at - 1) || isPartStart(text, at);
}

function isWordCharacter(text: string, at: number): boolean {
  const found = classAt(text, at);
  return found === LOWER || found === UPPER;
}

/** `parseConfig`: before C. `HTTPServer`: before S. */
function isPartStart(text: string, at: number): boolean {
  if (classAt(text, at) !== UPPER) return false;
  return classAt(text, at - 1) === LOWER || (at + 1 < text.length && classAt(text, at + 1) === LOWER);
}

function runEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWordCharacter(text, at)) at += 1;
  return at;
}

interface Run {
  readonly end: number;
  readonly add: AddKey;
}

function addStarts(text: string, from: number, { end, add }: Run): void {
  let hash = FIRST_HASH;
  const last = Math.min(end, from + LONGEST_START);
  for (let at = from; at < last; at++) {
    hash = hashed(hash, lowerOf(text.charCodeAt(at)));
    const length = at - from + 1;
    if (length === SHORTEST_START || length === 6 || length === LONGEST_START) add(hash);
  }
}

/** Adds a marked key, so that the whole word `tok` differs from the start of `token`. */
function addWhole(text: string, from: number, { end, add }: Run): void {
  let hash = FIRST_HASH;
  for (let at = from; at < end; at++) hash = hashed(hash, lowerOf(text.charCodeAt(at)));
  add(hashed(hash, 0));
}

function hashed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193) >>> 0;
}

const CLASSES = new Uint8Array(1 << 16);
for (let code = 0; code < CLASSES.length; code++) CLASSES[code] = classOf(code);

function classAt(text: string, at: number): CharacterClass {
  return CLASSES[text.charCodeAt(at)] as CharacterClass;
}

function classOf(code: number): CharacterClass {
  if (code < 128) {
    if ((code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a)) return LOWER;
    return code >= 0x41 && code <= 0x5a ? UPPER : SEPARATOR;
  }
  // Symbols, punctuation, and surrogates, which are mostly emoji.
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return SEPARATOR;
  if ((code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f)) return SEPARATOR;
  if ((code >= 0xd800 && code <= 0xf8ff) || (code >= 0xfe00 && code <= 0xff0f)) return SEPARATOR;
  if ((code >= 0x2e80 && code <= 0x9fff) || (code >= 0x0e00 && code <= 0x0eff)) return ALONE;
  return LOWER;
}

const LOWERED = new Uint16Array(1 << 16);

/** Cached, so that no string is created for a character seen before. */
function lowerOf(code: number): number {
  const known = LOWERED[code] as number;
  if (known !== 0) return known;
  const lower = String.fromCharCode(code).toLowerCase();
  const found = lower.length === 1 ? lower.charCodeAt(0) : code;
  LOWERED[code] = found;
  return found;
}
