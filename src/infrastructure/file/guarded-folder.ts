import { relative, sep } from 'node:path';
import type { GuardedAccess } from '../../application/file/guarded-access.js';
import type { FileWork } from '../../application/ports/file/file-work.js';
import type {
  ByteRange,
  FileAccess,
  FileInfo,
  SafeFileSystem,
  WalkOptions,
  WriteOptions,
} from '../../application/ports/file/safe-file-system.js';
import type { PolicySource } from '../../application/ports/permission/policy-source.js';
import { isInside } from '../../domain/permission/path/normal-path.js';
import type { Result } from '../../domain/result.js';

const NEVER: FileWork = { aborted: false };

/** What a folder of settings is reached with. */
export interface FolderTools {
  readonly files: SafeFileSystem;
  readonly accesses: GuardedAccess;
  readonly policies: PolicySource;
}

export interface FolderRules {
  /** Inside it a link could be anybody's: the folder's own path must not lead out. `none`: it must be no link. */
  readonly links: { readonly mayNotLeave: string } | 'none';
  /** The server's own files: no policy is about them. */
  readonly ofServer?: boolean;
  /** How a message shows a path, given relative to the folder with slashes. */
  show(path: string): string;
}

/**
 * A folder that settings name, with its files: documents, prompts. Nothing outside it is touched, and what the policy
 * hides from file tools is hidden here as well, under every name it has.
 */
export class GuardedFolder {
  #realRoot: string | undefined;

  constructor(
    readonly root: string,
    private readonly rules: FolderRules,
    private readonly tools: FolderTools,
  ) {}

  async read(path: string, range: ByteRange) {
    return this.tools.files.readBytes(path, range, await this.#access());
  }

  async info(path: string, followLinks = true) {
    return this.tools.files.info(path, { followLinks }, await this.#access());
  }

  async walk(options: WalkOptions) {
    return this.tools.files.walk(this.root, options, await this.#access());
  }

  async write(path: string, content: string, options: WriteOptions, work: FileWork) {
    return this.tools.files.write(path, content, options, await this.#access(work));
  }

  async update<E extends { readonly message: string }>(
    path: string,
    maxBytes: number,
    change: (content: Uint8Array, info: FileInfo) => Promise<Result<Uint8Array, E>>,
    work: FileWork,
  ) {
    return this.tools.files.update(path, { maxBytes }, change, await this.#access(work));
  }

  async remove(path: string, work: FileWork) {
    return this.tools.files.remove(path, { recursive: false }, await this.#access(work));
  }

  /** Makes the folder itself if it is missing. */
  async make(work: FileWork) {
    const leadsHere = (path: string) => isInside(this.root, path);
    const access = await this.#access(work);
    return this.tools.files.makeDirectory(
      this.root,
      { parents: true },
      { ...access, guard: { mayRead: leadsHere, mayWrite: leadsHere } },
    );
  }

  /** Reading and writing within the folder, by the way it is named and by where it really is, unless a rule denies it. */
  async #access(work: FileWork = NEVER): Promise<FileAccess> {
    this.#realRoot ??= await this.#findRealRoot();
    const roots = [this.root, this.#acceptedRoot()];
    const { policy } = this.tools.policies.current();
    const isBelow = (path: string) => roots.some((root) => isInside(path, root));
    const mayRead = (path: string) => isBelow(path) && !policy.hides(path);
    const display = (path: string) => this.rules.show(relative(this.root, path).replaceAll(sep, '/'));
    if (this.rules.ofServer === true) {
      return { guard: { mayRead: isBelow, mayWrite: () => false }, signal: work, display };
    }
    return this.tools.accesses.of({
      guard: {
        mayRead,
        mayWrite: (path) => isBelow(path) && !policy.preserves(path),
        mayReadIn: (folder) => {
          if (!isBelow(folder)) return () => false;
          const hides = policy.hidesIn(folder);
          return (name) => !hides(name);
        },
      },
      signal: work,
      landed: (file) => work.landed?.(file),
      display,
      policy,
      mayReadName: mayRead,
      mayReadFrom: (path) => !policy.hides(path),
    });
  }

  #acceptedRoot(): string {
    const { links } = this.rules;
    const real = this.#realRoot;
    if (links === 'none' || real === undefined) return this.root;
    const { mayNotLeave } = links;
    return isInside(real, mayNotLeave) || !isInside(this.root, mayNotLeave) ? real : this.root;
  }

  async #findRealRoot(): Promise<string | undefined> {
    const guard = { mayRead: () => true, mayWrite: () => false };
    const info = await this.tools.files.info(this.root, { followLinks: true }, { guard, signal: NEVER });
    return info.success ? info.value.realPath : undefined;
  }
}
