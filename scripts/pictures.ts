/** Writes docs/pictures from their descriptions; with --check only says which are stale. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { drawPicture } from './pictures/picture.js';
import { PICTURES } from './pictures/pictures.js';

const folder = resolve(import.meta.dirname, '../docs/pictures');
mkdirSync(folder, { recursive: true });
for (const [name, picture] of Object.entries(PICTURES)) {
  const file = join(folder, `${name}.svg`);
  const drawn = drawPicture(picture);
  if (!process.argv.includes('--check')) writeFileSync(file, drawn);
  else if (readFileSync(file, 'utf8') !== drawn) {
    console.error(`${name}.svg is stale. Run \`npm run reference\` and commit the result.`);
    process.exitCode = 1;
  }
}
