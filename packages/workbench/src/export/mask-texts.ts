/** Masks what leaves the program without becoming a file, such as answers to another program. */
import { createRedactor, ownSecrets, scanEntries } from "../secrets/index.js";

/**
 * The texts in the same order, with every secret in them masked as an export masks it; one that is in a text is masked in
 * all of them. A secret is known by its whole: give the text around an excerpt too, and cut it afterwards.
 */
export async function maskTexts(texts: readonly string[]): Promise<readonly string[]> {
  return (await maskRecords(texts.map((text) => ({ text })))).map(({ text }) => text);
}

/** The same for every string in plain data. */
export async function maskRecords<Value>(values: readonly Value[]): Promise<readonly Value[]> {
  const records = values.map((value) => ({ type: "session" as const, value }));
  const redactor = createRedactor(await scanEntries(records, { environment: ownSecrets() }));
  return records.map((record) => redactor.record(record).value);
}
