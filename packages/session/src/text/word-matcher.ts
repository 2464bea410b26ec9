/** Whether a text contains each of the words, in any order and case. An empty list matches every text. */
export function wordMatcher(words: string): (text: string) => boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const known = wanted.length === 0 ? "" : text.toLowerCase();
    return wanted.every((word) => known.includes(word));
  };
}
