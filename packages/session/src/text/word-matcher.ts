/** Whether a text has every one of the words, in any order and whatever their case. No words are in every text. */
export function wordMatcher(words: string): (text: string) => boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const known = wanted.length === 0 ? "" : text.toLowerCase();
    return wanted.every((word) => known.includes(word));
  };
}
