/** Masks texts that leave the program without becoming a file, such as answers to another program. */
import { ownSecrets } from "./secrets/own-secrets.js";
import { createRedactor } from "./secrets/redactor.js";
import { scanEntries } from "./secrets/scan-entries.js";

/**
 * The texts in the same order, with every secret in them masked as an export masks it; one that is in a text is masked in
 * all of them. A secret is known by its whole: give the text around an excerpt too, and cut it afterwards.
 */
export async function maskTexts(texts: readonly string[]): Promise<readonly string[]> {
  const records = texts.map((text) => ({ type: "session" as const, text }));
  const redactor = createRedactor(await scanEntries(records, { environment: ownSecrets() }));
  return records.map((record) => redactor.record(record).text);
}
