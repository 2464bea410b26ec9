import { expect, test } from "vitest";
import { blockedInOutput } from "./blocked-in-output.js";

const plan = { cwd: "/work", writable: ["/work", "/tmp"], closed: [], hidden: [], sockets: [] };
const hostsIn = (output: string) => blockedInOutput(output, plan);
const host = (what: string) => ({ kind: "network", what, certain: false });

test.each([
  ["ssh: Could not resolve hostname github.com: Temporary failure in name resolution", "github.com"],
  ["fatal: unable to access 'https://git.example/a/': Could not resolve host: git.example", "git.example"],
  [
    'psql: error: could not translate host name "db.example.com" to address: Temporary failure in name resolution',
    "db.example.com",
  ],
  ["Error: getaddrinfo EAI_AGAIN api.example.com", "api.example.com"],
  ["ping: example.com: Name or service not known", "example.com"],
  ["ssh: connect to host 192.0.2.1 port 22: Network is unreachable", "192.0.2.1"],
])("a program that knows no proxy names the host it cannot reach: %s", (line, name) => {
  expect(hostsIn(`before\n${line}\nafter`)).toEqual([host(name)]);
});

test("each host once, and nothing for other mentions of hosts", () => {
  const twice = "ssh: Could not resolve hostname a.example: x\nssh: Could not resolve hostname a.example: x";
  expect(hostsIn(twice)).toEqual([host("a.example")]);
  expect(hostsIn("connected to a.example\nresolving host a.example\nunreachable: network")).toEqual([]);
});
