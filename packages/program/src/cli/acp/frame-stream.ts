/** Frames of the protocol over pipes: one JSON object per line, read by the reader that RPC uses. */
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk/unstable";
import { parsedJson } from "@bough/session/text/index.js";
import type { ProtocolOutput } from "../output/protocol-output.js";
import { type ReadLine, readLines } from "../read-lines.js";
import { PROTOCOL_ERRORS } from "./acp-error.js";
import { frameUpdate } from "./update/frame-updates.js";

interface Pipes {
  readonly input: AsyncIterable<Buffer>;
  readonly output: ProtocolOutput;
}

/**
 * An invalid line gets an error response, and reading continues. Frames are read only while the client reads too. Ends
 * when the client closes its end.
 */
export function frameStream({ input, output }: Pipes): Stream {
  const encode = (message: object): string => `${JSON.stringify(message)}\n`;
  const write = (message: object): void => {
    const update = frameUpdate(message);
    if (update === undefined) output.send(encode(message));
    else output.update(update, encode);
  };
  const lines = readLines(input);
  return {
    readable: new ReadableStream<AnyMessage>({
      async pull(controller) {
        for (;;) {
          await output.ready();
          const { value, done } = await lines.next();
          if (done === true) return controller.close();
          if (value.kind === "line" && value.text.trim() === "") continue;
          const frame = frameIn(value);
          if (frame.kind === "frame") return controller.enqueue(frame.message);
          write({ jsonrpc: "2.0", id: null, error: { code: PROTOCOL_ERRORS.parse, message: frame.message } });
        }
      },
    }),
    writable: new WritableStream<AnyMessage>({ write }),
  };
}

type Frame =
  | { readonly kind: "frame"; readonly message: AnyMessage }
  | { readonly kind: "bad"; readonly message: string };

/** Valid JSON is passed on: the connection validates it and reports errors. */
function frameIn(line: ReadLine): Frame {
  if (line.kind === "too-long") return { kind: "bad", message: "The frame is too long" };
  const value = parsedJson(line.text);
  if (value === undefined) return { kind: "bad", message: "The frame is not JSON" };
  return { kind: "frame", message: value as AnyMessage };
}
