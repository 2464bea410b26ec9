/**
 * The lines this process wrote, as bytes, up to a budget: if the file is cut short by somebody else, they are written
 * again (keeps I7).
 */
export class RecentLines {
  readonly #budget: number;
  readonly #lines = new Map<string, Buffer>();
  #bytes = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  keep(id: string, line: Buffer): void {
    this.#lines.set(id, line);
    this.#bytes += line.length;
    for (const [oldest, bytes] of this.#lines) {
      if (this.#bytes <= this.#budget || oldest === id) return;
      this.#lines.delete(oldest);
      this.#bytes -= bytes.length;
    }
  }

  get(id: string): Buffer | undefined {
    return this.#lines.get(id);
  }
}
