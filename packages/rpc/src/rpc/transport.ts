/** What carries the lines. Nothing in it needs Node. */

/** Where lines come from and go to: the two ends of a child process, of a socket, or of a stream in a page. */
export interface RpcTransport {
  /** What the program sends, in pieces of any size. */
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Sends text to the program. */
  write(text: string): void | Promise<void>;
  /** Ends the connection; resolves when the other side is gone. */
  close(): void | Promise<void>;
}

/**
 * A transport of two web streams: of a socket, a pipe, or a worker in between. `close` ends the writable one and waits
 * for the other side to end the readable one, for at most `patience` milliseconds (default 10,000); then both are let go.
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
    // A side that is gone, or never takes what was written, is not waited for.
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

/** Not every browser can loop over a stream itself. */
async function* piecesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** The lines of a stream of bytes or text, without their newlines. */
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
