/** Positions of ordinary words that are secret only in those positions. */
import { createHash } from "node:crypto";
import { secretFieldName } from "./entry-strings.js";

export interface Spot {
  readonly start: number;
  readonly end: number;
  /** Number of the finding. */
  readonly number: number;
}

/** Stores a digest of each text instead of the text: tool outputs are long, and many can contain the same secret. */
export class Spots {
  readonly #spots = new Map<string, Spot[]>();
  /** Lengths of texts with spots: a quick check, since most texts have none. */
  readonly #lengths = new Set<number>();

  /** `place` is the path of the text in its record: it may be a secret only because of its field name. */
  add(text: string, place: string, spot: Spot): void {
    const key = keyOf(text, place);
    const known = this.#spots.get(key) ?? [];
    if (known.some(({ start }) => start === spot.start)) return;
    this.#spots.set(key, [...known, spot]);
    this.#lengths.add(text.length);
  }

  in(text: string, place: string): readonly Spot[] {
    return this.#lengths.has(text.length) ? (this.#spots.get(keyOf(text, place)) ?? []) : [];
  }
}

function keyOf(text: string, place: string): string {
  return createHash("sha256")
    .update(secretFieldName(place) ?? "")
    .update("\0")
    .update(text)
    .digest("base64");
}
