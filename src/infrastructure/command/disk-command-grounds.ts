import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type {
  CommandGround,
  CommandGrounds,
  CommandGuard,
  GroundRequest,
} from '../../application/ports/command-ground.js';
import type { SandboxView } from '../../application/ports/command-sandbox.js';
import { normalisePath } from '../../domain/permission/normal-path.js';
import { Result } from '../../domain/result.js';
import { invalidInput, permissionDenied, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { isWithin } from '../sandbox/toolchains.js';
import { realFolders, sensitiveRules, type ViewFolders } from './command-view.js';
import { type DoorScope, GitDoors } from './git/git-doors.js';
import { gitDriverOverrides } from './git-drivers.js';
import { globNames } from './glob-names.js';
import { openPrivateHome, privateHomeOf } from './private-home.js';
import type { ProtectedWatch } from './protected-watch.js';
import { SensitiveFileCache } from './sensitive-file-cache.js';

export interface CommandGroundOptions {
  readonly workspace: string;
  readonly stateFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly realHome: string;
  readonly onProblem: (why: string) => void;
}

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store', '/gnu/store'];
const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];
const TMP = '/tmp';

/** The port over the machine's own disk. */
export class DiskCommandGrounds implements CommandGrounds {
  readonly environment: CommandGroundOptions['environment'];
  readonly #files: SensitiveFileCache;
  readonly #home: string;
  readonly #shell = SHELLS.find((path) => existsSync(path));
  readonly #doors: GitDoors;

  constructor(private readonly options: CommandGroundOptions) {
    this.environment = options.environment;
    this.#home = privateHomeOf(options.stateFolder, options.workspace);
    this.#files = new SensitiveFileCache(options.onProblem);
    this.#doors = new GitDoors(options.workspace, options.stateFolder);
  }

  async prepare(request: GroundRequest): Promise<Result<CommandGround, ToolError>> {
    const { workspace, realHome } = this.options;
    const home = openPrivateHome(this.#home, realHome);
    const { policy, tool, paths, profile } = request;
    const rules = sensitiveRules(policy, tool, paths, profile?.hide ?? []);
    const folders = profile && realFolders(profile, workspace);
    const open = folders === undefined ? [workspace] : [...folders.read, ...folders.write, home];
    const cwd = this.#cwd(request, open, home);
    if (!cwd.success) return cwd;
    const isOpen = (folder: string): boolean =>
      folders === undefined || [...open, ...SYSTEM].some((root) => isWithin(folder, root));
    const { view, git, doors, watch } = await this.#view(folders, rules, policy);
    return Result.ok({
      view,
      cwd: cwd.value,
      home,
      shell: this.#shell,
      expand: (pattern, directory) =>
        globNames(pattern, normalisePath(directory, cwd.value), {
          isOpen: (folder) => isOpen(folder) && !rules.isHidden(folder),
          isHidden: rules.isHidden,
        }),
      guard: (end) => this.#guard(view, doors, watch, end),
      gitOverrides: () => gitDriverOverrides(configsOf([join(workspace, '.git'), ...git], view)),
    });
  }

  #cwd({ cwd, paths }: GroundRequest, open: readonly string[], home: string): Result<string, ToolError> {
    const { workspace } = this.options;
    if (cwd === undefined) {
      return Result.ok(open.some((root) => isWithin(workspace, root)) ? workspace : home);
    }
    const real = cwd === TMP ? TMP : folderAt(cwd);
    if (real === undefined) {
      const problem = { parameter_name: 'cwd', issue: 'cwd is no folder', expected: 'a folder that exists' };
      return toolFailure(
        invalidInput([{ ...problem, received: cwd, hint: 'Leave it out to work in the workspace.' }]),
      );
    }
    if (real === TMP || paths.canRead(real) || open.some((root) => isWithin(real, root))) {
      return Result.ok(real);
    }
    return toolFailure(
      permissionDenied(
        'NO_ALLOW',
        'Commands do not see this folder (cwd). Work in the workspace, or in a folder that the policy shows to commands.',
      ),
    );
  }

  async #view(
    folders: ViewFolders | undefined,
    rules: ReturnType<typeof sensitiveRules>,
    key: object,
  ): Promise<{
    readonly view: SandboxView;
    readonly git: readonly string[];
    readonly doors?: DoorScope;
    readonly watch?: ProtectedWatch;
  }> {
    if (folders === undefined) {
      return { view: { read: [], write: [], hide: [], readOnlyInside: [] }, git: [] };
    }
    const { found, watch } = await this.#files.find([...folders.read, ...folders.write], rules, key);
    const { protection: git, scope } = this.#doors.prepare(folders.write, found.git);
    const isWritable = folders.write.some((root) => isWithin(this.options.workspace, root));
    return {
      git: found.git,
      doors: scope,
      watch,
      view: {
        read: isWritable ? folders.read : [...folders.read, ...git.write],
        write: isWritable ? [...folders.write, ...git.write] : folders.write,
        hide: found.hide,
        readOnlyInside: [
          ...new Set([
            ...git.readOnlyInside,
            ...found.fixed,
            ...folders.write.flatMap((root) => rules.couldAppear(root)).filter(isNoGit),
          ]),
        ],
      },
    };
  }

  #guard(
    view: SandboxView,
    scope: DoorScope | undefined,
    watch: ProtectedWatch | undefined,
    end: (why: string) => void,
  ): CommandGuard {
    const started = Date.now();
    const closeDoors = scope && this.#doors.begin(scope, end);
    return {
      close: async () => {
        const isWritable = (folder: string): boolean => view.write.some((root) => isWithin(folder, root));
        const all = (await watch?.appearedSince(started, isWritable)) ?? [];
        const repositories = all.filter(
          (path) => basename(path) === '.git' || existsSync(join(path, 'HEAD')),
        );
        const findings = closeDoors?.(repositories) ?? [];
        return {
          // A repository that was found harmless is nothing to tell.
          appeared: all.filter((path) => !repositories.includes(path)),
          findings: findings.map(({ text }) => text),
        };
      },
    };
  }
}

function folderAt(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    // Missing or closed to us: no folder for a command either.
    return undefined;
  }
}

// Repositories have finer rules, so that commits work.
function isNoGit(path: string): boolean {
  return !path.endsWith('/.git');
}

/** The configuration files that git reads in the repositories in view. */
function configsOf(entries: readonly string[], view: SandboxView): readonly string[] {
  const elsewhere = [...view.read, ...view.write].map((folder) => join(folder, 'config'));
  return [
    ...new Set([...entries.map((entry) => join(entry, 'config')), ...elsewhere, ...view.readOnlyInside]),
  ].filter((path) => path.endsWith('/config') || path.endsWith('/config.worktree'));
}
