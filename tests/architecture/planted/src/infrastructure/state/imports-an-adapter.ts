export { adapter } from '../flag/adapter.js';
