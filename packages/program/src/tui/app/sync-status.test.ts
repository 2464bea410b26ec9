import { StoreError } from "@bough/workbench/store/index.js";
import type { SessionSync } from "@bough/workbench/store/internal.js";
import { expect, test } from "vitest";
import { testHost } from "../host/host.test-support.js";
import { clearsWhenBack } from "./sync-status.js";

type Listener = Parameters<SessionSync["subscribe"]>[0];

test("the note about an unreachable store is gone when it is back, and nothing else", () => {
  const host = testHost();
  let tell: Listener = () => {};
  clearsWhenBack(
    {
      subscribe: (listener) => {
        tell = listener;
        return () => {};
      },
    },
    host,
  );
  const error = new StoreError("store-unreachable", "The store is gone: /x", { hint: "Check that it is mounted." });
  const away = () => tell({ kind: "status", status: { state: "away", pending: 1, error } }, "pg");
  const back = () => tell({ kind: "status", status: { state: "idle", pending: 0 } }, "pg");
  away();
  host.status({ message: error.message, hint: error.hint, code: error.code }, "warning");
  back();
  expect(host.statusLine).toBeUndefined();
  away();
  host.status("Moved.", "good");
  back();
  expect(host.statusLine?.message).toBe("Moved.");
});
