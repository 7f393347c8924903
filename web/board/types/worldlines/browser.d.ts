// The package as the modules of the page name it. The build takes it from the folder `package`.

export * from '../../../package/js/index.js';
export { default } from '../../../package/js/index.js';
