import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { LibraryDocument } from '../src/application/ports/knowledge/document-library.js';
import { DocumentSearchIndex } from '../src/infrastructure/knowledge/document-search-index.js';
import { FileDocumentLibrary } from '../src/infrastructure/knowledge/file-document-library.js';
import { ImmediateTurns } from '../src/infrastructure/system/immediate-turns.js';
import { RecordingLogger } from '../src/testing/recording-logger.js';
import { folderTools } from '../tests/support/folder-tools.js';
import { generateDocuments, questionFrom, seededRandom } from './generated-documents.js';

export const LONG_DOCUMENTS = 700;
export const LONG_CHARACTERS = 40_000;
const WORDS = 6000;
const ASKED = 300;
const SEED = 37;
const LEAST_SENTENCE = 60;

/**
 * Asks by half of the words of a sentence and looks whether the hit is the section it stands in. Undefined if no
 * question could be asked: a share of nothing is not zero.
 */
export async function sectionAccuracy(
  search: DocumentSearchIndex,
  library: FileDocumentLibrary,
  documents: readonly LibraryDocument[],
): Promise<number | undefined> {
  const random = seededRandom(SEED);
  const step = Math.max(1, Math.floor(documents.length / ASKED));
  let found = 0;
  let right = 0;
  for (const document of documents.filter((_, index) => index % step === 0)) {
    const content = await library.read(document);
    if (!content.success) continue;
    const { text, outline } = content.value;
    const sections = outline.sections.filter(({ level, start, end }) => level > 1 && end - start > 200);
    const section = sections[Math.floor(random() * sections.length)];
    if (section === undefined) continue;
    const sentence = text
      .slice(section.start, section.end)
      .split(/\n{2,}|(?<=[.!?])\s+(?=\p{Lu})/u)
      .find((part) => part.length > LEAST_SENTENCE && /^\p{Lu}/u.test(part));
    if (sentence === undefined) continue;
    const { hits } = await search.search(questionFrom(sentence.replace(/\s+/g, ' '), random), {}, 1);
    const [hit] = hits;
    if (hit?.document.path !== document.path) continue;
    found += 1;
    if (hit.section?.line === section.line) right += 1;
  }
  return found === 0 ? undefined : right / found;
}

/** The longest turn of the event loop while long documents are indexed, by the clock and by CPU, in milliseconds. */
export async function longestTurn(
  scratch: string,
): Promise<{ readonly wait: number; readonly waitCpu: number }> {
  const workspace = join(scratch, 'long-documents');
  mkdirSync(join(workspace, 'docs'), { recursive: true });
  for (const { name, text } of generateDocuments(LONG_DOCUMENTS, WORDS)) {
    writeFileSync(join(workspace, 'docs', name), text.slice(0, LONG_CHARACTERS));
  }
  const category = {
    name: 'guidelines',
    dir: 'docs',
    patterns: ['**/*.md'],
    description: '',
    kind: 'guidelines',
  } as const;
  const tools = folderTools({ root: workspace, state: join(scratch, 'long-documents-state') });
  const library = new FileDocumentLibrary(workspace, tools, new RecordingLogger());
  const search = new DocumentSearchIndex(library, [category], new ImmediateTurns());
  let wait = 0;
  let waitCpu = 0;
  let last = performance.now();
  let lastCpu = process.cpuUsage();
  let isOver = false;
  const turn = () => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(lastCpu);
    wait = Math.max(wait, now - last);
    waitCpu = Math.max(waitCpu, (user + system) / 1000);
    last = now;
    lastCpu = process.cpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await search.search('warm', {}, 1);
    return { wait, waitCpu };
  } finally {
    isOver = true;
    await library.close();
  }
}
