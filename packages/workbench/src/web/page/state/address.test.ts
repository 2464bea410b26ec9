import { expect, test } from "vitest";
import { addressedEntry, entryAddress, placeInHistory } from "./address.js";

test("the address of an entry gives its ID back, whatever it is", () => {
  for (const id of ["3fa2b81c09de", "a b", "</script>", "100%", "ä#&=", "__proto__"]) {
    expect(addressedEntry(entryAddress(id))).toBe(id);
  }
});

test("any other address names no entry, and any other state no place", () => {
  for (const hash of ["", "#", "#x", "#e", "#e=%E0%A4%A"]) expect(addressedEntry(hash)).toBeUndefined();
  for (const state of [null, undefined, 3, "end", {}, { end: "7" }]) expect(placeInHistory(state)).toBeUndefined();
  expect(placeInHistory({ end: 7 })).toEqual({ end: 7 });
});
