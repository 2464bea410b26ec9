import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AcpClient } from "./acp-client.js";
import { makePlace } from "./cli-support.js";
import { runHere } from "./run-here.js";

test("a client that can ask for text lets its user say what to do instead, and the model is told", async () => {
  const acp = new AcpClient(makePlace(), {
    isHere: true,
    capabilities: { elicitation: { form: {} } },
    prepare: (app) =>
      app.onRequest("elicitation/create", () => ({ action: "accept", content: { text: "look at app.js first" } })),
  });
  const { sessionId } = await acp.begin();
  acp.onPermission = () => "instead";
  await acp.say(sessionId, "$ touch forbidden");
  expect(acp.answer()).toContain("look at app.js first");
  expect(existsSync(join(acp.place.cwd, "forbidden"))).toBe(false);
  await acp.end();
});

test("always in this project is a rule of this checkout, and counts in every session; for this session only there", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true });
  const { sessionId } = await acp.begin();
  acp.onPermission = () => "project";
  await acp.say(sessionId, "$ echo one");
  expect(readFileSync(join(acp.place.cwd, ".bough", "settings.local.json"), "utf8")).toContain("echo one");
  await acp.say(sessionId, "$ echo one");
  expect(acp.questions).toHaveLength(1);
  acp.onPermission = () => "session";
  await acp.say(sessionId, "$ echo two");
  await acp.say(sessionId, "$ echo three");
  expect(acp.questions).toHaveLength(2);
  // Another session has its own grants, and so does a fork.
  const fork = await acp.fork(sessionId);
  await acp.say(fork.sessionId, "$ echo two");
  expect(acp.questions).toHaveLength(3);
  await acp.end();
});

test("extensions ask through the client, and what they print is no frame", async () => {
  const place = makePlace();
  const folder = join(place.home, "extensions");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "ask.mjs"),
    `export default (api) => {
      console.log("printed by an extension");
      api.registerCommand("pick", {
        description: "Pick one",
        handler: async (args, ctx) => {
          const color = await ctx.ui.select("Which color?", ["red", "blue"]);
          const sure = await ctx.ui.confirm("Sure?", color);
          ctx.ui.notify("picked " + color + " " + sure, "warning");
        },
      });
    };`,
  );
  const acp = new AcpClient(place);
  const { sessionId } = await acp.begin();
  const commands = await acp.seen(({ sessionUpdate }) => sessionUpdate === "available_commands_update");
  expect(JSON.stringify(commands)).toContain('"pick"');
  acp.onPermission = ({ toolCall }) => (toolCall.title === "Which color?" ? "blue" : "Yes");
  await acp.say(sessionId, "/pick");
  expect(acp.answer()).toContain("picked blue true");
  await acp.end();
  expect(acp.stderr).toContain("printed by an extension");
});

test("logins are offered to clients that have terminals for them, and run the login of the program", async () => {
  const place = makePlace();
  const acp = new AcpClient(place, { isHere: true, capabilities: { auth: { terminal: true } } });
  const { authMethods = [] } = await acp.initialize();
  const [login] = authMethods;
  expect(login).toMatchObject({ type: "terminal", id: "login-anthropic", args: ["--login", "anthropic"] });
  await acp.end();
  const wrong = await runHere(place, ["acp", "--login", "nonsense"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("Unknown provider nonsense")]);
});
