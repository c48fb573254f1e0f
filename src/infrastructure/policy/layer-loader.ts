import type { TrustStanding } from '../../application/ports/trust-store.js';
import type { FileProblem } from '../../domain/file-problem.js';
import type { PolicyLayer } from '../../domain/permission/policy-layer.js';
import { DEFAULT_PROFILE } from './builtin-profiles.js';
import { compilePolicy } from './compile-policy.js';
import { type ComposedPolicy, PolicyComposer, type ReadPolicyFile } from './compose-policy.js';
import { checkEffects } from './effects/check-effects.js';
import type { PolicyDocument } from './policy-document.js';
import { compileExpressions } from './policy-expressions.js';
import type { OwnedFile, PolicyRequest } from './policy-request.js';
import { runPolicyTests, type TestBench } from './policy-tests.js';

export interface ReadLayer extends ComposedPolicy {
  readonly layer: PolicyLayer;
  readonly standing: TrustStanding;
}

export interface ReadLayers {
  /** The file of the request; undefined where there is none. */
  readonly named: ReadLayer | undefined;
  /** What holds where no file does: the user's own policy, else the built-in one. */
  readonly baseline: ReadLayer;
  readonly ceilings: readonly ReadLayer[];
}

/** Reads every file that takes part in a policy. Problems of all of them are collected. */
export class LayerLoader {
  constructor(
    private readonly request: PolicyRequest,
    private readonly bench: TestBench,
    private readonly read: ReadPolicyFile,
    private readonly problems: FileProblem[],
  ) {}

  async all(): Promise<ReadLayers> {
    const { file, ceiling, systemCeiling, userPolicy } = this.request;
    const user = await this.#present(userPolicy);
    const named =
      file === undefined
        ? undefined
        : await this.#layer(file, this.#ownerAware(user), user?.path, (composed) =>
            this.#standing(composed, user?.path),
          );
    const always = await this.#present(systemCeiling);
    const above = [
      ...(ceiling === undefined ? [] : [await this.#layer(ceiling, this.read)]),
      ...(always === undefined
        ? []
        : [await this.#layer(always.path, (path) => this.read(path, always.owners))]),
    ];
    const isNeeded = named === undefined || named.standing !== 'trusted';
    const baseline =
      user !== undefined && isNeeded ? await this.#layer(user.path, this.#ownerAware(user)) : this.#builtin();
    return { named, baseline, ceilings: above };
  }

  async #present(file: OwnedFile | undefined): Promise<OwnedFile | undefined> {
    if (file === undefined) return undefined;
    const found = await this.read(file.path, file.owners);
    return 'absent' in found && found.absent === true ? undefined : file;
  }

  #ownerAware(user: OwnedFile | undefined): ReadPolicyFile {
    return (path) => this.read(path, path === user?.path ? user.owners : undefined);
  }

  async #layer(
    file: string,
    read: ReadPolicyFile,
    fallback: string = DEFAULT_PROFILE,
    standingOf: (composed: ComposedPolicy) => Promise<TrustStanding> = async () => 'trusted',
  ): Promise<ReadLayer> {
    const { problems, request, bench } = this;
    const { surroundings } = request;
    const before = problems.length;
    const composed = await new PolicyComposer(read, problems, fallback).compose(file);
    const expressions = await compileExpressions(composed.document, problems);
    const standing = await standingOf(composed);
    const { principals, ...shared } = withOwnTools(composed, surroundings.tools);
    const document = standing === 'trusted' && principals ? { ...shared, principals } : shared;
    const layer = compilePolicy(file, document, surroundings, expressions, problems);
    if (problems.length === before) {
      checkEffects({ file, document: composed.document, layer, surroundings, bench }, problems);
    }
    // A file that cannot be read would fail its tests for the wrong reason.
    if (problems.length === before) {
      await runPolicyTests(composed.document, surroundings.tools, expressions, bench, problems);
    }
    return { ...composed, document, layer, standing };
  }

  #builtin(): ReadLayer {
    const { surroundings } = this.request;
    const composed = PolicyComposer.builtin(DEFAULT_PROFILE);
    const document = withOwnTools(composed, surroundings.tools);
    const layer = compilePolicy(DEFAULT_PROFILE, document, surroundings, new Map(), this.problems);
    return { ...composed, document, layer, standing: 'trusted' };
  }

  /** Every file that takes part must be trusted: an extended one decides as much as the one that extends it. */
  async #standing({ files, contents }: ComposedPolicy, user: string | undefined): Promise<TrustStanding> {
    const { trusted } = this.request;
    if (typeof trusted === 'boolean') return trusted ? 'trusted' : 'unknown';
    let standing: TrustStanding = contents.length > 0 ? 'trusted' : 'unknown';
    for (const [index, bytes] of contents.entries()) {
      const file = files[index] ?? '';
      const answer = file === user ? 'trusted' : await trusted(file, bytes);
      const found = typeof answer === 'string' ? answer : answer ? 'trusted' : 'unknown';
      if (found === 'changed' || (found === 'unknown' && standing === 'trusted')) standing = found;
    }
    return standing;
  }
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
