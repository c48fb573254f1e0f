/**
 * `npm run soak -- --minutes N`: mixed calls, drops and reconnects over three instances on one Redis. Prints what they
 * hold, judges whether it is flat after a warm-up, and draws docs/soak.svg with `--picture`. Build first.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { judgeFlatness } from './soak/flatness.js';
import { soakPicture } from './soak/picture.js';
import { runSoak } from './soak/run-soak.js';

const CLIENTS = 12;
const READINGS = 60;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    picture: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes must be a number above 0.');

console.log(
  '| minute | MiB in use of each instance | MiB resident | descriptors | keys in Redis | MiB in Redis |',
);
console.log('| --- | --- | --- | --- | --- | --- |');
const { readings, count } = await runSoak({
  minutes,
  clients: CLIENTS,
  readings: READINGS,
  onReading: ({ minute, heap, resident, descriptors, keys, redis }) => {
    const lists = [heap, resident, descriptors].map((list) => list.join(' '));
    console.log(`| ${[minute, ...lists, keys, redis].join(' | ')} |`);
  },
});
const verdicts = judgeFlatness(readings);
for (const { title, line, before, after, flat } of verdicts)
  console.log(`- ${flat ? 'FLAT' : 'NOT FLAT'} ${title}, line ${line + 1}: ${before} before, ${after} after`);
const { calls, sessions, drops, faults } = count;
const caption = `${minutes} minutes, ${calls} calls in ${sessions} sessions, ${drops} drops, ${faults.length} faults`;
console.log(caption);
for (const fault of faults.slice(0, 5)) console.log(fault);
if (values.picture)
  writeFileSync(resolve(import.meta.dirname, '../docs/soak.svg'), soakPicture(readings, caption));
process.exit(faults.length === 0 && verdicts.every(({ flat }) => flat) ? 0 : 1);
