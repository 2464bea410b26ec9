/** Why a request was not sent, was stopped at a redirect, failed at the proxy, or reached a web page. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  readonly reason: "redirect" | "proxy" | "clear-text" | "wrong-address";

  constructor(reason: NetworkError["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
