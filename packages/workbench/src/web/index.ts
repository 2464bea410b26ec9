/** Sessions in a browser: the page of an HTML export. */
export { type HtmlPageRequest, htmlPage } from "./html-page.js";
