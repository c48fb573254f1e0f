export { readForeignFile } from '../../../../../../src/infrastructure/state/foreign-file.js';
