import { folderTools } from '../tests/support/folder-tools.js';
import 'reflect-metadata';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AlignmentReport, RelatedAdr } from '../src/application/knowledge/alignment-report.js';
import { CheckAlignmentHandler } from '../src/application/knowledge/check-alignment.js';
import { ProjectDecisions } from '../src/application/knowledge/project-decisions.js';
import { DocumentSearchIndex } from '../src/infrastructure/knowledge/document-search-index.js';
import { FileDocumentLibrary } from '../src/infrastructure/knowledge/file-document-library.js';
import { ImmediateTurns } from '../src/infrastructure/system/immediate-turns.js';
import { RecordingLogger } from '../src/testing/recording-logger.js';

/** A proposal with what somebody who knows the records says about it. */
export interface LabelledProposal {
  readonly text: string;
  readonly context?: string;
  readonly expected: 'conflict' | 'supports' | 'related';
  /** The record that is meant: its number, its file or its title. */
  readonly record?: string | number;
}

export interface AlignmentScore {
  readonly claimed: number;
  readonly right: number;
  readonly wanted: number;
  readonly precision: number;
  readonly recall: number;
  /** Of the conflicts, those whose record is among the first three. */
  readonly first: number;
  /** Conflicts that were called support. */
  readonly misled: number;
  /** Quotes that do not stand in the record or in the proposal. */
  readonly misquoted: number;
  readonly notes: readonly string[];
}

/** Asks about each proposal as the tool does. */
export async function scoreAlignment(
  folder: string,
  proposals: readonly LabelledProposal[],
): Promise<AlignmentScore> {
  const scratch = mkdtempSync(join(tmpdir(), 'castellan-alignment-'));
  cpSync(folder, join(scratch, 'adr'), { recursive: true });
  const category = { name: 'adr', dir: 'adr', patterns: ['**/*.md'], description: '', kind: 'adr' } as const;
  const tools = folderTools({ root: scratch, state: join(scratch, 'state') });
  const library = new FileDocumentLibrary(scratch, tools, new RecordingLogger());
  const turns = new ImmediateTurns();
  const search = new DocumentSearchIndex(library, [category], turns);
  const settings = {
    workspace: scratch,
    project: { name: 'score' },
    categories: [category],
    collections: {},
  };
  const handler = new CheckAlignmentHandler(search, new ProjectDecisions(library, settings, turns));
  const score = new Score(scratch);
  try {
    for (const proposal of proposals) {
      const { text, context } = proposal;
      const answer = await handler.handle({
        decision_description: text,
        ...(context !== undefined && { decision_context: context }),
      });
      if (answer.success) score.add(proposal, answer.value);
      else score.notes.push(`FAILED ${text}`);
    }
    return score.result();
  } finally {
    await library.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

class Score {
  readonly notes: string[] = [];
  #claimed = 0;
  #right = 0;
  #wanted = 0;
  #first = 0;
  #misled = 0;
  #misquoted = 0;

  constructor(private readonly root: string) {}

  add({ text, expected, record }: LabelledProposal, { related_adrs: found }: AlignmentReport): void {
    const conflicts = found.filter(({ alignment }) => alignment === 'conflicts');
    const meant = found.find((each) => isMeant(each, record));
    const isConflict = expected === 'conflict';
    const isHit = isConflict && meant?.alignment === 'conflicts';
    this.#claimed += conflicts.length;
    this.#right += isHit ? 1 : 0;
    this.#wanted += isConflict ? 1 : 0;
    for (const wrong of conflicts.filter((each) => !(isConflict && each === meant))) {
      this.notes.push(`WRONG "${text}" against ${wrong.adr_id}: ${wrong.quote}`);
    }
    if (isConflict && found.slice(0, 3).some((each) => each === meant)) this.#first += 1;
    if (isConflict && !isHit) this.#miss(text, record, meant);
    this.#misquoted += found.filter((each) => !this.#isVerbatim(each, text)).length;
  }

  #miss(text: string, record: string | number | undefined, meant: RelatedAdr | undefined): void {
    if (meant?.alignment === 'supports') this.#misled += 1;
    this.notes.push(`MISSED "${text}" against ${record}: ${meant?.alignment ?? 'not shown'}`);
  }

  #isVerbatim({ quote, proposal_quote, uri }: RelatedAdr, text: string): boolean {
    const file = fileOf(join(this.root, 'adr'), uri);
    const isQuoted = file === undefined || readFileSync(file, 'utf8').includes(quote);
    const said = text.replace(/\s/g, ' ');
    return isQuoted && (proposal_quote === undefined || said.includes(proposal_quote));
  }

  result(): AlignmentScore {
    return {
      claimed: this.#claimed,
      right: this.#right,
      wanted: this.#wanted,
      precision: this.#claimed === 0 ? 1 : this.#right / this.#claimed,
      recall: this.#wanted === 0 ? 1 : this.#right / this.#wanted,
      first: this.#wanted === 0 ? 1 : this.#first / this.#wanted,
      misled: this.#misled,
      misquoted: this.#misquoted,
      notes: this.notes,
    };
  }
}

/** Only where the address is the file's name; numbered records are looked at by the tests. */
function fileOf(folder: string, uri: string): string | undefined {
  const file = join(folder, `${decodeURIComponent(uri.replace(/^architecture:\/\/adr\//, ''))}.md`);
  return existsSync(file) ? file : undefined;
}

function isMeant({ uri, adr_id: id, title }: RelatedAdr, record: LabelledProposal['record']): boolean {
  if (record === undefined) return false;
  const wanted = String(record).toLowerCase().replace(/\.md$/, '');
  const digits = /\d+/.exec(wanted)?.[0];
  const own = /\d+/.exec(id)?.[0];
  if (digits !== undefined && own !== undefined) return Number(digits) === Number(own);
  return decodeURIComponent(uri).toLowerCase().endsWith(wanted) || title.toLowerCase() === wanted;
}

/** `npx tsx bench/alignment-score.ts SET.json`, with SET.json {records: FOLDER, proposals: [...]}. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = resolve(process.argv[2] ?? '');
  const set: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isSet(set))
    throw new Error(`${file} must be {records: FOLDER, proposals: [{text, expected, record}]}.`);
  const { notes, ...figures } = await scoreAlignment(resolve(dirname(file), set.records), set.proposals);
  process.stdout.write(`${notes.join('\n')}\n${JSON.stringify(figures, undefined, 1)}\n`);
}

function isSet(value: unknown): value is { records: string; proposals: LabelledProposal[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'records') === 'string' &&
    Array.isArray(Reflect.get(value, 'proposals'))
  );
}
