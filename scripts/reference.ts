/** Writes docs/reference from the code; with --check only says which pages are stale. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { referencePages } from './reference/pages.js';

const root = resolve(import.meta.dirname, '..');
const check = process.argv.includes('--check');
for (const [path, text] of await referencePages()) {
  const file = resolve(root, path);
  if (check) {
    if (readFileSync(file, 'utf8') === text) continue;
    console.error(`${path} is stale. Run \`npm run reference\` and commit the result.`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`${path} written.`);
  }
}
