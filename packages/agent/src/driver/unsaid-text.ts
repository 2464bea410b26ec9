/**
 * Compares what an agent showed with what its transcript has. The protocol does not say where an answer ends, agents add
 * notices of their own between answers, and a kill can hit between the two: then either may have more.
 */

/** Shorter, a common end and beginning may be chance. */
const LEAST_COMMON = 8;

export class UnsaidText {
  /** Answers of the transcript, without spaces, oldest first; of the first, what was not shown yet. */
  readonly #answers: string[];

  constructor(answers: readonly string[]) {
    this.#answers = answers.map(squeezed).filter((answer) => answer !== "");
  }

  /** The parts of the next shown text that the transcript does not have. */
  of(text: string): string {
    const shown = squeezed(text);
    const kept: [from: number, to: number][] = [];
    let at = 0;
    for (let answer = this.#answers[0]; answer !== undefined && at < shown.length; answer = this.#answers[0]) {
      const from = shown.indexOf(answer, at);
      if (from >= 0) {
        kept.push([at, from]);
        at = from + answer.length;
        this.#answers.shift();
        continue;
      }
      const common = commonStart(shown, { at, answer });
      if (common === 0) {
        if (!this.#skips(shown, at)) break;
        continue;
      }
      kept.push([at, shown.length - common]);
      at = shown.length;
      this.#answers[0] = answer.slice(common);
    }
    kept.push([at, shown.length]);
    const whole = kept.length === 1;
    return whole ? text : spaced(text, kept);
  }

  /** Whether a later answer was shown here: those before it never were, such as a note of the agent's own. */
  #skips(shown: string, at: number): boolean {
    const next = this.#answers.findIndex(
      (answer) =>
        answer.length >= LEAST_COMMON &&
        (shown.includes(answer, at) || commonStart(shown, { at, answer }) >= LEAST_COMMON),
    );
    if (next > 0) this.#answers.splice(0, next);
    return next > 0;
  }
}

/** How much of the end of what was shown is the start of the answer. */
function commonStart(shown: string, { at, answer }: { readonly at: number; readonly answer: string }): number {
  if (answer.startsWith(shown.slice(at))) return shown.length - at;
  const start = answer.slice(0, LEAST_COMMON);
  if (start.length < LEAST_COMMON) return 0;
  for (let from = shown.indexOf(start, at); from >= 0; from = shown.indexOf(start, from + 1)) {
    if (answer.startsWith(shown.slice(from))) return shown.length - from;
  }
  return 0;
}

/** These parts of the text, given by their places without spaces, each on a line of its own. */
function spaced(text: string, parts: readonly (readonly [from: number, to: number])[]): string {
  const texts = parts.map(() => "");
  let place = 0;
  let part = 0;
  for (const character of text) {
    while (part < parts.length && place >= (parts[part]?.[1] ?? 0)) part += 1;
    const [from] = parts[part] ?? [Number.POSITIVE_INFINITY];
    if (place >= from) texts[part] += character;
    if (!/\s/.test(character)) place += character.length;
  }
  return texts
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .join("\n");
}

export function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}
