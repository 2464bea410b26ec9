/** The connection that carries the lines. Does not need Node. */

/** The two ends of a connection: of a child process, a socket, or a stream in a web page. */
export interface RpcTransport {
  /** Output of the program, in chunks of any size. */
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Sends text to the program. */
  write(text: string): void | Promise<void>;
  /** Ends the connection; resolves when the other side has ended. */
  close(): void | Promise<void>;
}

/**
 * A transport over two web streams, for example of a socket, a pipe or a worker. `close` ends the writable stream and
 * waits up to `patience` milliseconds (default 10,000) for the other side to end the readable one; then it drops both.
 */
export function streamTransport(
  streams: { readonly readable: ReadableStream<Uint8Array>; readonly writable: WritableStream<Uint8Array> },
  { patience = 10_000 }: { readonly patience?: number } = {},
): RpcTransport {
  const writer = streams.writable.getWriter();
  const reader = streams.readable.getReader();
  const encoder = new TextEncoder();
  const close = async (): Promise<void> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    const ended = writer.close().then(() => reader.closed);
    // Do not wait for a side that has ended or never reads what was written.
    await Promise.race([ended, reader.closed, enough]).catch(() => {});
    clearTimeout(timer);
    await Promise.allSettled([reader.cancel(), writer.abort()]);
  };
  let closing: Promise<void> | undefined;
  return {
    input: piecesOf(reader),
    write: (text) => writer.write(encoder.encode(text)),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Reads chunk by chunk, because not every browser can iterate over a stream. */
async function* piecesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** The lines of a stream of bytes or text, without line breaks. */
export async function* linesIn(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const piece of input) {
    const text = typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      rest.push(text.slice(from, at));
      yield rest.join("");
      rest = [];
      from = at + 1;
    }
    rest.push(text.slice(from));
  }
  const last = rest.join("") + decoder.decode();
  if (last !== "") yield last;
}
