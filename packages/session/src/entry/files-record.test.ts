import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filesRecord } from "./files-record.js";
import { filesRecord as readByOld } from "./files-record-0.1.0.test-support.js";

const state = {
  hash: "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
  mode: "644",
  size: 1,
} as const;
const changes = [{ path: "a.txt", before: state, after: null }];

test("who else may have made a change is read, and what is not a session is left out", () => {
  const others = [{ session: "one", callIds: ["1"] }, { session: "two" }];
  const record = { v: 1, by: "person", during: ["2"], with: others, changes } as const;
  expect(filesRecord(record)).toEqual(record);
  expect(filesRecord({ ...record, during: ["2", 3], with: [...others, { callIds: [] }, null] })).toEqual(record);
  expect(filesRecord({ ...record, during: "2", with: {} })).toEqual({ v: 1, by: "person", changes });
});

test("folders that are there on their own are read, and 0.1.0 reads the rest of such a record", () => {
  const record = { v: 1, by: "tool", changes, folders: ["mine", "mine/inner"] } as const;
  expect(filesRecord(record)).toEqual(record);
  expect(filesRecord({ ...record, folders: ["mine", "mine/inner", "../out", "/etc", 3] })).toEqual(record);
  expect(filesRecord({ ...record, folders: "mine" })).toEqual({ v: 1, by: "tool", changes });
  expect(readByOld(record)).toEqual({ v: 1, by: "tool", changes });
});

test("version 0.1.0 reads a record of another session's work as the person's, and loses none of its changes", () => {
  const record = { v: 1, by: "person", during: ["2"], with: [{ session: "one", callIds: ["1"] }], changes };
  expect(readByOld(record)).toEqual({ v: 1, by: "person", changes });
  // This is why there is no new value for who did it.
  expect(readByOld({ ...record, by: "session" })).toBeUndefined();
});

test("version 0.1.0 reads the records that the page about the format shows", () => {
  const page = readFileSync(new URL("../../../../docs/format.md", import.meta.url), "utf8");
  const lines = page.split("\n").filter((line) => line.startsWith("{") && line.includes('"bough.files"'));
  const data = lines.map((line) => (JSON.parse(line) as { readonly data: unknown }).data);
  expect(data.map((one) => readByOld(one)?.changes)).toEqual(data.map((one) => filesRecord(one)?.changes));
  expect(data.map((one) => filesRecord(one))).toEqual(data);
  expect(data).not.toEqual([]);
});
