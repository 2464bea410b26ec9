import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { isLeftBehind, OWNER_MARK, ownerMark } from "./owner-mark.js";

const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid;
const [, start = "", space = ""] = ownerMark().split("-");

test("the mark of a running process is not left behind", () => {
  expect(ownerMark()).toMatch(new RegExp(`^${OWNER_MARK}$`));
  expect(isLeftBehind(ownerMark())).toBe(false);
});

test("the mark of a process that has ended is, also if its pid was given to another", () => {
  expect(isLeftBehind(`${deadPid()}-${start}-${space}`)).toBe(true);
  expect(isLeftBehind(`${process.pid}-00000000-${space}`)).toBe(true);
});

test("the mark of a process in another container is left alone", () => {
  expect(isLeftBehind(`${deadPid()}-${start}-00000000`)).toBe(false);
});
