/**
 * Whether anything accepts connections there. A bare socket: `fetch` takes longer to load than a connection to this
 * machine takes to be refused, which is what happens nearly always.
 */
export async function isListening(origin: string, signal: AbortSignal): Promise<boolean> {
  const { connect } = await import("node:net");
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port === "" ? 80 : port) });
    const end = (answer: boolean) => {
      signal.removeEventListener("abort", stop);
      socket.destroy();
      resolve(answer);
    };
    const stop = () => end(false);
    socket.once("connect", () => end(true));
    socket.once("error", stop);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}
