import fc from "fast-check";
import { expect, it } from "vitest";
import { PlaceCounts } from "../tree-search.js";

it("counts what was added in a stretch, however it was added", () => {
  const place = fc.nat({ max: 40 });
  fc.assert(
    fc.property(fc.array(place), place, place, (places, from, to) => {
      const counts = new PlaceCounts(41);
      for (const at of places) counts.add(at);
      const [first, last] = [Math.min(from, to), Math.max(from, to)];
      expect(counts.between(first, last)).toBe(places.filter((at) => at >= first && at < last).length);
    }),
  );
});
