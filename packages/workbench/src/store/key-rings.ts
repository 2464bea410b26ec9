/**
 * The keys of an encrypted store, from the mark that says that it is encrypted.
 *
 * At first the key is derived from the passphrase. A change of the passphrase adds one line, the key ring: a new random
 * key for everything from then on and all earlier keys, sealed with the new passphrase. So a change is complete or did
 * not happen, nothing that is stored is written again, and the old passphrase opens nothing that is pushed later.
 * Each ring has a number. If two machines change the passphrase at once there are two with the same number, and the
 * first counts.
 */
import { randomBytes } from "node:crypto";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import { Seal } from "./seal.js";
import { sealedIn, sealedLine } from "./seal-mark.js";
import { lineFacts } from "./stored-line.js";

interface Ring {
  readonly number: number;
  readonly at: number;
  readonly sealed: Buffer;
}

export interface Keys {
  /** The newest first: it seals what is pushed. */
  readonly seals: readonly Seal[];
  /** The number of the ring; 1 if the passphrase was never changed. */
  readonly number: number;
  /** Another ring with this number was not opened: something may be sealed with its key. */
  readonly hasRival: boolean;
}

export class KeyRings {
  readonly #rings: readonly Ring[];

  /** `inOrder` is false for a store whose lines have no order that is the same on every machine. */
  constructor(lines: readonly Uint8Array[], { inOrder }: { readonly inOrder: boolean }) {
    const rings = lines.flatMap((line) => ringIn(line) ?? []);
    this.#rings = inOrder ? rings : rings.sort((a, b) => a.at - b.at || Buffer.compare(a.sealed, b.sealed));
  }

  /** Whether the passphrase was ever changed. */
  get isChanged(): boolean {
    return this.#rings.length > 0;
  }

  /** The keys that count, if this is the passphrase for them. */
  openedBy(passphrase: Seal): Keys | undefined {
    const number = Math.max(...this.#rings.map((ring) => ring.number));
    const [ring, ...rivals] = this.#rings.filter((one) => one.number === number);
    const seals = ring === undefined ? undefined : sealsIn(ring, passphrase);
    if (seals === undefined) return undefined;
    // A line that was sealed with the passphrase itself, by a version that knows no rings, can be read too.
    const own = rivals.map((rival) => sealsIn(rival, passphrase));
    const all = [...seals, ...own.flatMap((one) => one ?? []), passphrase];
    return { seals: unique(all), number, hasRival: own.some((one) => one === undefined) };
  }

  /** All keys that this passphrase opens, whether or not they count. */
  knownTo(passphrase: Seal): readonly Seal[] {
    return this.#rings.flatMap((ring) => sealsIn(ring, passphrase) ?? []);
  }
}

/** A line with a new ring: `keys` newest first. */
export function ringLine(
  passphrase: Seal,
  { keys, number, at }: { readonly keys: readonly Seal[]; readonly number: number; readonly at: Date },
): Uint8Array {
  const text = JSON.stringify({ keys: keys.map(({ key }) => key) });
  const line = sealedLine(`keys-${number}-${randomBytes(6).toString("hex")}`, passphrase.close(Buffer.from(text)));
  return Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(line).toString()), ring: number, at: at.getTime() }));
}

export function unique(seals: readonly Seal[]): readonly Seal[] {
  return [...new Map(seals.map((seal) => [seal.key, seal])).values()];
}

function ringIn(line: Uint8Array): Ring | undefined {
  const sealed = sealedIn(line);
  const { ring, at } = (lineFacts(line)?.record ?? {}) as { readonly ring?: unknown; readonly at?: unknown };
  if (sealed === undefined || !Number.isSafeInteger(ring) || typeof at !== "number") return undefined;
  return { number: ring as number, at, sealed };
}

function sealsIn({ sealed }: Ring, passphrase: Seal): readonly Seal[] | undefined {
  const opened = passphrase.open(sealed);
  const value = opened === undefined ? undefined : parsedJson(opened.toString("utf8"));
  if (!isRecord(value) || !Array.isArray(value.keys)) return undefined;
  return value.keys.flatMap((key) => (typeof key === "string" ? (Seal.ofKey(key) ?? []) : []));
}
