import { describe, expect, test } from "vitest";
import { createRedactor } from "./mask-secrets.js";
import type { Scanned } from "./scan-batch.js";
import { scanEntries } from "./scan-entries.js";
import { core, custom, entry, type Fields, NOTHING, prompt, SHAPES } from "./secret-shapes.test-support.js";

describe("secrets in places where no text is expected", () => {
  /** Shapes that are a single word, like a name. */
  const tokens = Object.entries(SHAPES).filter(([, secret]) => /^[\w.:-]+$/.test(secret));
  const places: Readonly<Record<string, (secret: string) => Scanned>> = {
    "the type of an entry": (secret) => ({ ...custom({}), type: secret }) as unknown as Scanned,
    "the id of an entry": (secret) => prompt("words", secret),
    "what an entry hangs from": (secret) => ({ ...prompt("words"), parentId: secret }) as unknown as Scanned,
    "a role": (secret) => entry({ role: secret, content: "words" }),
    "the kind of a block": (secret) => entry({ role: "assistant", content: [{ type: secret }] }),
    "the name of a tool": (secret) => entry({ role: "toolResult", toolName: secret, content: [] }),
    "the name of a field": (secret) => custom({ deep: [{ [secret]: true }] }),
    "a part of the name of a field": (secret) => custom({ [`X_${secret}_OLD`]: 1 }),
    "the name of a file": (secret) => entry({ role: "user", content: `see ./backup-${secret}.tar.gz` }),
    "the name of a file as a name of a field": (secret) => custom({ files: { [`/tmp/${secret}-2026.json`]: "read" } }),
    "an address, encoded": (secret) => prompt(`https://a.example/?next=%2Fset%3Fk%3D${encodeURIComponent(secret)}`),
  };

  test.each(Object.keys(places))("are caught in %s, masked, and not revealed by the reported place", async (place) => {
    expect(tokens.length).toBeGreaterThan(25);
    for (const [name, secret] of tokens) {
      const record = (places[place] as (secret: string) => Scanned)(secret);
      const scan = await scanEntries([record], NOTHING);
      const masked = JSON.stringify(createRedactor(scan).record(record));
      expect.soft([name, masked.includes(core(secret))]).toEqual([name, false]);
      const said = JSON.stringify(scan.findings);
      expect.soft([name, scan.findings.length > 0, said.includes(core(secret))]).toEqual([name, true, false]);
    }
  });

  test("are masked in every entry that names them, so that the tree stays intact", async () => {
    const secret = SHAPES["GitHub token"] as string;
    const label = { type: "label", id: "l", parentId: "b", timestamp: "", targetId: secret, label: "x" } as Scanned;
    const records: Scanned[] = [prompt("one", secret), { ...prompt("two", "b"), parentId: secret } as Scanned, label];
    const scan = await scanEntries(records, NOTHING);
    const [one, two, three] = records.map((record) => createRedactor(scan).record(record) as unknown as Fields);
    expect(one?.id).toMatch(/^••••\([\w-]+ 1\)$/);
    expect([two?.parentId, three?.targetId]).toEqual([one?.id, one?.id]);
    expect([one?.type, two?.id, three?.type]).toEqual(["message", "b", "label"]);
  });
});

describe("credentials in addresses", () => {
  const found: Readonly<Record<string, [text: string, left: string]>> = {
    "an encoded sign in the password": ["sftp://app:p%40ss%21w@db.internal/app", "p%40ss%21w"],
    "without a scheme": ["curl -T x alice:p%40ss@files.internal", "p%40ss"],
    "a token with an encoded slash": ["https://a.example/x?token=abc%2F", "abc%2F"],
    "lower case": ["https://a.example/x?v=1&sig=q7Rk%2fplq%3d", "q7Rk%2fplq%3d"],
    "an address inside an address": ["https://a.example/?db=mysql%3A%2F%2Fapp%3Aq7Rkplq2%40db%2Fx", "q7Rkplq2"],
    "encoded twice": ["next=https%253A%252F%252Fapp%253Aq7Rkplq2%2540git.internal", "q7Rkplq2"],
    "JSON in a query": ["?state=%7B%22password%22%3A%22q7Rkplq2x%22%7D", "q7Rkplq2x"],
    "an encoded header": ["?h=Authorization%3A%20Bearer%20q7Rkplq2xMv81LsTzz", "q7Rkplq2xMv81LsTzz"],
  };

  test.each(Object.keys(found))("are found and masked: %s", async (name) => {
    const [text, left] = found[name] as [string, string];
    expect(text).toContain(left);
    const { message } = createRedactor(await scanEntries([prompt(text)], NOTHING)).record(prompt(text));
    expect(message).toMatchObject({ content: expect.not.stringContaining(left) as string });
    expect(message).toMatchObject({ content: expect.stringContaining(text.slice(0, 4)) as string });
  });

  test("have one number and are masked alike, encoded or not", async () => {
    const records = [prompt("DB_PASSWORD=q7R/kpl+q2x9"), prompt("see q7R%2Fkpl%2Bq2x9", "b"), prompt("q7R/kpl+q2x9")];
    const scan = await scanEntries(records, NOTHING);
    expect(scan.findings).toHaveLength(1);
    const redactor = createRedactor(scan);
    expect(records.map((record) => redactor.record(record).message)).toMatchObject([
      { content: "DB_PASSWORD=••••(assigned-secret 1)" },
      { content: "see ••••(assigned-secret 1)" },
      { content: "••••(assigned-secret 1)" },
    ]);
  });

  test.each([
    "https://registry.example/%40scope%2Fname?page=2&sort=a%20b",
    "100%25 of 12:30%20@home, ratio 3:4@2x",
    "?token=next%20page&q=a%2Fb",
    "https://a.example/search?q=key%3Dvalue&lang=de",
    "cache-key-d41d8cd98f00b204e9800998ecf8427e",
  ])("are not seen in %s", async (text) => {
    expect((await scanEntries([prompt(text)], NOTHING)).findings).toEqual([]);
  });
});
