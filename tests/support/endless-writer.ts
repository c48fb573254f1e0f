import { Result } from '../../src/domain/result.js';
import { GuardedFileSystem } from '../../src/infrastructure/file/guarded-file-system.js';

/** A process that writes and edits until it is killed: argv is state folder, file, size. */
const [state = '', file = '', size = '0'] = process.argv.slice(2);
const files = new GuardedFileSystem(state);
const guard = { mayRead: () => true, mayWrite: () => true };
const access = { guard, signal: new AbortController().signal };
const content = (letter: string) => Buffer.alloc(Number(size), letter);

process.stdout.write('ready\n');
for (let round = 0; ; round += 1) {
  const letter = String.fromCharCode(97 + (round % 26));
  if (round % 2 === 0) await files.write(file, content(letter), { mode: 'overwrite' }, access);
  else await files.update(file, { maxBytes: 1e9 }, async () => Result.ok(content(letter)), access);
}
