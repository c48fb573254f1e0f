export { CastellanProvider } from './castellan-provider.js';
