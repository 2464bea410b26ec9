/** `bough --mode rpc`: JSON lines on standard input and output. */
import type { AgentWish } from "../cli-options.js";
import { readLines } from "../read-lines.js";
import type { ModeParts } from "../run-print.js";
import { startAgent } from "../start-agent.js";
import { StoppableWork } from "../stoppable-work.js";
import { ClientQuestions } from "./client-questions.js";
import { RpcServer } from "./rpc-server.js";
import { rpcWorld } from "./rpc-world.js";

/** Serves until the client closes its end; that stops what is running, closes the session, and is no failure. */
export async function runRpc(wish: AgentWish, { version, interruption }: ModeParts): Promise<number> {
  const send = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);
  const questions = new ClientQuestions({ send });
  const started = await startAgent(wish, {
    ui: (relay) => questions.ui((message, level = "info") => relay.notice(level, message)),
    hasUi: true,
    ask: questions.permission,
    version,
  });
  send({ event: started.header });
  started.listen((event) => send({ event }));
  // Lines are read meanwhile: an extension may ask something when it hears that the session begins.
  const ready = started.begin();
  const work = new StoppableWork();
  const context = { started, questions, work, world: rpcWorld(started, work) };
  const server = new RpcServer({ context, ready, send });
  interruption.onEnd(async () => {
    questions.leave();
    work.stop();
    await started.close();
    await server.settled();
  });
  for await (const line of readLines(process.stdin)) server.handle(line);
  return 0;
}
