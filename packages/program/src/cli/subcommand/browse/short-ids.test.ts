import { expect, test } from "vitest";
import { shortIds } from "./short-ids.js";

test("ids are cut to the shortest start that no other one has, and never to less than eight characters", () => {
  const ids = [
    "0123456789",
    "abcdefgh-1x",
    "abcdefgh-2x",
    "abcdefgh-2y",
    "ses_one",
    "ses_one_two",
    "abc",
    "0123456789",
  ];
  expect(Object.fromEntries(shortIds(ids))).toEqual({
    "0123456789": "01234567",
    "abcdefgh-1x": "abcdefgh-1",
    "abcdefgh-2x": "abcdefgh-2x",
    "abcdefgh-2y": "abcdefgh-2y",
    ses_one: "ses_one",
    ses_one_two: "ses_one_",
    abc: "abc",
  });
});

test("ids that differ only behind their first eight characters find one session each", () => {
  const ids = Array.from({ length: 300 }, (_, i) => `01a1de66-${(i * 7919).toString(16).padStart(6, "0")}`);
  for (const [id, short] of shortIds(ids)) expect(ids.filter((other) => other.startsWith(short))).toEqual([id]);
});
