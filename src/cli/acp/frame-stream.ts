/** Frames of the protocol over pipes: one JSON object per line, read by the reader that RPC uses. */
import { once } from "node:events";
import type { Writable } from "node:stream";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk/unstable";
import { parsedJson } from "../../text/index.js";
import { type ReadLine, readLines } from "../read-lines.js";
import { PROTOCOL_ERRORS } from "./acp-error.js";

interface Pipes {
  readonly input: AsyncIterable<Buffer>;
  readonly output: Pick<Writable, "write" | "once" | "off">;
}

/** A line that is not a frame is answered, and the next one is read. Ends when the client closes its end. */
export function frameStream({ input, output }: Pipes): Stream {
  const write = async (message: unknown): Promise<void> => {
    const isFull = !output.write(`${JSON.stringify(message)}\n`);
    if (isFull) await once(output as Writable, "drain");
  };
  const lines = readLines(input);
  return {
    readable: new ReadableStream<AnyMessage>({
      async pull(controller) {
        for (;;) {
          const { value, done } = await lines.next();
          if (done === true) return controller.close();
          if (value.kind === "line" && value.text.trim() === "") continue;
          const frame = frameIn(value);
          if (frame.kind === "frame") return controller.enqueue(frame.message);
          await write({ jsonrpc: "2.0", id: null, error: { code: PROTOCOL_ERRORS.parse, message: frame.message } });
        }
      },
    }),
    writable: new WritableStream<AnyMessage>({ write }),
  };
}

type Frame =
  | { readonly kind: "frame"; readonly message: AnyMessage }
  | { readonly kind: "bad"; readonly message: string };

/** What is JSON goes on: the connection checks its form, and answers what has a wrong one. */
function frameIn(line: ReadLine): Frame {
  if (line.kind === "too-long") return { kind: "bad", message: "The frame is too long" };
  const value = parsedJson(line.text);
  if (value === undefined) return { kind: "bad", message: "The frame is not JSON" };
  return { kind: "frame", message: value as AnyMessage };
}
