/** Where ordinary words are that are secret there and only there. */
import { createHash } from "node:crypto";
import { tellingName } from "./entry-strings.js";

export interface Spot {
  readonly start: number;
  readonly end: number;
  /** Of the finding. */
  readonly number: number;
}

/** Knows texts by a digest and not as a whole: outputs of tools are long, and the same secret may be in all of them. */
export class Spots {
  readonly #spots = new Map<string, Spot[]>();
  /** Most texts have none, and their lengths tell. */
  readonly #lengths = new Set<number>();

  /** `place` is where the text is in its record: the name of a field may be what made it a secret. */
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
    .update(tellingName(place) ?? "")
    .update("\0")
    .update(text)
    .digest("base64");
}
