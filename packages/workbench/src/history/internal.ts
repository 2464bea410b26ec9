/** For other rooms: where the sessions are. */
export {
  findSources,
  type OnClosed,
  ownSources,
  type Source,
  type SourcePlaces,
  sourceKey,
  tailHash,
} from "./store/source.js";
