import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generateDocuments, questionFrom, seededRandom, withTypos } from './generated-documents.js';

export interface KnowledgeQuery {
  readonly kind: string;
  readonly query: string;
  /** The name of the one document that answers it. */
  readonly answer: string;
}

/** A folder of documents, and questions whose answers are known. */
export interface KnowledgeCorpus {
  readonly name: string;
  readonly folder: string;
  readonly queries: readonly KnowledgeQuery[];
}

const QUERIES_A_KIND = 200;

export function readCorpus(folder: string, queriesFile: string): KnowledgeCorpus {
  const parsed: unknown = JSON.parse(readFileSync(queriesFile, 'utf8'));
  if (!Array.isArray(parsed) || !parsed.every(isQuery)) {
    throw new Error(`${queriesFile} must be a JSON array of {kind, query, answer}.`);
  }
  return { name: folder, folder: resolve(folder), queries: parsed };
}

export function generateCorpus(scratch: string, count: number): KnowledgeCorpus {
  const folder = join(scratch, 'generated-documents');
  mkdirSync(folder);
  const documents = generateDocuments(count);
  for (const { name, text } of documents) writeFileSync(join(folder, name), text);
  const random = seededRandom(23);
  const asked = documents.filter((_, index) => index % Math.ceil(count / QUERIES_A_KIND) === 0);
  const queries = asked.flatMap(({ name, title, summary }) => [
    { kind: 'title', query: title, answer: name },
    { kind: 'question', query: questionFrom(summary, random), answer: name },
    { kind: 'typos', query: withTypos(title, random), answer: name },
  ]);
  return { name: `${count} generated documents`, folder, queries };
}

function isQuery(value: unknown): value is KnowledgeQuery {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['kind', 'query', 'answer'].every((key) => typeof Reflect.get(value, key) === 'string')
  );
}
