/** The words of an error that would occur in it again: no numbers, addresses, stack lines or stop words. */

const MOST_WORDS = 10;
const SMALL: ReadonlySet<string> = new Set(
  "the and for with from that this was were has have not but are its into onto than then when while your you our out off at by in is it of on or to be as an no a i".split(
    " ",
  ),
);
const STACK_LINE = /^\s*(?:at\s|File ".*", line \d+|\d+:\s+0x|goroutine \d|#\d+\s)/;

/** At most ten, from the first lines: what follows is usually a stack trace. */
export function errorWords(error: string): readonly string[] {
  const words: string[] = [];
  for (const line of error.slice(0, 4_000).split("\n")) {
    if (STACK_LINE.test(line)) continue;
    for (const [word] of line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      const plain = word.replace(/^[_$]+|[_$]+$/g, "");
      if (plain.length < 3 || SMALL.has(plain.toLowerCase()) || /^[0-9a-f]{8,}$/i.test(plain)) continue;
      if (!words.includes(plain)) words.push(plain);
      if (words.length >= MOST_WORDS) return words;
    }
  }
  return words;
}
