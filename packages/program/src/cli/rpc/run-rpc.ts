/** `bough --mode rpc`: JSON lines on standard input and output. */
import { inSlices } from "@bough/session/log/index.js";
import { type AgentRequest, refusePrompt } from "../cli-options.js";
import { eventUpdate, within } from "../output/event-updates.js";
import type { ModeParts } from "../run-print.js";
import { prepareAgent } from "../start/prepare-agent.js";
import { openAgent } from "../start/start-agent.js";
import { ClientQuestions } from "./client-questions.js";
import { isSurelyTooLong, longSendable, sendable } from "./line-limit.js";
import { PROTOCOL_VERSION } from "./protocol.js";
import type { RpcService } from "./serve-rpc.js";
import { tellStoreEvents } from "./store-events.js";

/** Serves until the client closes its end; then stops what is running and closes the session. That is not a failure. */
export async function runRpc(request: AgentRequest, { version, interruption }: ModeParts): Promise<number> {
  const output = await interruption.takeOutput();
  const write = (text: string) => output.send(`${text}\n`);
  const encode = (line: object) => `${sendable(line)}\n`;
  const send = (line: object) => write(sendable(line));
  const tell = (event: object) => {
    const update = within("event", eventUpdate(event), (inner) => ({ event: inner }));
    if (update === undefined) send({ event });
    else output.update(update, encode);
  };
  const answer = (line: object) =>
    isSurelyTooLong(line) ? inSlices(longSendable(line)).then(write) : write(sendable(line));
  const questions = new ClientQuestions({ send });
  const prepared = await prepareAgent(request, {
    ui: (relay) => questions.ui((message, level = "info") => relay.notice(level, message)),
    hasUi: true,
    mode: "rpc",
    ask: questions.permission,
    syncs: true,
    version,
  });
  refusePrompt(prepared.prompt ?? "");
  const started = await openAgent(prepared);
  tell({ ...started.header, protocol: PROTOCOL_VERSION });
  started.listen(tell);
  tellStoreEvents(started.parts.sync, tell);
  // Lines are read in the meantime, because an extension may ask something when the session starts.
  const ready = started.begin();
  // The caller that awaits this gets the failure; until then it must not end the process.
  ready.catch(() => {});
  let service: RpcService | undefined;
  interruption.onEnd(async () => {
    questions.leave();
    await (service?.stop() ?? started.close());
  });
  const { rpcService } = await import("./serve-rpc.js");
  service = rpcService({ started, questions, ready, answer, tell, whenRead: () => output.ready() });
  await Promise.race([service.serve(), started.parts.ended]);
  return 0;
}
