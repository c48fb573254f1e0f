import { AdrGraph, type AdrProblem } from '../../domain/knowledge/adr/adr-graph.js';
import { type AdrPosition, inheriting, positionOf } from '../../domain/knowledge/adr/adr-position.js';
import { type AdrRecord, parseAdr } from '../../domain/knowledge/adr/adr-record.js';
import type { AdrStatus } from '../../domain/knowledge/adr/adr-status.js';
import { documentName } from '../../domain/knowledge/document/document-title.js';
import type { DocumentContent } from '../ports/knowledge/document-library.js';
import type { Turns } from '../ports/system/turns.js';

/** A document that may be an ADR. */
export interface RecordDocument {
  readonly uri: string;
  readonly path: string;
  /** Numbers are unique and links are followed within one log. */
  readonly log: string;
  readonly content: DocumentContent;
}

/** Parsed ADRs and the links between them. */
export interface UnderstoodRecords {
  readonly positions: ReadonlyMap<string, AdrPosition>;
  readonly problems: readonly AdrProblem[];
  statusOf(record: AdrRecord): AdrStatus;
  headsOf(record: AdrRecord): readonly AdrRecord[];
}

/** Parses ADRs, each once as long as its text stays the same. */
export class DecisionRecords {
  readonly #known = new WeakMap<DocumentContent, AdrPosition>();

  constructor(private readonly turns: Turns) {}

  async understand(documents: readonly RecordDocument[]): Promise<UnderstoodRecords> {
    const logs = new Map<string, AdrPosition[]>();
    for (const document of documents.filter(isRecord)) {
      const positions = logs.get(document.log) ?? [];
      positions.push(await this.#position(document));
      logs.set(document.log, positions);
    }
    const graphs = new Map([...logs].flatMap(([, positions]) => graphOf(positions)));
    const graphFor = (record: AdrRecord) => graphs.get(record);
    const all = [...logs.values()].flat();
    const positions = all.map((position) => withInheritance(position, all, graphs));
    return {
      positions: new Map(positions.map((position) => [position.record.source.uri, position])),
      problems: [...new Set(graphs.values())].flatMap((graph) => graph.problems),
      statusOf: (record) => graphFor(record)?.statusOf(record) ?? record.status,
      headsOf: (record) => graphFor(record)?.headsOf(record) ?? [],
    };
  }

  async #position({ uri, path, content }: RecordDocument): Promise<AdrPosition> {
    const known = this.#known.get(content);
    if (known !== undefined) return known;
    const { title, text, frontMatter, outline } = content;
    await this.turns.take(text.length);
    const position = positionOf(parseAdr({ uri, path, title, text, frontMatter, outline }));
    this.#known.set(content, position);
    return position;
  }
}

function graphOf(positions: readonly AdrPosition[]): readonly (readonly [AdrRecord, AdrGraph])[] {
  const graph = new AdrGraph(positions.map(({ record }) => record));
  return graph.records.map((record) => [record, graph]);
}

/** A decision that replaced others rejects what they had chosen. */
function withInheritance(
  position: AdrPosition,
  all: readonly AdrPosition[],
  graphs: ReadonlyMap<AdrRecord, AdrGraph>,
): AdrPosition {
  const replaced = all.filter(
    ({ record }) =>
      record !== position.record && graphs.get(record)?.headsOf(record).includes(position.record) === true,
  );
  return replaced.length === 0 ? position : inheriting(position, replaced);
}

/** A README or a template beside ADRs is not one; a README in a numbered directory is. */
function isRecord({ path }: RecordDocument): boolean {
  const name = documentName(path);
  if (/(?:^|\/)(?:readme|index)\.md$/i.test(path)) return /\d/.test(name);
  return !/^(?:template|adr-template|(?:0000-)?template|.*-template)$/i.test(name);
}
