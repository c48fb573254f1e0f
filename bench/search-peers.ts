import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SubjectResult } from './bench-suite.js';
import { seededRandom } from './generated-documents.js';
import type { KnowledgeCorpus } from './knowledge-corpus.js';
import { peerFile } from './own-subjects.js';
import { installPeer } from './peer-packages.js';

const LIBRARIES = [
  { key: 'minisearch', title: 'minisearch', spec: 'minisearch@7.2.0' },
  { key: 'flexsearch', title: 'flexsearch', spec: 'flexsearch@0.8.212' },
];
const DRAWS = 2000;
const SEED = 41;

/** The same queries put to search libraries, and by how much castellan is ahead of each. */
export function searchPeers(
  corpus: KnowledgeCorpus,
  ranks: readonly number[],
  scratch: string,
): readonly SubjectResult[] {
  const queries = join(scratch, 'knowledge-queries.json');
  writeFileSync(queries, JSON.stringify(corpus.queries));
  return LIBRARIES.flatMap((library): readonly SubjectResult[] => {
    const { title: subject } = library;
    const modules = installPeer(library, scratch, console.error);
    if (modules === undefined) return [];
    const args = [peerFile('search-ranks.mjs'), subject, modules, corpus.folder, queries];
    const answer: unknown = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    if (!isNumbers(answer)) return [{ subject, samples: [], failure: 'its ranks are no numbers' }];
    const [low, high] = pairedInterval(ranks.map((rank, index) => rank - (answer[index] ?? 0)));
    return [{ subject, samples: [{ ...meansByKind(corpus, answer), aheadLow: low, aheadHigh: high }] }];
  });
}

export function meansByKind({ queries }: KnowledgeCorpus, ranks: readonly number[]): Record<string, number> {
  const byKind = new Map<string, number[]>([['all', [...ranks]]]);
  for (const [index, { kind }] of queries.entries()) {
    byKind.set(kind, [...(byKind.get(kind) ?? []), ranks[index] ?? 0]);
  }
  return Object.fromEntries([...byKind].map(([kind, values]) => [kind, mean(values)]));
}

/** Between these lies the mean difference, with 95 %: the queries are drawn again and again. */
export function pairedInterval(differences: readonly number[]): readonly [number, number] {
  const random = seededRandom(SEED);
  const means = Array.from({ length: DRAWS }, () =>
    mean(differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0)),
  ).sort((a, b) => a - b);
  return [means[Math.floor(DRAWS * 0.025)] ?? 0, means[Math.ceil(DRAWS * 0.975) - 1] ?? 0];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number');
}
