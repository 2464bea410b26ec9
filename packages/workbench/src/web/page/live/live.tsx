/** Starts the page of `bough serve`: home, a session, or usage, by the address. */
import "../style/page.css";
import "../style/live.css";
import { render } from "preact";
import { readTheme, showTheme } from "../state/theme.js";
import { Home } from "./home.js";
import { Refused, type StreamState, takeSecret } from "./live-api.js";
import { showSession } from "./session-view.js";
import { UsagePage } from "./usage-page.js";

const STATES: Readonly<Record<StreamState, string>> = {
  live: "live",
  waiting: "reconnecting…",
  gone: "ended: the session or the server is gone",
};

start();

function start(): void {
  const root = document.getElementById("bough");
  if (root === null) return;
  showTheme(readTheme());
  document.documentElement.classList.add("live");
  const bar = document.createElement("nav");
  bar.className = "live-bar";
  bar.setAttribute("aria-label", "Bough");
  document.body.prepend(bar);
  const query = new URLSearchParams(location.search);
  const key = query.get("s");
  const place = key !== null ? "session" : query.has("usage") ? "usage" : "home";
  let title = place === "usage" ? "Tokens and cost" : "Sessions";
  let state: StreamState | undefined;
  const draw = (): void => {
    document.title = `${title} · Bough`;
    render(<Bar place={place} state={state} />, bar);
  };
  if (takeSecret() === undefined) {
    draw();
    render(<Locked />, root);
    return;
  }
  draw();
  if (key === null) {
    render(place === "usage" ? <UsagePage /> : <Home />, root);
    return;
  }
  showSession({
    key,
    root,
    onTitle: (given) => {
      title = given;
      draw();
    },
    onState: (given) => {
      state = given;
      draw();
    },
  }).catch((error: unknown) => {
    render(error instanceof Refused && error.status === 401 ? <Locked /> : <Failed error={error} />, root);
  });
}

function Bar({ place, state }: { readonly place: string; readonly state: StreamState | undefined }) {
  return (
    <>
      <a href="/" aria-current={place === "home" ? "page" : undefined}>
        Sessions
      </a>
      <a href="/?usage" aria-current={place === "usage" ? "page" : undefined}>
        Usage
      </a>
      <span class={`stream ${state ?? ""}`} role="status">
        {state === undefined ? "" : `${state === "live" ? "● " : "○ "}${STATES[state]}`}
      </span>
    </>
  );
}

function Locked() {
  return (
    <main class="home">
      <h1>Open the link</h1>
      <p>
        This page needs the link that <code>bough serve</code> printed: it ends in a secret that only this tab keeps.
      </p>
    </main>
  );
}

function Failed({ error }: { readonly error: unknown }) {
  return (
    <main class="home">
      <h1>Not shown</h1>
      <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
      <p>
        <a href="/">All sessions</a>
      </p>
    </main>
  );
}
