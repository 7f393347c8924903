// The package as the page sees it: the build puts it beside the page, as `worldlines/`.

export * from '../../../package/js/index.js';
export { default } from '../../../package/js/index.js';
