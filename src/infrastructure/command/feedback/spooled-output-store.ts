import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type {
  OutputSpool,
  OutputStore,
  SpoolRequest,
} from '../../../application/ports/command/output-store.js';
import type {
  FileAccess,
  PathGuard,
  SafeFileSystem,
} from '../../../application/ports/file/safe-file-system.js';
import type { IdSource } from '../../../application/ports/system/id-source.js';
import type { FileError } from '../../../domain/file/file-error.js';
import { Result } from '../../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../../domain/tool/tool-error.js';

/** For the server's own folder, whose paths nobody else chooses; what is begun there is also finished. */
const OWN: FileAccess = {
  guard: { mayRead: () => true, mayWrite: () => true },
  signal: new AbortController().signal,
};

/** Collects in the server's own folder, where no command reaches, and copies to the target when it is whole. */
export class SpooledOutputStore implements OutputStore {
  constructor(
    private readonly stateFolder: string,
    private readonly files: SafeFileSystem,
    private readonly ids: IdSource,
  ) {}

  async open(request: SpoolRequest): Promise<Result<OutputSpool, ToolError>> {
    const { paths } = request;
    const folder = await this.#folder();
    if (!folder.success) return notSaved(folder.error, 'Nothing has run.');
    const path = join(folder.value, this.ids.next());
    const guard: PathGuard = {
      mayRead: (candidate) => candidate === path || paths.canRead(candidate),
      mayWrite: (candidate) => paths.canWrite(candidate),
    };
    return Result.ok(new Spool(this.files, path, guard, request));
  }

  /** By its real name, which is what a guard is asked about. */
  async #folder(): Promise<Result<string, FileError>> {
    const folder = join(this.stateFolder, 'output');
    const made = await this.files.makeDirectory(folder, { parents: true }, OWN);
    if (!made.success) return made;
    const info = await this.files.info(folder, { followLinks: true }, OWN);
    return info.success ? Result.ok(info.value.realPath) : info;
  }
}

class Spool implements OutputSpool {
  readonly #chunks = new PassThrough();
  #bytes = 0;
  readonly #written: ReturnType<SafeFileSystem['write']>;

  constructor(
    private readonly files: SafeFileSystem,
    private readonly path: string,
    private readonly guard: PathGuard,
    private readonly request: SpoolRequest,
  ) {
    // Whoever writes is told; the stream itself has nobody else to tell.
    this.#chunks.on('error', () => undefined);
    this.#written = this.files.write(path, this.#chunks, { mode: 'create' }, OWN);
    // Until somebody asks how it went.
    this.#written.catch(() => undefined);
  }

  async write(chunk: Uint8Array): Promise<void> {
    const { maxBytes } = this.request;
    this.#bytes += chunk.length;
    if (this.#bytes > maxBytes)
      throw new Error(`it is longer than ${maxBytes} bytes, what the policy allows in one file.`);
    const taken = new Promise<void>((resolve, reject) => {
      this.#chunks.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    try {
      await taken;
    } catch (error) {
      // The stream only knows that nobody reads it any more.
      const written = await this.#written;
      throw written.success ? error : new Error(written.error.message);
    }
  }

  async keep(): Promise<Result<number, ToolError>> {
    this.#chunks.end();
    const written = await this.#written;
    if (!written.success) return notSaved(written.error, 'The command itself has run.');
    const { target, signal } = this.request;
    const access = { guard: this.guard, signal };
    const copied = await this.files.copy(this.path, target, { overwrite: true }, access);
    return copied.success
      ? Result.ok(written.value.bytes)
      : notSaved(copied.error, 'The command itself has run.');
  }

  async discard(): Promise<void> {
    this.#chunks.destroy();
    const isThere = await this.#written.then(
      ({ success }) => success,
      () => false,
    );
    if (isThere) await this.files.remove(this.path, { recursive: false }, OWN);
  }
}

function notSaved({ message }: FileError, what: string): Result<never, ToolError> {
  return toolFailure(executionFailed(`The output was not saved: ${message} ${what}`));
}
