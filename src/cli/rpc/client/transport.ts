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

/** A transport of two web streams: of a socket, a pipe, or a worker in between. */
export function streamTransport(streams: {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}): RpcTransport {
  const writer = streams.writable.getWriter();
  const encoder = new TextEncoder();
  return {
    input: piecesOf(streams.readable),
    write: (text) => writer.write(encoder.encode(text)),
    close: () => writer.close(),
  };
}

/** Not every browser can loop over a stream itself. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
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
