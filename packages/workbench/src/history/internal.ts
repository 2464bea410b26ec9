/** For other rooms: where the sessions are. */
export { searchHistory } from "./answer/search-history.js";
export {
  findSources,
  type OnClosed,
  type OpenedSource,
  openToRead,
  ownSources,
  type Source,
  type SourcePlaces,
  sourceKey,
  tailHash,
} from "./store/source.js";
export { parseQuery } from "./words/query.js";
