/** Letters that are typed one after the other belong together, until there is a pause. */

const PAUSE_MILLISECONDS = 700;
let typed = "";
let lastTime = Number.NEGATIVE_INFINITY;

/** What was typed so far, in lower case; undefined for a key that types nothing. */
export function typeAhead(key: string, time: number): string | undefined {
  if (key.length !== 1 || /[\s/?[\]]/.test(key)) return undefined;
  typed = time - lastTime > PAUSE_MILLISECONDS ? key.toLowerCase() : `${typed}${key.toLowerCase()}`;
  lastTime = time;
  return typed;
}
