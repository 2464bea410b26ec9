import { expect, test } from "vitest";
import { call, oddServer, openServers, ready, said } from "../mcp-servers.test-support.js";

/** Gives answers in order, and records the questions. */
function person(...answers: (string | undefined)[]) {
  const asked: string[] = [];
  const next = async (title: string) => {
    asked.push(title);
    return answers.shift();
  };
  return { asked, questions: { select: next, input: next } };
}

test("a form of a server is asked field by field, and a wrong value again", async () => {
  const { asked, questions } = person("Answer", "Ada", "many", "3", "yes");
  const { servers } = openServers({ odd: oddServer("asks") }, { questions });
  await ready(servers);
  expect(JSON.parse(said(await call(servers, "odd__echo")))).toEqual({
    action: "accept",
    content: { name: "Ada", count: 3, sure: true },
  });
  expect(asked).toEqual([
    "The MCP server odd asks: Who are you?",
    "name",
    "count",
    "count (not a valid integer)",
    "sure",
  ]);
});

test.each([
  ["Decline", "decline"],
  [undefined, "cancel"],
])("an answer of %s gives the server nothing", async (answer, action) => {
  const { questions } = person(answer);
  const { servers } = openServers({ odd: oddServer("asks") }, { questions });
  await ready(servers);
  expect(JSON.parse(said(await call(servers, "odd__echo")))).toEqual({ action });
});

test("an address is opened only if it is https and the user agrees", async () => {
  const opened: string[] = [];
  const { asked, questions } = person("Open", "Decline");
  const openUrl = (url: string) => void opened.push(url);
  const { servers } = openServers({ odd: oddServer("asks-url") }, { questions, openUrl });
  await ready(servers);
  const action = async (text: string) => JSON.parse(said(await call(servers, "odd__echo", { text }))).action;
  expect(await action("https://pay.example/a")).toBe("accept");
  expect(await action("https://pay.example/b")).toBe("decline");
  for (const url of [
    "http://pay.example/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://me:pw@pay.example/",
  ]) {
    expect([url, await action(url)]).toEqual([url, "decline"]);
  }
  expect([opened, asked.length]).toEqual([["https://pay.example/a"], 2]);
});
