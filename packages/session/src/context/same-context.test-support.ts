import type { SessionContext } from "./session-context.js";

/**
 * Throws with the first difference, as a JSON path and both values, unless the two contexts are the same bytes as JSON.
 * The order of keys matters, because prompt caches compare bytes.
 */
export function assertSameContext(a: SessionContext, b: SessionContext): void {
  const left = JSON.stringify(a);
  const right = JSON.stringify(b);
  if (left !== right) throw new Error(`contexts differ at ${firstDifference(JSON.parse(left), JSON.parse(right))}`);
}

interface Pair {
  readonly path: string;
  readonly a: unknown;
  readonly b: unknown;
}

function firstDifference(a: unknown, b: unknown): string {
  const pending: Pair[] = [{ path: "$", a, b }];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (!sameOutline(pair.a, pair.b)) return `${pair.path}: ${JSON.stringify(pair.a)} is not ${JSON.stringify(pair.b)}`;
    // Last in, first out: the first part is compared next.
    for (const part of partsOf(pair).reverse()) pending.push(part);
  }
  return "$: a difference that only the text shows";
}

/** Equal plain values, or two containers that can be compared part by part. */
function sameOutline(a: unknown, b: unknown): boolean {
  if (!isContainer(a) || !isContainer(b)) return a === b;
  return Array.isArray(a) === Array.isArray(b);
}

/** The parts of two containers up to and including the first key that differs. */
function partsOf({ path, a, b }: Pair): Pair[] {
  if (!isContainer(a) || !isContainer(b)) return [];
  const keysA = Object.keys(a);
  const keysB = Object.keys(b);
  const parts: Pair[] = [];
  for (let i = 0; i < Math.max(keysA.length, keysB.length); i++) {
    const key = keysA[i] ?? keysB[i] ?? "";
    const name = Array.isArray(a) ? `[${key}]` : `.${key}`;
    if (keysA[i] === keysB[i]) {
      parts.push({ path: path + name, a: a[key], b: b[key] });
      continue;
    }
    const orderOnly = Object.hasOwn(a, key) && Object.hasOwn(b, key);
    parts.push(
      orderOnly
        ? { path: `keys of ${path}`, a: keysA.join(), b: keysB.join() }
        : { path: path + name, a: a[key], b: b[key] },
    );
    break;
  }
  return parts;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
