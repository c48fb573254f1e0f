import { createHash } from 'node:crypto';
import type { PolicySnapshot, RedactionSettings } from '../../application/ports/permission/policy-source.js';
import { type FileProblem, formatProblem } from '../../domain/file-problem.js';
import { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import type { PolicyLayer } from '../../domain/permission/policy/policy-layer.js';
import { SECRET_KINDS } from '../../domain/redaction/secret-shapes.js';
import { Result } from '../../domain/result.js';
import { changedSinceTrusted } from './changed-policy.js';
import { lintPolicy } from './check/policy-lint.js';
import type { TestBench } from './check/policy-tests.js';
import type { ReadPolicyFile } from './compose-policy.js';
import { LayerLoader, type ReadLayer } from './layer-loader.js';
import type { PolicyRequest } from './policy-request.js';
import type { PolicyDocument } from './schema/policy-document.js';

export type { OwnedFile, PolicyRequest, TrustCheck } from './policy-request.js';

/** Why a policy was not taken, with every problem and its place. */
export interface PolicyRefusal {
  readonly message: string;
  readonly problems: readonly FileProblem[];
  /**
   * There where the file was only found, and stops nothing: what may be said about it without showing what it
   * holds, because a stranger's file may be a link to, or extend, one that callers may not read.
   */
  readonly found?: readonly FileProblem[];
}

export interface LoadedPolicy {
  readonly snapshot: PolicySnapshot;
  /** Every file to watch. */
  readonly files: readonly string[];
  /** The file's own part, for lint and the description of its power. */
  readonly layer: PolicyLayer;
  readonly document: PolicyDocument;
  /** False: it only narrows the baseline until somebody trusts it. */
  readonly trusted: boolean;
  /** Every file with what it held. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

export async function loadPolicy(
  request: PolicyRequest,
  bench: TestBench,
  read: ReadPolicyFile,
): Promise<Result<LoadedPolicy, PolicyRefusal>> {
  const problems: FileProblem[] = [];
  const loader = new LayerLoader(request, bench, read, problems);
  const { named, baseline, ceilings: above, found } = await loader.all();
  if (problems.length > 0) return refusal(problems, found);
  const own = named ?? baseline;
  const base = own.standing === 'trusted' ? own : baseline;
  const narrowing = [...(base === own ? [] : [own]), ...above];
  const layers = [base, ...narrowing];
  const ceilings = narrowing.map(({ layer }) => layer);
  const notice =
    own.standing === 'changed' ? changedSinceTrusted(own.files[0] ?? '', request.surroundings) : undefined;
  let hash: string | undefined;
  let warnings: readonly FileProblem[] | undefined;
  return Result.ok({
    snapshot: {
      policy: new PermissionPolicy(base.layer, ceilings, notice),
      ...(notice !== undefined && { notice }),
      // A start has no use for it, and would wait for the hash function to be loaded.
      get hash() {
        hash ??= hashOf(layers);
        return hash;
      },
      origin: layers.flatMap(({ files, profiles }) => [...files, ...profiles]),
      // Nobody waits for advice while a server starts.
      get warnings() {
        warnings ??= lintPolicy(own.document, own.layer, request.surroundings);
        return warnings;
      },
      problems: [],
      redaction: redactionOf(layers),
    },
    files: layers.flatMap(({ files }) => files),
    layer: own.layer,
    document: own.document,
    trusted: own.standing === 'trusted',
    contents: new Map(
      layers.flatMap(({ files, contents }) =>
        files.map((file, index) => [file, contents[index] ?? NO_BYTES]),
      ),
    ),
  });
}

/** In the order of the files' lines. A wrong default shows in every tool; it is one mistake all the same. */
function refusal(
  problems: readonly FileProblem[],
  found?: readonly FileProblem[],
): Result<never, PolicyRefusal> {
  const files = [...new Set(problems.map(({ file }) => file))];
  const inOrder = [...problems].sort(
    (first, second) =>
      files.indexOf(first.file) - files.indexOf(second.file) ||
      first.line - second.line ||
      first.column - second.column,
  );
  const unique = new Map(inOrder.map((problem) => [formatProblem(problem), problem]));
  return Result.failure(
    { message: [...unique.keys()].join('\n'), problems: [...unique.values()], ...(found && { found }) },
    'InvalidPolicy',
  );
}

const NO_BYTES = new Uint8Array();

function hashOf(layers: readonly ReadLayer[]): string {
  const hash = createHash('sha256');
  for (const { contents, profiles } of layers) {
    for (const bytes of contents) hash.update(`${bytes.length}:`).update(bytes);
    hash.update(`|${profiles.join(',')}|`);
  }
  return hash.digest('hex');
}

/** Layers only add: what one of them redacts is redacted. */
function redactionOf(layers: readonly ReadLayer[]): RedactionSettings {
  const entries = layers.map(({ document }) => document.redaction ?? {});
  return {
    builtin: [...new Set(entries.flatMap(({ builtin }) => builtin ?? SECRET_KINDS))],
    patterns: entries.flatMap(({ patterns }) => patterns ?? []),
    results: entries.some(({ results }) => results === true),
  };
}
