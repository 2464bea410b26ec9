import { expect, test } from "vitest";
import { changedVariables } from "./client-terminal.js";

test("a key that commands must not see is emptied in the client's terminal, and nothing else is sent", () => {
  const own = { PATH: "/bin", ANTHROPIC_API_KEY: "secret", HOME: "/home/user" };
  expect(changedVariables({ PATH: "/bin", HOME: "/home/user", EXTRA: "1" }, own)).toEqual([
    { name: "EXTRA", value: "1" },
    { name: "ANTHROPIC_API_KEY", value: "" },
  ]);
});
