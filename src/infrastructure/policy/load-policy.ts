import { createHash } from 'node:crypto';
import type { PolicySnapshot, RedactionSettings } from '../../application/ports/policy-source.js';
import { type FileProblem, formatProblem } from '../../domain/file-problem.js';
import { PermissionPolicy } from '../../domain/permission/permission-policy.js';
import type { PolicyLayer } from '../../domain/permission/policy-layer.js';
import { Result } from '../../domain/result.js';
import { DEFAULT_PROFILE } from './builtin-profiles.js';
import { compilePolicy } from './compile-policy.js';
import { type ComposedPolicy, PolicyComposer, type ReadPolicyFile } from './compose-policy.js';
import { checkEffects } from './effects/check-effects.js';
import type { PolicySurroundings } from './policy-compilation.js';
import type { PolicyDocument } from './policy-document.js';
import { compileExpressions } from './policy-expressions.js';
import { lintPolicy } from './policy-lint.js';
import { runPolicyTests, type TestBench } from './policy-tests.js';

/** Which policy to load, and in which surroundings. */
export interface PolicyRequest {
  /** Absolute; absent: the baseline. */
  readonly file?: string;
  /** False: somebody else's file. It may only narrow the baseline. */
  readonly trusted: boolean | TrustCheck;
  readonly ceiling?: string;
  /** Files that decide as well, though they are no part of the policy: the trust store. */
  readonly alsoWatch?: readonly string[];
  readonly surroundings: PolicySurroundings;
}

/** Asked at every load, because trust is in a content and not in a name. */
export type TrustCheck = (file: string, content: Uint8Array) => Promise<boolean>;

export interface PolicyRefusal {
  readonly message: string;
  readonly problems: readonly FileProblem[];
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
}

interface ReadLayer extends ComposedPolicy {
  readonly layer: PolicyLayer;
  readonly trusted: boolean;
}

export async function loadPolicy(
  request: PolicyRequest,
  bench: TestBench,
  read: ReadPolicyFile,
): Promise<Result<LoadedPolicy, PolicyRefusal>> {
  const problems: FileProblem[] = [];
  const named =
    request.file === undefined ? undefined : await readLayer(request.file, request, bench, read, problems);
  const ceiling =
    request.ceiling === undefined
      ? undefined
      : await readLayer(request.ceiling, request, bench, read, problems);
  if (problems.length > 0) return refusal(problems);
  const own = named ?? compileBaseline(request, problems);
  const base = own.trusted ? own : compileBaseline(request, problems);
  const narrowing = [...(base === own ? [] : [own]), ...(ceiling ? [ceiling] : [])];
  const layers = [base, ...narrowing];
  const ceilings = narrowing.map(({ layer }) => layer);
  let hash: string | undefined;
  let warnings: readonly FileProblem[] | undefined;
  return Result.ok({
    snapshot: {
      policy: new PermissionPolicy(base.layer, ceilings),
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
    trusted: own.trusted,
  });
}

/** In the order of the files' lines. A wrong default shows in every tool; it is one mistake all the same. */
function refusal(problems: readonly FileProblem[]): Result<never, PolicyRefusal> {
  const files = [...new Set(problems.map(({ file }) => file))];
  const inOrder = [...problems].sort(
    (first, second) =>
      files.indexOf(first.file) - files.indexOf(second.file) ||
      first.line - second.line ||
      first.column - second.column,
  );
  const unique = new Map(inOrder.map((problem) => [formatProblem(problem), problem]));
  return Result.failure(
    { message: [...unique.keys()].join('\n'), problems: [...unique.values()] },
    'InvalidPolicy',
  );
}

async function readLayer(
  file: string,
  request: PolicyRequest,
  bench: TestBench,
  read: ReadPolicyFile,
  problems: FileProblem[],
): Promise<ReadLayer> {
  const before = problems.length;
  const composed = await new PolicyComposer(read, problems).compose(file);
  const expressions = await compileExpressions(composed.document, problems);
  // A ceiling is always named by the operator.
  const trusted = file === request.ceiling || (await isTrusted(request.trusted, composed));
  const { principals, ...shared } = withOwnTools(composed, request.surroundings.tools);
  const document = trusted && principals ? { ...shared, principals } : shared;
  const layer = compilePolicy(file, document, request.surroundings, expressions, problems);
  if (problems.length === before) {
    const { document: whole } = composed;
    checkEffects({ file, document: whole, layer, surroundings: request.surroundings, bench }, problems);
  }
  // A file that cannot be read would fail its tests for the wrong reason.
  if (problems.length === before) {
    await runPolicyTests(composed.document, request.surroundings.tools, expressions, bench, problems);
  }
  return { ...composed, document, layer, trusted };
}

/** Whoever adds a tool in code means it to be used: it is part of every profile, under the file's own entry. */
function withOwnTools({ document, profiles }: ComposedPolicy, own: readonly string[]): PolicyDocument {
  if (profiles.length === 0 || own.length === 0) return document;
  const at = { file: 'embedder', line: 1, column: 1 };
  return {
    ...document,
    tools: { ...Object.fromEntries(own.map((name) => [name, { at }])), ...document.tools },
  };
}

/** Every file that takes part must be trusted: an extended one decides as much as the one that extends it. */
async function isTrusted(trust: boolean | TrustCheck, { files, contents }: ComposedPolicy): Promise<boolean> {
  if (typeof trust === 'boolean') return trust;
  for (const [index, bytes] of contents.entries()) {
    if (!(await trust(files[index] ?? '', bytes))) return false;
  }
  return contents.length > 0;
}

function compileBaseline({ surroundings }: PolicyRequest, problems: FileProblem[]): ReadLayer {
  const composed = PolicyComposer.builtin(DEFAULT_PROFILE);
  const document = withOwnTools(composed, surroundings.tools);
  const layer = compilePolicy(DEFAULT_PROFILE, document, surroundings, new Map(), problems);
  return { ...composed, document, layer, trusted: true };
}

function hashOf(layers: readonly ReadLayer[]): string {
  const hash = createHash('sha256');
  for (const { contents, profiles } of layers) {
    for (const bytes of contents) hash.update(`${bytes.length}:`).update(bytes);
    hash.update(`|${profiles.join(',')}|`);
  }
  return hash.digest('hex');
}

const ALL_BUILTIN = ['aws', 'github', 'slack', 'jwt', 'pem', 'bearer', 'url_userinfo'];

/** Layers only add: what one of them redacts is redacted. */
function redactionOf(layers: readonly ReadLayer[]): RedactionSettings {
  const entries = layers.map(({ document }) => document.redaction ?? {});
  return {
    builtin: [...new Set(entries.flatMap(({ builtin }) => builtin ?? ALL_BUILTIN))],
    patterns: entries.flatMap(({ patterns }) => patterns ?? []),
    results: entries.some(({ results }) => results === true),
  };
}
