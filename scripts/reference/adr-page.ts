import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageOf, table } from './markdown.js';

/** The index of the decision records: number, title and status of each. */
export function adrPage(folder: string): string {
  const rows = readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const [, number = '', title = ''] = /^# (\d+)\. (.*)$/m.exec(text) ?? [];
      const [, status = ''] = /^Status: (.*)$/m.exec(text) ?? [];
      return [number, `[${title}](${name})`, status];
    });
  return pageOf(
    'Decisions of this project',
    'One record per decision that somebody may question. A number that is missing was never used.',
    [table(['number', 'decision', 'status'], rows)],
  );
}
