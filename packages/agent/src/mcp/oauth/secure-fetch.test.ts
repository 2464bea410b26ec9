import { expect, test } from "vitest";
import { requireAllowed, secureFetch } from "./secure-fetch.js";

const what = "The address";

test.each([
  "http://127.0.0.1:8080/authorize",
  "https://127.0.0.1/",
  "https://localhost/",
  "https://10.0.0.1/",
  "https://192.168.1.1/",
  "https://169.254.169.254/latest",
  "https://[::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://router/",
  "https://printer.local/",
  "https://metadata.google.internal/",
  "https://2130706433/",
])("a server on the internet cannot name %s for logging in", async (address) => {
  const url = "https://mcp.example.com/mcp";
  expect(() => requireAllowed(address, { what, url })).toThrow(/private network|not https/);
  const asked: unknown[] = [];
  const fetch = secureFetch(
    async (to) => {
      asked.push(to);
      return new Response("");
    },
    { url },
  );
  await expect(fetch(address)).rejects.toThrow(/private network|not https/);
  expect(asked).toEqual([]);
});

test("nor a name that resolves there", async () => {
  const lookup = async () => [{ address: "93.184.216.34" }, { address: "10.1.2.3" }];
  const fetch = secureFetch(async () => new Response(""), { url: "https://mcp.example.com/mcp", lookup });
  await expect(fetch("https://login.example.org/token")).rejects.toThrow("private network");
});

test("a public address is asked, and a server of one's own may name one in the same network", async () => {
  const lookup = async () => [{ address: "93.184.216.34" }];
  const fetch = secureFetch(async (to) => new Response(String(to)), { url: "https://mcp.example.com/mcp", lookup });
  expect(await (await fetch("https://login.example.org/token")).text()).toBe("https://login.example.org/token");
  for (const url of ["http://127.0.0.1:9/mcp", "https://10.0.0.5/mcp", "https://tools.corp/mcp"]) {
    expect(requireAllowed("https://10.0.0.1/authorize", { what, url }).hostname).toBe("10.0.0.1");
  }
});
