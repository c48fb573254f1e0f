import { setImmediate as turn } from 'node:timers/promises';
import { parseFlagName } from '../../src/domain/flag/flag.js';
import { FileFlagStore } from '../../src/infrastructure/flag/file-flag-store.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';

// Sets one flag to 1, 2, 3 … beside a long one, and prints each number once its write has succeeded.
const [project = '', global = ''] = process.argv.slice(2);
const store = new FileFlagStore({ project, global }, new RecordingLogger());
const count = parseFlagName('count');
const filler = parseFlagName('filler');
if (!count.success || !filler.success) throw new Error('these are names');

const before = await store.all('project');
let number = before.success ? Number(before.value.get('count') ?? 0) : 0;
process.stdout.write('ready\n');
for (;;) {
  number += 1;
  const written = await store.set('project', count.value, String(number));
  const long = await store.set('project', filler.value, String(number).padStart(20_000, '.'));
  if (!written.success || !long.success) process.exit(2);
  process.stdout.write(`${number}\n`);
  await turn();
}
