import { existsSync, readFileSync } from 'node:fs';
import { LockedFile } from '../../src/infrastructure/state/locked-file.js';

/** Adds one to the number in a file as often as told, and says so after each. */
const [path = '', times = '0'] = process.argv.slice(2);
const file = new LockedFile(path);
for (let made = 0; made < Number(times); made += 1) {
  const changed = await file.change(async (replace) => {
    const count = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
    await replace(`${count + 1}`);
  });
  if (changed === undefined) throw new Error('The file was locked all the time.');
  process.stdout.write('.');
}
