/** Gives back what is in the page as a session file that Bough can open. */
import type { PageSource } from "../data/page-source.js";

export function downloadJsonl(source: PageSource): void {
  const { facts } = source;
  const parts: string[] = [`${JSON.stringify(facts.header)}\n`];
  for (const chunk of facts.chunks.keys()) {
    const text = source.chunkText(chunk);
    if (text !== undefined) parts.push(`${text}\n`);
  }
  const address = URL.createObjectURL(new Blob(parts, { type: "application/jsonl" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${facts.title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "session"}.jsonl`;
  link.click();
  // The browser has taken the address by the time it comes back to us.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
