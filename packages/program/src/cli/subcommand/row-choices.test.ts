/** A row repeats lists from rooms that `bough --help` must not load. */
import { catalogue } from "@bough/agent/model/index.js";
import { SANDBOX_CHOICES } from "@bough/agent/project/index.js";
import { PERMISSION_MODES } from "@bough/agent/tool/index.js";
import { OUTCOMES } from "@bough/workbench/history/index.js";
import { expect, test } from "vitest";
import { row as login } from "./account/login.js";
import { row as logout } from "./account/logout.js";
import { row as tried } from "./browse/tried.js";
import { row as acp } from "./editor/acp.js";

const withKey = [...catalogue(undefined).providers].filter(([, { needsKey }]) => needsKey).map(([name]) => name);

test.each([
  ["bough login", login.completes, withKey],
  ["bough logout", logout.completes, withKey],
  ["bough acp --permission", acp.flags.permission?.choices, PERMISSION_MODES],
  ["bough acp --sandbox", acp.flags.sandbox?.choices, SANDBOX_CHOICES],
  ["bough tried --outcome", tried.flags.outcome?.choices, OUTCOMES],
])("%s offers the existing values", (_flag, offered, known) => {
  expect([...(offered ?? [])].sort()).toEqual([...known].sort());
});
