import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { protectedReason } from "./protected-places.js";

describe("an attempt in its folder", () => {
  test("may change files of its copy, but not the record beside it, other attempts or what Bough loads", () => {
    const home = "/home/someone/.bough";
    const place = join(home, "attempts/0123456789ab");
    const work = { cwd: join(place, "project/packages"), home };
    const isProtected = (path: string) => protectedReason(path, work) !== undefined;
    const paths = {
      [join(place, "project/a.txt")]: false,
      [join(place, "project/packages/record.json")]: false,
      [join(place, "project/.git/config")]: true,
      [join(place, "project/.bough/settings.json")]: true,
      [join(place, "record.json")]: true,
      [join(home, "attempts/0123456789ac/project/a.txt")]: true,
      [join(home, "settings.json")]: true,
    };
    expect(Object.fromEntries(Object.keys(paths).map((path) => [path, isProtected(path)]))).toEqual(paths);
  });
});
