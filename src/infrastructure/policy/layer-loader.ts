import type { TrustStanding } from '../../application/ports/permission/trust-store.js';
import type { FileProblem } from '../../domain/file-problem.js';
import type { PolicyLayer } from '../../domain/permission/policy/policy-layer.js';
import { runPolicyTests, type TestBench } from './check/policy-tests.js';
import { DEFAULT_PROFILE } from './compile/builtin-profiles.js';
import { compilePolicy } from './compile/compile-policy.js';
import { compileExpressions } from './compile/policy-expressions.js';
import { type ComposedPolicy, PolicyComposer, type ReadPolicyFile } from './compose-policy.js';
import { checkEffects } from './effects/check-effects.js';
import { FoundFiles } from './found-files.js';
import type { OwnedFile, PolicyRequest } from './policy-request.js';

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
  /** Where the file of the request was only found and nothing but it is wrong: what may be said about it. */
  readonly found: readonly FileProblem[] | undefined;
}

interface LayerFile {
  readonly file: string;
  readonly read: ReadPolicyFile;
  /** What it extends where it does not say. */
  readonly fallback?: string | undefined;
  readonly standingOf?: (composed: ComposedPolicy) => Promise<TrustStanding>;
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
    const { ceiling, systemCeiling, userPolicy } = this.request;
    const user = await this.#present(userPolicy);
    const always = await this.#present(systemCeiling);
    const above: ReadLayer[] = [];
    if (ceiling !== undefined) above.push(await this.#layer({ file: ceiling, read: this.read }));
    if (always !== undefined) {
      const { path, owners } = always;
      above.push(await this.#layer({ file: path, read: (file) => this.read(file, { owners }) }));
    }
    const others = this.problems.length;
    const { named, found } = await this.#named(user);
    const isNeeded = named === undefined || named.standing !== 'trusted';
    const baseline =
      user !== undefined && isNeeded && this.problems.length === 0
        ? await this.#layer({ file: user.path, read: ownerAware(this.read, user) })
        : this.#builtin();
    return { named, baseline, ceilings: above, found: others === 0 ? found : undefined };
  }

  /** The file of the request. One that was only found is read as far as it lies in the workspace. */
  async #named(user: OwnedFile | undefined): Promise<Pick<ReadLayers, 'named' | 'found'>> {
    const { file, trusted, known, surroundings } = this.request;
    if (file === undefined) return { named: undefined, found: undefined };
    const before = this.problems.length;
    const isOwn = async (path: string): Promise<boolean> =>
      typeof trusted === 'boolean' || (await known?.(path)) === true;
    const files = new FoundFiles(isOwn, surroundings.workspace, this.read);
    const named = await this.#layer({
      file,
      read: ownerAware(files.read, user),
      fallback: user?.path,
      standingOf: (composed) => this.#standing(composed, user?.path),
    });
    return { named, found: await files.describe(file, this.problems.slice(before)) };
  }

  async #present(file: OwnedFile | undefined): Promise<OwnedFile | undefined> {
    if (file === undefined) return undefined;
    const found = await this.read(file.path, { owners: file.owners });
    return 'absent' in found && found.absent === true ? undefined : file;
  }

  async #layer({ file, read, fallback, standingOf }: LayerFile): Promise<ReadLayer> {
    const { problems, request, bench } = this;
    const { surroundings } = request;
    const before = problems.length;
    const composed = await new PolicyComposer(read, problems, surroundings.tools, fallback).compose(file);
    const standing = (await standingOf?.(composed)) ?? 'trusted';
    const expressions = await compileExpressions(composed.document, standing === 'trusted', problems);
    const { principals, ...shared } = composed.document;
    const document = standing === 'trusted' && principals ? { ...shared, principals } : shared;
    // A file that starts from nothing (`extends: []`) allows what it names and nothing else.
    const embedders = composed.profiles.length === 0 ? 'unknown' : 'allowed';
    const layer = compilePolicy(file, document, surroundings, expressions, problems, embedders);
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
    const composed = PolicyComposer.builtin(DEFAULT_PROFILE, surroundings.tools);
    const { document } = composed;
    const none = new Map();
    const layer = compilePolicy(DEFAULT_PROFILE, document, surroundings, none, this.problems, 'allowed');
    return { ...composed, layer, standing: 'trusted' };
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

/** The user's own policy counts only while it is really the user's. */
function ownerAware(read: ReadPolicyFile, user: OwnedFile | undefined): ReadPolicyFile {
  return (path) => read(path, path === user?.path ? { owners: user.owners } : undefined);
}
