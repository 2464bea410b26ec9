import { expect, test } from "vitest";
import { nativeServer } from "./pi-servers.js";

test("how the tools of a server reach the model is taken from pi's words for it", () => {
  const server = { command: "office", timeout: 5, enabled: false, description: "Invoices and customers" };
  expect(nativeServer({ ...server, exposure: "deferred" })).toEqual({
    command: "office",
    timeoutMs: 5000,
    disabled: true,
    description: "Invoices and customers",
    expose: "search",
  });
  const exposed = (config: Readonly<Record<string, unknown>>) => nativeServer({ command: "office", ...config }).expose;
  expect(["direct", "codemode", "codemode-deferred", "hidden"].map((exposure) => exposed({ exposure }))).toEqual([
    "all",
    "search",
    "search",
    "none",
  ]);
  const toolExposure = { get_invoice: "direct", "delete_*": "hidden", odd: "unknown" };
  expect(exposed({ exposure: "hidden", toolExposure })).toEqual({
    "*": "none",
    get_invoice: "all",
    "delete_*": "none",
  });
  expect([exposed({ toolExposure: { a: "direct" } }), exposed({}), exposed({ exposure: "toString" })]).toEqual([
    { a: "all" },
    undefined,
    undefined,
  ]);
});
