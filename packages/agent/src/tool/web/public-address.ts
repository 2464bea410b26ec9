/** Tells addresses of the public internet from those of private networks and this machine. */
import { BlockList, isIP } from "node:net";

const CLOSED: Readonly<Record<"loopback" | "other", readonly (readonly [string, number])[]>> = {
  loopback: [
    ["127.0.0.0", 8],
    ["::1", 128],
  ],
  other: [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 3],
    // Azure's own services.
    ["168.63.129.16", 32],
    // Only 2000::/3 is public in IPv6.
    ["::", 3],
    ["4000::", 2],
    ["8000::", 1],
    ["2001::", 23],
    ["2001:db8::", 32],
    ["3fff::", 20],
  ],
};

/** One list per family: in a shared list, IPv4 addresses would match IPv6 ranges. */
type Lists = Readonly<Record<"ipv4" | "ipv6", BlockList>>;

function listsOf(ranges: readonly (readonly [string, number])[]): Lists {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const [address, bits] of ranges) lists[familyOf(address)].addSubnet(address, bits, familyOf(address));
  return lists;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** Made on first use: Node takes milliseconds to make them. */
let made: Readonly<Record<keyof typeof CLOSED, Lists>> | undefined;

function closedLists() {
  made ??= { loopback: listsOf(CLOSED.loopback), other: listsOf(CLOSED.other) };
  return made;
}

/** Loopback is separate, because tests may allow it; private addresses are never fetched. */
export function addressKind(address: string): "public" | "loopback" | "private" {
  const carried = carriedIpv4(address);
  if (carried !== undefined) return addressKind(carried);
  const family = familyOf(address);
  if (isIP(address) === 0) return "private";
  const { loopback, other } = closedLists();
  if (loopback[family].check(address, family)) return "loopback";
  return other[family].check(address, family) ? "private" : "public";
}

/** The IPv4 address embedded in an IPv6 address: mapped, translated (NAT64), or 6to4. */
function carriedIpv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const words = wordsOf(address);
  if (words === undefined) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = words;
  if (a === 0x2002) return ipv4Of(b, c);
  const isZero = a === 0 && b === 0 && c === 0 && d === 0;
  if (isZero && ((e === 0 && f === 0xffff) || (e === 0xffff && f === 0))) return ipv4Of(g, h);
  return a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0 ? ipv4Of(g, h) : undefined;
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The eight words of an IPv6 address. `URL` normalizes it first. */
function wordsOf(address: string): readonly number[] | undefined {
  const host = URL.canParse(`http://[${address}]/`) ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : undefined;
  if (host === undefined) return undefined;
  const [head = "", tail] = host.split("::");
  const part = (text: string) => (text === "" ? [] : text.split(":").map((word) => Number.parseInt(word, 16)));
  if (tail === undefined) return part(head);
  const [before, after] = [part(head), part(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}
