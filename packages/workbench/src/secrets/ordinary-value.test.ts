import { describe, expect, test } from "vitest";
import { createRedactor } from "./mask-secrets.js";
import { scanEntries } from "./scan-entries.js";
import { custom, entry, type Fields, NOTHING, prompt } from "./secret-shapes.test-support.js";

describe("an ordinary word that is a password", () => {
  const url = "sftp://app:parser@db.internal/app";

  test("is masked where it is a password, and kept where it is a word", async () => {
    const records = [
      prompt(`connect to ${url} and fix the parser`, "a"),
      prompt("the parser is slow; parsers are", "b"),
      entry({ role: "toolResult", toolName: "bash", content: [{ type: "text", text: `TARGET_URL=${url}` }] }),
      custom({ parserState: "parser" }),
    ];
    const scan = await scanEntries(records, NOTHING);
    expect(scan.findings).toMatchObject([{ number: 1, count: 2 }]);
    const redactor = createRedactor(scan);
    const [first, second, third, fourth] = records.map((record) => redactor.record(record) as unknown as Fields);
    const mask = /sftp:\/\/app:••••\([\w-]+ 1\)@db.internal\/app/.source;
    expect(first?.message.content).toMatch(new RegExp(`^connect to ${mask} and fix the parser$`));
    expect(second).toEqual(records[1]);
    expect(third?.message.content).toEqual([
      { type: "text", text: expect.stringMatching(new RegExp(`^TARGET_URL=${mask}$`)) as string },
    ]);
    expect(fourth).toEqual(records[3]);
    expect(redactor.counts.masked).toBe(2);
  });

  test("is masked in every copy of its text, unless it is to be kept", async () => {
    const scan = await scanEntries([prompt(url, "a"), prompt(url, "b")], NOTHING);
    expect(JSON.stringify(createRedactor(scan).record(prompt(url, "c")))).not.toContain("parser");
    expect(createRedactor(scan, { keep: new Set([1]) }).record(prompt(url))).toEqual(prompt(url));
  });

  test("is masked in a field named password, but not in another field with the same text", async () => {
    const named = custom({ password: "Summer2024!", note: "Summer2024!" });
    const redacted = createRedactor(await scanEntries([named], NOTHING)).record(named) as unknown as Fields;
    expect(redacted.data).toEqual({
      password: expect.stringMatching(/^••••/) as string,
      note: "Summer2024!",
    });
  });

  test("from the environment is masked only where it is used as a password", async () => {
    const environment = { DB_PASSWORD: "development", OTHER_TOKEN: "toolResult" };
    const records = [
      prompt("NODE_ENV: development, and development goes on"),
      entry({ role: "toolResult", toolName: "bash", content: [{ type: "text", text: "a development build" }] }),
      prompt('DB_PASSWORD="development" psql mysql://root:development@db --password development'),
    ];
    const redactor = createRedactor(await scanEntries(records, { environment }));
    const [first, second, third] = records.map((record) => redactor.record(record) as unknown as Fields);
    expect([first, second]).toEqual(records.slice(0, 2));
    expect(third?.message.content).not.toContain("development");
    expect(third?.message.content).toContain("DB_PASSWORD=");
  });
});
