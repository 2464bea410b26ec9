/** Joins several records into one long text for scanning, and maps positions in it back to fields. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import { type PlacedString, secretFieldName, stringsIn } from "./entry-strings.js";
import type { SecretFinder, SecretMatch } from "./find-secrets.js";
import { TEXT_END } from "./secret-rules.js";

/** A record to scan: an entry, or the session header. */
export type Scanned = SessionEntry | { readonly type: "session"; readonly id?: unknown };

const BETWEEN = `\n${TEXT_END}\n`;

interface Piece extends PlacedString {
  readonly record: Scanned;
  readonly start: number;
}

/** The texts of several records, one after another. A match may span lines, but never two texts. */
export class ScanBatch {
  readonly #pieces: Piece[] = [];
  whole = "";

  add(record: Scanned): void {
    for (const { text, place } of stringsIn(record)) {
      // A field name that marks a secret is scanned together with its value.
      const name = secretFieldName(place);
      if (name !== undefined) this.whole += `${name}: `;
      this.#pieces.push({ text, place, record, start: this.whole.length });
      this.whole += text + BETWEEN;
    }
  }

  async matches(finder: SecretFinder): Promise<readonly SecretMatch[]> {
    const inside: SecretMatch[] = [];
    const alone = new Set<Piece>();
    for (const match of await finder.find(this.whole)) {
      const [first, last] = [this.#numberAt(match.start), this.#numberAt(match.end - 1)];
      const piece = this.#pieces[first];
      // A match that starts in the name before a text, or ends after the text, is searched for again in the text alone.
      if (piece !== undefined && match.end <= piece.start + piece.text.length) inside.push(match);
      else for (const touched of this.#pieces.slice(Math.max(0, first), last + 1)) alone.add(touched);
    }
    for (const { text, start } of alone) {
      for (const match of await finder.find(text)) {
        const placed = { ...match, start: start + match.start, end: start + match.end };
        const isKnown = inside.some((other) => other.start === placed.start && other.end === placed.end);
        if (!isKnown) inside.push(placed);
      }
    }
    return inside.sort((a, b) => a.start - b.start);
  }

  /** The whole text with every match replaced by dots of the same length, so that offsets stay valid. */
  maskedBy(matches: readonly SecretMatch[]): string {
    let text = "";
    for (const { start, end } of matches) {
      text += this.whole.slice(text.length, start);
      text += "•".repeat(Math.max(0, end - text.length));
    }
    return text + this.whole.slice(text.length);
  }

  pieceAt(place: number): Piece {
    return this.#pieces[this.#numberAt(place)] as Piece;
  }

  #numberAt(place: number): number {
    let [low, high] = [0, this.#pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#pieces[middle] as Piece).start <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
