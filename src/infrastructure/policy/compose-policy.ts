import { dirname, resolve } from 'node:path';
import type { FileProblem } from '../../domain/file-problem.js';
import type { KnownTool } from '../../domain/permission/policy/tool-capability.js';
import { normaliseToolName } from '../../domain/tool/tool-name.js';
import { didYouMean } from '../config/did-you-mean.js';
import { readYamlTree } from '../config/read-yaml-tree.js';
import { Reading } from '../config/yaml-shape.js';
import { addPermissions } from './compile/add-permissions.js';
import { builtinProfile, DEFAULT_PROFILE, PROFILE_NAMES } from './compile/builtin-profiles.js';
import { mergePolicies } from './compile/merge-policies.js';
import type { Named, PolicyDocument } from './schema/policy-document.js';
import { policyFile } from './schema/policy-file-schema.js';

/** Reads a whole file, or says in words why it cannot. */
export type ReadPolicyFile = (
  path: string,
  limits?: {
    /** A folder that it must really lie in. */
    readonly inside?: string | undefined;
    /** Who may own it; then nobody else may be able to write it. */
    readonly owners?: readonly number[] | undefined;
  },
) => Promise<{ readonly bytes: Uint8Array } | { readonly problem: string; readonly absent?: true }>;

export interface ComposedPolicy {
  readonly document: PolicyDocument;
  /** Every file that took part, the named one first; each with its content at the same index. */
  readonly files: readonly string[];
  /** Everything that decides what it means, for the hash. */
  readonly contents: readonly Uint8Array[];
  readonly profiles: readonly string[];
}

/** A file with everything it extends. Problems of all files are collected; cycles are refused. */
export class PolicyComposer {
  private readonly files: string[] = [];
  private readonly contents: Uint8Array[] = [];
  private readonly profiles = new Set<string>();

  constructor(
    private readonly read: ReadPolicyFile,
    private readonly problems: FileProblem[],
    private readonly tools: readonly KnownTool[],
    /** What a file extends that does not say; the user's own policy where there is one. */
    private readonly fallback: string = DEFAULT_PROFILE,
  ) {}

  async compose(file: string): Promise<ComposedPolicy> {
    const document = (await this.composeFile(file, [])) ?? {};
    return { document, files: this.files, contents: this.contents, profiles: [...this.profiles] };
  }

  static builtin(name: string, tools: readonly KnownTool[]): ComposedPolicy {
    return { document: builtinProfile(name, tools) ?? {}, files: [], contents: [], profiles: [name] };
  }

  private async composeFile(file: string, stack: readonly string[]): Promise<PolicyDocument | undefined> {
    const content = await this.read(file);
    if ('problem' in content) {
      this.files.push(file);
      this.contents.push(new Uint8Array());
      this.problems.push({ file, line: 1, column: 1, message: content.problem });
      return undefined;
    }
    this.files.push(file);
    this.contents.push(content.bytes);
    const tree = await readYamlTree(file, content.bytes, this.problems);
    const own = tree && policyFile.read(tree, new Reading(file, this.problems));
    if (own === undefined) return undefined;
    this.checkToolNames(own);
    let base: PolicyDocument = {};
    const name = file === this.fallback ? DEFAULT_PROFILE : this.fallback;
    const parents = own.extends ?? [{ name, at: { file, line: 1, column: 1 } }];
    for (const parent of parents) {
      const inherited = await this.composeParent(parent, file, [...stack, file]);
      if (inherited !== undefined) base = mergePolicies(base, inherited);
    }
    const { also_allow: added, tests } = own;
    const { tests: _, also_allow: __, ...rest } = addPermissions(mergePolicies(base, own), added ?? []);
    return { ...rest, ...(added && { also_allow: added }), ...(tests && { tests }) };
  }

  private async composeParent(
    { name, at }: Named,
    file: string,
    stack: readonly string[],
  ): Promise<PolicyDocument | undefined> {
    const report = (message: string, hint?: string): undefined => {
      const { line, column } = at;
      this.problems.push({ file: at.file, line, column, message, ...(hint !== undefined && { hint }) });
      return undefined;
    };
    if (name.startsWith('builtin:')) {
      const profile = builtinProfile(name, this.tools);
      if (profile === undefined) {
        return report(
          `No profile is called ${name}.`,
          didYouMean(name, PROFILE_NAMES) ?? `Known: ${PROFILE_NAMES.join(', ')}.`,
        );
      }
      this.profiles.add(name);
      return profile;
    }
    const path = resolve(dirname(file), name);
    if (stack.includes(path)) return report(`${name} extends a file that extends it.`, 'Break the circle.');
    const content = await this.read(path);
    if (!('problem' in content) || content.absent !== true) return this.composeFile(path, stack);
    this.files.push(path);
    this.contents.push(new Uint8Array());
    return report(
      `There is no file ${path}.`,
      'Correct the name, or write the file; the path is relative to this file.',
    );
  }

  /** `read-file` beside `read_file` would be two entries for one tool. */
  private checkToolNames(document: PolicyDocument): void {
    const seen = new Map<string, string>();
    for (const [name, entry] of Object.entries(document.tools ?? {})) {
      const normal = normaliseToolName(name);
      const first = seen.get(normal);
      if (first === undefined) seen.set(normal, name);
      else {
        const { file, line, column } = entry.at;
        this.problems.push({
          file,
          line,
          column,
          message: `${name} and ${first} are the same tool; join them.`,
        });
      }
    }
  }
}
