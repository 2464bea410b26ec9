// Starts two sub-agents on a session file, one of them in the background, and kills its own process without warning once
// the first is in the middle of a tool and the second in the middle of an answer.
import { createAgentSession, createTools } from "../../dist/agent/index.js";
import { scriptedModel } from "../../dist/agent/testing.js";
import { SessionManager } from "../../dist/session/index.js";

const [file, cwd] = process.argv.slice(2);
const session = SessionManager.open(file);
const reached = new Set();
const die = (who) => {
  reached.add(who);
  if (reached.size === 2) process.kill(process.pid, "SIGKILL");
};
const answer = ({ messages }) => {
  const text = JSON.stringify(messages);
  if (text.includes("dig here")) return { text: "Digging.", calls: [{ name: "stay", id: "call-stay" }] };
  if (text.includes("dream")) {
    setTimeout(() => die("dream"), 50);
    return { text: "half a dream", hang: true };
  }
  return {
    text: "Sending both.",
    calls: [
      { name: "spawn", id: "call-dream", arguments: { task: "dream", background: true } },
      { name: "spawn", id: "call-dig", arguments: { task: "dig here", description: "Dig" } },
    ],
  };
};
const stay = {
  ...createTools()[0],
  name: "stay",
  description: "Waits.",
  parameters: { type: "object", properties: {} },
  check: (value) => ({ ok: true, value }),
  execute: () => new Promise(() => setTimeout(() => die("dig"), 50)),
};
const agent = await createAgentSession({
  session,
  cwd,
  model: scriptedModel(Array.from({ length: 20 }, () => answer)),
  tools: [...createTools({ spawn: {} }).filter(({ name }) => name === "spawn"), stay],
});
await agent.prompt("go");
