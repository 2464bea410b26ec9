// Runs commands in the sandbox until it is killed, three at a time: node killed-sandbox.mjs <root> <home> <commands as JSON>.
// Prints a line for each command that has ended, with its output. With `once` as the last argument, it runs each of them once.
import { createTools, openSandbox } from "../../dist/tool/index.js";

const [root, home, given, times] = process.argv.slice(2);
const commands = JSON.parse(given);
const sandbox = openSandbox({ cwd: root, home, allowHost: async () => false });
const state = await sandbox.ready();
if (state.kind !== "on") throw new Error(`${state.reason}. ${state.fix}`);
const bash = createTools({ bash: { sandbox } }).find(({ name }) => name === "bash");
const context = () => ({
  cwd: root,
  outputDir: home,
  callId: "call",
  signal: new AbortController().signal,
  permit: async () => ({ allowed: true }),
  onUpdate: () => undefined,
});
console.log(JSON.stringify("on"));
const run = async (at) => {
  const { content } = await bash.execute({ command: commands[at % commands.length] }, context());
  console.log(JSON.stringify({ at: at % commands.length, output: content[0].text }));
};
if (times === "once") {
  for (const at of commands.keys()) await run(at);
  await sandbox.close();
} else {
  const worker = async (from) => {
    for (let at = from; ; at += 3) await run(at);
  };
  await Promise.all([0, 1, 2].map(worker));
}
