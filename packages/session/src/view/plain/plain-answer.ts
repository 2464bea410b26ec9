/** A user's answer below the outline. */

export type PlainAnswer =
  | { readonly kind: "go"; readonly number: number }
  | { readonly kind: "branch"; readonly branch: number }
  | { readonly kind: "search"; readonly words: string }
  | { readonly kind: "earlier" }
  | { readonly kind: "quit" }
  | { readonly kind: "unclear"; readonly message: string };

/** `count` is the number of numbered rows in the outline. An empty answer quits. */
export function parsePlainAnswer(text: string, count: number): PlainAnswer {
  const answer = text.trim();
  if (answer === "" || /^q(uit)?$/i.test(answer)) return { kind: "quit" };
  if (/^e(arlier)?$/i.test(answer)) return { kind: "earlier" };
  const branch = /^b\s*#?(\d+)$/i.exec(answer);
  if (branch !== null) return { kind: "branch", branch: Number(branch[1]) };
  const search = /^s\s+(.+)$/i.exec(answer);
  if (search !== null) return { kind: "search", words: (search[1] as string).trim() };
  if (!/^\d+$/.test(answer)) {
    return {
      kind: "unclear",
      message: "Not understood. Enter a row number to go there, b 8 to open branch 8, s word to search, q to quit.",
    };
  }
  const number = Number(answer);
  if (number >= 1 && number <= count) return { kind: "go", number };
  return {
    kind: "unclear",
    message: count === 0 ? "Nothing to go to yet." : `Enter a number from 1 to ${count}.`,
  };
}
