import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DocumentSearchIndex } from '../../src/infrastructure/knowledge/document-search-index.js';
import { FileDocumentLibrary } from '../../src/infrastructure/knowledge/file-document-library.js';
import { ImmediateTurns } from '../../src/infrastructure/system/immediate-turns.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';
import { folderTools } from '../../tests/support/folder-tools.js';
import { median } from '../bench-report.js';
import type { BenchContext, Goal, Sample, Suite } from '../bench-suite.js';
import { LONG_CHARACTERS, LONG_DOCUMENTS, longestTurn, sectionAccuracy } from '../knowledge-checks.js';
import { generateCorpus, type KnowledgeCorpus, readCorpus } from '../knowledge-corpus.js';
import { meansByKind, searchPeers } from '../search-peers.js';

const GENERATED = 10_000;
const RESULTS = 10;
const CHANGES = 5;

/** `knowledge FOLDER QUERIES` measures these documents; without arguments, generated ones. */
export const knowledgeSuite: Suite = {
  name: 'knowledge',
  run: async ({ args, scratch, isWithPeers }: BenchContext) => {
    const [folder, queries] = args;
    const corpus =
      folder !== undefined && queries !== undefined
        ? readCorpus(folder, queries)
        : generateCorpus(scratch, GENERATED);
    const { sample, ranks } = await measure(corpus, scratch);
    const turns = await longestTurn(scratch);
    const peers = isWithPeers ? searchPeers(corpus, ranks, scratch) : [];
    return {
      title: 'Knowledge search',
      conditions: `${corpus.name}, ${corpus.queries.length} queries, best ${RESULTS} with section and excerpt, in one process. Rank is the mean reciprocal rank at ${RESULTS}; memory is what the library and the index keep; section is how often the section is right from which a question was made, where its document was found; wait is the longest turn while ${LONG_DOCUMENTS} documents of ${LONG_CHARACTERS / 1000} KB are indexed: a call that comes in between waits so long. "ahead" is by how much castellan's rank is above a library's, the 95 % interval of the paired difference.`,
      baseline: 'castellan',
      metrics: [
        { id: 'title', title: 'titles', unit: 'rank' },
        { id: 'question', title: 'questions', unit: 'rank' },
        { id: 'typos', title: 'typos', unit: 'rank' },
        { id: 'all', title: 'all', unit: 'rank' },
        { id: 'section', title: 'section', unit: 'share' },
        { id: 'aheadLow', title: 'ahead, at least', unit: 'rank' },
        { id: 'aheadHigh', title: 'ahead, at most', unit: 'rank' },
        { id: 'documents', title: 'documents', unit: 'files' },
        { id: 'index', title: 'index once', unit: 's' },
        { id: 'indexCpu', title: 'index CPU', unit: 's' },
        { id: 'p50', title: 'query p50', unit: 'ms' },
        { id: 'p95', title: 'query p95', unit: 'ms' },
        { id: 'queryCpu', title: 'query CPU, mean', unit: 'ms' },
        { id: 'change', title: 'change found', unit: 'ms' },
        { id: 'memory', title: 'memory', unit: 'MB' },
        { id: 'wait', title: 'wait while indexing', unit: 'ms' },
        { id: 'waitCpu', title: 'CPU of that turn', unit: 'ms' },
      ],
      subjects: [{ subject: 'castellan', samples: [{ ...sample, ...turns }] }, ...peers],
      goals: GOALS,
    };
  },
};

const GOALS: readonly Goal[] = [
  { title: 'titles', metric: 'title', subject: 'castellan', atLeast: 0.95 },
  { title: 'questions', metric: 'question', subject: 'castellan', atLeast: 0.8 },
  { title: 'typos', metric: 'typos', subject: 'castellan', atLeast: 0.82 },
  { title: 'index once', metric: 'index', subject: 'castellan', atMost: 10 },
  { title: 'query p50', metric: 'p50', subject: 'castellan', atMost: 5 },
  { title: 'a call while indexing waits', metric: 'wait', subject: 'castellan', atMost: 50 },
  { title: 'ahead of minisearch', metric: 'aheadLow', subject: 'minisearch', atLeast: 0 },
  { title: 'ahead of flexsearch', metric: 'aheadLow', subject: 'flexsearch', atLeast: 0 },
  { title: 'a changed file is found', metric: 'change', subject: 'castellan', atMost: 1000 },
];

async function measure(
  corpus: KnowledgeCorpus,
  scratch: string,
): Promise<{ readonly sample: Sample; readonly ranks: readonly number[] }> {
  const workspace = join(scratch, 'knowledge');
  // A copy: a document is changed below, and the folder may be somebody's own.
  cpSync(corpus.folder, join(workspace, 'docs'), { recursive: true });
  mkdirSync(join(scratch, 'knowledge-state'), { recursive: true });
  const category = {
    name: 'guidelines',
    dir: 'docs',
    patterns: ['**/*.md'],
    description: '',
    kind: 'guidelines',
  } as const;
  const before = keptBytes();
  const library = new FileDocumentLibrary(
    workspace,
    folderTools({ root: workspace, state: join(scratch, 'knowledge-state') }),
    new RecordingLogger(),
  );
  const search = new DocumentSearchIndex(library, [category], new ImmediateTurns());
  try {
    const started = performance.now();
    const cpu = process.cpuUsage();
    await search.search('warm', {}, 1);
    const index = (performance.now() - started) / 1000;
    const used = process.cpuUsage(cpu);
    const listed = await library.list(category);
    const beforeQueries = process.cpuUsage();
    const { times, ranks } = await askAll(search, corpus);
    const queries = process.cpuUsage(beforeQueries);
    const memory = (keptBytes() - before) / 1_000_000;
    const change = await timeOfChange(search, join(workspace, 'docs'));
    const sorted = [...times].sort((a, b) => a - b);
    const section = await sectionAccuracy(search, library, listed.success ? listed.value : []);
    const sample = {
      ...meansByKind(corpus, ranks),
      ...(section !== undefined && { section }),
      documents: listed.success ? listed.value.length : 0,
      index,
      indexCpu: (used.user + used.system) / 1_000_000,
      p50: median(times) ?? 0,
      p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
      queryCpu: (queries.user + queries.system) / 1000 / times.length,
      change,
      memory,
    };
    return { sample, ranks };
  } finally {
    await library.close();
  }
}

async function askAll(search: DocumentSearchIndex, { queries }: KnowledgeCorpus) {
  const times: number[] = [];
  const ranks: number[] = [];
  for (const { query, answer } of queries) {
    const started = performance.now();
    const { hits } = await search.search(query, {}, RESULTS);
    times.push(performance.now() - started);
    const at = hits.findIndex(({ document }) => document.path === answer);
    ranks.push(at === -1 ? 0 : 1 / (at + 1));
  }
  return { times, ranks };
}

/** From a file being written to a search finding its new word; the median of several. */
async function timeOfChange(search: DocumentSearchIndex, folder: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < CHANGES; round += 1) {
    const word = `xylophonic${'abcdefgh'[round]}${'abcdefgh'[round]}qq`;
    const started = performance.now();
    writeFileSync(join(folder, `changed-${round % 2}.md`), `# Changed\n\n${word}\n`);
    while ((await search.search(word, {}, 1)).hits[0]?.excerpt !== word) {
      if (performance.now() - started > 30_000) return Number.POSITIVE_INFINITY;
      await sleep(5);
    }
    times.push(performance.now() - started);
  }
  return median(times) ?? Number.POSITIVE_INFINITY;
}

function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
