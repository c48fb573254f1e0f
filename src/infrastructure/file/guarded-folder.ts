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

/** Dependencies for access to a directory of settings. */
export interface FolderTools {
  readonly files: SafeFileSystem;
  readonly accesses: GuardedAccess;
  readonly policies: PolicySource;
}

export interface FolderRules {
  /**
   * The directory's own path must not lead out, because a link in it may be untrusted. `none`: it must not be
   * a link.
   */
  readonly links: { readonly mayNotLeave: string } | 'none';
  /** True for the server's own files, to which no policy applies. */
  readonly ofServer?: boolean;
  /** Formats a path for messages, given relative to the directory with slashes. */
  show(path: string): string;
}

/**
 * A directory named in the settings, with its files: documents, prompts. Nothing outside it is accessed, and
 * what the policy hides from file tools is hidden here as well, under every name.
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

  /** Creates the directory itself if it is missing. */
  async make(work: FileWork) {
    const leadsHere = (path: string) => isInside(this.root, path);
    const access = await this.#access(work);
    return this.tools.files.makeDirectory(
      this.root,
      { parents: true },
      { ...access, guard: { mayRead: leadsHere, mayWrite: leadsHere } },
    );
  }

  /**
   * Allows reading and writing within the directory, by its given and its real path, unless a rule denies it.
   */
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
