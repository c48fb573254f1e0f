/** A room that is too full hides the architecture: no folder of src over 25 files, no file over 250 lines. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const MOST_FILES = 25;
const MOST_LINES = 250;
const LONGEST_MEDIAN = 90;

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../src'));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, lines: readFileSync(join(root, name), 'utf8').split('\n').length - 1 }));

const folders = new Map<string, number>();
for (const { name } of files) folders.set(dirname(name), (folders.get(dirname(name)) ?? 0) + 1);
const sorted = files.map(({ lines }) => lines).sort((one, other) => one - other);
const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
const total = sorted.reduce((sum, lines) => sum + lines, 0);

const problems = [
  ...[...folders]
    .filter(([, count]) => count > MOST_FILES)
    .map(
      ([folder, count]) => `${folder} has ${count} files; give it sub-folders, ${MOST_FILES} is the most.`,
    ),
  ...files
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ name, lines }) => `${name} has ${lines} lines; split it, ${MOST_LINES} is the most.`),
  ...(median > LONGEST_MEDIAN ? [`The median file has ${median} lines; ${LONGEST_MEDIAN} is the most.`] : []),
];
for (const problem of problems) console.error(problem);
console.log(
  `${files.length} files, ${total} lines, median ${median}, fullest folder ${Math.max(...folders.values())}`,
);
process.exitCode = problems.length > 0 || files.length === 0 ? 1 : 0;
