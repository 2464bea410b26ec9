import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { OutputKeeper } from "./output-keeper.js";

const LIMITS = { name: "out", keepBytes: 1000, fileAfterBytes: 600, maxFileBytes: 1e9 };

test("memory stays bounded however much comes", () => {
  const keeper = new OutputKeeper({ ...LIMITS, folder: tempFolder(), keepBytes: 90_000 });
  const chunk = Buffer.alloc(65_536, "x");
  let most = 0;
  for (let sent = 0; sent < 50_000_000; sent += chunk.length) {
    keeper.add(chunk);
    most = Math.max(most, keeper.held);
  }
  const { path = "" } = keeper.close();
  expect(most).toBeLessThanOrEqual(2 * 90_000 + chunk.length);
  expect([keeper.total, statSync(path).size]).toEqual([763 * 65_536, 763 * 65_536]);
});

test("the end is the last bytes, across chunks of any size", () => {
  const keeper = new OutputKeeper({ ...LIMITS, folder: tempFolder() });
  const text = Array.from({ length: 2000 }, (_, index) => String(index)).join(" ");
  for (let at = 0, size = 1; at < text.length; at += size, size = (size % 97) + 1) {
    keeper.add(Buffer.from(text.slice(at, at + size)));
  }
  expect([keeper.end(10).toString(), keeper.end(9999).toString()]).toEqual([text.slice(-10), text.slice(-1000)]);
  const { path = "" } = keeper.close();
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("there is no file for a short output, and names that are taken are not written into", () => {
  const folder = tempFolder();
  const keepers = [600, 601, 601].map((size) => {
    const keeper = new OutputKeeper({ ...LIMITS, folder });
    keeper.add(Buffer.alloc(size));
    return keeper.close();
  });
  expect(keepers).toEqual([{}, { path: join(folder, "out.txt") }, { path: join(folder, "out-2.txt") }]);
});

test("the file stops growing at its limit and says so; the end is still the end", () => {
  const keeper = new OutputKeeper({ ...LIMITS, folder: tempFolder(), maxFileBytes: 1500 });
  for (let index = 0; index < 10; index++) keeper.add(Buffer.alloc(400, String(index)));
  const kept = keeper.close();
  expect(kept.problem).toBe("the file has only the first 1500 bytes");
  expect([statSync(kept.path ?? "").size, keeper.end(3).toString()]).toEqual([1500, "999"]);
});
