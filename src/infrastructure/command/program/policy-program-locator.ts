import type { LocatedProgram, ProgramLocator } from '../../../application/ports/command/program-locator.js';
import { searchPathOf } from '../../../domain/permission/policy/command-environment.js';
import type { PathView } from '../../../domain/permission/policy/path-view.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import { MaskedPrograms } from './masked-programs.js';
import { ProgramResolver } from './program-resolver.js';
import { findToolchains } from './toolchains.js';

export interface ProgramLocatorOptions {
  readonly workspace: string;
  /** The server's own variables: what the policy passes on comes from here. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The server's real home folder: where toolchains are looked for. */
  readonly realHome: string;
}

const WRITERS = ['write_file', 'edit_file', 'copy_path', 'move_path', 'create_directory'];
/** A package manager may replace a system program; nobody who calls can. */
const KEPT_MS = 5_000;

interface Programs {
  readonly resolver: ProgramResolver;
  readonly covered: MaskedPrograms;
  readonly known: Map<string, { readonly found: LocatedProgram; readonly until: number }>;
}

/** Looks programs up on the PATH the policy passes or sets, and knows what its tools could have put there. */
export class PolicyProgramLocator implements ProgramLocator {
  readonly #byPolicy = new WeakMap<PermissionPolicy, Map<string, Programs>>();
  #loading: Promise<void> | undefined;
  #toolchains: readonly string[] = [];

  constructor(private readonly options: ProgramLocatorOptions) {}

  load(): Promise<void> {
    const { environment, realHome } = this.options;
    this.#loading ??= findToolchains(environment.PATH ?? '', realHome).then(({ read }) => {
      this.#toolchains = read;
    });
    return this.#loading;
  }

  locate(
    program: string,
    directory: string,
    tool: string,
    policy: PermissionPolicy,
  ): LocatedProgram | undefined {
    const { resolver, known } = this.#programs(tool, policy);
    const cached = known.get(program);
    if (cached !== undefined && cached.until > performance.now()) return cached.found;
    const resolved = resolver.resolve(program, directory);
    if (resolved === undefined) return undefined;
    const found = { ...resolved, trusted: resolved.trusted && !isWritable(resolved, policy) };
    // Where the caller can write, the next look may find something else.
    if (found.trusted && !program.includes('/'))
      known.set(program, { found, until: performance.now() + KEPT_MS });
    return found;
  }

  filesOf(names: readonly string[], tool: string, policy: PermissionPolicy): readonly string[] {
    return names.length === 0 ? [] : this.#programs(tool, policy).covered.filesOf(names);
  }

  #programs(tool: string, policy: PermissionPolicy): Programs {
    const tools = this.#byPolicy.get(policy) ?? new Map<string, Programs>();
    this.#byPolicy.set(policy, tools);
    const known = tools.get(tool) ?? this.#make(tool, policy);
    tools.set(tool, known);
    return known;
  }

  #make(tool: string, policy: PermissionPolicy): Programs {
    const { workspace, environment } = this.options;
    const path = searchPathOf(policy.environmentOf(tool), environment);
    const writable = [workspace, '/tmp', ...policy.sandboxWrites()];
    return {
      resolver: new ProgramResolver(path, this.#toolchains, writable),
      covered: new MaskedPrograms(path),
      known: new Map(),
    };
  }
}

function isWritable({ path, realPath }: LocatedProgram, policy: PermissionPolicy): boolean {
  const views: readonly PathView[] = WRITERS.map((tool) => policy.viewFor(tool));
  return views.some((view) => view.canWrite(path) || view.canWrite(realPath));
}
