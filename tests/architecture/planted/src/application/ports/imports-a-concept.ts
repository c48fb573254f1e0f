export { run } from '../tool/run.js';
