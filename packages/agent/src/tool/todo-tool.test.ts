import { expect, test } from "vitest";
import { workshop } from "./tool-context.test-support.js";

test("answers with the list and keeps it in the details, without asking", async () => {
  const shop = workshop();
  const items = [
    { text: "read", status: "done" },
    { text: "write", status: "in_progress" },
    { text: "test", status: "pending" },
  ];
  expect(await shop.call("todo", { items })).toEqual({
    content: [{ type: "text", text: "[x] read\n[>] write\n[ ] test" }],
    details: { items },
  });
  expect(await shop.text("todo", { items: [] })).toBe("The todo list is empty.");
  expect(shop.asked).toEqual([]);
});

test.each([
  { items: [{ text: "", status: "done" }] },
  { items: [{ text: "a", status: "maybe" }] },
  { items: Array.from({ length: 51 }, () => ({ text: "a", status: "done" })) },
  { items: [{ text: "a", status: "done", __proto__: null, extra: 1 }] },
  {},
])("rejects an invalid list: %j", async (input) => {
  expect(await workshop().failure("todo", input)).toContain("Invalid input for todo");
});
