import { inject, injectable } from 'inversify';
import { type FileError, showPath } from '../../domain/file/file-error.js';
import { isRedactionPlaceholder } from '../../domain/redaction/redaction-placeholder.js';
import { Result } from '../../domain/result.js';
import {
  executionFailed,
  invalidInput,
  limitExceeded,
  type ToolError,
  toolFailure,
} from '../../domain/tool/tool-error.js';
import { SafeFileSystem, type WriteOptions, type Written } from '../ports/file/safe-file-system.js';
import type { FileCall } from './file-call.js';
import { fileFailure } from './file-failure.js';
import { describeBytes } from './text-part.js';

export interface WriteFileCommand {
  readonly path: string;
  /** If omitted: an empty file, unless one with content exists. */
  readonly content?: string;
  readonly mode: WriteOptions['mode'];
  readonly createParents: boolean;
}

/** Writes a text, unless its content shows that something would be lost. */
@injectable()
export class WriteFileHandler {
  constructor(@inject(SafeFileSystem) private readonly files: SafeFileSystem) {}

  async handle(command: WriteFileCommand, call: FileCall): Promise<Result<Written, ToolError>> {
    const { path, content, mode, createParents } = command;
    if (content === undefined) return this.#writeNothing(command, call);
    if (isRedactionPlaceholder(content)) return placeholderRefused(path);
    // Half a surrogate pair has no bytes; a replacement character would be written instead.
    if (!content.isWellFormed()) {
      return toolFailure(
        executionFailed(
          'content is not valid Unicode: it has half of a surrogate pair. Send the whole character.',
          {
            type: 'EncodingError',
          },
        ),
      );
    }
    const bound = call.maxFileBytes;
    if (bound !== undefined && content.length * 3 > bound && byteLength(content) > bound) {
      return toolFailure(
        limitExceeded(
          `content has ${describeBytes(byteLength(content))} and the policy allows ${describeBytes(bound)} a file.`,
        ),
      );
    }
    const written = await this.files.write(call.resolve(path), content, { mode, createParents }, call.access);
    return written.success ? written : writeFailure(written.error, command);
  }

  /** A forgotten `content` must not erase a file: only a new file is written. */
  async #writeNothing(
    { path, mode, createParents }: WriteFileCommand,
    call: FileCall,
  ): Promise<Result<Written, ToolError>> {
    const careful = { mode: mode === 'overwrite' ? 'create' : mode, createParents };
    const written = await this.files.write(call.resolve(path), '', careful, call.access);
    if (written.success) return written;
    if (mode !== 'overwrite' || written.error.kind !== 'already-exists')
      return writeFailure(written.error, { path, createParents });
    const found = await this.files.info(call.resolve(path), { followLinks: true }, call.access);
    if (found.success && found.value.size === 0) return Result.ok({ created: false, bytes: 0 });
    return toolFailure(contentRequired(path, found.success ? found.value.size : undefined));
  }
}

/** If a new file cannot be created, its parent directory is missing. */
function writeFailure(
  error: FileError,
  { path, createParents }: Pick<WriteFileCommand, 'path' | 'createParents'>,
) {
  if (error.kind !== 'not-found' || createParents) return fileFailure(error);
  return toolFailure(
    executionFailed(`No such file or directory: ${showPath(path)}. Its parent directory is missing.`, {
      type: 'NotFoundError',
      instruction: 'If the path is right, call again with create_dirs: true.',
    }),
  );
}

function contentRequired(path: string, size: number | undefined): ToolError {
  const has = size === undefined ? 'is there already' : `has ${describeBytes(size)}`;
  const hint = 'Pass the text to write, or content: "" to empty the file.';
  return invalidInput([
    {
      parameter_name: 'content',
      issue: `content is required here: ${showPath(path)} ${has} and was left as it is. ${hint}`,
      expected: 'a text',
      received: 'nothing',
      hint,
    },
  ]);
}

/** Results may be redacted; written back, a placeholder would overwrite the secret. */
export function placeholderRefused(path: string) {
  return toolFailure(
    executionFailed(
      `${path} was not changed: the text holds a [castellan-redacted:…] placeholder, which stands for something ` +
        'that was hidden from you. Change the file around it with edit_file instead.',
      { type: 'RedactedTextError' },
    ),
  );
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
