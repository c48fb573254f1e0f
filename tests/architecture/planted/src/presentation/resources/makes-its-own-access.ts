export { SafeFileSystem } from '../../../../../../src/application/ports/file/safe-file-system.js';
