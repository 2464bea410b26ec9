/** Sessions in a browser: the page of an HTML export. */
export { type HtmlPage, type HtmlPageRequest, htmlPage } from "./html-page.js";
