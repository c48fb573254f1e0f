import { documentName } from '../document/document-title.js';
import type { AdrLink } from './adr-link.js';
import type { AdrRecord } from './adr-record.js';
import type { AdrStatus } from './adr-status.js';

export interface AdrProblem {
  readonly path: string;
  readonly line: number;
  readonly problem: string;
}

/** ADRs and the links between them. */
export class AdrGraph {
  readonly #successors = new Map<AdrRecord, Set<AdrRecord>>();
  readonly #amendments = new Map<AdrRecord, Set<AdrRecord>>();
  readonly problems: readonly AdrProblem[];

  constructor(readonly records: readonly AdrRecord[]) {
    const problems: AdrProblem[] = [];
    for (const record of records) {
      for (const link of record.links) this.#follow(record, link, problems);
    }
    for (const record of records) problems.push(...this.#lint(record));
    this.problems = problems;
  }

  /** An ADR is active if it was accepted and no active one has replaced it. */
  statusOf(record: AdrRecord): AdrStatus {
    if (record.status !== 'accepted' && record.status !== 'unknown') return record.status;
    const replaced = [...(this.#successors.get(record) ?? [])].some(hasTakenEffect);
    return replaced ? 'superseded' : record.status;
  }

  /** The ADRs at the end of the chain; none if it is a cycle. */
  headsOf(record: AdrRecord): readonly AdrRecord[] {
    const heads = new Set<AdrRecord>();
    const seen = new Set<AdrRecord>();
    const open = [record];
    for (let current = open.pop(); current !== undefined; current = open.pop()) {
      if (seen.has(current)) continue;
      seen.add(current);
      const next = [...(this.#successors.get(current) ?? [])];
      if (this.statusOf(current) !== 'superseded' || next.length === 0) heads.add(current);
      else open.push(...next);
    }
    return [...heads];
  }

  /** ADRs that change a part of this one and leave it active. */
  amendmentsOf(record: AdrRecord): readonly AdrRecord[] {
    return [...(this.#amendments.get(record) ?? [])];
  }

  #follow(record: AdrRecord, link: AdrLink, problems: AdrProblem[]): void {
    const targets = this.#resolve(link.target, record);
    const [target] = targets;
    const report = (problem: string) => problems.push({ path: record.source.path, line: link.line, problem });
    if (target === undefined) {
      if (link.kind !== 'relates' || /\.md$|^\d+$/.test(link.target)) {
        report(`${record.id} ${link.kind} "${link.target}", and there is no such record.`);
      }
      return;
    }
    if (targets.length > 1) {
      report(
        `"${link.target}" may be ${targets.map(({ source }) => source.path).join(' or ')}; link the file.`,
      );
    }
    if (target === record) {
      report(`${record.id} ${link.kind} itself.`);
      return;
    }
    if (link.kind === 'superseded-by') add(this.#successors, record, target);
    if (link.kind === 'supersedes') add(this.#successors, target, record);
    if (link.kind === 'amended-by') add(this.#amendments, record, target);
    if (link.kind === 'amends') add(this.#amendments, target, record);
  }

  #resolve(target: string, from: AdrRecord): readonly AdrRecord[] {
    const file =
      decoded(target)
        .replace(/[#?].*$/, '')
        .split('/')
        .at(-1)
        ?.replace(/\.md$/i, '') ?? '';
    const named = this.records.filter(
      ({ source }) => documentName(source.path).toLowerCase() === file.toLowerCase(),
    );
    if (named.length > 0)
      return named
        .filter((record) => record !== from)
        .concat(named)
        .slice(0, 1);
    const [, digits] = /^(?:\D{0,6}?)(\d{1,6})(?!\d)/.exec(file) ?? [];
    const byNumber = this.records.filter(({ number }) => digits !== undefined && number === Number(digits));
    if (byNumber.length > 0) {
      const others = byNumber.filter((record) => record !== from);
      return others.length > 0 ? others : byNumber;
    }
    const title = target.trim().toLowerCase();
    return this.records.filter((record) => record.title.toLowerCase() === title).slice(0, 1);
  }

  #lint(record: AdrRecord): readonly AdrProblem[] {
    const at = { path: record.source.path, line: record.statusLine };
    const found: AdrProblem[] = [];
    const successors = [...(this.#successors.get(record) ?? [])];
    const inForce = successors.find(hasTakenEffect);
    if (record.statusText === '' && !record.isInferred)
      found.push({ ...at, problem: `${record.id} has no status.` });
    else if (record.status === 'unknown' && record.statusText !== '') {
      const said = record.statusText.split('\n', 1)[0]?.slice(0, 80);
      found.push({ ...at, problem: `The status "${said}" of ${record.id} is not a known one.` });
    }
    if (record.status === 'superseded' && successors.length === 0) {
      found.push({ ...at, problem: `${record.id} is superseded without naming its successor.` });
    }
    if (record.status === 'accepted' && inForce !== undefined) {
      found.push({ ...at, problem: `${record.id} is marked accepted, but ${inForce.id} supersedes it.` });
    }
    const twin = this.records.find((other) => other !== record && other.number === record.number);
    if (record.number !== undefined && twin !== undefined) {
      found.push({ ...at, problem: `The number of ${record.id} is also that of ${twin.source.path}.` });
    }
    if (successors.length > 0 && this.#returnsTo(record)) {
      found.push({
        ...at,
        problem: `${record.id} is part of a cycle of superseded records, so none of them is active.`,
      });
    }
    return found;
  }

  #returnsTo(start: AdrRecord): boolean {
    const seen = new Set<AdrRecord>();
    const open = [...(this.#successors.get(start) ?? [])];
    for (let current = open.pop(); current !== undefined; current = open.pop()) {
      if (current === start) return true;
      if (seen.has(current)) continue;
      seen.add(current);
      open.push(...(this.#successors.get(current) ?? []));
    }
    return false;
  }
}

/** A successor that is only proposed, or was rejected, has replaced nothing. */
function hasTakenEffect({ status }: AdrRecord): boolean {
  return status !== 'proposed' && status !== 'rejected';
}

function add(map: Map<AdrRecord, Set<AdrRecord>>, key: AdrRecord, value: AdrRecord): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    // A stray percent sign: the target is taken literally.
    return target;
  }
}
