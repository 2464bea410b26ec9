/** Lets some pass at a time, in the order of their asking. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  get isFull(): boolean {
    return this.#free === 0;
  }

  /** Resolves with the function that makes room again. Rejects if the signal fires first. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const pass = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(pass), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(pass);
    });
  }
}

const FOLDERS = new Map<string, Slots>();

/**
 * Agents of this process that work in the same folder change files one call at a time, so that each change belongs to
 * one call. Resolves with the function that ends the turn.
 */
export function folderTurn(folder: string, signal: AbortSignal): Promise<() => void> {
  const turns = FOLDERS.get(folder) ?? new Slots(1);
  FOLDERS.set(folder, turns);
  return turns.take(signal);
}
