/** Style sheets are imported for their effect: the bundler puts them into the page. */
declare module "*.css";
