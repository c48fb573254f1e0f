import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelledProposal } from './labelled-proposals.js';

/** Decisions and proposals that were written before the code was tried on them, one file a domain. */
export interface AlignmentSet {
  readonly name: string;
  readonly decisions: Readonly<Record<string, string>>;
  readonly proposals: readonly LabelledProposal[];
}

const SETS = [
  'clinic',
  'warehouse',
  'bank',
  'shop',
  'travel',
  'city',
  'studio',
  'saas',
  'campus',
  'fleet',
  'platform',
  'language',
  'publishing',
  'firmware',
  'nodes',
  'library',
  'research',
  'compiler',
  'game',
  'home',
  'freight',
];

export const ALIGNMENT_SETS: readonly AlignmentSet[] = SETS.map((name) => {
  const text = readFileSync(join(import.meta.dirname, 'alignment-sets', `${name}.txt`), 'utf8');
  const parts = text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      return [title, lines.join('\n')] as const;
    });
  return {
    name,
    decisions: Object.fromEntries(parts.filter(([title]) => title !== 'proposals')),
    proposals: parts.filter(([title]) => title === 'proposals').flatMap(([, lines]) => proposalsIn(lines)),
  };
});

function proposalsIn(lines: string): readonly LabelledProposal[] {
  return [...lines.matchAll(/^- \[([\d, ]*)\] (.+)$/gm)].map(([, numbers = '', text = '']) => ({
    text,
    conflicts: numbers
      .split(',')
      .filter((number) => number.trim() !== '')
      .map(Number),
  }));
}
