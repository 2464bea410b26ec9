/** Marks the words of a search in what is drawn, without touching it: browsers that cannot do that mark nothing. */

const NAME = "search";
const MOST_MARKS = 500;

export function markMatches(words: readonly string[]): void {
  if (typeof Highlight === "undefined" || CSS.highlights === undefined) return;
  const root = document.querySelector('[role="feed"]');
  if (words.length === 0 || root === null) {
    CSS.highlights.delete(NAME);
    return;
  }
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MOST_MARKS; node = walker.nextNode()) {
    const text = (node.nodeValue ?? "").toLowerCase();
    for (const word of words) {
      for (
        let at = text.indexOf(word);
        at >= 0 && ranges.length < MOST_MARKS;
        at = text.indexOf(word, at + word.length)
      ) {
        // Lower case can be longer than what it was made from.
        if (at + word.length > (node.nodeValue?.length ?? 0)) break;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
}
