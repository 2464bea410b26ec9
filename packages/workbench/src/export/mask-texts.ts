/** Masks data that leaves the program other than as a file, such as answers to another program. */
import { createRedactor, ownSecrets, scanEntries } from "../secrets/index.js";

/**
 * Returns the texts with their secrets masked as in an export; a secret found in one text is masked in all of them.
 * Only a whole secret is recognized, so pass the text around an excerpt too, and cut it afterwards.
 */
export async function maskTexts(texts: readonly string[]): Promise<readonly string[]> {
  return (await maskRecords(texts.map((text) => ({ text })))).map(({ text }) => text);
}

/** Like `maskTexts`, but for every string in plain data. */
export async function maskRecords<Value>(values: readonly Value[]): Promise<readonly Value[]> {
  const records = values.map((value) => ({ type: "session" as const, value }));
  const redactor = createRedactor(await scanEntries(records, { environment: ownSecrets() }));
  return records.map((record) => redactor.record(record).value);
}
