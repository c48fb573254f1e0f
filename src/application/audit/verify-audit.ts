import { inject, injectable } from 'inversify';
import type { SegmentLink } from '../../domain/audit/audit-chain.js';
import {
  type AuditProblem,
  linkOfHeader,
  SegmentCheck,
  type SegmentReport,
} from '../../domain/audit/segment-check.js';
import { Result } from '../../domain/result.js';
import { type AuditFiles, AuditReader, type AuditSegmentFile } from '../ports/audit/audit-reader.js';

export interface VerifyAuditQuery {
  /** A segment file, or a directory of archived ones (default: the whole log). */
  readonly file?: string;
}

/** `incomplete`: the beginning is missing, and nothing else is wrong. */
export type AuditVerdict = 'sound' | 'incomplete' | 'tampered';

export interface AuditVerification {
  readonly verdict: AuditVerdict;
  /** Nothing was changed, removed or cut. A torn last record indicates a crash and does not count. */
  readonly sound: boolean;
  readonly segments: readonly SegmentReport[];
  readonly problems: readonly AuditProblem[];
}

interface CheckedSegment {
  readonly report: SegmentReport;
  readonly check: SegmentCheck;
}

@injectable()
export class VerifyAuditHandler {
  constructor(@inject(AuditReader) private readonly reader: AuditReader) {}

  /** `onSegment` is called for each segment before it is read. */
  async handle(
    query: VerifyAuditQuery,
    onSegment: (name: string, position: number, of: number) => void = () => undefined,
  ): Promise<Result<AuditVerification>> {
    const files = await this.reader.open(query.file);
    if (!files.success) return files;
    const links = await readLinks(files.value);
    const checked = new Map<string, CheckedSegment>();
    const { segments: all } = files.value;
    for (const [index, segment] of all.entries()) {
      onSegment(segment.name, index + 1, all.length);
      if (segment.present) checked.set(segment.name, await checkSegment(segment, files.value, links));
    }
    const found = [...checked.values()].flatMap(({ report }) => report.problems);
    if (!files.value.single) {
      found.push(...removedSegments(files.value));
      for (const [name, link] of links) found.push(...checkLink(name, link, files.value, checked));
    }
    // An archive is not expected to contain the beginning.
    const problems = query.file === undefined ? found : found.filter(({ kind }) => kind !== 'not-here');
    const segments = [...checked.values()].map(({ report }) => report);
    return Result.ok({ verdict: verdictOf(problems), sound: problems.length === 0, segments, problems });
  }
}

async function readLinks({ segments }: AuditFiles): Promise<ReadonlyMap<string, SegmentLink>> {
  const links = new Map<string, SegmentLink>();
  for (const segment of segments) {
    if (!segment.present) continue;
    for await (const line of segment.lines()) {
      const link = line.text === undefined ? undefined : linkOfHeader(line.text);
      if (link !== undefined) links.set(segment.name, link);
      break;
    }
  }
  return links;
}

async function checkSegment(
  segment: AuditSegmentFile,
  { seal }: AuditFiles,
  links: ReadonlyMap<string, SegmentLink>,
): Promise<CheckedSegment> {
  const wanted = [...links.values()].filter((link) => link.segment === segment.name);
  const check = new SegmentCheck(segment.name, seal, new Set(wanted.map((link) => link.count)));
  for await (const line of segment.lines()) {
    if (line.fragment) check.acceptFragment();
    else check.accept(line.text);
  }
  return { report: check.finish(segment.head), check };
}

function verdictOf(problems: readonly AuditProblem[]): AuditVerdict {
  if (problems.length === 0) return 'sound';
  return problems.every(({ kind }) => kind === 'not-here') ? 'incomplete' : 'tampered';
}

/** Returns true if there is no older segment. */
function isFirst(name: string, { segments }: AuditFiles): boolean {
  return segments.every((segment) => !segment.present || segment.name > name);
}

function notHere({ segment, count, seal }: SegmentLink): AuditProblem {
  const message = `The log begins after this segment (${count} records, last seal ${seal}), which is missing. If you archived it, check it there and run \`castellan audit prune --missing\`; otherwise it was removed.`;
  return { kind: 'not-here', segment, message };
}

/** Finds heads that promise records whose file is missing. Retention marks its heads; a crash leaves none. */
function removedSegments(files: AuditFiles): readonly AuditProblem[] {
  return files.segments
    .filter(({ present, head }) => !present && head?.state !== 'retired' && head?.count !== 0)
    .map(({ name, head }) =>
      head !== undefined && isFirst(name, files)
        ? notHere({ ...head, segment: name })
        : {
            kind: 'segment-missing' as const,
            segment: name,
            message: 'The segment was removed; its head file is still there.',
          },
    );
}

function checkLink(
  name: string,
  link: SegmentLink,
  files: AuditFiles,
  checked: ReadonlyMap<string, CheckedSegment>,
): readonly AuditProblem[] {
  const before = files.segments.find((segment) => segment.name === link.segment);
  if (before === undefined && isFirst(link.segment, files)) return [notHere(link)];
  if (before === undefined) {
    const message = `The segment before ${name} was removed with its head.`;
    return [{ kind: 'segment-missing', segment: link.segment, message }];
  }
  const sealed = before.present
    ? link.count === 0 || checked.get(link.segment)?.check.sealAt(link.count) === link.seal
    : before.head !== undefined && before.head.count >= link.count;
  const message = `Record ${link.count} is not the one that ${name} saw when it began.`;
  return sealed ? [] : [{ kind: 'link-broken', segment: link.segment, line: link.count, message }];
}
